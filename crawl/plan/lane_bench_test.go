package plan

import (
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"varve/archive/history"
	"varve/clock"
	"varve/coherence"
	"varve/coherence/changerate"
	"varve/crawl"
	"varve/crawl/frontier"
	"varve/text/layer"
	"varve/web/canon"
)

// spread gives pages rates between once an hour and once in a month, by their URL.
type spread struct{}

func (spread) Rate(k Known) changerate.Rate {
	return changerate.Rate{Value: 1 / (3600 * float64(1+len(k.URL)*7919%720)), Source: changerate.FromVisits}
}

// fakeRun is a run that does nothing: a frontier in memory and the clock of the machine.
type fakeRun struct{ f *frontier.Frontier }

func (r fakeRun) Frontier() *frontier.Frontier               { return r.f }
func (fakeRun) History() crawl.History                       { return nothingKnown{} }
func (fakeRun) Clock() clock.Clock                           { return clock.Real() }
func (fakeRun) Layers() layer.Set                            { return layer.All }
func (fakeRun) Busy() int64                                  { return 0 }
func (fakeRun) EachSeed(func(string, canon.URL) error) error { return nil }
func (fakeRun) Event(string, ...any)                         {}
func (fakeRun) Fail(err error)                               { panic(err) }
func (fakeRun) Wake()                                        {}

// nothingKnown is a history that knows nothing.
type nothingKnown struct{ crawl.History }

func (nothingKnown) Lookup(string) (e history.Entry, ok bool, err error) { return e, false, nil }

// planned returns a stage on a frontier in memory.
func planned(b testing.TB) (*Stage, *frontier.Frontier) {
	b.Helper()
	f, err := frontier.Open(vfs.NewMem(), "f", frontier.Config{Order: frontier.BreadthFirst}, nil)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { f.Close() })
	c := New(crawl.Definition{Coherence: crawl.Coherence{Revisit: coherence.Plan}}.WithDefaults(), Options{Rates: spread{}})
	if err := c.attach(fakeRun{f}); err != nil {
		b.Fatal(err)
	}
	return c, f
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
		c, _ := planned(b)
		before := heap()
		for i := range pages {
			it := pageItem(i)
			c.watch(frontier.Entered, &it)
		}
		c.mu.Lock()
		c.learn(c.lanes["bench.example"][0])
		c.nextKey("bench.example", time.Now())
		c.mu.Unlock()
		b.ReportMetric(float64(heap()-before)/pages, "B/page")
		runtime.KeepAlive(c)
	}
}

// BenchmarkPlanRevisits tells what it takes to give the revisits of a group their turns.
func BenchmarkPlanRevisits(b *testing.B) {
	const pages = 20_000
	for b.Loop() {
		b.StopTimer()
		c, queue := planned(b)
		g := c.group("host:bench.example")
		g.record.Seeded = true
		start := time.Now().Add(-pages * time.Second)
		items := make([]frontier.Item, 0, pages)
		for i := range pages {
			f := sampleFirst(true)
			f.group, f.round, f.placed, f.seq = 0, 1, false, uint64(i)
			f.rate, f.at = 1/(3600*float64(1+i*7919%720)), start.Add(time.Duration(i)*time.Second)
			it := pageItem(i)
			it.Key, it.Band, it.NotBefore, it.Meta = crawl.AgainKey(it.Key), bandAgain, farFuture, f.append(nil)
			items = append(items, it)
		}
		if _, err := queue.Add(items...); err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
		if _, err := c.advance(); err != nil {
			b.Fatal(err)
		}
		if _, placed := g.revisits(); placed != pages || g.record.Now.Phase != crawl.PhaseRevisits {
			b.Fatalf("%d of %d revisits have a turn: %+v", placed, pages, g.record.Now)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*pages), "us/page")
}
