package capture

import (
	"encoding/json"
	"strings"
	"testing"

	"varve/lab/websim"
)

// A parser gets what is written out and misses what is made; what it gets is kept to the byte.
func TestParser(t *testing.T) {
	var progress strings.Builder
	res, err := Run(t.Context(), Config{Sites: []string{"srcset", "router"}, Modes: []Mode{Parser}, Plain: 6, Seed: 1, Dir: t.TempDir(), Crawl: within(t, nil)}, &progress)
	if err != nil {
		t.Fatal(err)
	}
	for i, l := range res.Lines {
		if l.Documents < 7 || l.Requests <= l.Documents || len(l.Inexact) > 0 || l.Captured+len(l.Missed) != l.Elements {
			t.Errorf("%s: %+v", l.Site, l)
		}
		if i == 0 && l.Captured < 7 || i == 1 && l.Captured > l.Elements/2 {
			t.Errorf("%s: %d of %d captured", l.Site, l.Captured, l.Elements)
		}
	}
	if n := strings.Count(progress.String(), "\n"); n != 2 {
		t.Errorf("progress: %s", progress.String())
	}
	var out strings.Builder
	if err := res.Print(&out, true); err != nil || !strings.Contains(out.String(), "missed  parser opaque: GET http://router.hard.test/shop/data/item-1.json") {
		t.Errorf("%v\n%s", err, out.String())
	}
	if b, err := json.Marshal(res); err != nil || !strings.Contains(string(b), `"site":"all"`) {
		t.Errorf("%s, %v", b, err)
	}
}

func TestCompare(t *testing.T) {
	sent := func(target, digest string) websim.Entry {
		return websim.Entry{Method: "GET", Scheme: "http", Host: "h", Target: target, Digest: digest}
	}
	kept := func(url, digest string) Exchange { return Exchange{Method: "GET", URL: url, Digest: digest} }
	for _, c := range []struct {
		name string
		log  []websim.Entry
		list []Exchange
		want int
	}{
		{"same", []websim.Entry{sent("/a", "1"), sent("/a", "1")}, []Exchange{kept("http://h/a", "1"), kept("http://h/a", "1")}, 0},
		{"not recorded", []websim.Entry{sent("/a", "1"), sent("/b", "2")}, []Exchange{kept("http://h/a", "1")}, 1},
		{"other bytes", []websim.Entry{sent("/a", "1")}, []Exchange{kept("http://h/a", "2")}, 2},
		{"once too often", []websim.Entry{sent("/a", "1")}, []Exchange{kept("http://h/a", "1"), kept("http://h/a", "1")}, 1},
	} {
		if got := compare(c.list, c.log); len(got) != c.want {
			t.Errorf("%s: %q", c.name, got)
		}
	}
}

func TestTargets(t *testing.T) {
	line := func(m Mode, captured, notFound int, cpu float64) Line {
		return Line{Site: "s", Mode: m, Elements: 100, Captured: captured, NotFound: notFound, CPU: cpu}
	}
	for _, c := range []struct {
		name   string
		lines  []Line
		missed string
	}{
		{"all met", []Line{line(Parser, 20, 9, 1), line(Routed, 96, 3, 24), line(Browser, 97, 3, 100)}, ""},
		{"too little", []Line{line(Parser, 20, 9, 1), line(Routed, 94, 3, 24), line(Browser, 97, 3, 100)}, "share of key elements, routed, at least"},
		{"too dear", []Line{line(Parser, 20, 9, 1), line(Routed, 96, 3, 25), line(Browser, 97, 3, 100)}, "CPU of routed by that of browser, under"},
		{"too many 404s", []Line{line(Parser, 20, 3, 1), line(Routed, 96, 3, 20), line(Browser, 97, 3, 100)}, "404s of routed, fewer than those of the guessing parser"},
		{"parser alone", []Line{line(Parser, 20, 3, 1)}, ""},
	} {
		r := &Result{Lines: c.lines}
		r.sum()
		missed := ""
		for _, target := range r.Targets {
			if !target.Met {
				missed += target.Name
			}
		}
		if missed != c.missed || r.Met() != (c.missed == "") {
			t.Errorf("%s: missed %q", c.name, missed)
		}
	}
}

func TestParseModes(t *testing.T) {
	if m, err := ParseModes("all"); err != nil || len(m) != 3 {
		t.Error(m, err)
	}
	if m, err := ParseModes("routed, parser"); err != nil || len(m) != 2 || m[0] != Routed {
		t.Error(m, err)
	}
	if _, err := ParseModes("guess"); err == nil || !strings.Contains(err.Error(), "routed") {
		t.Error(err)
	}
}
