package crawl_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"varve/crawl"
	"varve/crawl/polite"
	"varve/crawl/scope"
	"varve/crawl/stages"
)

// lorem is a text of its own for each number.
func lorem(n int) string {
	var b strings.Builder
	for i := range 80 {
		fmt.Fprintf(&b, "word%d%c ", (n*7919+i*i*31)%9973, 'a'+(n+i)%26)
	}
	return b.String()
}

// lyingSite has real pages, says 200 to everything, and has a list behind many queries.
func lyingSite(honest bool) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		var n int
		switch {
		case r.URL.Path == "/robots.txt":
			http.NotFound(w, r)
		case r.URL.Path == "/":
			fmt.Fprint(w, "<title>Home</title>", lorem(0))
			for i := range 6 {
				fmt.Fprintf(w, `<a href="/page-%d">p</a> <a href="/gone-%d">g</a> <a href="/list?sort=%d">l</a>`, i, i, i)
			}
		case sscan(r.URL.Path, "/page-%d", &n):
			fmt.Fprint(w, "<title>Page</title>", lorem(n+1))
		case r.URL.Path == "/list":
			fmt.Fprint(w, "<title>List</title>", lorem(100), r.URL.RawQuery)
		case honest:
			http.NotFound(w, r)
		default:
			fmt.Fprintf(w, "<title>Sorry</title><h1>Page not found</h1> There is nothing at %s. %s", r.URL.Path, lorem(200))
		}
	})
}

func sscan(s, format string, n *int) bool {
	_, err := fmt.Sscanf(s, format, n)
	return err == nil
}

func crawlHandler(t *testing.T, h http.Handler) (*crawl.Report, string) {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	engine, err := engineFor(nil, nil, polite.Fixed(0))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	run, err := engine.StartIn(context.Background(), "c", crawl.Place{Dir: filepath.Join(dir, "c"), WarcDir: filepath.Join(dir, "w")},
		crawl.Definition{Seeds: []string{s.URL}, Scope: scope.Definition{Mode: scope.Host}, MinDisk: -1, Workers: 2}, crawl.Options{Stages: stages.Set{}.Of})
	if err != nil {
		t.Fatal(err)
	}
	rep, err := run.Wait()
	if err != nil || !rep.Complete {
		t.Fatal(rep, err)
	}
	events, err := os.ReadFile(filepath.Join(dir, "c", "events.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	return rep, string(events)
}

func TestSoftNotFoundAndNearDuplicates(t *testing.T) {
	rep, events := crawlHandler(t, lyingSite(false))
	for i := range 6 {
		if !strings.Contains(events, `"soft-404"`) || !strings.Contains(events, fmt.Sprintf("/gone-%d", i)) {
			t.Errorf("gone-%d is not told as a soft 404", i)
		}
		if strings.Contains(events, fmt.Sprintf("/page-%d\"", i)) {
			t.Errorf("page-%d was taken for a soft 404", i)
		}
	}
	if rep.Alike["soft-404"] != 6 || rep.Alike["near-duplicate"] != 5 {
		t.Errorf("alike: %v, want 6 soft 404s and 5 near-duplicates", rep.Alike)
	}
}

// An honest host is never asked for what cannot exist.
func TestHonestHostIsNotProbed(t *testing.T) {
	rep, events := crawlHandler(t, lyingSite(true))
	if rep.Alike["soft-404"] != 0 || strings.Contains(events, "soft-404") || rep.Status[404] != 7 {
		t.Errorf("alike %v, status %v", rep.Alike, rep.Status)
	}
}
