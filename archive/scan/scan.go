package scan

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"varve/archive/capture"
	"varve/archive/store"
	"varve/archive/warc"
	"varve/web/wire"
)

// Task is a mapper at work on one file. Its counters may be read when Run has returned.
type Task struct {
	Mapper *Mapper // nil: the sink wants heads and notes alone
	Sink   Sink    // nil: others need the results, nobody else

	// Wants is asked instead of the mapper's, once for each record, by several goroutines; nil: the mapper's is.
	Wants func(*Item) Part

	// Known tells of an item that is to be passed over, and why. Failed is told of one that has no result; its error ends
	// the scan. Begin is told before an item is mapped in this process, and what it returns is called after it. All may be nil, and
	// are called from several goroutines.
	Known  func(item string) (why string, bad bool)
	Failed func(item string, err error) error
	Begin  func(item string) (end func())

	Items    atomic.Int64 // payloads that were mapped
	Failures atomic.Int64
	CPU      atomic.Int64 // nanoseconds

	free sync.Pool // of Func
}

// Options say how a file is read.
type Options struct {
	Name      string       // of the file in notes and tables
	From      store.Source // opens a file that may not lie on the disk, for File; nil: it does
	Cores     int
	Policy    warc.Policy
	OnFinding func(warc.Finding)
	Workers   *Workers      // processes in which mappers run; nil: in this one
	CPU       *atomic.Int64 // gets the nanoseconds of the scan itself: unpacking and heads; nil for nobody
	Items     func()        // called for each payload that is mapped, by all mappers together; nil for nobody
}

// File reads the file at a path, or what stands for it (Run).
func File(ctx context.Context, path string, o Options, tasks ...*Task) (err error) {
	f, err := warc.OpenFrom(path, o.From)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	return Run(ctx, f, o, tasks...)
}

// Run reads a file once and lets the tasks do their work on each of its records. What fails in a mapper is told to its task
// and to its sink; what ends the scan is an error of the file, of a sink, or of the context.
func Run(ctx context.Context, f *warc.File, o Options, tasks ...*Task) error {
	tasks, err := ordered(tasks)
	if err != nil {
		return err
	}
	s := &scan{opts: o, tasks: tasks, results: map[*capture.Note]*outcome{}}
	for _, t := range tasks {
		if t.Mapper != nil {
			t.free.New = func() any { return t.Mapper.open() }
		}
	}
	win := capture.NewWindowOfAll(s.give)
	err = warc.Scan(ctx, f, warc.Options{Name: o.Name, Policy: o.Policy, OnFinding: o.OnFinding}, max(1, o.Cores),
		func(rec *warc.Record) (*outcome, error) { return s.read(ctx, rec) },
		func(out *outcome) error {
			s.results[out.note] = out
			return win.Add(out.note)
		})
	if err != nil {
		return err
	}
	return win.Flush()
}

type scan struct {
	opts    Options
	tasks   []*Task
	results map[*capture.Note]*outcome // in the window
	crawl   string
}

// outcome is what came of one record.
type outcome struct {
	item    *Item
	note    *capture.Note
	parts   []Part   // that the tasks want; nil if none of them wants anything
	results []result // by task; nil likewise
}

type result struct {
	value any
	err   error
}

// read makes an item of a record and lets the mappers have it. It is called on several cores at once.
func (s *scan) read(ctx context.Context, rec *warc.Record) (*outcome, error) {
	out := &outcome{}
	var err error
	if s.opts.CPU == nil {
		err = s.note(rec, out)
	} else {
		s.opts.CPU.Add(int64(CPUTime(func() { err = s.note(rec, out) })))
	}
	if err == nil {
		err = s.mapItem(ctx, out)
	}
	if err != nil {
		return nil, err
	}
	out.item.Body, out.item.shared, out.item.results = nil, nil, nil
	return out, ctx.Err()
}

// note reads a record to its end: what it means, and as much of its payload as mappers want.
func (s *scan) note(rec *warc.Record, out *outcome) error {
	it := itemOf(rec, s.opts.Name)
	out.item = it
	asked := false
	noter := capture.Noter{File: s.opts.Name, Read: func(n *capture.Note, _ *wire.Head, payload io.Reader) {
		it.learn(n)
		asked = true
		s.ask(out)
		var limit int64
		sums := false
		for i, p := range out.parts {
			if m := s.tasks[i].Mapper; p == Body {
				limit, sums = max(limit, m.Limits.Content), sums || m.Sums
			}
		}
		if limit > 0 {
			it.readBody(payload, limit, sums)
		}
	}}
	note, err := noter.Note(rec)
	if err != nil {
		return err
	}
	out.note = note
	it.learn(note)
	it.Shared = rec.Shared()
	it.Length, err = rec.Finish() // it is finished: its size
	if !asked {
		s.ask(out)
	}
	return err
}

// ask finds out which part of a record each task wants.
func (s *scan) ask(out *outcome) {
	for i, t := range s.tasks {
		if t.Mapper == nil {
			continue
		}
		part := Nothing
		if t.Wants != nil {
			part = t.Wants(out.item)
		} else {
			part = t.Mapper.wants(out.item)
		}
		if part == Nothing {
			continue
		}
		if out.parts == nil {
			out.parts, out.results = make([]Part, len(s.tasks)), make([]result, len(s.tasks))
		}
		out.parts[i] = part
	}
}

