package crawl

import (
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"varve/clock"
	"varve/coherence"
	"varve/coherence/changerate"
	"varve/crawl/frontier"
)

// spread gives pages rates between once an hour and once in a month, by their URL.
type spread struct{}

func (spread) Rate(k Known) changerate.Rate {
	return changerate.Rate{Value: 1 / (3600 * float64(1+len(k.URL)*7919%720)), Source: changerate.FromVisits}
}

func plannedRun(b testing.TB) *Run {
	b.Helper()
	f, err := frontier.Open(vfs.NewMem(), "f", frontier.Config{Order: frontier.BreadthFirst}, nil)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { f.Close() })
	events, err := openEvents(b.TempDir(), clock.Real())
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { events.close() })
	r := &Run{engine: &Engine{cfg: EngineConfig{Clock: clock.Real()}}, frontier: f, events: events, nap: newNap(), wakeup: make(chan struct{}, 1)}
	r.Def = Definition{Coherence: Coherence{Revisit: coherence.Plan}}.WithDefaults()
	r.coh = newCoherent(r, spread{})
	return r
}

func pageItem(i int) frontier.Item {
	url := fmt.Sprintf("https://bench.example/section-%d/a-page-with-a-name-of-usual-length-%d.html", i%40, i)
	return frontier.Item{Key: url, URL: url, Host: "bench.example", HopPath: "LL", Band: bandPlanned, Via: "https://bench.example/"}
}

func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// BenchmarkWaitingPages tells what a page that waits for its visit takes in memory, and what finding it costs.
func BenchmarkWaitingPages(b *testing.B) {
	const pages = 50_000
	for b.Loop() {
		r := plannedRun(b)
		before := heap()
		for i := range pages {
			it := pageItem(i)
			r.coh.watch(frontier.Entered, &it)
		}
		r.coh.mu.Lock()
		r.coh.learn(r.coh.lanes["bench.example"][0])
		r.coh.nextKey("bench.example", time.Now())
		r.coh.mu.Unlock()
		b.ReportMetric(float64(heap()-before)/pages, "B/page")
		runtime.KeepAlive(r)
	}
}

// BenchmarkPlanRevisits tells what it takes to give the revisits of a group their turns.
func BenchmarkPlanRevisits(b *testing.B) {
	const pages = 20_000
	for b.Loop() {
		b.StopTimer()
		r := plannedRun(b)
		c := r.coh
		r.frontier.Watch(c.watch)
		g := c.group("host:bench.example")
		g.record.Seeded = true
		start := time.Now().Add(-pages * time.Second)
		items := make([]frontier.Item, 0, pages)
		for i := range pages {
			f := sampleFirst(true)
			f.group, f.round, f.placed, f.seq = 0, 1, false, uint64(i)
			f.rate, f.at = 1/(3600*float64(1+i*7919%720)), start.Add(time.Duration(i)*time.Second)
			it := pageItem(i)
			it.Key, it.Band, it.NotBefore, it.Meta = againPrefix+it.Key, bandAgain, farFuture, f.append(nil)
			items = append(items, it)
		}
		if _, err := r.frontier.Add(items...); err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
		if _, err := c.advance(); err != nil {
			b.Fatal(err)
		}
		if _, placed := g.revisits(); placed != pages || g.record.Now.Phase != PhaseRevisits {
			b.Fatalf("%d of %d revisits have a turn: %+v", placed, pages, g.record.Now)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*pages), "us/page")
}
