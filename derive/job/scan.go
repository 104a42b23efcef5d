package job

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"varve/archive/scan"
	"varve/archive/warc"
)

// scanned is what the scan did for one job.
type scanned struct {
	Result
	job  *Job
	gone bool // a part that it had done is not there any more
}

// scanAll reads each file once for all jobs that have not done it. A job whose sink fails gives that file up; the others finish it, and
// the error comes at the end.
func (r *Runner) scanAll(ctx context.Context, all []Job, parts []Part, sum *Scanned) (out map[string]*scanned, err error) {
	out = map[string]*scanned{}
	todo := map[string][]*scanned{} // by part
	for i := range all {
		j := &all[i]
		if j.Scan == nil {
			continue
		}
		s := &scanned{job: j, Result: Result{Job: j.Name, Parts: len(parts)}}
		out[j.Name] = s
		for _, p := range r.split(j, all, parts, &s.Result) {
			todo[p.Name] = append(todo[p.Name], s)
		}
		if s.gone, err = r.forget(j, parts); err != nil {
			return out, err
		}
	}
	also := map[string]bool{}
	for _, p := range parts {
		if r.cfg.Also != nil && r.cfg.Also.Due(p.Name) {
			also[p.Name] = true
			if _, there := todo[p.Name]; !there {
				todo[p.Name] = nil // it is read, though no job needs it
			}
		}
	}
	if len(todo) == 0 {
		return out, nil
	}
	workers, err := r.workers(all)
	if err != nil {
		return out, err
	}
	if workers != nil {
		defer func() {
			sum.Workers = workers.Started()
			err = errors.Join(err, workers.Close())
		}()
	}
	side := min(r.cfg.Cores, len(todo))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(side)
	var mu sync.Mutex
	var failed error // of sinks
	var finished atomic.Int64
	for _, p := range parts {
		jobs := todo[p.Name]
		if len(jobs) == 0 && !also[p.Name] {
			continue
		}
		g.Go(func() error {
			recs, given, err := r.scanPart(ctx, all, jobs, also[p.Name], p, workers, max(1, r.cfg.Cores/side))
			if err != nil {
				return fmt.Errorf("%s: %w", p.Name, err)
			}
			mu.Lock()
			defer mu.Unlock()
			failed = errors.Join(failed, given)
			for i := range recs {
				out[recs[i].Job].add(&recs[i])
			}
			if r.cfg.Progress != nil {
				n := int(finished.Add(1)) + len(parts) - len(todo)
				r.cfg.Progress(Progress{Job: "scan", Part: p.Name, Done: n, Parts: len(parts), Items: r.items.Load()})
			}
			return nil
		})
	}
	err = errors.Join(g.Wait(), failed)
	sum.Files, sum.CPU = len(todo), time.Duration(r.scanCPU.Load()).Seconds()
	return out, err
}

// workers prepares the processes of the run; nil if mappers run in this one.
func (r *Runner) workers(all []Job) (*scan.Workers, error) {
	var mappers []*scan.Mapper
	for i := range all {
		if s := all[i].Scan; s != nil && s.Mapper != nil {
			if s.Mapper.Limits.Time > r.cfg.Limit {
				m := *s.Mapper
				m.Limits.Time = r.cfg.Limit
				s.Mapper = &m
			}
			mappers = append(mappers, s.Mapper)
		}
	}
	if r.cfg.Worker == nil || len(mappers) == 0 {
		return nil, nil
	}
	return scan.NewWorkers(r.cfg.Worker, mappers)
}

