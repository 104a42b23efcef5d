package crawlspeed

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// Config says what to measure.
type Config struct {
	Varve   string   // the program that crawls
	Lab     string   // the program that serves the web, and is the floor
	Wget    string   // the wget binary; "" leaves it out
	Dir     string   // for temporary files
	Presets []string // of websim
	Rounds  int
	Terms   int // of the definition of a guided crawl that is measured beside; 0: none is
}

// Sample is what one process cost and brought home.
type Sample struct {
	CPU      float64 `json:"cpu_seconds"`
	Wall     float64 `json:"wall_seconds"`
	MaxRSS   int64   `json:"max_rss"`
	Captured int     `json:"captured"` // expected URLs with a response record
}

// Run measures all presets, and in each the ways in turn, so that a noisy spell hits all of them.
func Run(ctx context.Context, cfg Config, progress io.Writer) (*Result, error) {
	res := &Result{}
	for _, name := range cfg.Presets {
		set, err := runPreset(ctx, cfg, name, progress)
		if err != nil {
			return nil, fmt.Errorf("preset %s: %w", name, err)
		}
		res.Sets = append(res.Sets, *set)
	}
	return res, nil
}

// bench is one preset being measured.
type bench struct {
	cfg      Config
	dir      string
	web      *web
	expected map[string]bool // URLs
	plan     string          // file for the floor
	terms    []string        // of the definition of the guided crawl
}

func runPreset(ctx context.Context, cfg Config, preset string, progress io.Writer) (_ *Set, err error) {
	dir, err := os.MkdirTemp(cfg.Dir, "crawlspeed")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	w, err := serve(ctx, cfg.Lab, preset)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, w.stop()) }()
	b := &bench{cfg: cfg, dir: dir, web: w, plan: filepath.Join(dir, "plan")}
	fmt.Fprintf(progress, "%s: reference crawl\n", preset)
	if err := b.reference(ctx); err != nil {
		return nil, fmt.Errorf("reference crawl: %w", err)
	}
	set := &Set{Preset: preset, URLs: len(b.expected)}
	ways := b.ways()
	samples := make([][]Sample, len(ways))
	for round := range cfg.Rounds {
		for i, way := range ways {
			fmt.Fprintf(progress, "%s: round %d of %d, %s\n", preset, round+1, cfg.Rounds, way.name)
			s, err := b.measure(ctx, way)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", way.name, err)
			}
			samples[i] = append(samples[i], s)
		}
	}
	for i, way := range ways {
		set.Lines = append(set.Lines, lineOf(way.name, samples[i], set.URLs))
	}
	set.judge()
	return set, nil
}

// measure runs a way once in a folder of its own, and looks at what it captured.
func (b *bench) measure(ctx context.Context, w way) (s Sample, err error) {
	dir, err := os.MkdirTemp(b.dir, "round")
	if err != nil {
		return s, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	c, err := w.command(ctx, dir)
	if err != nil {
		return s, err
	}
	if s, err = timed(c, w.exit); err != nil {
		return s, err
	}
	files, err := filepath.Glob(filepath.Join(dir, w.files))
	if err != nil {
		return s, err
	}
	s.Captured, err = captured(files, b.expected)
	return s, err
}

// timed runs a program to its end; exit tells which exit codes besides 0 mean that it has done
// its work.
func timed(c *exec.Cmd, exit func(code int) bool) (Sample, error) {
	start := time.Now()
	out, rss, err := output(c)
	wall := time.Since(start)
	var status *exec.ExitError
	if errors.As(err, &status) && exit != nil && exit(status.ExitCode()) {
		err = nil
	}
	if err != nil {
		return Sample{}, fmt.Errorf("run %s: %w\n%s", filepath.Base(c.Path), err, out)
	}
	u := c.ProcessState
	return Sample{CPU: (u.UserTime() + u.SystemTime()).Seconds(), Wall: wall.Seconds(), MaxRSS: rss}, nil
}
