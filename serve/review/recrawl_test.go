package review_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"varve"
	"varve/archive/catalog"
	"varve/clock"
	"varve/crawl"
	"varve/crawl/scope"
	"varve/lab/attack"
	"varve/serve/access"
	"varve/serve/crawls"
	"varve/serve/holdings"
	"varve/serve/review"
)

// lacking is the log of a crawl that lacks three addresses, and may get two of them.
const lacking = `2026-03-01T06:22:44.341Z    -2          0 http://a.example/a L http://a.example/ - #000 20260301062244341+0 - - connect
2026-03-01T06:22:45.341Z   404        155 http://a.example/x.css E http://a.example/ text/css #000 20260301062245341+0 sha1:R6XJ - -
2026-03-01T06:22:46.341Z   503        155 http://a.example/b L http://a.example/ text/html #000 20260301062246341+0 sha1:R6XJ - -
`

// mending is what a later crawl got: one page, but the other not, though it was there at first.
const mending = `2026-03-02T06:22:44.341Z   200        900 http://a.example/a - - text/html #000 20260302062244341+0 sha1:AAAA - -
2026-03-02T06:22:45.341Z   200        900 http://a.example/b - - text/html #000 20260302062245341+0 sha1:AAAA - -
2026-03-02T06:22:46.341Z   503        155 http://a.example/b - - text/html #000 20260302062246341+0 sha1:R6XJ - -
2026-03-02T06:22:47.341Z   200        900 http://a.example/other - - text/html #000 20260302062246341+0 sha1:R6XJ - -
`

type noAudit struct{}

func (noAudit) Append(access.Entry) error { return nil }

type starter struct{ started []string }

func (s *starter) Start(_ context.Context, collection, definition, by string) (crawls.Job, error) {
	s.started = append(s.started, collection+" "+definition+" "+by)
	return crawls.Job{Collection: collection, Definition: definition, By: by}, nil
}

func judged(t *testing.T, log string) *review.Quality {
	t.Helper()
	q, err := review.Judge(t.Context(), strings.NewReader(log), nil)
	if err != nil {
		t.Fatal(err)
	}
	return q
}

func TestChoose(t *testing.T) {
	tally := attack.Count(t)
	q := judged(t, lacking+`2026-03-01T06:22:44.341Z    -2          0 ftp://a.example/f L http://a.example/ - #000 20260301062244341+0 - - connect`+"\n")
	for name, c := range map[string]struct {
		chosen []string
		want   string
	}{
		"all":            {nil, "http://a.example/a http://a.example/b"},
		"one":            {[]string{"http://a.example/b", "http://a.example/b"}, "http://a.example/b"},
		"what is gone":   {[]string{"http://a.example/x.css"}, "http://a.example/x.css"},
		"somebody's own": {[]string{"http://evil.example/", "http://169.254.169.254/"}, ""},
		"no web":         {[]string{"ftp://a.example/f"}, ""},
	} {
		if c.want == "" {
			tally.Try(len(c.chosen))
		}
		got, err := q.Choose(c.chosen)
		if strings.Join(got, " ") != c.want || (err == nil) != (c.want != "") {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
}

// A recrawl is planned with the manners of the crawl it mends, started, and what it got is told, with who began it.
func TestRecrawlHeals(t *testing.T) {
	dir := t.TempDir()
	cat := catalog.Open(dir)
	col, err := cat.Collection("news")
	if err == nil {
		err = col.Create()
	}
	const old = "20260301T060000Z"
	rest := scope.Duration(3 * time.Second)
	def := &crawl.Definition{
		Name: "daily", Seeds: []string{"http://a.example/"}, Scope: scope.Definition{Mode: scope.Host}, Delay: &rest, Contact: "https://my.library/crawler", MaxPages: 7, Topic: []string{"x"},
		UserAgent: "varve/test", IgnoreRobots: true,
	}
	at := time.Date(2026, 3, 2, 6, 0, 0, 0, time.UTC)
	plans, start := &crawls.Desk{Archive: cat, Audit: noAudit{}, Now: func() time.Time { return at }}, &starter{}
	k := &holdings.Crawl{ID: old, Collection: "news", Definition: def}
	q := judged(t, lacking)
	urls, choice := q.Choose(nil)
	if err != nil || choice != nil {
		t.Fatal(err, choice)
	}
	for range 2 { // a second time, the plan is there
		at = at.Add(time.Minute)
		if _, err := review.Recrawl(t.Context(), plans, start, k, urls, "eva"); err != nil {
			t.Fatal(err)
		}
	}
	name := holdings.MendingName(old)
	e, err := plans.Entry("news", name)
	if err != nil {
		t.Fatal(err)
	}
	if list, err := plans.List("news"); err != nil || len(list) != 0 {
		t.Errorf("a recrawl is left in the plan: %v, %v", list, err)
	}
	if c, err := holdings.New(cat, func() time.Time { return at }).Collection(t.Context(), "news"); err != nil || len(c.Plans) != 0 {
		t.Errorf("a recrawl is left in the plan: %v, %v", c.Plans, err)
	}
	d := e.Definition
	if !slices.Equal(d.Seeds, urls) || d.Scope.Mode != scope.Page || *d.Delay != rest || d.Contact != def.Contact || !d.IgnoreRobots || d.MaxPages != 0 || d.Topic != nil || d.Every != 0 {
		t.Errorf("planned: %+v", d)
	}
	if !slices.Equal(start.started, []string{"news " + name + " eva", "news " + name + " eva"}) {
		t.Errorf("started: %v", start.started)
	}
	if _, err := review.Recrawl(t.Context(), plans, start, &holdings.Crawl{ID: old, Collection: "news"}, urls, "eva"); varve.KindOf(err) != varve.Conflict {
		t.Errorf("without a definition: %v", err)
	}
	for file, text := range map[string]string{
		"20260302T060300Z/definition.json": `{"name":"` + name + `","seeds":["http://a.example/a","http://a.example/b"]}`, "20260302T060300Z/crawl.log": mending,
		"20260302T070000Z/definition.json": `{"name":"daily","seeds":["http://a.example/"]}`, "20260302T070000Z/crawl.log": mending,
		old + "/crawl.log": lacking,
	} {
		path := filepath.Join(col.Dir(), "crawls", file)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	h, err := holdings.New(cat, clock.Real().Now).Collection(t.Context(), "news")
	if err != nil {
		t.Fatal(err)
	}
	lines, err := crawl.ReadDefined(col)
	if err != nil {
		t.Fatal(err)
	}
	menders := review.Menders(h.Crawls, old, lines)
	if err := q.Heal(t.Context(), menders); err != nil {
		t.Fatal(err)
	}
	if len(menders) != 1 || menders[0].By != "eva" || menders[0].Asked != 2 || menders[0].Got != 1 || q.Healed != 1 || q.Lacking() != 2 {
		t.Errorf("menders %+v, healed %d of %d", menders, q.Healed, q.Defects)
	}
	for _, g := range q.Groups {
		for _, x := range g.Examples {
			if healed := x.Healed != nil; healed != (x.URL == "http://a.example/a") || healed && (x.Healed.By != "eva" || x.Healed.Crawl != "20260302T060300Z") {
				t.Errorf("%s: %+v", x.URL, x.Healed)
			}
		}
	}
	if again := q.Recrawl(); !slices.Equal(again, []string{"http://a.example/b"}) {
		t.Errorf("still to be got: %v", again)
	}
	if _, err := q.Choose([]string{"http://a.example/a"}); err == nil {
		t.Error("what is healed is asked for again")
	}
}
