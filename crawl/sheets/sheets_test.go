package sheets_test

import (
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"varve/clock"
	"varve/crawl"
	"varve/crawl/fetch"
	"varve/crawl/polite"
	"varve/crawl/scope"
	"varve/crawl/sheets"
)

// site is what is served, by path; who asks is counted.
type site struct {
	pages map[string]string

	mu    sync.Mutex
	asked map[string]int
}

func (s *site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.asked[r.URL.Path]++
	s.mu.Unlock()
	text, ok := s.pages[r.URL.Path]
	switch {
	case strings.HasSuffix(r.URL.Path, ".png"):
		w.Header().Set("Content-Type", "image/png")
	case !ok:
		http.NotFound(w, r)
		return
	case strings.HasSuffix(r.URL.Path, ".css"):
		w.Header().Set("Content-Type", "text/css")
	case strings.HasSuffix(r.URL.Path, ".js"):
		w.Header().Set("Content-Type", "text/javascript")
	default:
		w.Header().Set("Content-Type", "text/html")
	}
	fmt.Fprint(w, text)
}

// sheet has a rule with a picture for each of many names, as emoji have.
func sheet() string {
	var b strings.Builder
	for i := range 300 {
		fmt.Fprintf(&b, ".tw.tw-%d { background-image: url(/e/%d.png) }\n", i, i)
		fmt.Fprintf(&b, ".ico-%d, #old-%d .sign:not(.ico) { background-image: url('/i/%d.png') }\n", i, i, i)
	}
	return b.String() + "@media print { body { background: url(/all.png) } .late-1 { background: url(/late.png) } }"
}

func crawlSite(t *testing.T, pages map[string]string) (map[string]int, *crawl.Report) {
	t.Helper()
	s := &site{pages: pages, asked: map[string]int{}}
	server := httptest.NewServer(s)
	defer server.Close()
	client, err := fetch.New(fetch.Config{UserAgent: "test", AllowPrivate: true, Clock: clock.Real()})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	e := crawl.NewEngine(crawl.EngineConfig{Fetcher: client, Polite: polite.Fixed(0), Clock: clock.Real(), Log: slog.New(slog.DiscardHandler)})
	dir := t.TempDir()
	def := crawl.Definition{Seeds: []string{server.URL + "/"}, Contact: "x@example.org", Scope: scope.Definition{Mode: scope.Host}}
	run, err := e.StartIn(t.Context(), "test", crawl.Place{Dir: filepath.Join(dir, "crawl"), WarcDir: filepath.Join(dir, "warc")}, def,
		crawl.Options{Stages: func(crawl.Definition) []crawl.Stage { return []crawl.Stage{sheets.New()} }})
	if err != nil {
		t.Fatal(err)
	}
	select {
	case <-run.Done():
	case <-time.After(5 * time.Minute):
		t.Fatal("the crawl does not end")
	}
	rep, err := run.Wait()
	if err != nil {
		t.Fatal(err)
	}
	maps.DeleteFunc(s.asked, func(path string, _ int) bool { return !strings.HasSuffix(path, ".png") })
	return s.asked, rep
}

// Of a large sheet those pictures are taken that a page can show, wherever it is met, and not the others; the crawl is complete all the same.
func TestPictures(t *testing.T) {
	asked, rep := crawlSite(t, map[string]string{
		"/":         `<link rel=stylesheet href=/s.css><a href=/a>a</a><p class="tw tw-200">x</p>`,
		"/a":        `<link rel=stylesheet href=/s.css><a href=/b>b</a><i id=OLD-250></i><script>state = {"html": "<i class=\"tw tw-210\">"}</script>`,
		"/b":        `<p>the last page, with <b class=late-1>late</b> use<script src=/x.js></script>`,
		"/x.js":     `show("ico-299")`,
		"/s.css":    sheet(),
		"/favicon.": "",
	})
	for _, path := range []string{"/e/200.png", "/e/210.png", "/i/250.png", "/i/299.png", "/all.png", "/late.png", "/e/3.png"} {
		if asked[path] != 1 {
			t.Errorf("%s was asked for %d times", path, asked[path])
		}
	}
	if len(asked) > 64+7 {
		t.Errorf("%d pictures were asked for", len(asked))
	}
	if !rep.Complete || rep.Refusals["a picture of a style sheet that no page shows"] < 500 {
		t.Errorf("complete %v, gaps %+v, refusals %v", rep.Complete, rep.Gaps, rep.Refusals)
	}
}

// A script that has the beginning of names may make all of them.
func TestBeginnings(t *testing.T) {
	asked, _ := crawlSite(t, map[string]string{
		"/":      `<link rel=stylesheet href=/s.css><script src=/x.js></script>`,
		"/x.js":  `for (const e of list) add("tw tw-" + e)`,
		"/s.css": sheet(),
	})
	for i := range 300 {
		if path := fmt.Sprintf("/e/%d.png", i); asked[path] != 1 {
			t.Fatalf("%s was asked for %d times", path, asked[path])
		}
	}
	if len(asked) > 64+300+1 {
		t.Errorf("%d pictures were asked for", len(asked))
	}
}

// A small sheet is taken as it is.
func TestSmallSheet(t *testing.T) {
	asked, _ := crawlSite(t, map[string]string{
		"/":      `<link rel=stylesheet href=/s.css>`,
		"/s.css": `.a { background: url(1.png) } .b { background: url(2.png) }`,
	})
	if len(asked) != 2 {
		t.Errorf("%v", asked)
	}
}

// A picture that a page shows itself is taken, whether the sheet or the page was met first.
func TestShownByPages(t *testing.T) {
	asked, _ := crawlSite(t, map[string]string{
		"/":      `<link rel=stylesheet href=/s.css><a href=/a>a</a>`,
		"/a":     `<a href=/b>b</a>`,
		"/b":     `<img src=/e/200.png>`,
		"/s.css": sheet(),
	})
	if asked["/e/200.png"] != 1 {
		t.Errorf("the picture of a page was asked for %d times", asked["/e/200.png"])
	}
}
