package realsites

import (
	"context"
	"encoding/json"
	"image"
	"image/color"
	"math"
	"net"
	"net/http"
	"reflect"
	"slices"
	"testing"
)

func TestTruth(t *testing.T) {
	s := Site{Name: "docsify"}
	got, err := s.parse("page /\npage /#/guide /guide.md\npart /openapi.json\n")
	want := &Truth{
		Pages: []Page{
			{"http://docsify.realsites.test/", "http://docsify.realsites.test/"},
			{"http://docsify.realsites.test/#/guide", "http://docsify.realsites.test/guide.md"},
		},
		Parts: []string{"http://docsify.realsites.test/openapi.json"},
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v (%v)", got, err)
	}
	for _, bad := range []string{"", "page\n", "PHP Warning: something\n", "part /a /b\n"} {
		if got, err := s.parse(bad); err == nil {
			t.Errorf("%q is %+v", bad, got)
		}
	}
}

// Every site has the script that fills it.
func TestScripts(t *testing.T) {
	for _, s := range Sites() {
		if _, err := sources.ReadFile("sites/" + s.Name + "/fill.sh"); err != nil {
			t.Error(err)
		}
	}
}

func TestCompare(t *testing.T) {
	var l Line
	pages := []Page{{URL: "a"}, {URL: "b"}, {URL: "c"}, {URL: "d"}, {URL: "e"}}
	live, again := []string{"one two", "one two three", "x", "seen 1 times today", "seen 1 times today"}, []string{"one two", "one two three", "x", "seen 2 times today", "seen 2 times today"}
	l.compare(pages, looksOf(live), looksOf(again), looksOf([]string{"one two", "one two", "", "seen 7 times today", "seen 7 times yesterday"}))
	want := []string{`b: live "two three", replay "two"`, `c: live "x", replay ""`, `e: live "today", replay "yesterday"`}
	if l.Looked != 5 || l.Same != 2 || !reflect.DeepEqual(l.Differ, want) {
		t.Errorf("%d of %d, %q", l.Same, l.Looked, l.Differ)
	}
}

// What a comparison names is held against what pages read before and after; a word that differs while nobody writes is no change.
func TestChange(t *testing.T) {
	pages := []Page{{"a", "a"}, {"b", "b"}, {"c", "c"}, {"d", "d"}, {"e", "e"}, {"f", "f"}}
	live := [3][]string{
		{"one", "two", "three", "seen 1 times", "five", "six"},
		{"one", "two", "three", "seen 2 times", "five", "six"},
		{"one", "TWO", "not found", "seen 3 times", "FIVE", "SIX"},
	}
	var found comparison
	err := json.Unmarshal([]byte(`{"changed": [{"url": "a", "layer": "text", "defect": "content"}, {"url": "b", "layer": "main", "defect": "links"},
		{"url": "c", "layer": "main", "defect": "missing"}, {"url": "d", "layer": "bytes", "defect": "content"}, {"url": "e", "layer": "dom", "defect": "content"}]}`), &found)
	if err != nil {
		t.Fatal(err)
	}
	var c Change
	c.judge(pages, [3][]look{looksOf(live[0]), looksOf(live[1]), looksOf(live[2])}, map[string]bool{"c": true}, &found, map[string]bool{"a": true, "b": true, "c": true, "d": true, "e": true})
	want := Change{Edited: 3, Deleted: 1, Seen: 2, False: []string{"a is named, and reads as before"}, Missed: []string{"e"}, Unasked: []string{"f"}}
	if !reflect.DeepEqual(c, want) {
		t.Errorf("%+v, want %+v", c, want)
	}
}

func looksOf(words []string) (list []look) {
	for _, w := range words {
		list = append(list, look{words: w})
	}
	return list
}

func TestLikeness(t *testing.T) {
	draw := func(w, h int, ink func(x, y int) uint8) image.Image {
		p := image.NewGray(image.Rect(0, 0, w, h))
		for y := range h {
			for x := range w {
				p.SetGray(x, y, color.Gray{Y: ink(x, y)})
			}
		}
		return p
	}
	lines := draw(64, 64, func(x, _ int) uint8 { return uint8(x % 4 * 80) })
	for _, c := range []struct {
		name      string
		other     image.Image
		low, high float64
	}{
		{"the same", lines, 1, 1},
		{"a point darker", draw(64, 64, func(x, _ int) uint8 { return uint8(max(0, x%4*80-3)) }), 0.99, 0.99999},
		{"turned", draw(64, 64, func(_, y int) uint8 { return uint8(y % 4 * 80) }), -0.1, 0.1},
		{"blank", draw(64, 64, func(int, int) uint8 { return 120 }), 0, 0.02},
		{"the upper half", draw(64, 32, func(x, _ int) uint8 { return uint8(x % 4 * 80) }), 0.5, 0.5},
		{"nothing", draw(0, 0, nil), 0, 0},
	} {
		if got := likeness(lines, c.other); got < c.low || got > c.high {
			t.Errorf("%s: %.4f, want %g to %g", c.name, got, c.low, c.high)
		}
		if there, back := likeness(lines, c.other), likeness(c.other, lines); math.Abs(there-back) > 1e-9 {
			t.Errorf("%s: %g and %g", c.name, there, back)
		}
	}
}

// What calls for the world is noted by its name, encrypted or not.
func TestOutside(t *testing.T) {
	o, err := openOutside()
	if err != nil {
		t.Fatal(err)
	}
	client := http.Client{Transport: &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "tcp", o.listener.Addr().String())
	}}}
	for _, address := range []string{"http://tracker.test/", "https://font.test/", "https://update.googleapis.com/"} {
		if resp, err := client.Get(address); err == nil {
			resp.Body.Close()
			t.Errorf("%s was answered", address)
		}
	}
	got := o.close()
	slices.Sort(got)
	if got = slices.Compact(got); !slices.Equal(got, []string{"font.test", "tracker.test"}) {
		t.Errorf("%q", got)
	}
}
