// Package sparqlspeed measures loading and asking a triple store beside Oxigraph, in CPU time, on people that are made up.
//
// Both load the same file and answer the same twelve shapes of queries, one after the other in one run; answers are
// written as SPARQL JSON and must have the same number of solutions. Each shape is asked several times for different
// people, in rounds; the cheapest round counts.
package sparqlspeed

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"text/tabwriter"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"varve/kb/rdf"
	"varve/kb/sparql"
	"varve/kb/triplestore"
	"varve/lab/eval/cpu"
	"varve/lab/oxigraph"
)

// Config says what is measured.
type Config struct {
	Dir     string // for the file and both stores
	Triples int
	Rounds  int
	Seed    uint64
	Only    string // one shape
	Alone   bool   // without Oxigraph
}

// Pair is a figure of both; a ratio of 2 means that Varve needs twice of it.
type Pair struct {
	Name     string  `json:"name"`
	Varve    float64 `json:"varve"`
	Oxigraph float64 `json:"oxigraph,omitempty"`
	Ratio    float64 `json:"ratio,omitempty"`
	Rows     int64   `json:"rows,omitempty"`
}

func pair(name string, ours, theirs float64) Pair {
	p := Pair{Name: name, Varve: ours, Oxigraph: theirs}
	if theirs > 0 {
		p.Ratio = ours / theirs
	}
	return p
}

// Result is a whole run. Times are CPU seconds.
type Result struct {
	Triples int     `json:"triples"`
	Peer    string  `json:"peer"` // its version, or why it is not there
	Load    Pair    `json:"load"`
	Disk    Pair    `json:"bytes_per_triple"`
	Memory  Pair    `json:"memory_load"`   // MB resident at most while loading
	Asking  Pair    `json:"memory_asking"` // and over all shapes; Oxigraph's is that of its process so far
	Queries []Pair  `json:"queries"`
	Median  float64 `json:"median_ratio,omitempty"`
	Worst   float64 `json:"worst_ratio,omitempty"`
}

// Run measures everything; what is done is told to log.
func Run(ctx context.Context, cfg Config, log io.Writer) (*Result, error) {
	res := &Result{}
	file := filepath.Join(cfg.Dir, "people.nq")
	people, err := write(file, cfg, res)
	if err != nil {
		return nil, err
	}
	fmt.Fprintf(log, "%d triples written\n", res.Triples)
	peer, err := start(ctx, cfg, res)
	if err != nil {
		return nil, err
	}
	if peer != nil {
		defer peer.Close()
	}
	ours := filepath.Join(cfg.Dir, "varve")
	s, err := triplestore.Open(vfs.Default, ours, triplestore.DefaultConfig(), rand.New(rand.NewPCG(cfg.Seed, 2)), nil)
	if err != nil {
		return nil, err
	}
	cpu.ResetPeak()
	used, err := cpu.Measure(func() error { return load(ctx, s, file) })
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	peak := cpu.Peak()
	fmt.Fprintf(log, "loaded: %.1f s of CPU, %.1f s, %.0f MB of memory\n", used.CPU.Seconds(), used.Wall.Seconds(), mb(peak))
	var theirs time.Duration
	if peer != nil {
		if theirs, err = peer.Load(file, false); err != nil {
			return nil, errors.Join(err, s.Close())
		}
	}
	res.Load = pair("load", used.CPU.Seconds(), theirs.Seconds())
	res.Memory = pair("memory while loading", mb(peak), mb(peer.Peak()))
	n := float64(res.Triples)
	res.Disk = pair("bytes per triple", size(ours)/n, size(filepath.Join(cfg.Dir, "oxigraph"))/n)
	fmt.Fprintf(log, "loaded: %.1f s of CPU, Oxigraph %.1f s\n", res.Load.Varve, res.Load.Oxigraph)
	cpu.ResetPeak()
	view := s.View()
	err = ask(ctx, cfg, view, peer, people, res, log)
	res.Asking = pair("memory while asking", mb(cpu.Peak()), mb(peer.Peak()))
	return res, errors.Join(err, view.Close(), s.Close())
}

func mb(bytes int64) float64 { return float64(bytes) / (1 << 20) }

// start starts the peer, or says in the result why there is none.
func start(ctx context.Context, cfg Config, res *Result) (*oxigraph.Peer, error) {
	if cfg.Alone {
		res.Peer = "was not asked"
		return nil, nil
	}
	python, err := oxigraph.Install(ctx, filepath.Join(cfg.Dir, "python"))
	if err != nil {
		res.Peer = err.Error()
		return nil, nil
	}
	peer, err := oxigraph.Start(ctx, python, filepath.Join(cfg.Dir, "oxigraph"))
	if err != nil {
		return nil, err
	}
	res.Peer = peer.Version
	return peer, nil
}