// scanPart reads one file for some jobs, and for the companion if it wants it. given is why jobs gave it up.
func (r *Runner) scanPart(ctx context.Context, all []Job, jobs []*scanned, also bool, p Part, workers *scan.Workers, cores int) (recs []Receipt, given, err error) {
	var tasks []*Task
	var sinks []*sink
	for _, s := range jobs {
		t, drop, failed := r.newTask(s.job, p, cores)
		if failed != nil {
			return nil, nil, failed
		}
		defer func() { err = errors.Join(err, drop()) }()
		k := &sink{}
		if k.Sink, failed = s.job.Scan.Open(t); failed != nil {
			return nil, nil, fmt.Errorf("%s: %w", s.job.Name, failed)
		}
		r.prepare(t)
		t.scan.Sink = k
		if c, ok := k.Sink.(chooser); ok {
			t.scan.Wants = c.Wants
		}
		tasks, sinks = append(tasks, t), append(sinks, k)
	}
	companion := &sink{}
	if also {
		k, failed := r.cfg.Also.Open(p.Name)
		if failed != nil {
			return nil, nil, failed
		}
		defer func() { err = errors.Join(err, k.Drop()) }()
		companion.Sink = k
		sinks = append(sinks, companion)
	}
	o := scan.Options{Name: p.Name, From: p.From, Cores: cores, Policy: warc.Lenient(), OnFinding: findings(sinks), Workers: workers, CPU: &r.scanCPU, Items: func() { r.items.Add(1) }}
	list := append(scanTasks(tasks), r.needed(all, tasks)...)
	if also {
		list = append(list, &scan.Task{Sink: companion})
	}
	if err := scan.File(ctx, p.Path, o, list...); err != nil {
		return nil, nil, err
	}
	if also && companion.err == nil {
		companion.guard(companion.Sink.Close)
	}
	given = companion.err
	for i, t := range tasks {
		rec, err := sinks[i].finish(t, r.markOf(t.job, all, p))
		if ctx.Err() != nil {
			return recs, given, ctx.Err()
		}
		if err != nil {
			given = errors.Join(given, fmt.Errorf("%s: %s: %w", t.job.Name, p.Name, err))
			continue
		}
		recs = append(recs, rec)
	}
	return recs, given, nil
}

// finder is a sink that is told what is wrong with the file; to all others it is nothing: `varve warc check` tells.
type finder interface {
	Finding(f warc.Finding)
}

func findings(sinks []*sink) func(warc.Finding) {
	var to []*sink
	for _, s := range sinks {
		if _, ok := s.Sink.(finder); ok {
			to = append(to, s)
		}
	}
	return func(f warc.Finding) {
		for _, s := range to {
			if s.err == nil {
				s.guard(func() error { s.Sink.(finder).Finding(f); return nil })
			}
		}
	}
}

func scanTasks(tasks []*Task) (out []*scan.Task) {
	for _, t := range tasks {
		out = append(out, &t.scan)
	}
	return out
}

// prepare lets a task know what failed before, and note what fails now.
func (r *Runner) prepare(t *Task) {
	j := t.job
	key := func(item string) failureKey { return failureKey{j.Name, j.Version, t.Part.Name, item} }
	t.scan.Mapper = j.Scan.Mapper
	t.scan.Known = func(item string) (string, bool) { return r.failures.known(key(item)) }
	t.scan.Failed = func(item string, err error) error { return r.failures.add(key(item), err.Error()) }
	t.scan.Begin = func(item string) func() {
		mark := r.watch.begin(key(item))
		return func() { r.watch.end(mark) }
	}
}

// needed are the mappers without a sink whose results others need.
func (r *Runner) needed(all []Job, tasks []*Task) (out []*scan.Task) {
	have := map[string]bool{}
	var need func(m *scan.Mapper)
	need = func(m *scan.Mapper) {
		if m == nil {
			return
		}
		for _, n := range m.Needs {
			i := slices.IndexFunc(all, func(j Job) bool { return j.Name == n && j.Scan != nil })
			if have[n] || i < 0 { // the scan says what is not there
				continue
			}
			have[n] = true
			out = append(out, &scan.Task{Mapper: all[i].Scan.Mapper})
			need(all[i].Scan.Mapper)
		}
	}
	for _, t := range tasks {
		have[t.job.Name] = true
	}
	for _, t := range tasks {
		need(t.job.Scan.Mapper)
	}
	return out
}

// chooser is a sink that chooses which records its mapper gets: where that depends on the file as a whole.
type chooser interface {
	Wants(it *scan.Item) scan.Part
}

// sink keeps the errors of one job from the others.
type sink struct {
	Sink
	err error
	cpu time.Duration
}

// Take hands a record on, unless the job has given up.
func (s *sink) Take(t *scan.Taken) error {
	switch {
	case s.err != nil:
	case t.Result == nil && t.Err == nil:
		s.guard(func() error { return s.Sink.Take(t) })
	default:
		s.cpu += scan.CPUTime(func() { s.guard(func() error { return s.Sink.Take(t) }) })
	}
	return nil
}

func (s *sink) guard(f func() error) {
	defer func() {
		if p := recover(); p != nil {
			s.err = fmt.Errorf("%w: %v\n%.2000s", scan.ErrPanic, p, debug.Stack())
		}
	}()
	s.err = f()
}

// finish ends the part for a job.
func (s *sink) finish(t *Task, mark string) (rec Receipt, err error) {
	if s.err == nil {
		t.cpu = s.cpu + scan.CPUTime(func() { s.guard(s.Sink.Close) })
	}
	if s.err != nil {
		return rec, s.err
	}
	return t.finish(mark)
}
