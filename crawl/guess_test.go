package crawl_test

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"varve/clock"
	"varve/crawl"
	"varve/crawl/collect"
	"varve/crawl/fetch"
	"varve/crawl/gather"
	"varve/crawl/polite"
	"varve/crawl/scope"
	"varve/crawl/stages"
	"varve/web/links"
)

// byHost routes the pages of one host to a collector.
type byHost string

func (h byHost) Choose(e *collect.Evidence) collect.Choice {
	if e.MIME == "text/html" && strings.Contains(e.URL, string(h)) {
		return collect.Choice{Collector: "run", Why: "test"}
	}
	return collect.Choice{}
}

func (byHost) Learn(collect.Choice, collect.Yield) {}

// A host whose pages were executed is not guessed at; others are, as before.
func TestNoGuessesWhereScriptsRun(t *testing.T) {
	t.Parallel()
	page := `<html><body><script>var a = "/guess/1.html", b = "/guess/2.html";</script><a href="/">on</a></body></html>`
	s := simulateText(t, `
-- site.toml --
[[site]]
host = "run.sim.test"
pages = 2
[[site]]
host = "read.sim.test"
pages = 2
-- run.sim.test/start.html --
`+page+`
-- read.sim.test/start.html --
`+page+`
`)
	nothing := collectorFunc(func(context.Context, *collect.Answer, collect.Net) (*collect.Result, error) {
		return &collect.Result{}, nil
	})
	opts := crawl.Options{Stages: stages.Set{Collect: gather.Options{Route: byHost("run.sim.test"), Collectors: map[string]collect.Collector{"run": nothing}, Runs: "run"}}.Of}
	def := hostScope("http://run.sim.test/start.html", "http://read.sim.test/start.html")
	run, err := newEngine(t, s, noDelay()).StartIn(context.Background(), "test", placeIn(t.TempDir()), def, opts)
	if err != nil {
		t.Fatal(err)
	}
	rep := wait(t, run)
	guesses := map[string]int{}
	for _, e := range s.Log().Entries() {
		if strings.HasPrefix(e.Target, "/guess/") {
			guesses[e.Host]++
		}
	}
	if guesses["run.sim.test"] != 0 || guesses["read.sim.test"] != 2 {
		t.Errorf("guesses %v", guesses)
	}
	if n := rep.Refusals["pages of the host were executed"]; n != 2 {
		t.Errorf("refusals %v", rep.Refusals)
	}
}

// textSite serves texts by path, and counts who asked for what.
type textSite struct {
	*httptest.Server
	mu    sync.Mutex
	asked map[string]int
}

func newTextSite(t *testing.T, texts map[string]string) *textSite {
	s := &textSite{asked: map[string]int{}}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		s.asked[r.Host+r.URL.RequestURI()]++
		s.asked[r.URL.RequestURI()]++
		s.mu.Unlock()
		text, there := texts[r.URL.Path]
		switch {
		case !there:
			http.NotFound(w, r)
			return
		case strings.HasSuffix(r.URL.Path, ".js"):
			w.Header().Set("Content-Type", "text/javascript")
		case strings.HasSuffix(r.URL.Path, ".json"):
			w.Header().Set("Content-Type", "application/json")
		default:
			w.Header().Set("Content-Type", "text/html")
		}
		_, _ = io.WriteString(w, text)
	}))
	t.Cleanup(s.Close)
	return s
}

func (s *textSite) count(target string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.asked[target]
}

