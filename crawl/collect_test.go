package crawl_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"varve/archive/warc"
	"varve/crawl"
	"varve/crawl/collect"
	"varve/crawl/fetch"
	"varve/crawl/gather"
	"varve/crawl/polite"
	"varve/crawl/stages"
	"varve/web/links"
	"varve/web/wire"
)

// appSite is a site of pages whose parts only a script would ask for.
type appSite struct {
	*httptest.Server
	mu   sync.Mutex
	seen map[string]int // requests by method, target and body
	slow chan struct{}  // answers to /slow wait for it

	during func(enter int) // told of each request's beginning and end
	home   string          // instead of the list of pages
}

func newAppSite(t testing.TB, pages int) *appSite {
	s := &appSite{seen: map[string]int{}, slow: make(chan struct{})}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if s.during != nil {
			s.during(1)
			defer s.during(-1)
		}
		body, _ := io.ReadAll(r.Body)
		s.mu.Lock()
		s.seen[r.Method+" "+r.URL.RequestURI()+" "+string(body)]++
		s.mu.Unlock()
		s.serve(w, r, pages, string(body))
	}))
	t.Cleanup(s.Close)
	return s
}

func (s *appSite) serve(w http.ResponseWriter, r *http.Request, pages int, body string) {
	html := func(f string, args ...any) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, f, args...)
	}
	switch path := r.URL.Path; {
	case path == "/robots.txt":
		fmt.Fprint(w, "User-agent: *\nDisallow: /private\n")
	case path == "/" && s.home != "":
		html("%s", s.home)
	case path == "/lists.js":
		w.Header().Set("Content-Type", "text/javascript")
		fmt.Fprint(w, "fetch('/list').then(r => r.text()).then(t => document.body.innerHTML = t)")
	case path == "/":
		html("<title>home</title>")
		for i := range pages {
			fmt.Fprintf(w, `<a href="/page/%d">page</a>`, i)
		}
	case strings.HasPrefix(path, "/page/"):
		html(`<title>p</title><div id=app></div><script src="/app.js"></script>`)
	case path == "/app.js":
		w.Header().Set("Content-Type", "text/javascript")
		fmt.Fprint(w, "void 0")
	case path == "/list":
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"asked":%q}`, body)
	case path == "/film.m3u8":
		w.Header().Set("Content-Type", "application/vnd.apple.mpegurl")
		fmt.Fprint(w, "#EXTM3U\n")
	case path == "/big":
		w.Header().Set("Content-Type", "application/octet-stream")
		_, _ = io.CopyN(w, strings.NewReader(strings.Repeat("0123456789abcdef", 1<<16)), 1<<20)
	case strings.HasPrefix(path, "/hidden/"), strings.HasPrefix(path, "/part/"):
		html("<title>%s</title>", path)
	case path == "/etag":
		w.Header().Set("ETag", `"one"`)
		if r.Header.Get("If-None-Match") == `"one"` {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		fmt.Fprint(w, "always the same, and long enough"+strings.Repeat(".", 600))
	case path == "/slow":
		<-s.slow
	case path == "/moved":
		http.Redirect(w, r, "/part/moved", http.StatusFound)
	default:
		http.NotFound(w, r)
	}
}

func (s *appSite) asked(key string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.seen[key]
}

// pagesOnly routes the pages of the site to one collector.
type pagesOnly struct {
	mu    sync.Mutex
	learn []collect.Yield
}

func (p *pagesOnly) Choose(e *collect.Evidence) collect.Choice {
	if e.MIME == "application/vnd.apple.mpegurl" {
		return collect.Choice{Collector: "film", Why: "a stream"}
	}
	if e.MIME == "text/html" && strings.Contains(e.URL, "/page/") && strings.Contains(string(e.Content), "id=app") {
		return collect.Choice{Collector: "fake", Why: "an empty app", Section: "s"}
	}
	return collect.Choice{}
}

func (p *pagesOnly) Learn(_ collect.Choice, y collect.Yield) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.learn = append(p.learn, y)
}

// collectorFunc is a function as a collector.
type collectorFunc func(ctx context.Context, a *collect.Answer, net collect.Net) (*collect.Result, error)

func (f collectorFunc) Collect(ctx context.Context, a *collect.Answer, net collect.Net) (*collect.Result, error) {
	return f(ctx, a, net)
}

// body reads the whole of a response and closes it.
func bodyOf(resp *collect.Response, err error) (string, error) {
	if err != nil {
		return "", err
	}
	defer resp.Close()
	b, err := io.ReadAll(resp.Raw)
	if err == nil && int64(len(b)) != resp.Size {
		err = fmt.Errorf("%d bytes of %d", len(b), resp.Size)
	}
	return string(b), err
}

// script does what the script of a page would do.
func script(ctx context.Context, a *collect.Answer, net collect.Net) (*collect.Result, error) {
	base := a.URL[:strings.Index(a.URL, "/page/")]
	n := a.URL[strings.LastIndexByte(a.URL, '/')+1:]
	get := func(path string) (string, error) {
		return bodyOf(net.Fetch(ctx, &collect.Request{URL: base + path, Hop: links.HopEmbed}))
	}
	if own, err := get("/page/" + n + "#top"); err != nil || !strings.Contains(own, "id=app") {
		return nil, fmt.Errorf("the page itself: %q, %w", own, err)
	}
	if js, err := get("/app.js"); err != nil || !strings.HasSuffix(js, "void 0") {
		return nil, fmt.Errorf("app.js: %q, %w", js, err)
	}
	if big, err := get("/big"); err != nil || len(big) < 1<<20 {
		return nil, fmt.Errorf("big: %d, %w", len(big), err)
	}
	for range 2 {
		post, err := bodyOf(net.Fetch(ctx, &collect.Request{
			Method: "POST", URL: base + "/list", Body: []byte("n=" + n), Hop: links.HopEmbed,
			Header: wire.Header{{Name: "Content-Type", Value: "application/x-www-form-urlencoded"}, {Name: "Connection", Value: "close"}},
		}))
		if err != nil || !strings.Contains(post, `{"asked":"n=`+n+`"}`) {
			return nil, fmt.Errorf("list: %q, %w", post, err)
		}
	}
	if _, err := get("/part/" + n); err != nil {
		return nil, err
	}
	if _, err := get("/private/x"); !errors.Is(err, collect.ErrRefused) {
		return nil, fmt.Errorf("robots.txt was passed over: %w", err)
	}
	return &collect.Result{
		Title: "page " + n,
		Links: []links.Link{
			{URL: base + "/hidden/" + n, Kind: links.DOMLink, Hop: links.HopLink, Anchor: "more"},
			{URL: "https://elsewhere.example/" + n, Kind: links.DOMLink, Hop: links.HopLink},
		},
		Resources: []collect.Resource{{
			URI: "urn:view:" + a.URL, ContentType: "image/png", Body: strings.NewReader("picture of " + n),
			Fields: []collect.Field{{Name: "width", Value: "1280"}},
		}},
		Fields: []collect.Field{{Name: "pageinfo", Value: "clicks=0"}},
		Cost:   collect.Cost{CPU: time.Second},
	}, nil
}

// collectIn crawls a site of pages with a collector.
func collectIn(t testing.TB, s *appSite, place crawl.Place, who collect.Collector, route gather.Route, manners polite.Config) *crawl.Report {
	t.Helper()
	e, err := engineFor(nil, nil, manners)
	if err != nil {
		t.Fatal(err)
	}
	def := hostScope(s.URL + "/")
	run, err := e.StartIn(context.Background(), "test", place, def, crawl.Options{
		Stages: stages.Set{Collect: gather.Options{Route: route, Collectors: map[string]collect.Collector{"fake": who}, Slots: 3, Time: 20 * time.Second}}.Of,
	})
	if err != nil {
		t.Fatal(err)
	}
	return wait(t, run)
}

// Everything that a collector asks for is fetched once, recorded, settled and found again; its links are
// queued, its resources stand beside the page.
func TestCollect(t *testing.T) {
	const pages = 12
	s, place, route := newAppSite(t, pages), placeIn(t.TempDir()), new(pagesOnly)
	rep := collectIn(t, s, place, collectorFunc(script), route, noDelay())
	if !rep.Complete {
		t.Fatalf("not complete: %s", rep.Why)
	}
	for key, n := range s.seen {
		if n != 1 {
			t.Errorf("%s: asked %d times", key, n)
		}
	}
	for i := range pages {
		for _, key := range []string{"GET /page/%d ", "GET /part/%d ", "GET /hidden/%d ", "POST /list n=%d"} {
			if k := fmt.Sprintf(key, i); s.asked(k) == 0 {
				t.Errorf("%s: never asked", k)
			}
		}
		if s.asked(fmt.Sprintf("GET /private/x %d", i)) > 0 {
			t.Error("robots.txt was passed over")
		}
	}
	checkCollected(t, place, pages)
	checkTotals(t, place)
	for _, e := range eventsOf(t, place) {
		if e.Event == "failed" || e.Event == "collected" && e.Why != "an empty app" {
			t.Errorf("event %+v", e)
		}
	}
	checkYield(t, route, pages)
}

func checkYield(t *testing.T, route *pagesOnly, pages int) {
	t.Helper()
	var sum collect.Yield
	for _, y := range route.learn {
		sum.Links, sum.Parts, sum.Cost.CPU = sum.Links+y.Links, sum.Parts+y.Parts, sum.Cost.CPU+y.Cost.CPU
		if y.Failed {
			t.Error("a collector failed")
		}
	}
	// A hidden page each; a part and a list each, and the big file once.
	if len(route.learn) != pages || sum.Links != pages || sum.Parts != 2*pages+1 || sum.Cost.CPU != time.Duration(pages)*time.Second {
		t.Errorf("%d lessons: %+v", len(route.learn), sum)
	}
}

func checkCollected(t *testing.T, place crawl.Place, pages int) {
	t.Helper()
	views, widths, doms, posts := 0, 0, 0, 0
	ids := map[string]string{} // of answers, by record
	var concurrent []string
	eachRecord(t, place.WarcDir, func(rec *warc.Record) {
		b, err := io.ReadAll(rec.Block)
		if err != nil {
			t.Fatal(err)
		}
		text := string(b)
		switch rec.Type() {
		case warc.TypeResponse, warc.TypeRevisit:
			ids[rec.ID()] = rec.TargetURI()
			return
		case warc.TypeResource:
			if strings.HasPrefix(rec.TargetURI(), "urn:view:") && strings.HasPrefix(text, "picture of ") {
				views++
			}
		case warc.TypeMetadata:
			if strings.Contains(text, "width: 1280") {
				widths++
				return
			}
			if strings.Contains(rec.TargetURI(), "/page/") {
				if strings.Contains(text, `/hidden/`) && strings.Contains(text, ` L dom "more"`) && strings.Contains(text, "\r\ncollector: fake\r\n") &&
					strings.Contains(text, "\r\npageinfo: clicks=0\r\n") && strings.Contains(text, " E script-src") {
					doms++
				} else {
					t.Errorf("metadata of %s:\n%s", rec.TargetURI(), text)
				}
			}
		case warc.TypeRequest:
			if strings.HasPrefix(text, "POST /list") && strings.Contains(text, "\r\n\r\nn=") {
				posts++
			}
		}
		if c := rec.Header.Get(warc.FieldConcurrentTo); c != "" {
			concurrent = append(concurrent, c)
		}
	})
	if views != pages || widths != pages || doms != pages || posts != pages {
		t.Errorf("%d views, %d with metadata, %d pages with links of the collector, %d posts; want %d", views, widths, doms, posts, pages)
	}
	for _, c := range concurrent {
		if ids[c] == "" {
			t.Errorf("a record belongs to %s, which is not there", c)
		}
	}
}

// What the scope rejects is refused, parts of pages from elsewhere are not; methods that change a site
// are refused.
func TestCollectorRefused(t *testing.T) {
	s, place := newAppSite(t, 1), placeIn(t.TempDir())
	other := newAppSite(t, 0)
	elsewhere := strings.Replace(other.URL, "127.0.0.1", "localhost", 1)
	var errs []error
	collectIn(t, s, place, collectorFunc(func(ctx context.Context, a *collect.Answer, net collect.Net) (*collect.Result, error) {
		for _, r := range []collect.Request{
			{URL: elsewhere + "/part/1", Hop: links.HopEmbed},
			{URL: elsewhere + "/part/2", Hop: links.HopLink},
			{URL: s.URL + "/part/3", Method: "DELETE"},
			{URL: "ftp://127.0.0.1/x"},
			{URL: "http://10.1.2.3/x", Hop: links.HopEmbed},
		} {
			_, err := bodyOf(net.Fetch(ctx, &r))
			errs = append(errs, err)
		}
		return nil, nil
	}), new(pagesOnly), noDelay())
	if len(errs) != 5 || errs[0] != nil || other.asked("GET /part/1 ") != 1 {
		t.Fatalf("%v", errs)
	}
	for i, err := range errs[1:4] {
		if !errors.Is(err, collect.ErrRefused) {
			t.Errorf("%d: %v", i+1, err)
		}
	}
	if errs[4] == nil || !strings.Contains(errs[4].Error(), "guard") {
		t.Errorf("a private address: %v", errs[4])
	}
}

// A slow collector keeps neither workers nor its own host from their work, and its time is bounded.
func TestCollectorSlow(t *testing.T) {
	s, place := newAppSite(t, 8), placeIn(t.TempDir())
	defer close(s.slow)
	route := new(pagesOnly)
	var mu sync.Mutex
	most, now := 0, 0
	e, err := engineFor(nil, nil, noDelay())
	if err != nil {
		t.Fatal(err)
	}
	def := hostScope(s.URL + "/")
	run, err := e.StartIn(context.Background(), "test", place, def, crawl.Options{Stages: stages.Set{Collect: gather.Options{
		Route: route, Slots: 2, Time: 50 * time.Millisecond,
		Collectors: map[string]collect.Collector{"fake": collectorFunc(func(ctx context.Context, _ *collect.Answer, net collect.Net) (*collect.Result, error) {
			mu.Lock()
			now++
			most = max(most, now)
			mu.Unlock()
			_, err := bodyOf(net.Fetch(ctx, &collect.Request{URL: s.URL + "/slow", Hop: links.HopEmbed}))
			mu.Lock()
			now--
			mu.Unlock()
			return nil, err
		})},
	}}.Of})
	if err != nil {
		t.Fatal(err)
	}
	rep := wait(t, run)
	if !rep.Finished || rep.Pages != 9 || most > 2 {
		t.Errorf("%+v, %d at a time", rep.Totals, most)
	}
	for _, y := range route.learn {
		if !y.Failed {
			t.Error("no failure was told")
		}
	}
}

// A run that is interrupted while collectors are at work gives their visits back; the next run makes them.
func TestCollectorInterrupted(t *testing.T) {
	s, place, route := newAppSite(t, 4), placeIn(t.TempDir()), new(pagesOnly)
	begun := make(chan struct{}, 16)
	client, err := fetch.New(fetch.Config{UserAgent: "varve-test"})
	if err != nil {
		t.Fatal(err)
	}
	cfg := engineConfig(client, noDelay())
	cfg.Grace = 50 * time.Millisecond
	e := crawl.NewEngine(cfg)
	ctx, cancel := context.WithCancel(context.Background())
	run, err := e.StartIn(ctx, "test", place, hostScope(s.URL+"/"), crawl.Options{Stages: stages.Set{Collect: gather.Options{
		Route: route, Collectors: map[string]collect.Collector{"fake": collectorFunc(func(ctx context.Context, a *collect.Answer, net collect.Net) (*collect.Result, error) {
			_, err := script(ctx, a, net)
			begun <- struct{}{}
			<-ctx.Done()
			return nil, errors.Join(err, ctx.Err())
		})},
	}}.Of})
	if err != nil {
		t.Fatal(err)
	}
	<-begun
	cancel()
	rep := wait(t, run)
	if rep.Complete || rep.Queued != 4 {
		t.Fatalf("%d queued, %s", rep.Queued, rep.Why)
	}
	if rep = collectIn(t, s, place, collectorFunc(script), route, noDelay()); !rep.Complete {
		t.Fatal(rep.Why)
	}
	checkCollected(t, place, 4)
	checkTotals(t, place)
	for key, n := range s.seen {
		if n != 1 && !strings.HasPrefix(key, "GET /page/") && key != "GET /robots.txt " {
			t.Errorf("%s: asked %d times", key, n)
		}
	}
}

// A run that stops lets collectors at work finish, and begins with no more: pages that wait stay queued.
func TestCollectorStopped(t *testing.T) {
	s, place := newAppSite(t, 6), placeIn(t.TempDir())
	begun, gone := make(chan struct{}, 16), make(chan struct{})
	e, err := engineFor(nil, nil, noDelay())
	if err != nil {
		t.Fatal(err)
	}
	run, err := e.StartIn(context.Background(), "test", place, hostScope(s.URL+"/"), crawl.Options{Stages: stages.Set{Collect: gather.Options{
		Route: new(pagesOnly), Slots: 1, Collectors: map[string]collect.Collector{"fake": collectorFunc(
			func(context.Context, *collect.Answer, collect.Net) (*collect.Result, error) {
				begun <- struct{}{}
				<-gone
				return nil, nil
			})},
	}}.Of})
	if err != nil {
		t.Fatal(err)
	}
	<-begun
	run.Stop("test")
	close(gone)
	rep := wait(t, run)
	if rep.Complete || rep.Pages != 2 || rep.Collected["fake"] != 1 || len(begun) != 0 {
		t.Errorf("%d pages, collected %v, %d begun after the stop, %d queued", rep.Pages, rep.Collected, len(begun), rep.Queued)
	}
	if rep = collectIn(t, s, place, collectorFunc(script), new(pagesOnly), noDelay()); !rep.Complete || rep.Collected["fake"] != 6 {
		t.Errorf("%s, collected %v", rep.Why, rep.Collected)
	}
}

// TestCollectorCut: what limits kept out of a collector's result is counted with the links that limits kept out of pages.
func TestCollectorCut(t *testing.T) {
	s, place := newAppSite(t, 1), placeIn(t.TempDir())
	rep := collectIn(t, s, place, collectorFunc(func(context.Context, *collect.Answer, collect.Net) (*collect.Result, error) {
		return &collect.Result{Cut: 3}, nil
	}), new(pagesOnly), noDelay())
	if g := gapOf(rep, "links beyond"); g.Count < 3 || g.Count%3 != 0 || rep.Complete {
		t.Errorf("gaps %+v", rep.Gaps)
	}
	meta := ""
	eachRecord(t, place.WarcDir, func(rec *warc.Record) {
		if rec.Type() == warc.TypeMetadata {
			b, _ := io.ReadAll(rec.Block)
			meta += string(b)
		}
	})
	if !strings.Contains(meta, "collector-cut: 3") {
		t.Errorf("the metadata record does not say so:\n%s", meta)
	}
}
