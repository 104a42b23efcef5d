package crawl_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"varve"
	"varve/crawl"
	"varve/crawl/stages"
)

// Very many seeds lie in a file beside the definition; a crawl that is resumed reads them from there and notices when
// they are not what they were.
func TestManySeedsLieInAFile(t *testing.T) {
	t.Parallel()
	s := simulateText(t, "-- site.toml --\n[[site]]\nhost = \"many.sim.test\"\npages = 3\n")
	e, err := engineFor(s.Resolve(), nil, noDelay())
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	const n = 40_000
	var list strings.Builder
	list.WriteString("# a list\n\nhttp://many.sim.test/\n")
	for i := range n - 1 {
		fmt.Fprintf(&list, "http://many.sim.test/nothing/%d\n", i)
	}
	file := filepath.Join(dir, "list.txt")
	if err := os.WriteFile(file, []byte(list.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	def := hostScope()
	def.MaxURLs = 20
	if err := def.TakeSeedFile(file); err != nil || len(def.Seeds) != 0 || def.SeedList == nil {
		t.Fatalf("%d seeds are in memory, %v", len(def.Seeds), err)
	}
	place := placeIn(dir)
	rep := wait(t, start(t, e, place, def))
	if rep.Complete || rep.Queued < n-200 {
		t.Fatalf("%d queued, %s", rep.Queued, rep.Why)
	}
	info, err := os.Stat(filepath.Join(place.Dir, "definition.json"))
	if err != nil || info.Size() > 4<<10 {
		t.Errorf("definition.json has %d bytes, %v", info.Size(), err)
	}
	got, err := crawl.ReadDefinition(place.Dir)
	if err != nil || got.SeedCount() != n || got.SeedList.From != file {
		t.Errorf("%+v, %v", got.SeedList, err)
	}
	if err := os.Remove(file); err != nil { // what the crawl has of it is its own
		t.Fatal(err)
	}
	got.MaxURLs = 40
	if rep = wait(t, start(t, e, place, got)); rep.URLs < 40 {
		t.Errorf("resumed: %d answers", rep.URLs)
	}
	t.Run("the file was changed", func(t *testing.T) {
		path := filepath.Join(place.Dir, crawl.SeedsFile)
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		b[len(b)-3] ^= 1
		if err := os.WriteFile(path, b, 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := e.StartIn(t.Context(), "test", place, got, crawl.Options{Stages: stages.Set{}.Of}); varve.KindOf(err) != varve.Invalid || !strings.Contains(err.Error(), "SHA-256") {
			t.Errorf("%v", err)
		}
	})
	t.Run("a line that is no address", func(t *testing.T) {
		bad := filepath.Join(t.TempDir(), "bad.txt")
		if err := os.WriteFile(bad, []byte(list.String()+"http://[\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		def := hostScope()
		if err := def.TakeSeedFile(bad); err != nil {
			t.Fatal(err)
		}
		if _, err := e.StartIn(t.Context(), "test", placeIn(t.TempDir()), def, crawl.Options{Stages: stages.Set{}.Of}); err == nil || !strings.Contains(err.Error(), "line 40003") {
			t.Errorf("%v", err)
		}
	})
}

// Totals are stored with every commit, so they tell of some seeds only; all are counted.
func TestManySeedsAreCounted(t *testing.T) {
	t.Parallel()
	s := simulateText(t, "-- site.toml --\n[[site]]\nhost = \"many.sim.test\"\npages = 3\n")
	e, err := engineFor(s.Resolve(), nil, noDelay())
	if err != nil {
		t.Fatal(err)
	}
	const n = 4_500
	def := hostScope()
	for i := range n {
		def.Seeds = append(def.Seeds, fmt.Sprintf("http://many.sim.test/nothing/%d", i))
	}
	rep := complete(t, e, placeIn(t.TempDir()), def)
	if rep.Outcomes["dead"] != n || len(rep.Seeds) != 4_000 {
		t.Errorf("%v, %d are told of", rep.Outcomes, len(rep.Seeds))
	}
}

// What sitemaps list beyond the budget of a host is left out, counted and named.
func TestSitemapBudget(t *testing.T) {
	t.Parallel()
	var site strings.Builder
	site.WriteString("-- site.toml --\n[[site]]\nhost = \"map.sim.test\"\npages = 1\n-- map.sim.test/map.xml --\n<?xml version=\"1.0\"?><urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n")
	for i := range 300 {
		fmt.Fprintf(&site, "<url><loc>http://map.sim.test/listed/%d</loc></url>\n", i)
	}
	site.WriteString("</urlset>\n")
	s := simulateText(t, site.String())
	e, err := engineFor(s.Resolve(), nil, noDelay())
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ budget, cut int64 }{{0, 0}, {100, 200}, {-1, 0}} {
		def := hostScope("http://map.sim.test/map.xml")
		def.MaxSitemap = tt.budget
		place := placeIn(t.TempDir())
		rep := complete(t, e, place, def)
		if slack := rep.SitemapCut - tt.cut; slack < 0 || slack > 5 { // what waits besides takes room, too
			t.Errorf("budget %d: %d were left out, want %d", tt.budget, rep.SitemapCut, tt.cut)
		}
	}
}

// Sitemaps are queued piece by piece: what is held of them at a time does not grow with them, nothing is lost or
// queued twice, and the seed tells of all its links.
func TestSitemapsAreQueuedInPieces(t *testing.T) {
	t.Parallel()
	const n = 20_000
	var site strings.Builder
	site.WriteString("-- site.toml --\n[[site]]\nhost = \"map.sim.test\"\npages = 1\n")
	for _, name := range []string{"one", "two"} { // the same entries twice: as a sitemap that is read again after a kill
		fmt.Fprintf(&site, "-- map.sim.test/%s.xml --\n<?xml version=\"1.0\"?><urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n", name)
		for i := range n {
			fmt.Fprintf(&site, "<url><loc>http://map.sim.test/listed/%d</loc></url>\n", i)
		}
		site.WriteString("</urlset>\n")
	}
	s := simulateText(t, site.String())
	e, err := engineFor(s.Resolve(), nil, noDelay())
	if err != nil {
		t.Fatal(err)
	}
	def := hostScope("http://map.sim.test/one.xml", "http://map.sim.test/two.xml")
	def.MaxURLs = 4 // robots.txt and both, at least
	run := start(t, e, placeIn(t.TempDir()), def)
	rep := wait(t, run)
	if total := rep.Queued + rep.URLs; total < n || total > n+10 {
		t.Errorf("%d addresses, want %d", total, n)
	}
	for _, seed := range def.Seeds {
		if got := rep.Seeds[seed]; got.Links != n {
			t.Errorf("%s: %d links, want %d", seed, got.Links, n)
		}
	}
	if most := crawl.MostLinks(run); most > 2*4096 {
		t.Errorf("%d links waited for their commit at a time", most)
	}
}

// What is in memory does not grow with what sitemaps queue: the heap is measured while the first and the last of many
// sitemaps are asked for. A URL that is remembered in a map of strings costs 150 bytes; the buffers of the store come and go, some megabytes of
// them.
func TestQueuedSitemapsTakeNoMemory(t *testing.T) { // alone: the heap is of all tests
	const maps, entries, most, buffers = 20, 10_000, 16, 8 << 20
	var mu sync.Mutex
	var live []uint64
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var n int
		if _, err := fmt.Sscanf(r.URL.Path, "/map%d.xml", &n); err != nil {
			http.NotFound(w, r)
			return
		}
		mu.Lock()
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		live = append(live, m.HeapAlloc)
		mu.Unlock()
		w.Header().Set("Content-Type", "application/xml")
		fmt.Fprint(w, `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`)
		for i := range entries {
			fmt.Fprintf(w, "<url><loc>http://%s/section/%d/article-%d.html</loc><lastmod>2026-03-01</lastmod></url>\n", r.Host, n, i)
		}
		fmt.Fprint(w, "</urlset>")
	}))
	defer s.Close()
	e, err := engineFor(nil, nil, noDelay())
	if err != nil {
		t.Fatal(err)
	}
	var seeds []string
	for i := range maps {
		seeds = append(seeds, fmt.Sprintf("%s/map%d.xml", s.URL, i))
	}
	def := hostScope(seeds...)
	def.MaxURLs, def.MaxSitemap, def.Workers = maps+1, -1, 1
	rep := wait(t, start(t, e, placeIn(t.TempDir()), def))
	if rep.Queued < maps*entries || len(live) < maps {
		t.Fatalf("%d queued after %d sitemaps", rep.Queued, len(live))
	}
	// The store's buffers come and go: the least of some is what stays.
	first, last := slices.Min(live[4:8]), slices.Min(live[len(live)-4:])
	urls := int64(len(live)-8) * entries
	if grown := int64(last) - int64(first); grown > urls*most+buffers {
		t.Errorf("the heap grew from %d to %d bytes while %d URLs were queued: %d bytes each, at most %d and %d for buffers", first, last, urls, grown/urls, most, buffers)
	} else {
		t.Logf("%d and %d bytes, %d URLs between", first, last, urls)
	}
}
