package crawl_test

import (
	"io"
	"log/slog"
	"sync/atomic"
	"testing"
	"time"

	"varve/archive/warc"
	"varve/clock"
	"varve/crawl"
	"varve/crawl/fetch"
	"varve/crawl/polite"
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
