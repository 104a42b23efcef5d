package serve_test

import (
	"context"
	"flag"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"varve/archive/catalog"
	"varve/clock"
	"varve/crawl"
	"varve/crawl/fetch"
	"varve/crawl/polite"
	"varve/crawl/scope"
	"varve/crawl/stages"
	"varve/serve"
)

// crawlProgram is what the server starts in these tests: 'varve crawl' in short, this test's own program. The whole one is
// tested where it is built.
func crawlProgram(args []string) int {
	f := flag.NewFlagSet("crawl", flag.ContinueOnError)
	archive, collection, definition := f.String("archive", "", ""), f.String("collection", "", ""), f.String("definition", "", "")
	f.Bool("quiet", false, "")
	if err := f.Parse(args); err != nil {
		return 2
	}
	col, err := catalog.Open(*archive).Collection(*collection)
	if err == nil {
		var plan *crawl.Plan
		if plan, err = crawl.ReadPlan(col); err == nil {
			err = crawled(context.Background(), col, plan.Crawls[*definition].Definition)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	return 0
}

// crawled runs a crawl to its end.
func crawled(ctx context.Context, col *catalog.Collection, def crawl.Definition) error {
	lock, err := col.Lock("test")
	if err != nil {
		return err
	}
	defer lock.Unlock()
	client, err := fetch.New(fetch.Config{UserAgent: "varve-test", Clock: clock.Real()})
	if err != nil {
		return err
	}
	defer client.Close()
	engine := crawl.NewEngine(crawl.EngineConfig{Fetcher: client, Polite: polite.Fixed(0), Clock: clock.Real(), Log: slog.New(slog.DiscardHandler), Software: "varve/test"})
	run, err := engine.Start(ctx, col, def, crawl.Options{Stages: stages.Set{}.Of})
	if err != nil {
		return err
	}
	_, err = run.Wait()
	return err
}

// moody serves a page with two links, one of which fails until it is mended.
func moody(t *testing.T) (seed string, mended *atomic.Bool) {
	t.Helper()
	mended = &atomic.Bool{}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == "/robots.txt":
			http.NotFound(w, r)
		case strings.HasPrefix(r.URL.Path, "/broken") && !mended.Load():
			http.Error(w, "later", http.StatusServiceUnavailable)
		default:
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprintf(w, `<title>%s</title><p>The town of %s</p><a href="/fine">a</a><a href="/broken-a">b</a><a href="/broken-b">c</a>`, r.URL.Path, r.URL.Path)
		}
	}))
	t.Cleanup(s.Close)
	return s.URL + "/", mended
}

// townOf adds a collection with one crawl, which lacks two pages.
func townOf(t *testing.T, dir, seed string) string {
	t.Helper()
	col, err := catalog.Open(dir).Collection("town")
	if err == nil {
		err = col.Create()
	}
	if err == nil {
		err = os.WriteFile(col.DefinitionFile(), []byte("title = \"The town\"\n"), 0o644)
	}
	if err == nil {
		err = crawled(t.Context(), col, crawl.Definition{Name: "daily", Seeds: []string{seed}, Scope: scope.Definition{Mode: scope.Host}, Retries: -1, MinDisk: -1, Contact: "https://my.library/crawler"})
	}
	ids, listed := col.Crawls()
	if err != nil || listed != nil || len(ids) != 1 {
		t.Fatal(err, listed, ids)
	}
	return "/collections/town/crawls/" + ids[0]
}

// The cockpit in a real browser: the first page with two collections, a note by keyboard, and what a crawl lacks tried
// again and healed.
func TestCockpitInBrowser(t *testing.T) {
	b := newTab(t)
	dir := copied(t)
	seed, mended := moody(t)
	crawl := townOf(t, dir, seed)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	s := start(t, dir, func(c *serve.Config) { c.Program = self })
	s.indexed()

	b.open(s.ui + "/")
	b.is("document.readyState === 'complete' && window.htmx && document.querySelectorAll('table.pulse tbody tr').length === 2")
	b.is("document.querySelectorAll('table.pulse svg.strip a').length >= 4 && document.querySelector('h1').textContent === 'Archive pulse'")
	b.is("[...document.querySelectorAll('table.pulse svg.strip a')].every(a => a.getAttribute('href').startsWith('/?at=') && a.querySelector('title').textContent.includes('capture'))")
	b.press("c")
	b.is("location.pathname === '/collections'")

	b.open(s.ui + "/collections/town")
	b.is("document.readyState === 'complete' && window.htmx && document.getElementById('note-text')")
	b.press("w")
	b.is("document.activeElement.id === 'note-text'")
	b.do("document.activeElement.select()")
	b.press("Weekly from June on.\t\t\t\t\r")
	b.is("location.hash.startsWith('#note-') && document.querySelector('.notes li .text').textContent === 'Weekly from June on.'")

	b.open(s.ui + crawl + "/review")
	b.is("document.readyState === 'complete' && window.htmx && document.querySelectorAll('input[name=url]').length === 2")
	mended.Store(true)
	b.click(`input[name=url][value$="/broken-a"]`)
	b.click("#recrawl button:not(.first)")
	b.is("location.pathname.endsWith('/review') && document.getElementById('mended')")
	for range 600 { // the crawl runs as a process of its own
		if _, body := s.get(s.ui + crawl + "/review"); strings.Contains(body, "1 healed since") {
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
	b.open(s.ui + crawl + "/review")
	b.is("[...document.querySelectorAll('li.url')].filter(l => l.querySelector('.tag') && l.querySelector('.tag').textContent === 'healed' && l.textContent.includes('/broken-a')).length === 1")
	b.is("document.querySelectorAll('input[name=url]').length === 1 && document.querySelector('#mended a').getAttribute('href').startsWith('/collections/town/crawls/')")
	b.is("document.querySelector('#mended tbody').textContent.includes('this machine')")
	b.quiet()
	if _, err := os.Stat(filepath.Join(dir, "collections", "town", "labels", "definitions.jsonl")); err != nil {
		t.Error(err)
	}
}
