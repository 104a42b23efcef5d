package cdxspeed

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"time"

	"varve/archive/cdxj"
	"varve/index/cdx"
	"varve/lab/eval/cpu"
	"varve/web/canon"
)

// Config says what is measured.
type Config struct {
	Dir     string
	Sizes   []int64 // numbers of captures, growing; each is built anew
	Lookups int     // of each kind
	Hosts   int
}

// Row is what was measured at one size.
type Row struct {
	Lines       int64   `json:"lines"`
	BuildRate   float64 `json:"build_lines_per_cpu_second"` // without making the lines up
	BuildWall   float64 `json:"build_seconds"`
	BytesALine  float64 `json:"disk_bytes_per_line"`
	Open        float64 `json:"open_ms"`
	Exact       Lookup  `json:"exact"`
	Closest     Lookup  `json:"closest"`
	Missing     Lookup  `json:"missing"`
	First       Lookup  `json:"first_line_of_prefix"`
	ScanRate    float64 `json:"scan_lines_per_cpu_second"`
	LineRate    float64 `json:"raw_scan_lines_per_cpu_second"`
	PeakRSS     int64   `json:"peak_rss_bytes"` // of the process so far
	GeneratorMS float64 `json:"generator_cpu_ms"`
}

// Lookup is what one kind of lookup costs.
type Lookup struct {
	CPU    float64 `json:"cpu_us"`     // mean of the process, garbage collection included
	CPU99  float64 `json:"cpu_p99_us"` // of the thread that looks up: what a busy machine does not change
	P50    float64 `json:"p50_us"`     // wall time
	P99    float64 `json:"p99_us"`
	Max    float64 `json:"max_us"`
	Blocks int64   `json:"most_blocks"` // that one lookup read
	Mean   float64 `json:"mean_blocks"`
}

// Result is a whole run.
type Result struct {
	Rows []Row `json:"rows"`
}

// Run measures. Progress goes to log.
func Run(ctx context.Context, cfg Config, log io.Writer) (*Result, error) {
	res := &Result{}
	for _, n := range cfg.Sizes {
		row, err := measure(ctx, cfg, n)
		if err != nil {
			return res, fmt.Errorf("%d captures: %w", n, err)
		}
		res.Rows = append(res.Rows, row)
		fmt.Fprintf(log, "%d captures: built in %.0f s\n", n, row.BuildWall)
	}
	return res, nil
}

func measure(ctx context.Context, cfg Config, n int64) (row Row, err error) {
	row.Lines = n
	w := &workload{pages: uint64(n) / 2 * 21 / 20, hosts: uint64(max(1, cfg.Hosts))} // enough for n captures
	w.pages = max(w.pages, 10)
	dir := fmt.Sprintf("%s/%d", cfg.Dir, n)
	if err := row.build(ctx, w, dir); err != nil {
		return row, err
	}
	start := time.Now()
	ix, err := cdx.Open(dir)
	if err != nil {
		return row, err
	}
	row.Open = float64(time.Since(start).Microseconds()) / 1000
	defer func() { err = errors.Join(err, ix.Close(), cdx.Remove(nil, dir)) }()
	stats, err := ix.Stats()
	if err != nil {
		return row, err
	}
	if stats.Lines != n {
		return row, fmt.Errorf("the index has %d lines", stats.Lines)
	}
	row.BytesALine = float64(stats.Bytes) / float64(n)
	if err := row.lookups(ctx, ix, w, cfg.Lookups); err != nil {
		return row, err
	}
	err = row.scans(ctx, ix, min(n, 2_000_000))
	row.PeakRSS = cpu.MaxRSS()
	return row, err
}

// build measures building, and making up the lines alone on a part of them.
func (row *Row) build(ctx context.Context, w *workload, dir string) error {
	sample := min(row.Lines, 500_000)
	alone, _ := cpu.Measure(func() error {
		for range w.lines(sample) {
			continue
		}
		return nil
	})
	perLine := alone.CPU.Seconds() / float64(sample)
	b, err := cdx.NewBuilder(dir, cdx.Config{})
	if err != nil {
		return err
	}
	used, err := cpu.Measure(func() error {
		_, err := b.AddLines(ctx, "made up", w.lines(row.Lines))
		return errors.Join(err, b.Close())
	})
	net := used.CPU.Seconds() - perLine*float64(row.Lines)
	row.BuildRate, row.BuildWall = float64(row.Lines)/net, used.Wall.Seconds()
	row.GeneratorMS = perLine * float64(row.Lines) * 1000
	return err
}

