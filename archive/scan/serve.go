package scan

import (
	"bufio"
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync/atomic"
	"syscall"
	"time"
)

// Registry makes the mapper of a name from its Config, as JSON.
type Registry func(name string, config []byte) (*Mapper, error)

// Serve is what a worker process does: it maps the items that come on in and replies on out, until in ends. It never returns
// while a mapper is stuck: when in ends, or a mapper holds too much memory, the process ends through exit.
func Serve(in io.Reader, out io.Writer, mappers Registry, exit func(code int)) error {
	from, buf := gob.NewDecoder(bufio.NewReaderSize(in, 64<<10)), bufio.NewWriterSize(out, 64<<10)
	w := &serving{to: gob.NewEncoder(buf), buf: buf}
	var first setup
	if err := from.Decode(&first); err != nil {
		return fmt.Errorf("what to do: %w", err)
	}
	for _, m := range first.Mappers {
		mapper, err := mappers(m.Name, m.Config)
		if err != nil {
			return fmt.Errorf("mapper %s: %w", m.Name, err)
		}
		mapper.Limits.Memory = m.Memory
		w.mappers = append(w.mappers, &Task{Mapper: mapper})
		w.mappers[len(w.mappers)-1].free.New = func() any { return mapper.open() }
	}
	if err := errors.Join(w.to.Encode(ready{len(w.mappers)}), w.buf.Flush()); err != nil {
		return err
	}
	stop := w.watch(exit)
	defer stop()
	orders := make(chan order)
	failed := error(nil)
	go func() {
		defer close(orders)
		for {
			var o order
			if err := from.Decode(&o); err != nil {
				if !errors.Is(err, io.EOF) {
					failed = err
				}
				if w.busy.Load() {
					exit(0) // nobody waits for what is under way, and it may be stuck
				}
				return
			}
			w.busy.Store(true)
			orders <- o
		}
	}()
	for o := range orders {
		err := w.do(&o)
		w.busy.Store(false)
		if err != nil {
			return err
		}
	}
	return failed
}

// serving is a worker at work.
type serving struct {
	to      *gob.Encoder
	buf     *bufio.Writer
	mappers []*Task
	busy    atomic.Bool
	memory  atomic.Int64 // of the mapper at work; 0 if there is none
}

func (w *serving) do(o *order) error {
	it := o.Item
	if it.results = o.Have; it.results == nil {
		it.results = map[string]any{}
	}
	for _, i := range o.Run {
		t := w.mappers[i]
		w.memory.Store(t.Mapper.Limits.Memory)
		begun := processTime()
		r := t.run(context.Background(), it)
		cpu := processTime() - begun
		w.memory.Store(0)
		out := reply{Mapper: i, Value: r.value, CPU: cpu}
		if r.err != nil {
			out.Value, out.Err, out.Panic = nil, r.err.Error(), errors.Is(r.err, ErrPanic)
			if out.Panic {
				out.Err = out.Err[len(ErrPanic.Error())+2:]
			}
		} else {
			it.results[t.Mapper.Name] = r.value
		}
		if err := w.to.Encode(&out); err != nil {
			return err
		}
		if err := w.buf.Flush(); err != nil {
			return err
		}
	}
	return nil
}

// lookEvery is how often a worker looks at its memory.
const lookEvery = 20 * time.Millisecond

// watch ends the process when a mapper holds more memory than it may.
func (w *serving) watch(exit func(int)) (stop func()) {
	runtime.GOMAXPROCS(max(2, runtime.GOMAXPROCS(0))) // a mapper that never yields must not keep the watch from its turn
	done := make(chan struct{})
	go func() {
		tick := time.NewTicker(lookEvery)
		defer tick.Stop()
		sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
		held := func() int64 {
			metrics.Read(sample)
			return int64(sample[0].Value.Uint64())
		}
		for {
			select {
			case <-done:
				return
			case <-tick.C:
			}
			limit := w.memory.Load()
			if limit == 0 || held() <= limit {
				continue
			}
			runtime.GC() // what nobody holds any more does not count
			if limit = w.memory.Load(); limit != 0 && held() > limit {
				exit(exitMemory)
			}
		}
	}()
	return func() { close(done) }
}

// Main is the whole of a worker process: Serve on its standard input and output. It returns the exit code.
func Main(mappers Registry) int {
	out := os.Stdout
	os.Stdout = os.Stderr // a word that somebody prints must not stand between replies
	debug.SetTraceback("single")
	debug.SetMaxStack(64 << 20)                                  // recursion without end is over soon
	signal.Ignore(os.Interrupt, syscall.SIGTERM, syscall.SIGHUP) // they are for the process that started it, which ends it
	if err := Serve(os.Stdin, out, mappers, os.Exit); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	return 0
}
