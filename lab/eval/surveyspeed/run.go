package surveyspeed

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"text/tabwriter"

	"varve/lab/eval/cpu"
	"varve/spam/survey"
)

// Config says what is measured. Zero values mean the default named at the field.
type Config struct {
	Dir          string  // for the working tables and the table
	Hosts        int     // 100,000
	Pages        int     // of a host, about; 2
	Links        int     // of a host, about; 15
	Snapshots    int     // 2
	Terms        int     // words whose weights are features; 200
	Fingerprints int     // 32
	Labelled     float64 // share of the hosts with a label; 0.05
	Seed         uint64
}

func (c Config) filled() Config {
	for _, v := range []struct {
		field *int
		value int
	}{{&c.Hosts, 100_000}, {&c.Pages, 2}, {&c.Links, 15}, {&c.Snapshots, 2}, {&c.Terms, 200}, {&c.Fingerprints, 32}} {
		if *v.field == 0 {
			*v.field = v.value
		}
	}
	if c.Labelled == 0 {
		c.Labelled = 0.05
	}
	return c
}

// Step is what one pass cost.
type Step struct {
	Name    string  `json:"name"`
	CPU     float64 `json:"cpu_seconds"`
	PeakRSS int64   `json:"peak_rss_bytes"`
}

// Result is a whole run.
type Result struct {
	survey.Summary
	Captures int    `json:"captures"`
	Bytes    int64  `json:"bytes"` // of the table
	Steps    []Step `json:"steps"`
}

// Run makes a collection and measures its hosts; each pass is told to log.
func Run(ctx context.Context, c Config, log io.Writer) (*Result, error) {
	c = c.filled()
	if c.Hosts < 10 || c.Hosts > 10_000_000 || c.Pages < 1 || c.Links < 1 || c.Snapshots < 1 || c.Snapshots > 20 {
		return nil, fmt.Errorf("%d hosts with %d pages and %d links in %d snapshots: from 10 hosts, 1 page, 1 link and 1 snapshot on", c.Hosts, c.Pages, c.Links, c.Snapshots)
	}
	b := &bench{log: log}
	b.begin("make the collection")
	m := newCollection(c)
	if err := m.write(c.Dir); err != nil {
		return nil, err
	}
	b.res.Captures = m.pages * c.Snapshots
	cfg := survey.Config{Dir: c.Dir, Temp: c.Dir, Terms: c.Terms, Fingerprints: c.Fingerprints, Seed: c.Seed, Labels: map[string]string{}, Progress: b.begin}
	if c.Snapshots > 1 {
		cfg.Snapshots = survey.ByCrawl
	}
	for i := range int(c.Labelled * float64(c.Hosts)) {
		cfg.Labels[name(i*c.Hosts/max(1, int(c.Labelled*float64(c.Hosts))))] = []string{survey.Spam, survey.Normal, survey.Normal}[i%3]
	}
	err := b.table(ctx, cfg, filepath.Join(c.Dir, "hosts.parquet"))
	b.end()
	return &b.res, err
}

// bench is a run under way.
type bench struct {
	res  Result
	log  io.Writer
	name string
	from cpu.Usage
}

// table computes the table into a file.
func (b *bench) table(ctx context.Context, cfg survey.Config, path string) (err error) {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	out, err := survey.NewFile(f, path)
	if err != nil {
		return err
	}
	if b.res.Summary, err = survey.Compute(ctx, cfg, out); err != nil {
		return err
	}
	if err := out.Close(); err != nil {
		return err
	}
	info, err := f.Stat()
	if err == nil {
		b.res.Bytes = info.Size()
	}
	return err
}

// begin ends the pass before and begins one.
func (b *bench) begin(name string) {
	b.end()
	debug.FreeOSMemory()
	cpu.ResetPeak()
	b.name, b.from = name, cpu.Used()
}

func (b *bench) end() {
	if b.name == "" {
		return
	}
	s := Step{Name: b.name, CPU: (cpu.Used().CPU - b.from.CPU).Seconds(), PeakRSS: cpu.Peak()}
	b.res.Steps = append(b.res.Steps, s)
	fmt.Fprintf(b.log, "%-20s %7.1f s CPU  %5d MB\n", s.Name, s.CPU, s.PeakRSS>>20)
	b.name = ""
}

// Print writes a table.
func (r *Result) Print(w io.Writer) error {
	fmt.Fprintf(w, "%d hosts, %d pages, %d captures, %d links between hosts; %d features, table of %d MB\n", r.Hosts, r.Pages, r.Captures, r.HostEdges, r.Features, r.Bytes>>20)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(t, "pass\tCPU s\tms a host\tpeak MB\t\n")
	for _, s := range r.Steps {
		fmt.Fprintf(t, "%s\t%.1f\t%.2f\t%d\t\n", s.Name, s.CPU, 1000*s.CPU/float64(max(1, r.Hosts)), s.PeakRSS>>20)
	}
	return t.Flush()
}