// What a script names is refused as a guess where pages are executed; when a link, a request of the page, or the page that was
// executed names it later, it is fetched. VitePress lost 14 of 15 pages so, Swagger UI its specification.
func TestBetterFindReopensRefusedGuess(t *testing.T) {
	t.Parallel()
	s := newTextSite(t, map[string]string{
		"/":            `<title>app</title><div id="app"></div><script src="/app.js"></script><a href="/linked.html">on</a>`,
		"/app.js":      `var pages = ["/linked.html", "/routed.html", "/spec.json", "/never.html"]`,
		"/app":         `x`,
		"/linked.html": `<title>linked</title>`, "/routed.html": `<title>routed</title>`, "/never.html": `<title>never</title>`,
		"/spec.json": `{"info": "the specification"}`,
	})
	var run *crawl.Run
	started := make(chan struct{})
	var spec string
	execute := collectorFunc(func(ctx context.Context, a *collect.Answer, net collect.Net) (*collect.Result, error) {
		<-started
		if !strings.HasSuffix(a.URL, "/") {
			return &collect.Result{}, nil
		}
		if _, err := bodyOf(net.Fetch(ctx, &collect.Request{URL: s.URL + "/app.js", Hop: links.HopEmbed})); err != nil {
			return nil, err
		}
		for run.Progress().Refused < 4 { // all four strings of the script
			select {
			case <-ctx.Done():
				return nil, ctx.Err()
			case <-time.After(5 * time.Millisecond):
			}
		}
		var err error
		spec, err = bodyOf(net.Fetch(ctx, &collect.Request{URL: s.URL + "/spec.json", Hop: links.HopEmbed}))
		return &collect.Result{Links: []links.Link{{URL: s.URL + "/routed.html", Kind: links.DOMRequest, Hop: links.HopLink}}}, err
	})
	u, err := url.Parse(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	e, err := engineFor(nil, nil, polite.Fixed(0))
	if err != nil {
		t.Fatal(err)
	}
	opts := crawl.Options{Stages: stages.Set{Collect: gather.Options{Route: byHost(u.Host), Collectors: map[string]collect.Collector{"run": execute}, Runs: "run"}}.Of}
	place := placeIn(t.TempDir())
	if run, err = e.StartIn(context.Background(), "test", place, hostScope(s.URL+"/"), opts); err != nil {
		t.Fatal(err)
	}
	close(started)
	rep := wait(t, run)
	if !strings.Contains(spec, "the specification") {
		t.Errorf("the page asked for its specification and got %q", spec)
	}
	want := map[string]int{"/linked.html": 1, "/routed.html": 1, "/spec.json": 1, "/never.html": 0}
	got := map[string]int{}
	for target := range want {
		got[target] = s.count(target)
	}
	if !maps.Equal(got, want) {
		t.Errorf("asked for %v, want %v", got, want)
	}
	if !rep.Complete {
		t.Errorf("not complete: %+v", rep.Gaps)
	}
	if !slices.ContainsFunc(eventsOf(t, place), func(e event) bool { return e.Event == "reopened" }) {
		t.Error("no event tells of it")
	}
}

// Pages that only the table of an application's routes names are tried, though pages of the host are executed; strings of scripts that name no page are not.
func TestRoutesOfApplicationAreTried(t *testing.T) {
	t.Parallel()
	texts := map[string]string{
		"/":         `<title>book</title><div id="app"></div><script src="/app.js"></script><script src="/lib.js"></script><a href="/cloud1">on</a>`,
		"/app.js":   `var routes = [{path: "/cloud1"}, {path: "/cloud2"}, {path: "/cloud3"}, {path: "/cloud:id"}, {file: "/logo.svg"}]`,
		"/lib.js":   `var none = ["/text/nothing", "/left/right"]`,
		"/logo.svg": `<svg/>`,
	}
	for i := range 3 {
		texts[fmt.Sprintf("/cloud%d", 1+i)] = "<title>cloud</title>"
	}
	s := newTextSite(t, texts)
	nothing := collectorFunc(func(context.Context, *collect.Answer, collect.Net) (*collect.Result, error) {
		return &collect.Result{}, nil
	})
	e, err := engineFor(nil, nil, polite.Fixed(0))
	if err != nil {
		t.Fatal(err)
	}
	opts := crawl.Options{Stages: stages.Set{Collect: gather.Options{Route: byHost("127.0.0.1"), Collectors: map[string]collect.Collector{"run": nothing}, Runs: "run"}}.Of}
	run, err := e.StartIn(context.Background(), "test", placeIn(t.TempDir()), hostScope(s.URL+"/"), opts)
	if err != nil {
		t.Fatal(err)
	}
	wait(t, run)
	for target, want := range map[string]int{"/cloud1": 1, "/cloud2": 1, "/cloud3": 1, "/cloud:id": 0, "/logo.svg": 0, "/text/nothing": 0, "/left/right": 0} {
		if n := s.count(target); n != want {
			t.Errorf("%s was asked for %d times, want %d", target, n, want)
		}
	}
}

// A string before the link to the same page, on one page, does not make a guess of the link.
func TestLinkIsNoGuessBecauseOfString(t *testing.T) {
	t.Parallel()
	s := newTextSite(t, map[string]string{
		"/":          `<title>a</title><script>var first = "/both.html"</script><a href="/both.html">on</a>`,
		"/both.html": `<title>b</title>`,
	})
	nothing := collectorFunc(func(context.Context, *collect.Answer, collect.Net) (*collect.Result, error) {
		return &collect.Result{}, nil
	})
	e, err := engineFor(nil, nil, polite.Fixed(0))
	if err != nil {
		t.Fatal(err)
	}
	opts := crawl.Options{Stages: stages.Set{Collect: gather.Options{Route: byHost("127.0.0.1"), Collectors: map[string]collect.Collector{"run": nothing}, Runs: "run"}}.Of}
	run, err := e.StartIn(context.Background(), "test", placeIn(t.TempDir()), hostScope(s.URL+"/"), opts)
	if err != nil {
		t.Fatal(err)
	}
	wait(t, run)
	if s.count("/both.html") != 1 {
		t.Error("the link was lost to the string")
	}
}

// refuser is a stage that refuses what is taken.
type refuser struct{ path string }

func (r *refuser) Admit(a *crawl.Admission) {
	if a.Taken && a.URL.Path() == r.path {
		a.Refuse("of no use: says the test")
	}
}
func (*refuser) Examine(*crawl.Visit, *crawl.Answer)       {}
func (*refuser) Settle([]*crawl.Visit, *crawl.Notes) error { return nil }

// A crawl that refuses a link, and neither scope nor robots.txt is why, is not complete, and says so.
func TestRefusedLinkIsGap(t *testing.T) {
	t.Parallel()
	s := newTextSite(t, map[string]string{"/": `<title>a</title><a href="/wanted.html">on</a>`, "/wanted.html": `b`})
	e, err := engineFor(nil, nil, polite.Fixed(0))
	if err != nil {
		t.Fatal(err)
	}
	opts := crawl.Options{Stages: func(crawl.Definition) []crawl.Stage { return []crawl.Stage{&refuser{"/wanted.html"}} }}
	run, err := e.StartIn(context.Background(), "test", placeIn(t.TempDir()), hostScope(s.URL+"/"), opts)
	if err != nil {
		t.Fatal(err)
	}
	rep := wait(t, run)
	if rep.Complete || len(rep.Gaps) != 1 || rep.Gaps[0].Cause != "refused: of no use" || rep.Gaps[0].Count != 1 {
		t.Errorf("complete %t, gaps %+v", rep.Complete, rep.Gaps)
	}
}

// Strings in scripts are tried at the host they stand on, and at those of seeds; nowhere else, unless a rule says so.
func TestGuessesStayHome(t *testing.T) {
	t.Parallel()
	web := `
-- site.toml --
[[site]]
host = "home.sim.test"
pages = 2
[[site]]
host = "stranger.sim.test"
pages = 2
[[site]]
host = "other.sim.test"
pages = 2
-- home.sim.test/start.html --
<html><body><script>var a = "http://stranger.sim.test/issues/1.html", b = "/own.html", c = "http://other.sim.test/too.html";</script></body></html>
-- home.sim.test/own.html --
<html><body>own</body></html>
`
	for _, c := range []struct {
		name  string
		scope scope.Definition
		want  string
	}{
		{"host", scope.Definition{Mode: scope.Host}, "home.sim.test/own.html other.sim.test/too.html"},
		{"domain", scope.Definition{Mode: scope.Domain}, "home.sim.test/own.html other.sim.test/too.html"},
		{"web", scope.Definition{Mode: scope.Web}, "home.sim.test/own.html other.sim.test/too.html"},
		{"told", scope.Definition{Mode: scope.Host, Rules: []scope.Rule{{Do: scope.Accept, Stray: true}}}, "home.sim.test/own.html other.sim.test/too.html stranger.sim.test/issues/1.html"},
	} {
		s := simulateText(t, web)
		def := hostScope("http://home.sim.test/start.html", "http://other.sim.test/")
		def.Scope, def.MaxURLs = c.scope, 200
		complete(t, newEngine(t, s, noDelay()), placeIn(t.TempDir()), def)
		var got []string
		for _, e := range s.Log().Entries() {
			if slices.Contains([]string{"/own.html", "/too.html", "/issues/1.html"}, e.Target) {
				got = append(got, e.Host+e.Target)
			}
		}
		slices.Sort(got)
		if text := strings.Join(got, " "); text != c.want {
			t.Errorf("%s: asked %s, want %s", c.name, text, c.want)
		}
	}
}

// A host whose strings are no addresses is asked a few times; one whose are gives all.
func TestGuessesByYield(t *testing.T) {
	t.Parallel()
	const most = 30
	texts := map[string]string{}
	var good, bad strings.Builder
	for i := range 120 {
		fmt.Fprintf(&good, `"/good/%d.html",`, i)
		fmt.Fprintf(&bad, `"/bad/%d.html",`, i)
		texts[fmt.Sprintf("/good/%d.html", i)] = "<title>x</title>"
	}
	texts["/start"] = "<script>var g = [" + good.String() + "]</script>"
	yields, fails := newTextSite(t, texts), newTextSite(t, map[string]string{"/start": "<script>var b = [" + bad.String() + "]</script>"})
	e, err := engineFor(nil, nil, polite.Fixed(0))
	if err != nil {
		t.Fatal(err)
	}
	rep := complete(t, e, placeIn(t.TempDir()), hostScope(yields.URL+"/start", fails.URL+"/start"))
	tried := func(s *textSite, below string) (n int) {
		s.mu.Lock()
		defer s.mu.Unlock()
		for target := range s.asked {
			if strings.HasPrefix(target, below) {
				n++
			}
		}
		return n
	}
	if n := tried(yields, "/good/"); n != 120 {
		t.Errorf("%d of 120 tried where all are there: %v", n, rep.Refusals)
	}
	if n := tried(fails, "/bad/"); n != most {
		t.Errorf("%d tried where nothing is there, want %d", n, most)
	}
	if n := rep.Refusals["guesses at the host bring too little"]; n != 120-most {
		t.Errorf("refusals %v", rep.Refusals)
	}
}

// A name that does not exist is tried once more, at once: eleven answers took 212 seconds.
func TestMissingNameCostsSeconds(t *testing.T) {
	t.Parallel()
	v, f := clock.NewVirtual(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)), &failingFetcher{class: fetch.NoName}
	e := crawl.NewEngine(crawl.EngineConfig{Fetcher: f, Polite: polite.Default(), Clock: v, Log: slog.New(slog.DiscardHandler)})
	def := crawl.Definition{
		Seeds: []string{"http://gone.example/"}, Contact: "a@example.org", Scope: scope.Definition{Mode: scope.Host}, Workers: 2, MinDisk: -1,
		Retries: 3, RetryAfter: scope.Duration(30 * time.Second),
	}
	begun := v.Now()
	rep, err := start(t, e, placeIn(t.TempDir()), def).Drive(v)
	if err != nil {
		t.Fatal(err)
	}
	if took := v.Now().Sub(begun); took > 10*time.Second || rep.Complete {
		t.Errorf("it took %v, complete %t", took, rep.Complete)
	}
	if n := f.asked.Load(); n != 2 {
		t.Errorf("asked %d times, want 2", n)
	}
}

