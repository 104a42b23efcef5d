// Package soak crawls a changing simulated web again and again, in one process, with the history and the index of a real collection,
// and looks for what grows that should not: goroutines, open files, memory. It also counts errors: the simulated web makes none, so
// each one has to be explained.
//
//	round:  crawl (visits and revisits) -> history -> refresh the index -> let go of everything
//	        -> collect garbage -> count goroutines, open files, live heap
//	judged: the first rounds warm caches up; of the others the second half is compared with the first
//
// Cost: as long as it is told to; a few MB of WARC a round, removed at the end.
package soak

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"runtime"
	"slices"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"varve/archive/catalog"
	"varve/archive/history"
	"varve/clock"
	"varve/coherence"
	"varve/crawl"
	"varve/crawl/fetch"
	"varve/crawl/polite"
	"varve/crawl/scope"
	"varve/crawl/stages"
	"varve/index/cdx"
	"varve/lab/websim"
	"varve/lab/websim/server"
)

// Config says how long to crawl what.
type Config struct {
	Dir    string        // for the archive
	For    time.Duration // until a round that begins later is not begun
	Preset string        // of websim
	Pages  int64         // of a round at most
	Delay  time.Duration // of a host between requests
	Tell   func(Round)   // after each round; may be nil
}

// Round is what was there after a round, when everything was let go.
type Round struct {
	N          int     `json:"n"`
	Seconds    float64 `json:"seconds"` // since the start
	Pages      int64   `json:"pages"`
	URLs       int64   `json:"urls"`
	Failed     int64   `json:"failed"`
	Captures   int64   `json:"captures"` // in the index
	Goroutines int     `json:"goroutines"`
	Files      int     `json:"files"` // open
	Heap       int64   `json:"heap"`  // live bytes
	RSS        int64   `json:"rss"`   // bytes; 0 where the system does not say
}

// Result is all rounds and what they add up to.
type Result struct {
	Rounds  []Round        `json:"rounds"`
	URLs    int64          `json:"urls"`
	Failed  int64          `json:"failed"`
	Errors  map[string]int `json:"errors"` // by class
	Status  map[string]int `json:"status"`
	Growth  Growth         `json:"growth"`
	Seconds float64        `json:"seconds"`
}

// Growth compares the two halves of the rounds behind the warm-up: the smallest value of each, since garbage only adds.
type Growth struct {
	Goroutines int     `json:"goroutines"` // more in the second half
	Files      int     `json:"files"`
	Heap       float64 `json:"heap"` // times
	RSS        float64 `json:"rss"`
}

// warmUp is how many rounds are not judged.
const warmUp = 3

// Run crawls round after round.
func Run(ctx context.Context, cfg Config) (*Result, error) {
	spec, err := websim.Preset(cfg.Preset)
	if err != nil {
		return nil, err
	}
	web, err := websim.New(spec, 1, websim.WithCache(4<<20)) // small, so that it is full soon
	if err != nil {
		return nil, err
	}
	timeline := server.NewTimeline(clock.Real(), web.Epoch(), 5000) // the web goes on while it is crawled
	srv, err := server.Listen(web, server.Options{Timeline: timeline, NoDigest: true, Log: websim.NewLog(1000, nil)})
	if err != nil {
		return nil, err
	}
	defer srv.Close()
	col, err := catalog.Open(cfg.Dir).Collection("soak")
	if err != nil {
		return nil, err
	}
	res := &Result{Errors: map[string]int{}, Status: map[string]int{}}
	begun := time.Now()
	for n := 1; n == 1 || time.Since(begun) < cfg.For; n++ {
		rep, err := crawlOnce(ctx, srv, col, cfg)
		if err != nil {
			return res, fmt.Errorf("round %d: %w", n, err)
		}
		captures, err := refresh(ctx, col)
		if err != nil {
			return res, fmt.Errorf("round %d: index: %w", n, err)
		}
		r := Round{N: n, Seconds: time.Since(begun).Seconds(), Pages: rep.Pages, URLs: rep.URLs, Failed: rep.Failed, Captures: captures}
		r.measure()
		res.add(r, rep)
		if cfg.Tell != nil {
			cfg.Tell(r)
		}
		timeline.Advance(24 * time.Hour)
		if ctx.Err() != nil {
			break
		}
	}
	res.Seconds = time.Since(begun).Seconds()
	res.Growth = growth(res.Rounds)
	return res, ctx.Err()
}