func load(ctx context.Context, s *triplestore.Store, file string) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = s.Load(ctx, func(scope string) iter.Seq2[rdf.Quad, error] {
		if _, err := f.Seek(0, io.SeekStart); err != nil {
			return func(yield func(rdf.Quad, error) bool) { yield(rdf.Quad{}, err) }
		}
		return rdf.Read(bufio.NewReaderSize(f, 1<<20), rdf.NQuads, rdf.Options{Scope: scope})
	})
	return err
}

func size(dir string) float64 {
	var bytes int64
	_ = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			if info, err := d.Info(); err == nil {
				bytes += info.Size()
			}
		}
		return nil
	})
	return float64(bytes)
}

func ask(ctx context.Context, cfg Config, data sparql.Dataset, peer *oxigraph.Peer, people int, res *Result, log io.Writer) error {
	var ratios []float64
	for _, shape := range shapes {
		if cfg.Only != "" && cfg.Only != shape.name {
			continue
		}
		var ours, theirs time.Duration
		var rows, rowsTheirs int64
		for round := range cfg.Rounds {
			u, err := cpu.Measure(func() (err error) {
				rows, err = each(shape, people, func(q string) (int64, error) { return query(ctx, data, q) })
				return err
			})
			if err != nil {
				return fmt.Errorf("%s: %w", shape.name, err)
			}
			if round == 0 || u.CPU < ours {
				ours = u.CPU
			}
			if peer == nil {
				continue
			}
			var sum time.Duration
			rowsTheirs, err = each(shape, people, func(q string) (int64, error) {
				body, used, err := peer.Query(ctx, q)
				if sum += used; err != nil {
					return 0, err
				}
				return solutions(body)
			})
			if err != nil {
				return fmt.Errorf("%s: %w", shape.name, err)
			}
			if round == 0 || sum < theirs {
				theirs = sum
			}
		}
		if peer != nil && rows != rowsTheirs {
			return fmt.Errorf("%s: %d solutions, Oxigraph %d: one of them is wrong", shape.name, rows, rowsTheirs)
		}
		p := pair(shape.name, ours.Seconds(), theirs.Seconds())
		p.Rows = rows
		res.Queries = append(res.Queries, p)
		fmt.Fprintf(log, "%s: %.3f s, Oxigraph %.3f s\n", p.Name, p.Varve, p.Oxigraph)
		if p.Ratio > 0 {
			ratios = append(ratios, p.Ratio)
		}
	}
	if len(ratios) > 0 {
		slices.Sort(ratios)
		res.Worst = ratios[len(ratios)-1]
		res.Median = (ratios[(len(ratios)-1)/2] + ratios[len(ratios)/2]) / 2
	}
	return nil
}

// each asks a shape for its people, and returns the sum of what do returns.
func each(s shape, people int, do func(string) (int64, error)) (int64, error) {
	var sum int64
	for i := range s.times {
		n, err := do(prefix + s.query(1+(i*7919)%people))
		if err != nil {
			return 0, err
		}
		sum += n
	}
	return sum, nil
}

// query answers, and returns the number of solutions.
func query(ctx context.Context, data sparql.Dataset, text string) (int64, error) {
	q, err := sparql.Parse(text, "")
	if err != nil {
		return 0, err
	}
	r, err := sparql.Evaluate(ctx, data, q, sparql.Options{MaxRows: -1})
	if err != nil {
		return 0, err
	}
	return r.Write(io.Discard, sparql.ResultJSON)
}

// solutions returns how many solutions an answer of the peer has.
func solutions(body []byte) (n int64, err error) {
	r, err := sparql.ReadResult(bytes.NewReader(body))
	if err != nil {
		return 0, err
	}
	for _, err := range r.Solutions {
		if err != nil {
			return n, err
		}
		n++
	}
	return n, nil
}

// Print writes a table.
func (r *Result) Print(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	fmt.Fprintf(t, "%d triples\tVarve\tOxigraph %s\tratio\n", r.Triples, r.Peer)
	line := func(p Pair, format string) {
		fmt.Fprintf(t, "%s\t"+format+"\t"+format+"\t%.2f\n", p.Name, p.Varve, p.Oxigraph, p.Ratio)
	}
	line(r.Load, "%.1f s")
	line(r.Disk, "%.1f")
	line(r.Memory, "%.0f MB")
	line(r.Asking, "%.0f MB")
	for _, q := range r.Queries {
		line(q, "%.3f s")
	}
	fmt.Fprintf(t, "median, worst\t\t\t%.2f, %.2f\n", r.Median, r.Worst)
	return t.Flush()
}
