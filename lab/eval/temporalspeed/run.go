package temporalspeed

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"text/tabwriter"
	"time"

	"varve/index/temporal"
	"varve/lab/eval/cpu"
)

// Config says what is measured.
type Config struct {
	Dir      string
	Versions int64
	Rounds   int // questions of each kind
	// Alive is about how many versions an instant should meet; it sets how long versions live.
	Alive int64
}

// Kind is what questions of one kind cost.
type Kind struct {
	Name string  `json:"name"`
	Hits float64 `json:"hits"`   // mean
	P50  float64 `json:"p50_ms"` // wall time
	P99  float64 `json:"p99_ms"`
	CPU  float64 `json:"cpu_ms"` // mean
	Hit  float64 `json:"ns_per_hit"`
}

// Result is a whole run.
type Result struct {
	Versions int64   `json:"versions"`
	BuildCPU float64 `json:"build_cpu_seconds"`
	Build    float64 `json:"build_seconds"`
	Open     float64 `json:"open_ms"`
	PeakRSS  int64   `json:"peak_rss_bytes"`
	Kinds    []Kind  `json:"kinds"`
}

// span is the time that all versions lie in.
const span = 20 * 365 * 24 * 3600

var epoch = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// versions makes versions up: so many pages that all of them together make n, sorted by page and
// time. A version lives span*alive/n seconds on average, from a tenth to ten times that.
func versions(n, alive int64) iter.Seq2[*temporal.Version, error] {
	const perPage = 4
	mean := float64(span) * float64(alive) / float64(n)
	return func(yield func(*temporal.Version, error) bool) {
		for page := int64(0); page*perPage < n; page++ {
			v := &temporal.Version{Key: fmt.Sprintf("org,example,site%04d)/page/%09d", page/10000, page), MIME: "text/html", Status: 200, Captures: 2}
			v.URL = fmt.Sprintf("https://site%04d.example.org/page/%09d", page/10000, page)
			at := uint32(epoch.Unix()) + uint32(mix(uint64(page))%span)
			for k := range min(perPage, n-page*perPage) {
				h := mix(uint64(page*perPage + k))
				life := uint32(max(1, mean*lifetimes[h%uint64(len(lifetimes))]))
				now := *v
				now.Digest = fmt.Sprintf("sha1:%016X", h)
				now.First, now.Last, now.End = at, at+life/2, at+life
				now.Witnessed = []temporal.Span{{From: at, To: at + 1}}
				at += life
				if !yield(&now, nil) {
					return
				}
			}
		}
	}
}

// lifetimes of versions, in means: most live short and a few long, with mean one.
var lifetimes = []float64{0.1, 0.1, 0.2, 0.2, 0.3, 0.4, 0.5, 0.6, 1.6, 6}

// Run measures. Progress goes to log.
func Run(ctx context.Context, cfg Config, log io.Writer) (res *Result, err error) {
	res = &Result{Versions: cfg.Versions}
	used, err := cpu.Measure(func() error {
		_, err := temporal.BuildVersions(ctx, cfg.Dir, versions(cfg.Versions, cfg.Alive), temporal.Config{})
		return err
	})
	if err != nil {
		return res, err
	}
	res.BuildCPU, res.Build, res.PeakRSS = used.CPU.Seconds(), used.Wall.Seconds(), cpu.MaxRSS()
	fmt.Fprintf(log, "built in %.0f s\n", res.Build)
	start := time.Now()
	ix, err := temporal.Open(cfg.Dir)
	if err != nil {
		return res, err
	}
	defer func() { err = errors.Join(err, ix.Close()) }()
	res.Open = float64(time.Since(start).Microseconds()) / 1000
	return res, res.ask(ctx, ix, cfg)
}

// ask measures the kinds of questions at instants spread over the middle of the time.
func (res *Result) ask(ctx context.Context, ix *temporal.Index, cfg Config) error {
	at := func(i int) time.Time { return epoch.Add(time.Duration(span/4+mix(uint64(i))%(span/2)) * time.Second) }
	week := 7 * 24 * time.Hour
	mean := time.Duration(float64(span)*float64(cfg.Alive)/float64(cfg.Versions)) * time.Second
	for _, k := range []struct {
		name string
		q    func(i int) temporal.Query
	}{
		{"alive", func(i int) temporal.Query { return temporal.Query{At: at(i)} }},
		{"intersects a week", func(i int) temporal.Query {
			return temporal.Query{Relation: temporal.Intersects, From: at(i), To: at(i).Add(week)}
		}},
		{"inside a lifetime", func(i int) temporal.Query {
			return temporal.Query{Relation: temporal.Inside, From: at(i), To: at(i).Add(mean)}
		}},
		{"contains a lifetime", func(i int) temporal.Query {
			return temporal.Query{Relation: temporal.Contains, From: at(i), To: at(i).Add(mean)}
		}},
		{"proven at", func(i int) temporal.Query { return temporal.Query{Validity: temporal.Proven, At: at(i)} }},
	} {
		kind, err := measure(k.name, cfg.Rounds, func(i int) (int64, error) { return ix.Count(k.q(i)) })
		if err != nil {
			return err
		}
		res.Kinds = append(res.Kinds, kind)
	}
	kind, err := measure("alive, a page of 100", cfg.Rounds, func(i int) (n int64, err error) {
		for _, err := range ix.Search(ctx, temporal.Query{At: at(i), Limit: 100}) {
			if err != nil {
				return n, err
			}
			n++
		}
		return n, nil
	})
	res.Kinds = append(res.Kinds, kind)
	return err
}

func measure(name string, rounds int, ask func(int) (int64, error)) (k Kind, err error) {
	k.Name = name
	var hits int64
	wall := make([]float64, 0, rounds)
	if _, err := ask(-1); err != nil { // the first question checks pages
		return k, err
	}
	used, err := cpu.Measure(func() error {
		for i := range rounds {
			start := time.Now()
			n, err := ask(i)
			if err != nil {
				return err
			}
			hits += n
			wall = append(wall, float64(time.Since(start).Nanoseconds())/1e6)
		}
		return nil
	})
	if err != nil {
		return k, err
	}
	slices.Sort(wall)
	k.Hits = float64(hits) / float64(rounds)
	k.P50, k.P99 = wall[rounds/2], wall[rounds*99/100]
	k.CPU = float64(used.CPU.Nanoseconds()) / 1e6 / float64(rounds)
	k.Hit = k.CPU * 1e6 / max(k.Hits, 1)
	return k, nil
}

// Print writes the table that docs/decisions shows.
func (r *Result) Print(w io.Writer) {
	fmt.Fprintf(w, "%d versions: built in %.1f s (%.1f s CPU), opened in %.2f ms, peak RSS while building %d MB\n\n", r.Versions, r.Build, r.BuildCPU, r.Open, r.PeakRSS>>20)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "question\thits\tp50 ms\tp99 ms\tCPU ms\tns/hit\t")
	for _, k := range r.Kinds {
		fmt.Fprintf(t, "%s\t%.0f\t%.2f\t%.2f\t%.2f\t%.0f\t\n", k.Name, k.Hits, k.P50, k.P99, k.CPU, k.Hit)
	}
	t.Flush()
}