// crawlOnce makes one crawl with everything of its own, and lets go of it.
func crawlOnce(ctx context.Context, srv *server.Server, col *catalog.Collection, cfg Config) (*crawl.Report, error) {
	fc := fetch.Config{UserAgent: "varve-soak", TLS: fetch.TLS{Roots: srv.Pool()}}
	for _, rule := range srv.Resolve() {
		o, err := fetch.ParseOverride(rule)
		if err != nil {
			return nil, err
		}
		fc.Overrides = append(fc.Overrides, o)
	}
	client, err := fetch.New(fc)
	if err != nil {
		return nil, err
	}
	defer client.Close()
	log := slog.New(slog.NewTextHandler(io.Discard, nil))
	store, err := history.Open(vfs.Default, col.HistoryDir(), history.Config{}, log)
	if err != nil {
		return nil, err
	}
	defer store.Close()
	engine := crawl.NewEngine(crawl.EngineConfig{Fetcher: client, Polite: polite.Fixed(cfg.Delay), Clock: clock.Real(), Log: log, Software: "varve/soak"})
	run, err := engine.Start(ctx, col, crawl.Definition{
		Seeds: srv.Seeds(), Scope: scope.Definition{Mode: scope.Host}, MaxPages: cfg.Pages, MinDisk: -1,
		Coherence: crawl.Coherence{Revisit: coherence.LIFO},
	}, crawl.Options{History: store, Stages: stages.Set{}.Of})
	if err != nil {
		return nil, err
	}
	return run.Wait()
}

func refresh(ctx context.Context, col *catalog.Collection) (int64, error) {
	b, err := cdx.NewBuilder(col.IndexDir("cdx"), cdx.Config{})
	if err != nil {
		return 0, err
	}
	defer b.Close()
	files, err := col.Files()
	if err != nil {
		return 0, err
	}
	var all []cdx.File
	for _, f := range files {
		all = append(all, cdx.File{Name: f.Name, Path: f.Path, Kind: cdx.Kind(f.Kind)})
	}
	rep, err := b.Refresh(ctx, all)
	if err != nil {
		return 0, err
	}
	return rep.Lines, nil
}

// measure counts what is there.
func (r *Round) measure() {
	for range 3 { // finalisers, pools
		runtime.GC()
		time.Sleep(50 * time.Millisecond)
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	r.Goroutines, r.Heap = runtime.NumGoroutine(), int64(m.HeapAlloc)
	if list, err := os.ReadDir("/proc/self/fd"); err == nil {
		r.Files = len(list)
	}
	if b, err := os.ReadFile("/proc/self/statm"); err == nil {
		var size, pages int64
		if _, err := fmt.Sscan(string(b), &size, &pages); err == nil {
			r.RSS = pages * int64(os.Getpagesize())
		}
	}
}

func (res *Result) add(r Round, rep *crawl.Report) {
	res.Rounds = append(res.Rounds, r)
	res.URLs += r.URLs
	res.Failed += r.Failed
	for class, n := range rep.Errors {
		res.Errors[class] += int(n)
	}
	for status, n := range rep.Status {
		res.Status[fmt.Sprint(status)] += int(n)
	}
}

// growth compares the halves behind the warm-up.
func growth(rounds []Round) Growth {
	if len(rounds) < warmUp+2 {
		return Growth{}
	}
	rounds = rounds[warmUp:]
	a, b := rounds[:len(rounds)/2], rounds[len(rounds)/2:]
	least := func(list []Round, of func(Round) int64) int64 {
		var all []int64
		for _, r := range list {
			all = append(all, of(r))
		}
		return slices.Min(all)
	}
	more := func(of func(Round) int64) int64 { return least(b, of) - least(a, of) }
	times := func(of func(Round) int64) float64 { return float64(least(b, of)) / float64(max(least(a, of), 1)) }
	return Growth{
		Goroutines: int(more(func(r Round) int64 { return int64(r.Goroutines) })),
		Files:      int(more(func(r Round) int64 { return int64(r.Files) })),
		Heap:       times(func(r Round) int64 { return r.Heap }),
		RSS:        times(func(r Round) int64 { return r.RSS }),
	}
}

// Leaks tells in words what grew that should not have.
func (res *Result) Leaks() (out []string) {
	g := res.Growth
	if g.Goroutines > 0 {
		out = append(out, fmt.Sprintf("%d goroutines more", g.Goroutines))
	}
	if g.Files > 0 {
		out = append(out, fmt.Sprintf("%d open files more", g.Files))
	}
	if g.Heap > 1.1 {
		out = append(out, fmt.Sprintf("live memory grew %.2f times", g.Heap))
	}
	return out
}

// Print writes the result for people.
func (res *Result) Print(w io.Writer) {
	if len(res.Rounds) == 0 {
		return
	}
	last := res.Rounds[len(res.Rounds)-1]
	fmt.Fprintf(w, "%d crawls in %.0f s: %d answers, %d failed; %d captures in the index\n", len(res.Rounds), res.Seconds, res.URLs, res.Failed, last.Captures)
	fmt.Fprintf(w, "after the last: %d goroutines, %d open files, %.1f MB live, %.1f MB resident\n", last.Goroutines, last.Files, float64(last.Heap)/1e6, float64(last.RSS)/1e6)
	fmt.Fprintf(w, "second half against first: %+d goroutines, %+d open files, live memory %.2f times, resident %.2f times\n",
		res.Growth.Goroutines, res.Growth.Files, res.Growth.Heap, res.Growth.RSS)
	fmt.Fprintf(w, "errors by class: %v; answers by status: %v\n", res.Errors, res.Status)
	for _, l := range res.Leaks() {
		fmt.Fprintln(w, "LEAK:", l)
	}
}
