package frontiergrowth

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"varve/crawl/frontier"
	"varve/lab/eval/cpu"
)

// Config says what is measured.
type Config struct {
	Dir      string
	Sizes    []int // numbers of URLs queued, growing
	Sample   int   // operations of known, update and pop at each size
	Hosts    int
	Workers  int
	Frontier frontier.Config
}

// Row is what was measured at one size. Costs are microseconds of CPU per URL.
type Row struct {
	URLs        int     `json:"urls"`
	Insert      float64 `json:"insert_us"`
	Known       float64 `json:"known_us"`
	Update      float64 `json:"update_us"`
	Pop         float64 `json:"pop_us"`
	RSS         int64   `json:"rss_bytes"`
	Disk        int64   `json:"disk_bytes"`
	BytesPerURL float64 `json:"disk_bytes_per_url"`
	Seconds     float64 `json:"seconds"`
}

// Result is a whole run.
type Result struct {
	Rows    []Row   `json:"rows"`
	PeakRSS int64   `json:"peak_rss_bytes"`
	Bound   int64   `json:"memory_bound_bytes"`
	Open    float64 `json:"open_ms"`    // to open the largest
	Rebuild float64 `json:"rebuild_ms"` // until its filter was complete
	Growth  Row     `json:"growth"`     // last row divided by the first
}

// bench is a run under way.
type bench struct {
	cfg  Config
	f    *frontier.Frontier
	w    workload
	next uint64 // the next URL never seen
	turn uint64 // counts samples, so that each takes other URLs
}

// Run measures. Progress goes to log, one line per size.
func Run(ctx context.Context, cfg Config, log io.Writer) (*Result, error) {
	res := &Result{Bound: cfg.Frontier.MemoryBound()}
	if err := grow(ctx, cfg, res, log); err != nil {
		return res, err
	}
	res.Growth = growth(res.Rows)
	_, res.PeakRSS = memory()
	return res, reopen(ctx, cfg, res)
}

// grow fills a new frontier and measures at each size.
func grow(ctx context.Context, cfg Config, res *Result, log io.Writer) (err error) {
	f, err := frontier.Open(vfs.Default, cfg.Dir, cfg.Frontier, nil)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	b := &bench{cfg: cfg, f: f, w: workload{hosts: uint64(cfg.Hosts)}}
	for _, size := range cfg.Sizes {
		row, err := b.measure(ctx, size)
		if err != nil {
			return err
		}
		res.Rows = append(res.Rows, row)
		fmt.Fprintf(log, "%d URLs after %.0f s\n", size, row.Seconds)
	}
	return nil
}

// reopen measures how long a frontier of the last size takes to be there again.
func reopen(ctx context.Context, cfg Config, res *Result) error {
	start := time.Now()
	f, err := frontier.Open(vfs.Default, cfg.Dir, cfg.Frontier, nil)
	if err != nil {
		return err
	}
	res.Open = float64(time.Since(start).Microseconds()) / 1000
	for !f.Stats().Rebuilt && ctx.Err() == nil {
		time.Sleep(time.Millisecond)
	}
	res.Rebuild = float64(time.Since(start).Microseconds()) / 1000
	return f.Close()
}

func growth(rows []Row) Row {
	a, z := rows[0], rows[len(rows)-1]
	return Row{
		URLs: z.URLs / a.URLs, Insert: z.Insert / a.Insert, Known: z.Known / a.Known, Update: z.Update / a.Update,
		Pop: z.Pop / a.Pop, BytesPerURL: z.BytesPerURL / a.BytesPerURL,
	}
}

// measure brings the frontier to size URLs and measures there.
func (b *bench) measure(ctx context.Context, size int) (row Row, err error) {
	row.URLs = size
	start := time.Now()
	first := b.next
	pages := (uint64(size) - first) / linksPerPage
	row.Insert, err = b.cost(ctx, pages, func(n uint64) (int, error) { return b.insert(first + n*linksPerPage) })
	b.next = first + pages*linksPerPage
	if err != nil {
		return row, err
	}
	calls := uint64(b.cfg.Sample / linksPerPage)
	for _, op := range []struct {
		cost *float64
		do   func(n uint64) (int, error)
	}{{&row.Known, b.known}, {&row.Update, b.update}, {&row.Pop, b.pop}} {
		base := b.turn
		b.turn += calls
		if *op.cost, err = b.cost(ctx, calls, func(n uint64) (int, error) { return op.do(base + n) }); err != nil {
			return row, err
		}
	}
	d, err := b.f.Disk()
	if err != nil {
		return row, err
	}
	row.RSS, _ = memory()
	row.Disk, row.BytesPerURL = d.Bytes, float64(d.Bytes)/float64(size)
	row.Seconds = time.Since(start).Seconds()
	return row, nil
}

// cost runs do for 0..calls-1 on all workers and gives the CPU microseconds per operation that it
// reported, compactions included.
func (b *bench) cost(ctx context.Context, calls uint64, do func(n uint64) (int, error)) (float64, error) {
	ops := 0
	used, err := cpu.Measure(func() (err error) {
		if ops, err = b.work(ctx, calls, do); err != nil {
			return err
		}
		return b.quiet(ctx)
	})
	return float64(used.CPU.Nanoseconds()) / 1000 / float64(max(ops, 1)), err
}

// work runs do for 0..calls-1 on all workers and adds up what it reported.
func (b *bench) work(ctx context.Context, calls uint64, do func(n uint64) (int, error)) (int, error) {
	var next, ops atomic.Uint64
	var wg sync.WaitGroup
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	for range b.cfg.Workers {
		wg.Go(func() {
			for n := next.Add(1) - 1; n < calls && ctx.Err() == nil; n = next.Add(1) - 1 {
				done, err := do(n)
				if err != nil {
					stop(err)
				}
				ops.Add(uint64(done))
			}
		})
	}
	wg.Wait()
	return int(ops.Load()), context.Cause(ctx)
}

// quiet waits until the store has finished its compactions.
func (b *bench) quiet(ctx context.Context) error {
	for calm := 0; calm < 3; {
		d, err := b.f.Disk()
		if err != nil {
			return err
		}
		if calm++; d.Busy {
			calm = 0
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(20 * time.Millisecond):
		}
	}
	return nil
}

// Sizes gives the numbers of URLs to measure at, up to most: 1, 2, 5, 10 million and so on, and
// most itself.
func Sizes(most int) (out []int) {
	for base := 1_000_000; base < most; base *= 10 {
		for _, n := range []int{base, 2 * base, 5 * base} {
			if n < most {
				out = append(out, n)
			}
		}
	}
	return append(out, max(most, linksPerPage))
}
