package crawl_test

import (
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"varve/archive/history"
	"varve/coherence"
	"varve/coherence/evidence"
	"varve/coherence/report"
	"varve/crawl"
	"varve/crawl/stages"
	"varve/text/layer"
)

// secretive is a site like a blog without any edit: every answer has a new secret in a word of its text, in a link, and in its API. One
// page is edited when all were visited.
type secretive struct {
	mu      sync.Mutex
	answers uint32
	asked   map[string]int
	edited  string
}

func (s *secretive) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.asked[r.URL.Path]++
	n := s.asked[r.URL.Path]
	s.answers++
	secret := fmt.Sprintf("s%08x", s.answers*2654435761)
	s.mu.Unlock()
	switch path := r.URL.Path; {
	case path == "/":
		w.Header().Set("Content-Type", "text/html")
		for i := range 6 {
			fmt.Fprintf(w, `<p><a href="/post/%d">post %d</a> <a href="/api/post/%d">data</a></p>`, i, i, i)
		}
	case strings.HasPrefix(path, "/post/"):
		w.Header().Set("Content-Type", "text/html")
		text := "as it ever was"
		if path == s.edited && n > 1 {
			text = "as it is now"
		}
		fmt.Fprintf(w, `<h1>Post %s</h1><p>The lamp was lit at sunset, %s.</p><p class="poll">Your number is <b>%s</b>.</p><iframe src="http://%s.frames.invalid/%s"></iframe>`, path, text, secret, secret, path)
	case strings.HasPrefix(path, "/api/"):
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"id": %q, "html": "<blockquote data-secret=\"%s\">"}`, path, secret)
	default:
		http.NotFound(w, r)
	}
}

// What differs at every request is no change, and an edit is one. Few pages are asked for a third time.
func TestTwins(t *testing.T) {
	t.Parallel()
	site := &secretive{asked: map[string]int{}, edited: "/post/5"}
	s := httptest.NewServer(site)
	t.Cleanup(s.Close)
	e, err := engineFor([]string{"*.example=" + s.Listener.Addr().String()}, nil, noDelay())
	if err != nil {
		t.Fatal(err)
	}
	def := hostScope("http://blog.example/")
	def.Revisit, def.Twins = coherence.LIFO, 2
	place := placeIn(t.TempDir())
	run, err := e.StartIn(t.Context(), "c", place, def, crawl.Options{Stages: stages.Set{}.Of})
	if err != nil {
		t.Fatal(err)
	}
	if rep := wait(t, run); rep.Pages != 7 {
		t.Errorf("%d pages", rep.Pages)
	}
	thrice := map[string]int{}
	for path, n := range site.asked {
		if dir, _, ok := strings.Cut(path[1:], "/"); ok && n == 3 {
			thrice[dir]++
		} else if n > 3 {
			t.Errorf("%s was asked for %d times", path, n)
		}
	}
	if thrice["post"] != 2 || thrice["api"] != 2 || site.asked[site.edited] != 2 {
		t.Errorf("asked for three times: %v", thrice)
	}
	sources, err := evidence.Sources(place.WarcDir, 0)
	if err != nil {
		t.Fatal(err)
	}
	set, err := evidence.Read(t.Context(), sources, evidence.Options{Dir: t.TempDir(), Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	defer set.Close()
	got, err := report.Make(t.Context(), set, report.Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if text := got.Layers[layer.Text]; got.Pages != 7 || text.Coherent != 6 || text.Changed != 1 || text.Links != 0 {
		t.Errorf("%d pages, text %+v; noise %+v", got.Pages, text, got.Noise)
	}
	if len(got.Worst) != 1 || !strings.HasSuffix(got.Worst[0].URL, site.edited) {
		t.Errorf("worst %+v", got.Worst)
	}
	if bytes := got.Layers[layer.Bytes]; bytes.Coherent != 1 {
		t.Errorf("bytes %+v", bytes)
	}
	if data := got.Data; data.Pages != 6 || data.Layers[layer.DOM].Coherent != 6 {
		t.Errorf("data %d, %+v", data.Pages, data.Layers[layer.DOM])
	}
}

// A page that is deleted, and linked no more, is asked for in the next crawl of the collection, which records that it is gone; one that
// was gone then is left alone.
func TestDeletedPageIsAskedForAgain(t *testing.T) {
	t.Parallel()
	var deleted atomic.Bool
	var asked atomic.Int64
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		switch {
		case r.URL.Path == "/" && deleted.Load():
			_, _ = io.WriteString(w, "<title>home</title>")
		case r.URL.Path == "/":
			_, _ = io.WriteString(w, `<title>home</title><a href="/old.html">old</a>`)
		case r.URL.Path == "/old.html":
			if asked.Add(1); deleted.Load() {
				http.NotFound(w, r)
				return
			}
			_, _ = io.WriteString(w, "<title>old</title>")
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(s.Close)
	memory, err := history.Open(vfs.NewMem(), "h", history.Config{}, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	defer memory.Close()
	for i, want := range []int64{1, 2, 2} { // asked for so far
		e, err := engineFor([]string{"a.example=" + s.Listener.Addr().String()}, nil, noDelay())
		if err != nil {
			t.Fatal(err)
		}
		run, err := e.StartIn(t.Context(), "c", placeIn(t.TempDir()), hostScope("http://a.example/"), crawl.Options{History: memory, Stages: stages.Set{}.Of})
		if err != nil {
			t.Fatal(err)
		}
		if rep := wait(t, run); !rep.Complete {
			t.Errorf("crawl %d: %+v", i+1, rep.Gaps)
		}
		if got := asked.Load(); got != want {
			t.Errorf("crawl %d: asked for %d times, want %d", i+1, got, want)
		}
		deleted.Store(true)
	}
	known, ok, err := memory.Lookup("http://a.example/old.html")
	if err != nil || !ok || known.Status != http.StatusNotFound {
		t.Errorf("%+v, %t, %v", known, ok, err)
	}
}
