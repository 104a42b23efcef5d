package job

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"varve/archive/whole"
)

// Below the folder of state: what workers of other processes made and nobody took yet, by step and digest; and what they note of steps
// under way.
const (
	stagedDir   = "staged"
	stepsDir    = "steps"
	outcomeFile = "outcome"
)

func (d folder) staged(s *Step) string { return filepath.Join(d.state(), stagedDir, s.ID()) }

func (d folder) step(s *Step, what string) string {
	return filepath.Join(d.state(), stepsDir, s.ID()+"."+what)
}

// unstage removes all of it.
func (d folder) unstage() error {
	return errors.Join(os.RemoveAll(filepath.Join(d.state(), stagedDir)), os.RemoveAll(filepath.Join(d.state(), stepsDir)))
}

// Worker does steps of a run that another process has planned, and leaves what comes of them where that process finds it: in a folder named by a digest of
// what it made, which gets its name when everything is in it. So a step may be done twice, even at the same time, and by a process that is believed
// dead: whoever is first, the run takes one whole outcome. A step that was done, here or elsewhere, is not done again.
//
// It must see the folder of derivatives and the files of the parts as the planning process does. One goroutine at a time may use it.
type Worker struct {
	maker
	items atomic.Int64
}

// NewWorker makes a worker. The jobs must be those of the run; of Config, Dir, Cores, Limit, Memory and Worker count.
func NewWorker(cfg Config, jobs []Job) (*Worker, error) {
	cfg = cfg.withDefaults()
	jobs, err := ordered(jobs)
	if err != nil {
		return nil, err
	}
	w := &Worker{maker: maker{cfg: cfg, dir: folder(cfg.Dir), jobs: limited(jobs, cfg.Limit)}}
	w.maker.items = &w.items
	w.workers, err = startWorkers(&cfg, w.jobs)
	return w, err
}

// Close ends the processes of the worker.
func (w *Worker) Close() error {
	if w.workers == nil {
		return nil
	}
	return w.workers.Close()
}

// Do does a step, unless it is done, and leaves its outcome, also that it failed. The error is of the worker, not of the step: an engine
// may try the step again, here or elsewhere.
func (w *Worker) Do(ctx context.Context, s Step) error {
	if o, ok, err := staged(w.dir, &s); err != nil || ok && o.Error == "" {
		return err
	}
	if w.taken(&s) {
		return nil
	}
	if err := w.sameJobs(&s); err != nil {
		return w.stage(&s, failed(err))
	}
	if err := w.note(&s); err != nil {
		return err
	}
	go w.watch.run()
	before := w.started()
	o := w.do(ctx, &s, w.cfg.Cores)
	o.Items, o.Workers = w.items.Swap(0), w.started()-before
	w.watch.close()
	list, err := readFailures(w.dir.step(&s, "failures"))
	o.Failures = unique(list)
	err = errors.Join(err, w.failures.close(), ctx.Err())
	if err == nil {
		err = w.stage(&s, o)
	}
	if err != nil {
		return errors.Join(err, w.drop(&o))
	}
	return nil
}

func failed(err error) (o Outcome) {
	o.fail(err)
	return o
}

// Fail leaves as the outcome of a step that it cannot be done.
func (w *Worker) Fail(s Step, err error) error { return w.stage(&s, failed(err)) }

func (w *Worker) started() int {
	if w.workers == nil {
		return 0
	}
	return w.workers.Started()
}

// taken reports whether the run has what the step is to make.
func (w *Worker) taken(s *Step) bool {
	return !slices.ContainsFunc(s.Want, func(want Want) bool {
		rec, ok := w.dir.readReceipt(want.Job, s.Part.Name)
		return !ok || !w.dir.fits(rec, want.Version, want.Mark)
	})
}

// sameJobs finds out whether this process would make what the run wants.
func (w *Worker) sameJobs(s *Step) error {
	for _, want := range s.Want {
		j, err := w.job(want.Job)
		if err != nil {
			return fmt.Errorf("%w here: the worker has another program, or other settings", err)
		}
		own := ownMark(j, s.Part)
		if j.Version != want.Version || s.Kind != ReduceStep && want.Mark != own && !strings.HasPrefix(want.Mark, own+" ") {
			return fmt.Errorf("the worker would make %s version %d of %q, the run wants version %d of %q: is the program the same, and what the job reads beside the file?", j.Name, j.Version, own, want.Version, want.Mark)
		}
	}
	return nil
}

// note opens the notes of a step. They are kept beside those of the run: what failed in an attempt that was killed is not tried again, and an item during which
// two attempts died is suspected.
func (w *Worker) note(s *Step) error {
	if err := os.MkdirAll(filepath.Join(w.dir.state(), stepsDir), 0o755); err != nil {
		return err
	}
	path := w.dir.step(s, "failures")
	w.failures = newFailures(w.cfg.Dir)
	for _, from := range []string{FailuresFile(w.cfg.Dir), path} {
		list, err := readFailures(from)
		if err != nil {
			return err
		}
		for _, l := range list {
			if l.Part == s.Part.Name {
				w.failures.note(l)
			}
		}
	}
	var err error
	if w.failures.file, err = os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644); err != nil {
		return err
	}
	return w.suspect(s)
}

// silent is how long an attempt writes nothing of the items that are under way before it is taken for dead: it writes once a second.
const silent = 15 * time.Second

