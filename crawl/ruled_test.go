package crawl_test

import (
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"varve/archive/warc"
	"varve/clock"
	"varve/crawl"
	"varve/crawl/fetch"
	"varve/crawl/guide"
	"varve/crawl/polite"
	"varve/crawl/relevance"
	"varve/crawl/scope"
)

// ruledSite is a site with one thing for each condition. It notes what was asked for, and how much of long answers was taken.
type ruledSite struct {
	mu    sync.Mutex
	asked map[string]int
	sent  map[string]int
}

const (
	english = `The committee met again on Tuesday morning and decided that the bridge over the river will be closed for repairs during the whole summer.`
	german  = `Der Ausschuss traf sich am Dienstagmorgen erneut und beschloss, dass die Brücke über den Fluss während des ganzen Sommers wegen Reparaturen gesperrt bleibt.`
	long    = 64 << 20
)

func (s *ruledSite) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.asked[r.URL.Path]++
	s.mu.Unlock()
	page := func(lang, text string) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, "<html lang=%s><title>t</title><body><p>%s</p>", lang, text)
	}
	switch r.URL.Path {
	case "/robots.txt":
		fmt.Fprint(w, "User-agent: *\nDisallow: /secret\n")
	case "/":
		page("de", `<link rel=stylesheet href=/style.css><img src=/pic.png><img src=/secret.png><a href=/en>cats</a> <a href=/de>cats</a> <a href=/announced>cats</a>
			<a href=/endless>cats</a> <a href=/secret>cats</a> <a href=/moved>cats</a> <a href=/cars>engines</a>`)
	case "/pic.png", "/secret.png":
		w.Header().Set("Content-Type", "image/png")
		fmt.Fprint(w, "picture")
	case "/style.css":
		w.Header().Set("Content-Type", "text/css")
		fmt.Fprint(w, "p{}")
	case "/en":
		page("de", english+` <a href=/en-next>cats</a><img src=/en-part.png>`) // it says German, and is English
	case "/de":
		page("de", german+` <a href=/de-next>cats</a>`)
	case "/en-next", "/de-next", "/secret", "/en-part.png":
		page("de", "cats cats")
	case "/cars":
		page("de", "engines wheels engines")
	case "/moved":
		http.Redirect(w, r, "/small", http.StatusFound)
	case "/small":
		w.Header().Set("Content-Type", "text/plain")
		fmt.Fprint(w, "tiny")
	case "/announced":
		w.Header().Set("Content-Length", fmt.Sprint(long))
		s.send(w, r)
	case "/endless":
		s.send(w, r)
	default:
		http.NotFound(w, r)
	}
}

