package graphspeed

import (
	"context"
	"fmt"
	"io"
	"runtime/debug"
	"text/tabwriter"

	"varve/lab/eval/cpu"
	"varve/spam/graph"
)

// Config says what is measured.
type Config struct {
	Dir          string // for runs of edges
	Hosts        int
	Edges        int // drawn; twins are dropped, so the graph has some fewer
	Fingerprints int
	Buffer       int // edges held while building; 0 is the default
	Seed         uint64
}

// Step is what one feature cost.
type Step struct {
	Name    string  `json:"name"`
	CPU     float64 `json:"cpu_seconds"`
	Wall    float64 `json:"seconds"`
	PeakRSS int64   `json:"peak_rss_bytes"`
}

// Result is a whole run.
type Result struct {
	Hosts        int    `json:"hosts"`
	Edges        int    `json:"edges"`
	Fingerprints int    `json:"fingerprints"`
	GraphBytes   int    `json:"graph_bytes"` // one direction
	Terms        int    `json:"rank_terms"`
	Steps        []Step `json:"steps"`
}

// bench is a run under way.
type bench struct {
	ctx context.Context
	cfg Config
	res Result
	log io.Writer

	g, r          *graph.Graph
	later, laterR *graph.Graph
}

// Run measures everything; each step is told to log.
func Run(ctx context.Context, cfg Config, log io.Writer) (*Result, error) {
	if cfg.Hosts < 2 || cfg.Edges < 1 || cfg.Hosts > 1<<31 {
		return nil, fmt.Errorf("%d hosts and %d edges: 2 and 1 at least", cfg.Hosts, cfg.Edges)
	}
	b := &bench{ctx: ctx, cfg: cfg, log: log, res: Result{Fingerprints: cfg.Fingerprints}}
	for _, s := range b.steps() {
		if err := b.step(s.name, s.do); err != nil {
			return nil, err
		}
	}
	return &b.res, nil
}

type step struct {
	name string
	do   func() error
}

func (b *bench) steps() []step {
	n, f, seed := uint32(b.cfg.Hosts), b.cfg.Fingerprints, b.cfg.Seed
	own := func(v uint32) uint64 { return uint64(v) }
	plain := func(do func()) func() error { return func() error { do(); return nil } }
	return []step{
		{"build from edges", b.build},
		{"reverse", plain(func() { b.r = b.g.Reverse() })},
		{"degrees, reciprocity, assortativity", plain(func() { each(n, func(v uint32) { graph.Degrees(b.g, b.r, v) }) })},
		{"clustering coefficient", plain(func() { each(n, func(v uint32) { graph.Clustering(b.g, v, seed) }) })},
		{"PageRank and truncated PageRank 1..4", plain(func() { b.res.Terms = graph.Rank(b.g, b.r, graph.Ranking{}, true).Terms })},
		{"TrustRank", plain(func() { graph.Rank(b.g, b.r, graph.Ranking{Restart: b.trusted()}, false) })},
		{"supporters 1..4", plain(func() { graph.Supporters(b.r, own) })},
		{"similarity to neighbours, XJaccard", plain(func() { graph.Neighbourhood(b.g, b.r, f, seed) })},
		{"similarity to neighbours, SimRank", plain(func() { graph.Companions(b.g, b.r, f/4, seed) })},
		{"second snapshot", b.second},
		{"growth and death", plain(func() { each(n, func(v uint32) { graph.Growth(b.g, b.later, v) }) })},
		{"XJaccard with the second snapshot, forward", plain(func() { graph.XJaccard(b.g, b.later, f, seed) })},
		{"XJaccard, inverted", plain(func() { graph.XJaccard(b.r, b.laterR, f, seed) })},
		{"SimRank with the second snapshot, forward", plain(func() { graph.SimRank(b.g, b.later, f, seed) })},
		{"SimRank, inverted", plain(func() { graph.SimRank(b.r, b.laterR, f, seed) })},
	}
}

func each(n uint32, do func(v uint32)) {
	for v := range n {
		do(v)
	}
}

// trusted are a thousandth of the hosts.
func (b *bench) trusted() (seeds []uint32) {
	for v := 0; v < b.cfg.Hosts; v += 1000 {
		seeds = append(seeds, uint32(v))
	}
	return seeds
}

func (b *bench) build() (err error) {
	edges := graph.NewBuilder(b.cfg.Dir, b.cfg.Buffer)
	graph.Web(b.cfg.Hosts, b.cfg.Edges, b.cfg.Seed, edges.Add)
	if b.g, err = edges.Build(b.cfg.Hosts); err != nil {
		return err
	}
	b.res.Hosts, b.res.Edges, b.res.GraphBytes = b.g.Nodes(), b.g.Edges(), b.g.Bytes()
	return nil
}

func (b *bench) second() (err error) {
	const kept = 0.8
	edges := graph.NewBuilder(b.cfg.Dir, b.cfg.Buffer)
	graph.Next(b.g, kept, b.cfg.Seed+1, edges.Add)
	if b.later, err = edges.Build(b.cfg.Hosts); err != nil {
		return err
	}
	b.laterR = b.later.Reverse()
	return nil
}

func (b *bench) step(name string, do func() error) error {
	if err := b.ctx.Err(); err != nil {
		return err
	}
	debug.FreeOSMemory()
	cpu.ResetPeak()
	used, err := cpu.Measure(do)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	s := Step{Name: name, CPU: used.CPU.Seconds(), Wall: used.Wall.Seconds(), PeakRSS: cpu.Peak()}
	b.res.Steps = append(b.res.Steps, s)
	fmt.Fprintf(b.log, "%-45s %7.1f s CPU  %5d MB\n", s.Name, s.CPU, s.PeakRSS>>20)
	return nil
}

// Print writes a table.
func (r *Result) Print(w io.Writer) error {
	fmt.Fprintf(w, "%d hosts, %d edges (%d MB a direction), %d fingerprints, %d terms of PageRank\n", r.Hosts, r.Edges, r.GraphBytes>>20, r.Fingerprints, r.Terms)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(t, "feature\tCPU s\twall s\tpeak MB\t\n")
	all, most := 0.0, int64(0)
	for _, s := range r.Steps {
		fmt.Fprintf(t, "%s\t%.1f\t%.1f\t%d\t\n", s.Name, s.CPU, s.Wall, s.PeakRSS>>20)
		all, most = all+s.CPU, max(most, s.PeakRSS)
	}
	fmt.Fprintf(t, "all\t%.1f\t\t%d\t\n", all, most>>20)
	return t.Flush()
}
