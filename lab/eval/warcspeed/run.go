package warcspeed

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"varve/lab/eval/cpu"
)

// Config says how much is measured.
type Config struct {
	Dir    string // for the file; it is left there
	RawMB  int    // size of the unpacked file, about
	Rounds int    // how often each way is run, interleaved
	Seed   uint64
}

// Line is one measured way of reading or writing.
type Line struct {
	Name     string  `json:"name"`
	MBPerCPU float64 `json:"mb_raw_per_cpu_second"` // best of the rounds
	Ratio    float64 `json:"ratio_to_floor"`        // median over the rounds
	Floor    string  `json:"floor,omitempty"`
	Target   float64 `json:"target,omitempty"`
	Cores    float64 `json:"cores_busy"`
	Wall     float64 `json:"best_wall_seconds"`
	Allocs   float64 `json:"allocs_per_record,omitempty"`
}

// Result is a whole run.
type Result struct {
	RawBytes    int64  `json:"raw_bytes"`
	PackedBytes int64  `json:"packed_bytes"`
	Records     int64  `json:"records"`
	Lines       []Line `json:"lines"`
}

// way is one thing to measure: how, and against which other it is held.
type way struct {
	name, floor string
	target      float64
	run         func() (cpu.Usage, error)
	used        []cpu.Usage
}

const syncEvery = 64

// Run makes a file and measures all ways, interleaved, so that a noisy spell hits all of them.
func Run(cfg Config, progress io.Writer) (*Result, error) {
	list := captures(cfg.RawMB*1000/18, cfg.Seed) // a capture is about 18 KB unpacked
	for _, c := range list {
		for _, e := range c.entries {
			e.Raw = ""
		}
	}
	path, err := writeRecords(cfg.Dir, list, syncEvery)
	if err != nil {
		return nil, err
	}
	marks, err := marksOf(path)
	if err != nil {
		return nil, err
	}
	res := &Result{Records: int64(len(marks))}
	for _, m := range marks {
		res.RawBytes += m.header + m.head + m.body + 4
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	res.PackedBytes = info.Size()
	ways := allWays(cfg, path, list, marks)
	for round := range cfg.Rounds {
		fmt.Fprintf(progress, "round %d of %d\n", round+1, cfg.Rounds)
		for _, w := range ways {
			runtime.GC()
			u, err := w.run()
			if err != nil {
				return nil, fmt.Errorf("%s: %w", w.name, err)
			}
			w.used = append(w.used, u)
		}
	}
	res.Lines = lines(ways, res.RawBytes)
	if err := countAllocs(res, path); err != nil {
		return nil, err
	}
	return res, nil
}

func allWays(cfg Config, path string, list []capture, marks []mark) []*way {
	here := func(fn func() error) func() (cpu.Usage, error) {
		return func() (cpu.Usage, error) { return cpu.Measure(fn) }
	}
	read := func(verify bool) func() error {
		return func() error { _, err := readRecords(path, verify); return err }
	}
	ways := []*way{
		{name: "inflate only", run: here(func() error { return readFloor(path) })},
		{name: "read", floor: "inflate only", target: 0.9, run: here(read(false))},
		{name: "inflate and hash", run: here(func() error { return hashFloor(path, marks) })},
		{name: "read and verify", floor: "inflate and hash", target: 0.9, run: here(read(true))},
		{name: "parallel scan", floor: "read", target: 1 / 1.15, run: here(func() error { _, err := scanRecords(path); return err })},
		{name: "hash, deflate, write", run: here(func() error { return writeFloor(filepath.Join(cfg.Dir, "floor.gz"), list, syncEvery) })},
		{name: "write", floor: "hash, deflate, write", target: 0.9, run: here(func() error { return writeAgain(cfg.Dir, list) })},
	}
	if zcat, err := exec.LookPath("zcat"); err == nil {
		ways = slices.Insert(ways, 1, &way{name: "zcat", floor: "inflate only", run: func() (cpu.Usage, error) {
			return cpu.MeasureCommand(exec.Command(zcat, path)) // output goes to the null device
		}})
	}
	return ways
}

// writeAgain writes to a fresh folder, so that the writer meets no file of its name.
func writeAgain(dir string, list []capture) error {
	tmp, err := os.MkdirTemp(dir, "write")
	if err != nil {
		return err
	}
	_, err = writeRecords(tmp, list, syncEvery)
	return errors.Join(err, os.RemoveAll(tmp))
}

func lines(ways []*way, raw int64) []Line {
	byName := map[string]*way{}
	var out []Line
	for _, w := range ways {
		byName[w.name] = w
		l := Line{Name: w.name, Floor: w.floor, Target: w.target}
		best := slices.MinFunc(w.used, func(a, b cpu.Usage) int { return int(a.CPU - b.CPU) })
		wall := slices.MinFunc(w.used, func(a, b cpu.Usage) int { return int(a.Wall - b.Wall) })
		l.MBPerCPU = float64(raw) / 1e6 / best.CPU.Seconds()
		l.Cores, l.Wall = wall.Cores(), wall.Wall.Seconds()
		if f := byName[w.floor]; f != nil {
			l.Ratio = medianRatio(f.used, w.used)
		}
		out = append(out, l)
	}
	return out
}

// medianRatio pairs the rounds: floor time over own time, in CPU.
func medianRatio(floor, own []cpu.Usage) float64 {
	r := make([]float64, len(own))
	for i := range own {
		r[i] = floor[i].CPU.Seconds() / own[i].CPU.Seconds()
	}
	slices.Sort(r)
	return r[len(r)/2]
}

// countAllocs counts allocations per record of plain reading.
func countAllocs(res *Result, path string) error {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	n, err := readRecords(path, false)
	runtime.ReadMemStats(&after)
	if err != nil {
		return err
	}
	for i := range res.Lines {
		if res.Lines[i].Name == "read" {
			res.Lines[i].Allocs = float64(after.Mallocs-before.Mallocs) / float64(n)
		}
	}
	return nil
}

// Print writes the result as a table.
func (r *Result) Print(w io.Writer) {
	fmt.Fprintf(w, "%d records, %.0f MB unpacked, %.0f MB packed\n", r.Records, float64(r.RawBytes)/1e6, float64(r.PackedBytes)/1e6)
	fmt.Fprintf(w, "%-22s %14s %28s %7s %7s %10s\n", "", "MB raw/CPU-s", "of its floor (target)", "cores", "wall s", "allocs/rec")
	for _, l := range r.Lines {
		ratio, allocs := "", ""
		if l.Floor != "" {
			ratio = fmt.Sprintf("%.2f of %s", l.Ratio, l.Floor)
			if l.Target > 0 {
				ratio = fmt.Sprintf("%.2f (%.2f)", l.Ratio, l.Target)
			}
		}
		if l.Allocs > 0 {
			allocs = fmt.Sprintf("%.2f", l.Allocs)
		}
		fmt.Fprintf(w, "%-22s %14.1f %28s %7.2f %7.2f %10s\n", l.Name, l.MBPerCPU, ratio, l.Cores, l.Wall, allocs)
	}
	fmt.Fprintln(w, strings.TrimSpace("Ratios are of CPU time, median over interleaved rounds; 1.00 is as cheap as the floor."))
}