// Links that do something with a page are not queued, and counted; a rule follows them all the same.
func TestActionsAreNotQueued(t *testing.T) {
	t.Parallel()
	s := newTextSite(t, map[string]string{
		"/":          `<title>wiki</title><a href="/index.php?title=A&amp;action=edit">edit</a><a href="/index.php?title=A&oldid=3">old</a><a href="/page.html">page</a>`,
		"/page.html": `x`, "/index.php": `x`,
	})
	for _, c := range []struct {
		rules []scope.Rule
		want  int
	}{
		{nil, 0},
		{[]scope.Rule{{Do: scope.Accept, Trap: []string{"action"}}}, 2},
	} {
		e, err := engineFor(nil, nil, polite.Fixed(0))
		if err != nil {
			t.Fatal(err)
		}
		def := hostScope(s.URL + "/")
		def.Scope.Rules = c.rules
		rep := complete(t, e, placeIn(t.TempDir()), def)
		if got := s.count("/index.php?title=A&action=edit") + s.count("/index.php?title=A&oldid=3"); got != c.want {
			t.Errorf("%d asked, want %d", got, c.want)
		}
		if n := rep.Traps["action"]; c.want == 0 && n != 2 || !rep.Complete {
			t.Errorf("traps %v, complete %t", rep.Traps, rep.Complete)
		}
	}
}
