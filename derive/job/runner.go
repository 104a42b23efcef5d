package job

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"time"
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
	// Engine does the steps; nil: goroutines of this process do. Nobody can take part in the scans of another process (Also).
	Engine Engine
}

func (c Config) withDefaults() Config {
	if c.Cores <= 0 {
		c.Cores = runtime.GOMAXPROCS(0)
	}
	if c.Limit <= 0 {
		c.Limit = time.Minute
	}
	if c.Memory <= 0 {
		c.Memory = 64 << 20
	}
	return c
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

// run is the plan of a run and its bookkeeping: which steps are to be done, and what came of them. An engine does the steps.
type run struct {
	cfg      Config
	dir      folder
	jobs     []Job
	parts    []Part
	engine   Engine
	failures *failures
	items    atomic.Int64
	results  map[string]*result
	scanned  Scanned
}

// result is what a run did in one job, and whether its parts changed.
type result struct {
	Result
	changed bool
}

// Run does what is not done yet. One process at a time may run in a folder: the caller holds the lock
// of the collection. A part that fails never keeps the others from being done; the error comes at the end.
func Run(ctx context.Context, cfg Config, jobs []Job, parts []Part) (sum Summary, err error) {
	cfg = cfg.withDefaults()
	if cfg.Engine != nil && cfg.Also != nil {
		return sum, errors.New("an engine of other processes cannot let a companion take part in its scans")
	}
	jobs, err = ordered(jobs)
	if err != nil {
		return sum, err
	}
	r := &run{cfg: cfg, dir: folder(cfg.Dir), jobs: limited(jobs, cfg.Limit), parts: parts, engine: cfg.Engine}
	if err := r.open(); err != nil {
		return sum, err
	}
	defer func() { err = errors.Join(err, r.failures.close()) }()
	if r.engine == nil {
		here, err := r.newLocal()
		if err != nil {
			return sum, err
		}
		r.engine = here
		defer func() {
			sum.Scan.Workers = here.started()
			here.close()
		}()
	}
	if cfg.Check {
		if sum.Mended, err = r.check(); err != nil {
			return sum, err
		}
	}
	sum.Jobs, err = r.stages(ctx)
	if errors.Is(err, ErrDamaged) && !cfg.Check { // a job read what another one had made
		if sum.Mended, err = r.check(); err == nil {
			sum.Jobs, err = r.stages(ctx)
		}
	}
	sum.Scan = r.scanned
	if err == nil { // what attempts left whose outcome nobody took
		_ = r.dir.unstage() // as in removeTemporary
		r.removeTemporary()
	}
	return sum, err
}

// open prepares the folder: what a kill left of steps of this process is removed. What workers of other processes have done stays, unless everything
// is to be tried or read again.
func (r *run) open() error {
	if err := os.MkdirAll(r.dir.state(), 0o755); err != nil {
		return err
	}
	r.removeTemporary()
	if r.cfg.Retry || r.cfg.Check {
		if err := r.dir.unstage(); err != nil {
			return err
		}
	}
	if r.cfg.Retry {
		if err := r.retry(); err != nil {
			return err
		}
	}
	var err error
	r.failures, err = openFailures(r.cfg.Dir)
	return err
}

// removeTemporary removes what steps left that did not end. A worker that is believed dead may still be at work in such a folder: what cannot be removed
// now, the next run removes.
func (r *run) removeTemporary() {
	left, _ := filepath.Glob(filepath.Join(r.dir.state(), "tmp-*")) // the pattern is sound
	for _, dir := range left {
		_ = os.RemoveAll(dir)
	}
}

// stages does what is not done yet: first the scan of files, for all jobs that take part in it; then maps over tables; then reductions.
func (r *run) stages(ctx context.Context) ([]Result, error) {
	r.results, r.scanned = map[string]*result{}, Scanned{}
	scans, err := r.planScan()
	r.scanned.Files = len(scans)
	if err == nil {
		err = r.stage(ctx, scans)
	}
	made := map[string]bool{} // jobs whose tables are there
	for _, j := range r.jobs {
		made[j.Name] = j.Scan != nil
	}
	for err == nil {
		var steps []Step
		var level []string
		for i := range r.jobs {
			j := &r.jobs[i]
			if made[j.Name] || slices.ContainsFunc(j.Needs, func(n string) bool { return !made[n] }) {
				continue
			}
			level = append(level, j.Name)
			var todo []Part
			if todo, err = r.split(j); err != nil {
				return r.list(), err
			}
			for _, p := range todo {
				steps = append(steps, Step{Kind: MapStep, Part: p, Want: []Want{r.want(j, p)}})
			}
		}
		if len(level) == 0 {
			break
		}
		err = r.stage(ctx, steps)
		for _, n := range level {
			made[n] = true
		}
	}
	if err == nil {
		err = r.stage(ctx, r.planReduce())
	}
	return r.list(), err
}

func (r *run) list() (out []Result) {
	for _, j := range r.jobs {
		if res := r.results[j.Name]; res != nil {
			out = append(out, res.Result)
		}
	}
	return out
}

func (r *run) want(j *Job, p Part) Want {
	return Want{j.Name, j.Version, r.dir.markOf(j, r.jobs, p)}
}

// planScan finds the files that a job has not done, or the companion wants. Each is read once.
func (r *run) planScan() (steps []Step, err error) {
	todo := map[string][]Want{} // by part
	for i := range r.jobs {
		j := &r.jobs[i]
		if j.Scan == nil {
			continue
		}
		parts, err := r.split(j)
		if err != nil {
			return nil, err
		}
		for _, p := range parts {
			todo[p.Name] = append(todo[p.Name], r.want(j, p))
		}
	}
	for _, p := range r.parts {
		s := Step{Kind: ScanStep, Part: p, Want: todo[p.Name], also: r.cfg.Also != nil && r.cfg.Also.Due(p.Name)}
		if len(s.Want) > 0 || s.also {
			steps = append(steps, s)
		}
	}
	return steps, nil
}

// planReduce finds the jobs whose runs are others than those that were reduced last.
func (r *run) planReduce() (steps []Step) {
	for i := range r.jobs {
		j := &r.jobs[i]
		if j.Reduce == nil {
			continue
		}
		mark := ""
		var runs []Made
		for _, p := range r.parts {
			rec, _ := r.dir.readReceipt(j.Name, p.Name)
			if n := len(rec.Files); n > 0 {
				mark += p.Name + "=" + rec.Files[n-1].SHA256 + "\n"
				runs = append(runs, rec.Files[n-1])
			}
		}
		mark = sumOf(mark)
		if rec, ok := r.dir.readReceipt(j.Name, ""); ok && !r.results[j.Name].changed && r.dir.fits(rec, j.Version, mark) {
			continue
		}
		steps = append(steps, Step{Kind: ReduceStep, Want: []Want{{j.Name, j.Version, mark}}, Runs: runs})
	}
	return steps
}

// split tells the parts that a job has not done from those it has, which are counted, and from those that are gone, which are forgotten.
func (r *run) split(j *Job) (todo []Part, err error) {
	res := &result{Result: Result{Job: j.Name, Parts: len(r.parts)}}
	r.results[j.Name] = res
	for _, p := range r.parts {
		if rec, ok := r.dir.readReceipt(j.Name, p.Name); ok && r.dir.fits(rec, j.Version, r.dir.markOf(j, r.jobs, p)) {
			res.count(&rec)
			continue
		}
		todo = append(todo, p)
	}
	gone, err := r.forget(j)
	res.changed = gone || len(todo) > 0
	return todo, err
}

func (r *Result) count(rec *Receipt) {
	r.Items += rec.Items
	r.Failed += rec.Failed
	r.Partial += rec.Partial
}

// forget removes what was made of parts that are gone.
func (r *run) forget(j *Job) (bool, error) {
	names, err := filepath.Glob(filepath.Join(r.dir.state(), j.Name, "*.json"))
	if err != nil {
		return false, err
	}
	gone := false
	for _, path := range names {
		part := strings.TrimSuffix(filepath.Base(path), ".json")
		if slices.ContainsFunc(r.parts, func(p Part) bool { return p.Name == part }) {
			continue
		}
		gone = true
		rec, _ := r.dir.readReceipt(j.Name, part)
		for _, f := range rec.Files {
			err = errors.Join(err, removeIfThere(r.dir.path(f.Path)))
		}
		err = errors.Join(err, removeIfThere(path))
	}
	return gone, err
}

func removeIfThere(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}

// maxProblems are told in full; of the others, the number.
const maxProblems = 20

// stage lets the engine do steps, and takes what comes of them. Steps that failed are told at the end.
func (r *run) stage(ctx context.Context, steps []Step) error {
	if len(steps) == 0 {
		return nil
	}
	var problems []error
	left := 0
	done := map[string]int{}
	for i := range steps {
		done[steps[i].name()]--
	}
	for name := range done {
		done[name] += len(r.parts)
	}
	err := r.engine.Do(ctx, steps, func(s Step, o Outcome) error {
		if err := r.take(&s, &o); err != nil {
			return err
		}
		if err := o.problem(&s); err != nil {
			if len(problems) < maxProblems {
				problems = append(problems, err)
			} else {
				left++
			}
		}
		if done[s.name()]++; r.cfg.Progress != nil && s.Kind != ReduceStep {
			r.cfg.Progress(Progress{Job: s.name(), Part: s.Part.Name, Done: done[s.name()], Parts: len(r.parts), Items: r.items.Load()})
		}
		return nil
	})
	if left > 0 {
		problems = append(problems, fmt.Errorf("and %d other steps failed", left))
	}
	return errors.Join(append([]error{err}, problems...)...)
}

// name is what progress is counted by.
func (s *Step) name() string {
	if s.Kind == ScanStep {
		return string(ScanStep)
	}
	return s.Want[0].Job
}

// take gives what a step made its names for good and writes the receipts: from then on it is done. Nothing but this writes tables.
func (r *run) take(s *Step, o *Outcome) error {
	if o.short(s) {
		o.fail(errors.New("the outcome has fewer receipts than were wanted"))
	}
	for _, f := range o.Failures {
		if err := r.failures.once(f); err != nil {
			return err
		}
	}
	for i := range o.Receipts {
		rec := &o.Receipts[i]
		if !slices.Contains(s.Want, Want{rec.Job, rec.Version, rec.Mark}) || rec.Part != s.Part.Name {
			return fmt.Errorf("%s brought a receipt that nobody wants: %s, version %d, of %q", s, rec.Job, rec.Version, rec.Part)
		}
		for _, f := range rec.Files {
			if !filepath.IsLocal(f.Path) {
				return fmt.Errorf("%s brought a file outside of the folder: %s", s, f.Path)
			}
			if err := settle(filepath.Join(r.dir.path(o.Folder), filepath.FromSlash(f.Path)), r.dir.path(f.Path)); err != nil {
				return err
			}
		}
		if err := r.dir.writeReceipt(*rec); err != nil {
			return err
		}
		res := r.results[rec.Job]
		if res.CPU += o.CPU[rec.Job].Seconds(); s.Kind == ReduceStep {
			res.Reduced = true
		} else {
			res.Done++
			res.count(rec)
		}
	}
	r.items.Add(o.Items)
	r.scanned.CPU += o.Scan.Seconds()
	r.scanned.Workers += o.Workers
	if o.Folder == "" {
		return nil
	}
	return os.RemoveAll(r.dir.path(o.Folder))
}