// send writes until the client has enough.
func (s *ruledSite) send(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/plain")
	piece, n := []byte(strings.Repeat("x", 64<<10)), 0
	for n < long {
		k, err := w.Write(piece)
		if n += k; err != nil {
			break
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sent[r.URL.Path] = n
}

// spammy is a stage that knows hosts as spam.
type spammy struct{ crawl.Stage }

func (spammy) Admit(*crawl.Admission)                    {}
func (spammy) Examine(*crawl.Visit, *crawl.Answer)       {}
func (spammy) Settle([]*crawl.Visit, *crawl.Notes) error { return nil }
func (spammy) Know(c *scope.Candidate)                   { c.Spam = scope.Is(0.8) }
func recordedPaths(t *testing.T, p crawl.Place) (l []string) {
	eachRecord(t, p.WarcDir, func(rec *warc.Record) {
		if rec.Type() == warc.TypeResponse {
			l = append(l, "/"+strings.SplitN(rec.TargetURI(), "/", 4)[3])
		}
	})
	return l
}

// Each condition on what an answer is decides when it is known: before the request, at the head, after the body. The report
// counts by rule.
func TestRules(t *testing.T) {
	yes, no := true, false
	share := func(f float64) *float64 { return &f }
	reject := func(r scope.Rule) []scope.Rule {
		r.Name, r.Do = "it", scope.Reject
		return []scope.Rule{r}
	}
	for _, c := range []struct {
		name    string
		rules   []scope.Rule
		ignore  bool // robots.txt
		topic   bool
		spam    bool
		never   string // asked for
		gone    string // asked for, and not recorded
		there   string // recorded
		counted crawl.Ruled
	}{
		{
			name: "mime", rules: reject(scope.Rule{MIME: []string{"image/*", "text/css"}}),
			gone: "/pic.png /style.css", there: "/en /de /en-next /endless /small", counted: crawl.Ruled{Head: 2},
		},
		{
			name: "larger", rules: reject(scope.Rule{LargerThan: 100 << 10}),
			gone: "/announced /endless", there: "/en /small", counted: crawl.Ruled{Head: 1, Body: 1},
		},
		{
			name: "smaller", rules: reject(scope.Rule{SmallerThan: 5}),
			gone: "/small /style.css", there: "/moved /pic.png /endless", counted: crawl.Ruled{Head: 2},
		},
		{
			name: "language", rules: reject(scope.Rule{Language: []string{"en"}}),
			gone: "/en", never: "/en-next /en-part.png", there: "/de /de-next", counted: crawl.Ruled{Body: 1},
		},
		{
			name: "followed", rules: reject(scope.Rule{Language: []string{"en"}, Follow: &yes}),
			gone: "/en", never: "/en-part.png", there: "/en-next /de", counted: crawl.Ruled{Body: 1, Followed: 1},
		},
		{
			name: "followed by address", rules: reject(scope.Rule{Regex: []string{"/en$"}, Follow: &yes}),
			gone: "/en", there: "/en-next /de", counted: crawl.Ruled{Body: 1, Followed: 1},
		},
		{
			name: "an end", rules: []scope.Rule{{Name: "it", Do: scope.Accept, Language: []string{"de"}, Follow: &no}},
			there: "/de /en-next", never: "/de-next", counted: crawl.Ruled{Ends: 3},
		},
		{
			name: "robots", rules: reject(scope.Rule{Robots: scope.RobotsForbid, Hop: []string{"link"}}), ignore: true,
			never: "/secret", there: "/secret.png /en", counted: crawl.Ruled{Links: 1},
		},
		{
			name: "robots allow", rules: reject(scope.Rule{Robots: scope.RobotsAllow, Hop: []string{"embed"}}), ignore: true,
			never: "/pic.png /style.css", there: "/secret.png /secret", counted: crawl.Ruled{Links: 3},
		},
		{
			name: "relevance", rules: reject(scope.Rule{RelevanceUnder: share(0.3), MIME: []string{"text/html"}}), topic: true,
			gone: "/en /de /cars", never: "/en-next", there: "/secret /style.css", ignore: true, counted: crawl.Ruled{Head: 1, Body: 2},
		},
		{
			name: "relevance of links", rules: reject(scope.Rule{RelevanceUnder: share(0.3)}), topic: true,
			never: "/cars", gone: "/en /de", ignore: true, there: "/secret /style.css /moved /small", counted: crawl.Ruled{Links: 1, Body: 2},
		},
		{
			name: "spam", rules: reject(scope.Rule{SpamOver: share(0.5), Hop: []string{"link"}}), spam: true,
			never: "/en /de /moved", there: "/pic.png /style.css", counted: crawl.Ruled{Links: 7},
		},
		{
			name: "less spam", rules: reject(scope.Rule{SpamOver: share(0.9), Hop: []string{"link"}}), spam: true,
			there: "/en /pic.png",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			site := &ruledSite{asked: map[string]int{}, sent: map[string]int{}}
			s := httptest.NewServer(site)
			defer s.Close()
			client, err := fetch.New(fetch.Config{UserAgent: "test", AllowPrivate: true, Clock: clock.Real()})
			if err != nil {
				t.Fatal(err)
			}
			defer client.Close()
			e := crawl.NewEngine(crawl.EngineConfig{Fetcher: client, Polite: polite.Fixed(0), Clock: clock.Real(), Log: slog.New(slog.DiscardHandler)})
			place, def := placeIn(t.TempDir()), hostScope(s.URL+"/")
			def.Contact, def.Scope.Rules, def.IgnoreRobots, def.MaxBody = "x@example.org", c.rules, c.ignore, 1<<20
			stages := func(def crawl.Definition) []crawl.Stage {
				var list []crawl.Stage
				if c.topic {
					judge, err := relevance.New(relevance.About{Weights: map[string]float64{"document": 0.01, "paragraph": 0, "place": 0, "way": 0}}, []string{"cats"})
					if err != nil {
						t.Fatal(err)
					}
					list = append(list, guide.NewJudged(def, judge))
				}
				if c.spam {
					list = append(list, &spammy{})
				}
				return list
			}
			run, err := e.StartIn(t.Context(), "test", place, def, crawl.Options{Stages: stages})
			if err != nil {
				t.Fatal(err)
			}
			rep := wait(t, run)
			if !rep.Finished {
				t.Errorf("not finished: %s", rep.Why)
			}
			held := recordedPaths(t, place)
			for _, p := range strings.Fields(c.never) {
				if site.asked[p] > 0 {
					t.Errorf("%s was asked for", p)
				}
			}
			for _, p := range strings.Fields(c.gone) {
				if site.asked[p] != 1 || slices.Contains(held, p) {
					t.Errorf("%s: asked for %d times, recorded %v", p, site.asked[p], slices.Contains(held, p))
				}
			}
			for _, p := range strings.Fields(c.there + " /") {
				if !slices.Contains(held, p) {
					t.Errorf("%s is not recorded", p)
				}
			}
			if got := rep.Rules["it"]; got != c.counted {
				t.Errorf("counted %+v, want %+v", got, c.counted)
			}
			if want := c.counted.Head + c.counted.Body; rep.Declined.Count != want {
				t.Errorf("%d answers declined, want %d", rep.Declined.Count, want)
			}
			for p, n := range site.sent {
				if slices.Contains(strings.Fields(c.gone), p) && n >= long/2 {
					t.Errorf("%d bytes of %s were taken", n, p)
				}
			}
			checkTotals(t, place)
		})
	}
}