// mapItem runs the mappers that want the item, each after those it needs: in workers, unless the item is trusted or a head.
func (s *scan) mapItem(ctx context.Context, out *outcome) error {
	var todo []int
	for i, part := range out.parts {
		t := s.tasks[i]
		if part == Nothing {
			continue
		}
		if part == Body && out.item.HasBody {
			t.Items.Add(1)
		}
		if t.Known != nil {
			if why, bad := t.Known(out.item.Name()); bad {
				t.Failures.Add(1)
				out.results[i].err = fmt.Errorf("%w: %s", ErrSkipped, why)
				continue
			}
		}
		todo = append(todo, i)
	}
	if out.item.HasBody && s.opts.Items != nil {
		s.opts.Items()
	}
	for rest := todo; len(rest) > 0; {
		n, away := 0, s.away(out, rest[0])
		for n < len(rest) && s.away(out, rest[n]) == away {
			n++
		}
		if !away {
			out.item = s.here(ctx, out.item, rest[:n], out.results)
		} else if err := s.opts.Workers.mapItem(ctx, out.item, s.tasks, rest[:n], out.results); err != nil {
			return err
		}
		rest = rest[n:]
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	for _, i := range todo {
		if err := out.results[i].err; err != nil {
			t := s.tasks[i]
			t.Failures.Add(1)
			if t.Failed != nil {
				if err := t.Failed(out.item.Name(), err); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// away reports whether a task's mapper gets the item in a worker.
func (s *scan) away(out *outcome, task int) bool {
	if s.opts.Workers == nil || out.parts[task] != Body || !out.item.HasBody {
		return false
	}
	trusted := s.tasks[task].Mapper.Trusted
	return trusted == nil || !trusted(out.item)
}

// here maps an item in this process, and returns the item: another one if a mapper that did not stop in time has the first.
func (s *scan) here(ctx context.Context, it *Item, todo []int, results []result) *Item {
	for _, i := range todo {
		it.results = needs(s.tasks[i].Mapper, s.tasks, results)
		t, fresh := s.tasks[i], *it
		results[i] = t.within(ctx, it)
		if ctx.Err() != nil {
			return it // a mapper may still have it: nobody else gets it
		}
		if errors.Is(results[i].err, ErrTime) {
			fresh.shared = nil
			it = &fresh
		}
	}
	return it
}

// needs are the results that a mapper needs, as far as they are there.
func needs(m *Mapper, tasks []*Task, results []result) (out map[string]any) {
	for _, n := range m.Needs {
		for i, t := range tasks {
			if t.Mapper != nil && t.Mapper.Name == n && results[i].value != nil {
				if out == nil {
					out = map[string]any{}
				}
				out[n] = results[i].value
			}
		}
	}
	return out
}

// within runs a mapper on an item and waits for it, but not for ever.
func (t *Task) within(ctx context.Context, it *Item) result {
	if t.Begin != nil {
		defer t.Begin(it.Name())()
	}
	if !it.HasBody {
		return t.run(ctx, it) // a head: nothing that could take long
	}
	limit := t.Mapper.Limits.Time
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	done := make(chan result, 1)
	go func() { done <- t.run(limited, it) }()
	select {
	case r := <-done:
		if errors.Is(r.err, context.DeadlineExceeded) && ctx.Err() == nil {
			r.err = overTime(limit)
		}
		return r
	case <-limited.Done():
	}
	if err := ctx.Err(); err != nil {
		return result{err: err}
	}
	select {
	case r := <-done: // it listened
		if r.err == nil {
			return r
		}
	case <-time.After(limit / 10):
	}
	return result{err: overTime(limit)}
}

func overTime(limit time.Duration) error { return fmt.Errorf("%w: more than %s", ErrTime, limit) }

// run calls the mapper's function.
func (t *Task) run(ctx context.Context, it *Item) (r result) {
	f := t.free.Get().(Func)
	defer func() {
		if p := recover(); p != nil { // f is left: its buffers may be in any state
			r = result{err: fmt.Errorf("%w: %v\n%.2000s", ErrPanic, p, debug.Stack())}
		}
	}()
	t.CPU.Add(int64(CPUTime(func() { r.value, r.err = f(ctx, it) })))
	t.free.Put(f)
	return r
}

// give hands a record that leaves the window to the sinks.
func (s *scan) give(n *capture.Note) error {
	out := s.results[n]
	delete(s.results, n)
	if out.item.Type == warc.TypeWarcinfo {
		fields, _ := wire.ParseFields(nil, string(out.item.Fields[:min(len(out.item.Fields), 64<<10)]), 1)
		if crawl := fields.Get("isPartOf"); crawl != "" {
			s.crawl = crawl
		}
	}
	for i, t := range s.tasks {
		if t.Sink == nil {
			continue
		}
		got := &Taken{Item: out.item, Note: n, Crawl: s.crawl}
		if out.results != nil {
			got.Result, got.Err = out.results[i].value, out.results[i].err
		}
		if err := t.Sink.Take(got); err != nil {
			if t.Mapper != nil {
				return fmt.Errorf("%s: %w", t.Mapper.Name, err)
			}
			return err
		}
	}
	return nil
}
