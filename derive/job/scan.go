package job

import (
	"context"
	"fmt"
	"runtime/debug"
	"slices"
	"sync/atomic"
	"time"

	"varve/archive/scan"
	"varve/archive/warc"
)

// scan reads one file for the jobs of a step, and for the companion if it wants it. A job whose sink fails gives the file up; the others
// finish it.
func (m *maker) scan(ctx context.Context, s *Step, temp string, cores int, out *Outcome) {
	var tasks []*Task
	var sinks []*sink
	for _, w := range s.Want {
		j, err := m.job(w.Job)
		if err == nil && j.Scan == nil {
			err = fmt.Errorf("job %q takes no part in scans", w.Job)
		}
		if err != nil {
			out.fail(err)
			return
		}
		t := m.newTask(j, s.Part, temp, cores)
		defer t.close()
		k := &sink{}
		if k.Sink, err = j.Scan.Open(t); err != nil {
			out.fail(fmt.Errorf("%s: %w", j.Name, err))
			return
		}
		m.prepare(t)
		t.scan.Sink = k
		if c, ok := k.Sink.(chooser); ok {
			t.scan.Wants = c.Wants
		}
		tasks, sinks = append(tasks, t), append(sinks, k)
	}
	companion := &sink{}
	if s.also {
		k, err := m.cfg.Also.Open(s.Part.Name)
		if err != nil {
			out.fail(err)
			return
		}
		defer func() { out.fail(k.Drop()) }()
		companion.Sink = k
		sinks = append(sinks, companion)
	}
	var cpu atomic.Int64
	defer func() { out.Scan = time.Duration(cpu.Load()) }()
	o := scan.Options{Name: s.Part.Name, From: s.Part.From, Cores: cores, Policy: warc.Lenient(), OnFinding: findings(sinks), Workers: m.workers, CPU: &cpu, Items: func() { m.items.Add(1) }}
	list := append(scanTasks(tasks), m.needed(tasks)...)
	if s.also {
		list = append(list, &scan.Task{Sink: companion})
	}
	if err := scan.File(ctx, s.Part.Path, o, list...); err != nil {
		out.fail(err)
		return
	}
	if s.also && companion.err == nil {
		companion.guard(companion.Sink.Close)
	}
	out.fail(companion.err)
	for i, t := range tasks {
		if err := sinks[i].finish(t, s.Want[i], out); err != nil {
			out.fail(fmt.Errorf("%s: %w", t.job.Name, err))
		}
		if ctx.Err() != nil {
			return
		}
	}
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
func (m *maker) prepare(t *Task) {
	j := t.job
	key := func(item string) failureKey { return failureKey{j.Name, j.Version, t.Part.Name, item} }
	t.scan.Mapper = j.Scan.Mapper
	t.scan.Known = func(item string) (string, bool) { return m.failures.known(key(item)) }
	t.scan.Failed = func(item string, err error) error { return m.failures.add(key(item), err.Error()) }
	t.scan.Begin = func(item string) func() {
		mark := m.watch.begin(key(item))
		return func() { m.watch.end(mark) }
	}
}

// needed are the mappers without a sink whose results others need.
func (m *maker) needed(tasks []*Task) (out []*scan.Task) {
	have := map[string]bool{}
	var need func(of *scan.Mapper)
	need = func(of *scan.Mapper) {
		if of == nil {
			return
		}
		for _, n := range of.Needs {
			i := slices.IndexFunc(m.jobs, func(j Job) bool { return j.Name == n && j.Scan != nil })
			if have[n] || i < 0 { // the scan says what is not there
				continue
			}
			have[n] = true
			out = append(out, &scan.Task{Mapper: m.jobs[i].Scan.Mapper})
			need(m.jobs[i].Scan.Mapper)
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
func (s *sink) finish(t *Task, w Want, o *Outcome) error {
	if s.err == nil {
		t.cpu = s.cpu + scan.CPUTime(func() { s.guard(s.Sink.Close) })
	}
	if s.err != nil {
		return s.err
	}
	return t.finish(w, o)
}