// lookups measures the kinds of lookups at pages spread over the archive.
func (row *Row) lookups(ctx context.Context, ix *cdx.Index, w *workload, n int) (err error) {
	at := epoch.AddDate(2, 6, 0)
	kinds := []struct {
		out  *Lookup
		find func(page uint64) (bool, error)
		want bool
	}{
		{&row.Exact, func(p uint64) (bool, error) {
			return any(ix.Query(ctx, cdx.Query{URL: w.url(p), Match: canon.MatchExact}))
		}, true},
		{&row.Closest, func(p uint64) (bool, error) {
			_, ok, err := ix.Closest(ctx, cdx.Query{URL: w.url(p), Match: canon.MatchExact}, at)
			return ok, err
		}, true},
		{&row.Missing, func(p uint64) (bool, error) {
			return any(ix.Query(ctx, cdx.Query{URL: w.url(p) + "x", Match: canon.MatchExact}))
		}, false},
		{&row.First, func(p uint64) (bool, error) {
			return any(ix.Query(ctx, cdx.Query{URL: w.url(p), Match: canon.MatchHost, Limit: 1}))
		}, true},
	}
	for _, k := range kinds {
		if *k.out, err = lookup(ix, w, n, k.want, k.find); err != nil {
			return err
		}
	}
	return nil
}

// any reads an answer to its end and tells whether there was one.
func any(s func(func(cdxj.Record, error) bool)) (found bool, err error) {
	for _, e := range s {
		found, err = true, e
	}
	return found, err
}

// lookup runs find for n pages of the first crawl, all of which are there.
func lookup(ix *cdx.Index, w *workload, n int, want bool, find func(uint64) (bool, error)) (out Lookup, err error) {
	runtime.LockOSThread() // so that its processor time is that of the lookup
	defer runtime.UnlockOSThread()
	wall, busy := make([]float64, 0, n), make([]float64, 0, n)
	reads := func() int64 { s, _ := ix.Stats(); return s.Reads }
	first := reads()
	var total time.Duration
	for i := range n {
		page := mix(uint64(i)+77) % w.pages
		before := reads()
		var took, thread time.Duration
		used, err := cpu.Measure(func() error {
			start, begun := time.Now(), cpu.Thread()
			found, err := find(page)
			took, thread = time.Since(start), cpu.Thread()-begun
			if err != nil || found != want {
				return fmt.Errorf("page %d: found %v, want %v: %w", page, found, want, err)
			}
			return nil
		})
		if err != nil {
			return out, err
		}
		total += used.CPU
		wall, busy = append(wall, micros(took)), append(busy, micros(thread))
		out.Blocks = max(out.Blocks, reads()-before)
	}
	out.Mean = float64(reads()-first) / float64(n)
	out.CPU = micros(total) / float64(n)
	slices.Sort(wall)
	slices.Sort(busy)
	out.P50, out.P99, out.Max, out.CPU99 = wall[n/2], wall[n*99/100], wall[n-1], busy[n*99/100]
	return out, nil
}

func micros(d time.Duration) float64 { return float64(d.Nanoseconds()) / 1000 }

// scans measures streaming: parsed, and as lines.
func (row *Row) scans(ctx context.Context, ix *cdx.Index, n int64) error {
	count := int64(0)
	used, err := cpu.Measure(func() error {
		for _, err := range ix.Query(ctx, cdx.Query{Limit: n}) {
			if err != nil {
				return err
			}
			count++
		}
		return nil
	})
	if err != nil {
		return err
	}
	row.ScanRate = float64(count) / used.CPU.Seconds()
	count = 0
	used, err = cpu.Measure(func() error {
		for _, err := range ix.Lines(ctx, cdx.Query{}) {
			if err != nil {
				return err
			}
			if count++; count == n {
				return nil
			}
		}
		return nil
	})
	row.LineRate = float64(count) / used.CPU.Seconds()
	return err
}
