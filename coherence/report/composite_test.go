package report_test

import (
	"fmt"
	"strings"
	"testing"

	"varve/coherence"
	"varve/coherence/evidence"
	"varve/coherence/evidence/fixture"
	"varve/coherence/report"
)

// together judges all pages of a set with their parts.
func together(t *testing.T, set *evidence.Set, o report.Options) (*report.Report, map[string]string) {
	t.Helper()
	dates, err := report.LearnDates(set, "")
	if err != nil {
		t.Fatal(err)
	}
	o.Dates, o.Workers = dates, 2
	got := map[string]string{}
	r, err := report.Make(t.Context(), set, o, func(p *report.Judged, _ *report.Frame) error {
		if c := p.Together; c != nil {
			words := []string{string(c.Verdict), string(c.Level), fmt.Sprintf("at %g of %d", c.At.Sub(fixture.Epoch).Seconds(), c.Parts)}
			for _, b := range c.Broken {
				words = append(words, strings.TrimPrefix(b.URL, "http://a.test")+" "+string(b.Verdict))
			}
			got[strings.TrimPrefix(p.URL, "http://a.test")] = strings.Join(words, ", ")
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if k := r.Composite; k.Coherent+k.Possible+k.Unknown+k.Violated != k.Pages || k.Witnessed+k.Asserted+k.Inferred != k.Coherent || int(k.Pages) != len(got) {
		t.Errorf("%+v does not add up, of %d pages", k, len(got))
	}
	return r, got
}

// A page stands or falls with what it shows: what the style sheet names and where a redirect leads are parts too; alternatives that nobody asked for are not.
func TestPagesWithParts(t *testing.T) {
	f := fixture.New(t, "a.warc.gz")
	f.Info("one")
	c := crawler{f, "host:a.test"}
	page := func(body string) fixture.Answer {
		return fixture.Answer{Body: "<title>T</title><p>Words of it.</p>" + body}
	}
	css := func(body string) fixture.Answer { return fixture.Answer{MIME: "text/css", Body: body} }
	png := func(body string) fixture.Answer { return fixture.Answer{MIME: "image/png", Body: body} }
	for _, pass := range []struct {
		name string
		at   func(n float64) float64 // visits go up, revisits come back
	}{{"visit", func(n float64) float64 { return n }}, {"revisit", func(n float64) float64 { return 100 - n }}} {
		second := pass.name == "revisit"
		visit := func(path string, n float64, a fixture.Answer) { c.visit(pass.name, path, pass.at(n), a) }
		visit("/whole", 0, page(`<link rel=stylesheet href=/s.css><img src=/p.png srcset="/never.png 2x">`))
		visit("/bare", 1, page(``))
		visit("/broken", 2, page(`<img src=/changes.png>`))
		visit("/absent", 3, page(`<img src=/lost.png><img src=/p.png>`))
		visit("/gone", 4, page(`<img src=/404.png>`))
		visit("/moved", 5, page(`<img src=/old.png>`))
		visit("/deep", 6, page(`<link rel=stylesheet href=/deep.css>`))
		other := ``
		if second {
			other = `<img src=/q.png>`
		}
		visit("/other", 7, page(`<img src=/late.png>`+other)) // the text is the same, its parts are not
		visit("/s.css", 20, css(`body { background: url(/b.png) }`))
		visit("/deep.css", 21, css(`@import "/deeper.css";`))
		visit("/deeper.css", 22, css(`body { background: url(/changes.png) }`))
		visit("/p.png", 23, png("p"))
		visit("/b.png", 24, png("b"))
		if second {
			visit("/changes.png", 25, png("new"))
		} else {
			visit("/changes.png", 25, png("old"))
		}
		visit("/404.png", 26, fixture.Answer{Status: 404, Body: "no"})
		visit("/old.png", 27, fixture.Answer{Status: 302, Header: []string{"Location: /p.png"}})
		visit("/late.png", 28, png("late"))
	}
	set := evidenceOf(t, []string{f.Write(t.TempDir())})
	r, got := together(t, set, report.Options{Crawl: "one"})
	for path, want := range map[string]string{
		"/whole":  "coherent, witnessed, at 24 of 3",
		"/bare":   "coherent, witnessed, at 1 of 0",
		"/broken": "coherent, witnessed, at 25 of 1", // page and picture stood together when the picture was captured
		"/absent": "unknown, , at 3 of 2, /lost.png unknown, /p.png possible",
		"/gone":   "coherent, witnessed, at 26 of 1",
		"/moved":  "coherent, witnessed, at 27 of 2",
		"/deep":   "coherent, witnessed, at 25 of 3",
		"/other":  "possible, , at 7 of 1, /late.png possible",
	} {
		if got[path] != want {
			t.Errorf("%s: %s, want %s", path, got[path], want)
		}
	}
	if k := r.Composite; len(got) != 8 || k.Bare != 1 || k.Parts != 13 || len(k.Worst) != 1 || k.Worst[0].URL != "http://a.test/absent" {
		t.Errorf("%d pages: %+v", len(got), r.Composite)
	}
}

// A picture that changed while the page stood only once breaks it, and is named.
func TestPartBreaksPage(t *testing.T) {
	f := fixture.New(t, "a.warc.gz")
	c := crawler{f, "host:a.test"}
	c.visit("visit", "/p.png", 0, fixture.Answer{MIME: "image/png", Body: "old"})
	c.visit("visit", "/", 5, fixture.Answer{Body: `<p>Words</p><img src=/p.png><img src=/late.png>`})
	c.visit("revisit", "/p.png", 9, fixture.Answer{MIME: "image/png", Body: "new"})
	c.visit("visit", "/late.png", 10, fixture.Answer{MIME: "image/png", Body: "x"})
	r, got := together(t, evidenceOf(t, []string{f.Write(t.TempDir())}), report.Options{})
	if want := "violated, witnessed, at 5 of 2, /p.png violated, /late.png possible"; got["/"] != want {
		t.Errorf("%s, want %s", got["/"], want)
	}
	if w := r.Composite.Worst; len(w) != 1 || w[0].Reason != coherence.ByChange || w[0].Amiss != 2 {
		t.Errorf("worst: %+v", w)
	}
}

// Captures of other crawls let infer what stood between them; judged alone, they say nothing.
func TestPartsOfOtherCrawls(t *testing.T) {
	dir := t.TempDir()
	var files []string
	for i, at := range []float64{0, 100, 200} {
		f := fixture.New(t, fmt.Sprintf("%d.warc.gz", i))
		f.Info([]string{"a", "b", "c"}[i])
		f.Response(fixture.Answer{URL: "http://a.test/", At: fixture.At(at), Body: `<p>Words</p><img src=/p.png>`})
		f.Response(fixture.Answer{URL: "http://a.test/p.png", At: fixture.At(at + 5), MIME: "image/png", Body: "p"})
		files = append(files, f.Write(dir))
	}
	set := evidenceOf(t, files)
	if _, got := together(t, set, report.Options{Crawl: "b"}); got["/"] != "coherent, inferred, at 100 of 1" {
		t.Errorf("with others: %s", got["/"])
	}
	if _, got := together(t, set, report.Options{Crawl: "b", Alone: true}); got["/"] != "possible, , at 100 of 1, /p.png possible" {
		t.Errorf("alone: %s", got["/"])
	}
}

// More parts than are kept are counted, and the page is not called coherent for those that are.
func TestTooManyParts(t *testing.T) {
	f := fixture.New(t, "a.warc.gz")
	c := crawler{f, ""}
	var b strings.Builder
	for i := range 1100 {
		fmt.Fprintf(&b, "<img src=/%d.png>", i)
	}
	c.visit("visit", "/", 0, fixture.Answer{Body: b.String()})
	c.visit("revisit", "/", 9000, fixture.Answer{Body: b.String()})
	for i := range 1100 {
		for _, pass := range []string{"visit", "revisit"} {
			at := map[string]float64{"visit": float64(i + 1), "revisit": 5000}[pass]
			c.visit(pass, fmt.Sprintf("/%d.png", i), at, fixture.Answer{MIME: "image/png", Body: fmt.Sprint(i)})
		}
	}
	_, got := together(t, evidenceOf(t, []string{f.Write(t.TempDir())}), report.Options{})
	if want := "possible, , at 1000 of 1100"; got["/"] != want {
		t.Errorf("%s, want %s", got["/"], want)
	}
}
