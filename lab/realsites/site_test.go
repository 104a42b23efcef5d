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
	"time"

	"varve/coherence/report"
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
	films, err := s.parse("page /\nfilm one /a.m3u8 /b.ts\ntold two rtmp://h/x\n")
	if err != nil || len(films.Films) != 1 || len(films.Films[0].Needs) != 2 || films.Told[0] != "rtmp://h/x" {
		t.Errorf("films %+v, %v", films, err)
	}
	for _, bad := range []string{"", "film one\n", "page\n", "PHP Warning: something\n", "part /a /b\n"} {
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
	c.judge(pages, [3][]look{looksOf(live[0]), looksOf(live[1]), looksOf(live[2])}, map[string]bool{"c": true}, map[string]bool{"b": true, "e": true}, &found, map[string][]span{"a": {{}}, "b": {{}}, "c": {{}}, "d": {{}}, "e": {{}}}, map[string]bool{"b": true})
	want := Change{Edited: 1, Deleted: 3, Seen: 2, False: []string{"a is named, and reads as before"}, Missed: []string{"e"}, Unasked: []string{"f"}}
	if !reflect.DeepEqual(c, want) {
		t.Errorf("%+v, want %+v", c, want)
	}
}

// Of edits during a crawl, those between visit and revisit must be told, and no others.
func TestChangeDuring(t *testing.T) {
	clock := func(s int) time.Time { return time.Date(2026, 11, 16, 12, 0, s, 0, time.UTC) }
	asked := func(visit, revisit int) []span {
		return []span{{clock(visit), clock(visit + 1)}, {clock(revisit), clock(revisit + 1)}}
	}
	// Edits are made from second 20 to 23.
	for _, c := range []struct {
		name         string
		edited, gone bool
		times        []span
		state        report.State // that the report has; "" is coherent
		want         Change
	}{
		{"edited and told", true, false, asked(5, 30), report.Changed, Change{During: 1, Proven: 1}},
		{"edited and not told", true, false, asked(5, 30), "", Change{During: 1, Missed: []string{`p, edited between visit and revisit, is ""`}}},
		{"deleted and told", true, true, asked(5, 30), report.Lost, Change{During: 1, Proven: 1}},
		{"deleted and told as changed", true, true, asked(5, 30), report.Changed, Change{During: 1, Missed: []string{`p, edited between visit and revisit, is "changed"`}}},
		{"revisited before", true, false, asked(5, 10), "", Change{}},
		{"revisited before and told", true, false, asked(5, 10), report.Changed, Change{False: []string{"p is changed, and was not edited between visit and revisit"}}},
		{"revisited meanwhile", true, false, asked(5, 21), report.Changed, Change{}},
		{"not edited and told", false, false, asked(5, 30), report.Changed, Change{False: []string{"p is changed, and was not edited between visit and revisit"}}},
		{"not revisited", true, false, asked(5, 30)[:1], "", Change{Unasked: []string{"p is not revisited"}}},
	} {
		after := "one"
		if c.edited {
			after = "two"
		}
		var rep report.Report
		if c.state != "" {
			rep.Worst = []report.Defect{{URL: "p", State: c.state}}
		}
		var got Change
		got.judgeDuring([]Page{{"p", "p"}}, [3][]look{looksOf([]string{"one"}), looksOf([]string{"one"}), looksOf([]string{after})},
			map[string]bool{"p": c.gone}, &rep, map[string][]span{"p": c.times}, clock(20), clock(23))
		if !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}

func TestSpan(t *testing.T) {
	from := time.Date(2026, 11, 16, 19, 30, 1, 75e6, time.UTC)
	if got, err := parseSpan("20261116193001075+1132"); err != nil || got != (span{from, from.Add(1132 * time.Millisecond)}) {
		t.Errorf("%v (%v)", got, err)
	}
	for _, bad := range []string{"", "2026", "20261116193001075", "20261116193001075+x", "20261399193001075+1"} {
		if got, err := parseSpan(bad); err == nil {
			t.Errorf("%q is %v", bad, got)
		}
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