// suspect notes the items that were under way when earlier attempts at the step died, and lets this one be watched. An attempt that still writes is not
// dead, whatever the engine believes: its items are not suspected. Times are those of the file system.
func (w *Worker) suspect(s *Step) error {
	before, err := filepath.Glob(w.dir.step(s, "underway-*"))
	if err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Join(w.dir.state(), stepsDir), s.ID()+".underway-*")
	if err != nil {
		return err
	}
	now, err := f.Stat()
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	w.watch = newWatch(f.Name())
	for _, path := range before {
		then, err := os.Stat(path)
		if err != nil || now.ModTime().Sub(then.ModTime()) < silent {
			continue // it has ended, or goes on
		}
		for _, f := range newWatch(path).last() {
			if err := w.failures.write(f); err != nil {
				return err
			}
		}
		if err := removeIfThere(path); err != nil {
			return err
		}
	}
	return nil
}

func unique(list []Failure) (out []Failure) {
	seen := map[Failure]bool{}
	for _, l := range list {
		if !seen[l] {
			out = append(out, l)
		}
		seen[l] = true
	}
	return out
}

// stage gives the folder of an outcome the name by which it is found.
func (w *Worker) stage(s *Step, o Outcome) error {
	if o.Folder == "" { // it failed
		temp, err := os.MkdirTemp(w.dir.state(), "tmp-")
		if err != nil {
			return err
		}
		if o.Folder, err = filepath.Rel(w.cfg.Dir, temp); err != nil {
			return err
		}
	}
	temp := w.dir.path(o.Folder)
	same, err := json.Marshal([]any{o.Receipts, o.Failures, o.Error}) // times are others each time
	if err != nil {
		return err
	}
	home := w.dir.staged(s)
	path := filepath.Join(home, sumOf(string(same)))
	if o.Folder, err = filepath.Rel(w.cfg.Dir, path); err != nil {
		return err
	}
	err = whole.JSON(filepath.Join(temp, outcomeFile), 0o644, o)
	if err == nil {
		err = os.MkdirAll(home, 0o755)
	}
	if err != nil {
		return errors.Join(err, os.RemoveAll(temp))
	}
	if err := os.Rename(temp, path); err != nil {
		_, there := os.Stat(filepath.Join(path, outcomeFile))
		if there == nil || w.taken(s) { // the same, from another attempt
			err = nil
		}
		return errors.Join(err, os.RemoveAll(temp))
	}
	return whole.SyncDir(home)
}

func (w *Worker) drop(o *Outcome) error {
	if o.Folder == "" {
		return nil
	}
	return os.RemoveAll(w.dir.path(o.Folder))
}

// staged finds an outcome of a step: one of those without an error, if there are several.
func staged(dir folder, s *Step) (o Outcome, ok bool, err error) {
	home := dir.staged(s)
	entries, err := os.ReadDir(home)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
		return o, false, err
	}
	for _, e := range entries {
		b, err := os.ReadFile(filepath.Join(home, e.Name(), outcomeFile))
		var one Outcome
		if err != nil || json.Unmarshal(b, &one) != nil {
			continue // the run has just claimed it
		}
		if o, ok = one, true; o.Error == "" {
			break
		}
	}
	return o, ok, nil
}

// claim takes an outcome away from where workers look for it, so that what they see is whole or not there. If the process dies now, the step is
// done again.
func claim(dir folder, s *Step, o *Outcome) error {
	mine := filepath.Join(stateDir, "tmp-"+s.ID())
	err := os.RemoveAll(dir.path(mine)) // of an outcome that nobody wanted
	if err == nil {
		err = os.Rename(dir.path(o.Folder), dir.path(mine))
	}
	if err != nil {
		return err
	}
	o.Folder = mine
	return os.RemoveAll(dir.staged(s)) // of other attempts
}

// Await hands over the outcomes that workers leave in the folder of derivatives, as they come; it is for engines that start workers elsewhere. It looks at each tick,
// until all steps are there. When the work has ended, which is told with its error, it looks a few times more, for the file system may need a
// moment, and says which steps are missing.
func Await(ctx context.Context, dir string, steps []Step, tick <-chan time.Time, ended <-chan error, take func(Step, Outcome) error) error {
	const patience = 3 // ticks after the end
	left := map[string]Step{}
	for _, s := range steps {
		left[s.ID()] = s
	}
	look := func(failures bool) error {
		entries, err := os.ReadDir(filepath.Join(folder(dir).state(), stagedDir))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		for _, e := range entries {
			s, wanted := left[e.Name()]
			if !wanted {
				continue
			}
			o, ok, err := staged(folder(dir), &s)
			if err != nil {
				return err
			}
			if !ok || o.Error != "" && !failures {
				continue // another attempt may do better
			}
			delete(left, e.Name())
			if err := claim(folder(dir), &s, &o); err != nil {
				return err
			}
			if err := take(s, o); err != nil {
				return err
			}
		}
		return nil
	}
	over, since := false, 0
	var failed error
	for {
		if err := look(over); err != nil {
			return err
		}
		if over && (len(left) == 0 || since >= patience || failed != nil) {
			break
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case failed = <-ended:
			over, ended = true, nil
		case <-tick:
			if over {
				since++
			}
		}
	}
	if len(left) > 0 {
		var names []string
		for _, s := range left {
			names = append(names, s.String())
		}
		slices.Sort(names)
		return errors.Join(failed, fmt.Errorf("%d of %d steps were not done: %s", len(left), len(steps), strings.Join(names[:min(5, len(names))], ", ")))
	}
	return nil
}
