package job

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync/atomic"
	"time"

	"varve/archive/scan"
)

// Config says where and how jobs run.
type Config struct {
	Dir      string         // of the derivatives
	Cores    int            // kept busy; all if 0
	Limit    time.Duration  // of one item in one mapper, where the mapper sets none below it; 60 s if 0
	Memory   int            // bytes of pairs held by one part; 64 MiB if 0
	Check    bool           // every byte that was made before is read, and what is damaged made anew
	Retry    bool           // what failed before is tried again
	Progress func(Progress) // told now and then; nil for nobody
	// Also takes what it wants from the scan of files, for itself: the runner keeps no receipts for it. nil: nobody does.
	Also Companion
	// Worker makes the command of a process that calls scan.Serve: mappers run in such processes, which are killed when an item
	// is over its limits. nil: they run in this one and are only asked to stop.
	Worker func() *exec.Cmd
}

// Progress is how far the work is.
type Progress struct {
	Job   string `json:"job"`
	Part  string `json:"part,omitempty"` // that was just done
	Done  int    `json:"done"`
	Parts int    `json:"parts"`
	Items int64  `json:"items"` // of this run, over all jobs
}

// Summary is what a run did.
type Summary struct {
	Jobs   []Result `json:"jobs"`
	Scan   Scanned  `json:"scan"`
	Mended []string `json:"mended,omitempty"` // files that were damaged and made anew
}

// Scanned tells of the scan of the files that were new or changed for any job.
type Scanned struct {
	Files   int     `json:"files"`
	CPU     float64 `json:"cpu_seconds"` // unpacking and heads, beside what the mappers took
	Workers int     `json:"workers"`     // processes that were started
}

// Result is what a run did in one job.
type Result struct {
	Job     string `json:"job"`
	Parts   int    `json:"parts"`
	Done    int    `json:"done"` // in this run; the others were done before
	Items   int64  `json:"items"`
	Failed  int64  `json:"failed"`
	Partial int64  `json:"partial,omitempty"` // items that lack something in the tables
	Reduced bool   `json:"reduced,omitempty"`

	CPU float64 `json:"cpu_seconds"` // that it took in this run
}

// Runner is the embedded runner.
type Runner struct {
	cfg      Config
	failures *failures
	watch    *watch
	items    atomic.Int64
	scanCPU  atomic.Int64
}

// Run does what is not done yet. One process at a time may run in a folder: the caller holds the lock
// of the collection.
func Run(ctx context.Context, cfg Config, jobs []Job, parts []Part) (sum Summary, err error) {
	if cfg.Cores <= 0 {
		cfg.Cores = runtime.GOMAXPROCS(0)
	}
	if cfg.Limit <= 0 {
		cfg.Limit = time.Minute
	}
	if cfg.Memory <= 0 {
		cfg.Memory = 64 << 20
	}
	r := &Runner{cfg: cfg}
	jobs, err = ordered(jobs)
	if err != nil {
		return sum, err
	}
	if err := r.open(); err != nil {
		return sum, err
	}
	defer func() {
		r.watch.close()
		err = errors.Join(err, r.failures.close())
	}()
	if cfg.Check {
		if sum.Mended, err = r.check(); err != nil {
			return sum, err
		}
	}
	sum.Jobs, err = r.jobs(ctx, jobs, parts, &sum.Scan)
	if errors.Is(err, ErrDamaged) && !cfg.Check { // a job read what another one had made
		if sum.Mended, err = r.check(); err == nil {
			sum.Jobs, err = r.jobs(ctx, jobs, parts, &sum.Scan)
		}
	}
	return sum, err
}

// jobs does what is not done yet: first the scan of files, for all jobs that take part in it.
func (r *Runner) jobs(ctx context.Context, jobs []Job, parts []Part, sum *Scanned) (out []Result, err error) {
	scanned, err := r.scanAll(ctx, jobs, parts, sum)
	if err != nil {
		return nil, err
	}
	for i := range jobs {
		res, err := r.job(ctx, &jobs[i], jobs, parts, scanned[jobs[i].Name])
		out = append(out, res)
		if err != nil {
			return out, fmt.Errorf("%s: %w", jobs[i].Name, err)
		}
	}
	return out, nil
}

