package crawl_test

import (
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"varve/archive/catalog"
	"varve/archive/warc"
	"varve/clock"
	"varve/crawl"
	"varve/crawl/fetch"
	"varve/crawl/polite"
	"varve/crawl/scope"
)

// jumpy is a clock that somebody sets: after every so many looks it is another hour, day or year. Timers run as they should.
type jumpy struct {
	clock.Clock
	looks *atomic.Int64
}

func (j jumpy) Now() time.Time {
	jumps := []time.Duration{0, time.Hour, -24 * time.Hour, 10 * 365 * 24 * time.Hour, -time.Minute, 0}
	return j.Clock.Now().Round(0).Add(jumps[int(j.looks.Add(1)/150)%len(jumps)])
}

// A clock that is set forth and back costs no page and does not hold a crawl up.
func TestClockJumps(t *testing.T) {
	s := simulate(t, "tiny", 7)
	want := len(pagesOf(t, s, crawl.EngineConfig{Clock: clock.Real()}))
	got := len(pagesOf(t, s, crawl.EngineConfig{Clock: jumpy{clock.Real(), new(atomic.Int64)}}))
	if got != want || want == 0 {
		t.Errorf("%d captures with a clock that jumps, %d without", got, want)
	}
}

// pagesOf crawls a web with an engine and gives the addresses of its responses.
func pagesOf(t *testing.T, s interface {
	Resolve() []string
	Seeds() []string
}, cfg crawl.EngineConfig,
) map[string]bool {
	t.Helper()
	fc, err := fetchConfig(s.Resolve(), nil)
	if err != nil {
		t.Fatal(err)
	}
	client, err := fetch.New(fc)
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	cfg.Fetcher, cfg.Polite, cfg.Log = client, polite.Fixed(0), slog.New(slog.NewTextHandler(io.Discard, nil))
	place := placeIn(t.TempDir())
	complete(t, crawl.NewEngine(cfg), place, hostScope(s.Seeds()...))
	out := map[string]bool{}
	eachRecord(t, place.WarcDir, func(r *warc.Record) {
		if r.Header.Get(warc.FieldType) == warc.TypeResponse {
			out[r.Header.Get(warc.FieldTargetURI)] = true
		}
	})
	return out
}

// setBack is a clock that somebody sets back while a crawl runs. Its instants have no monotonic reading, as those that are kept on disk.
type setBack struct {
	clock.Clock
	by *atomic.Int64
}

func (s setBack) Now() time.Time {
	return s.Clock.Now().Round(0).Add(-time.Duration(s.by.Load()))
}

// A clock that is set back by a year while a URL waits for its second attempt does not have it wait for a year, neither in
// the crawl that goes on nor in one that is resumed.
func TestRetryAfterClockSetBack(t *testing.T) {
	for _, resumed := range []bool{false, true} {
		by, asked := new(atomic.Int64), new(atomic.Int64)
		var run atomic.Pointer[crawl.Run]
		ready := make(chan struct{})
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			switch {
			case r.URL.Path == "/robots.txt":
				w.WriteHeader(http.StatusNotFound)
			case asked.Add(1) == 1:
				<-ready
				if resumed {
					run.Load().Stop("test")
				}
				time.AfterFunc(50*time.Millisecond, func() { by.Store(int64(365 * 24 * time.Hour)) })
				w.WriteHeader(http.StatusServiceUnavailable)
			default:
				w.Header().Set("Content-Type", "text/html")
				_, _ = io.WriteString(w, "<title>here</title>")
			}
		}))
		defer s.Close()
		engine := func() *crawl.Engine {
			fc, err := fetchConfig(nil, nil)
			if err != nil {
				t.Fatal(err)
			}
			client, err := fetch.New(fc)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { client.Close() })
			return crawl.NewEngine(crawl.EngineConfig{Fetcher: client, Clock: setBack{clock.Real(), by}, Log: slog.New(slog.NewTextHandler(io.Discard, nil))})
		}
		place, def := placeIn(t.TempDir()), hostScope(s.URL+"/")
		def.RetryAfter = scope.Duration(2 * time.Second)
		first := start(t, engine(), place, def)
		run.Store(first)
		close(ready)
		rep := wait(t, first)
		if resumed {
			for by.Load() == 0 {
				time.Sleep(time.Millisecond)
			}
			rep = wait(t, start(t, engine(), place, def))
		}
		if !rep.Complete || rep.Pages != 1 || asked.Load() != 2 {
			t.Errorf("resumed %v: %s, %d pages, asked %d times", resumed, rep.Why, rep.Pages, asked.Load())
		}
	}
}

// A planned crawl whose last start is ahead of the clock, which was set back, is due when the one before it says so.
func TestDueAfterClockSetBack(t *testing.T) {
	col, err := catalog.Open(t.TempDir()).Collection("news")
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
	for _, at := range []time.Time{now.Add(-48 * time.Hour), now.AddDate(1, 0, 0)} {
		_, dir, err := col.NewCrawlID(at)
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(os.MkdirAll(dir, 0o755), os.WriteFile(filepath.Join(dir, "definition.json"), []byte(`{"name":"daily","seeds":["http://a.example/"]}`), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	last, err := crawl.LastStarted(col, now)
	if err != nil || !last["daily"].Equal(now.Add(-48*time.Hour)) {
		t.Errorf("%v, %v", last, err)
	}
	if last, _ = crawl.LastStarted(col, now.AddDate(1, 0, 0).Add(-time.Minute)); !last["daily"].Equal(now.AddDate(1, 0, 0)) {
		t.Errorf("a small correction of the clock: %v", last)
	}
}