func (r *Runner) open() error {
	if err := os.MkdirAll(filepath.Join(r.cfg.Dir, stateDir), 0o755); err != nil {
		return err
	}
	left, err := filepath.Glob(filepath.Join(r.cfg.Dir, stateDir, "tmp-*"))
	if err != nil {
		return err
	}
	for _, dir := range left {
		if err := os.RemoveAll(dir); err != nil {
			return err
		}
	}
	if r.cfg.Retry {
		if err := r.retry(); err != nil {
			return err
		}
	}
	if r.failures, err = openFailures(r.cfg.Dir); err != nil {
		return err
	}
	r.watch = newWatch(r.cfg.Dir)
	for _, f := range r.watch.last() {
		if err := r.failures.write(f); err != nil {
			return err
		}
	}
	go r.watch.run()
	return nil
}

func (r *Runner) tablePath(table, part string) string {
	return filepath.Join(r.cfg.Dir, table, part+".parquet")
}

func (r *Runner) runPath(job, part string) string {
	return filepath.Join(r.cfg.Dir, stateDir, job, part+".run")
}

// split tells the parts that a job has not done from those it has, which are counted.
func (r *Runner) split(j *Job, all []Job, parts []Part, res *Result) (todo []Part) {
	for _, p := range parts {
		if rec, ok := r.readReceipt(j.Name, p.Name); ok && r.fits(rec, j.Version, r.markOf(j, all, p)) {
			res.Items += rec.Items
			res.Failed += rec.Failed
			res.Partial += rec.Partial
			continue
		}
		todo = append(todo, p)
	}
	return todo
}

// job does the parts of one job that are not done, unless the scan did, and reduces if something changed.
func (r *Runner) job(ctx context.Context, j *Job, all []Job, parts []Part, scanned *scanned) (res Result, err error) {
	gone, done := false, 0
	if scanned != nil {
		res, gone, done = scanned.Result, scanned.gone, scanned.Done
	} else {
		res = Result{Job: j.Name, Parts: len(parts)}
		todo := r.split(j, all, parts, &res)
		if gone, err = r.forget(j, parts); err != nil {
			return res, err
		}
		recs, err := r.mapParts(ctx, j, all, todo, len(parts))
		for i := range recs {
			res.add(&recs[i])
		}
		if err != nil {
			return res, err
		}
		done = len(todo)
	}
	if j.Reduce == nil {
		return res, nil
	}
	cpu := scan.CPUTime(func() { res.Reduced, err = r.reduce(ctx, j, parts, gone || done > 0) })
	res.CPU += cpu.Seconds()
	return res, err
}

func (r *Result) add(rec *Receipt) {
	r.Done++
	r.Items += rec.Items
	r.Failed += rec.Failed
	r.Partial += rec.Partial
	r.CPU += rec.CPU.Seconds()
}

// reduce merges the runs of all parts, unless nothing changed since it was done last.
func (r *Runner) reduce(ctx context.Context, j *Job, parts []Part, changed bool) (bool, error) {
	mark, paths := "", []string(nil)
	var runs []Made
	for _, p := range parts {
		rec, _ := r.readReceipt(j.Name, p.Name)
		if n := len(rec.Files); n > 0 {
			mark += p.Name + "=" + rec.Files[n-1].SHA256 + "\n"
			runs = append(runs, rec.Files[n-1])
		}
		paths = append(paths, r.runPath(j.Name, p.Name))
	}
	mark = sumOf(mark)
	if rec, ok := r.readReceipt(j.Name, ""); ok && !changed && r.fits(rec, j.Version, mark) {
		return false, nil
	}
	for _, f := range runs { // pairs have no checksums of their own
		if err := errors.Join(r.sound(f), ctx.Err()); err != nil {
			return false, err
		}
	}
	temp, err := os.MkdirTemp(filepath.Join(r.cfg.Dir, stateDir), "tmp-")
	if err != nil {
		return false, err
	}
	var files []*tableFile
	out := &Output{create: func(table string) (io.Writer, error) {
		f, err := os.Create(filepath.Join(temp, table))
		if err == nil {
			files = append(files, &tableFile{table: table, File: f})
		}
		return f, err
	}}
	var failed error
	err = j.Reduce(ctx, out, grouped(paths, j.Combine, &failed))
	if err = errors.Join(err, failed, ctx.Err()); err != nil {
		for _, f := range files {
			_ = f.Close()
		}
		return false, errors.Join(err, os.RemoveAll(temp))
	}
	rec := Receipt{Job: j.Name, Version: j.Version, Mark: mark}
	for _, f := range files {
		made, err := r.keep(f.File, filepath.Join(r.cfg.Dir, f.table+".parquet"))
		if err != nil {
			return false, err
		}
		rec.Files = append(rec.Files, made)
	}
	return true, errors.Join(r.writeReceipt(rec), os.RemoveAll(temp))
}
