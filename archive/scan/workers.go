package scan

import (
	"bufio"
	"bytes"
	"context"
	"encoding/gob"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"
	"time"
)

// setup is the first thing a worker is told: the mappers it will be asked for, by their places in it.
type setup struct {
	Mappers []wanted
}

type wanted struct {
	Name   string
	Config []byte // JSON
	Memory int64
}

// ready is its answer.
type ready struct{ Mappers int }

// order asks a worker to map an item: by these mappers, in this order.
type order struct {
	Item *Item
	Run  []int
	Have map[string]any // results that they need, of mappers that another worker ran
}

// reply is what one mapper made of the item of an order. Replies come in the order of Run, so that the first one that is missing tells
// which mapper a worker died of.
type reply struct {
	Mapper int
	Value  any
	Err    string
	Panic  bool
	CPU    time.Duration
}

// exitMemory is how a worker ends that held more memory than the mapper at work may.
const exitMemory = 86

// Workers are processes that map items for one run, started when they are needed. A worker that does not answer in time is
// killed, and another one takes its place. Its methods may be called from several goroutines.
type Workers struct {
	start   func() *exec.Cmd
	places  map[string]int
	first   setup
	mu      sync.Mutex
	idle    []*worker
	closed  bool
	started int
}

// NewWorkers prepares workers for some mappers. start makes the command of a process that calls Serve.
func NewWorkers(start func() *exec.Cmd, mappers []*Mapper) (*Workers, error) {
	w := &Workers{start: start, places: map[string]int{}}
	for i, m := range mappers {
		config, err := json.Marshal(m.Config)
		if err != nil {
			return nil, fmt.Errorf("mapper %s: %w", m.Name, err)
		}
		w.places[m.Name] = i
		w.first.Mappers = append(w.first.Mappers, wanted{m.Name, config, m.Limits.Memory})
	}
	return w, nil
}

// Started returns how many processes were started.
func (w *Workers) Started() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.started
}

// Close ends the processes.
func (w *Workers) Close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.closed = true
	for _, p := range w.idle {
		p.end()
	}
	w.idle = nil
	return nil
}

// worker is one process.
type worker struct {
	cmd    *exec.Cmd
	stdin  io.Closer
	buf    *bufio.Writer
	to     *gob.Encoder
	from   *gob.Decoder
	stderr *beginning
}

func (w *Workers) get() (*worker, error) {
	w.mu.Lock()
	if n := len(w.idle); n > 0 {
		p := w.idle[n-1]
		w.idle = w.idle[:n-1]
		w.mu.Unlock()
		return p, nil
	}
	w.started++
	w.mu.Unlock()
	p, err := startWorker(w.start())
	if err == nil {
		if err = p.begin(w.first); err != nil {
			err = fmt.Errorf("%w%s", err, p.stderr.text())
			p.end()
		}
	}
	if err != nil {
		return nil, fmt.Errorf("start a process that reads pages: %w", err)
	}
	return p, nil
}

// patience is how long a process may take to begin.
const patience = time.Minute

// begin tells a process what to do and waits until it has understood: a process that cannot work is no fault of an item.
func (p *worker) begin(first setup) error {
	timer := time.AfterFunc(patience, func() { _ = p.cmd.Process.Kill() })
	defer timer.Stop()
	if err := errors.Join(p.to.Encode(first), p.buf.Flush()); err != nil {
		return err
	}
	var r ready
	return p.from.Decode(&r)
}

func (w *Workers) put(p *worker) {
	w.mu.Lock()
	if !w.closed {
		w.idle = append(w.idle, p)
		p = nil
	}
	w.mu.Unlock()
	if p != nil {
		p.end()
	}
}

func startWorker(cmd *exec.Cmd) (*worker, error) {
	p := &worker{cmd: cmd, stderr: &beginning{}}
	cmd.Stderr = p.stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	p.stdin, p.buf = in, bufio.NewWriterSize(in, 64<<10)
	p.to, p.from = gob.NewEncoder(p.buf), gob.NewDecoder(bufio.NewReaderSize(out, 64<<10))
	return p, nil
}

// end kills the process, if it is still there, and waits for it.
func (p *worker) end() {
	_ = p.stdin.Close()
	_ = p.cmd.Process.Kill()
	_ = p.cmd.Wait() // how it ended is told by ended, where that matters
}

// mapItem lets workers map an item. A mapper that a worker dies of has its error as the result; the mappers behind it get another worker.
func (w *Workers) mapItem(ctx context.Context, it *Item, tasks []*Task, todo []int, results []result) error {
	again := -1 // the mapper that a worker ended with, of which another one is asked
	for len(todo) > 0 {
		p, err := w.get()
		if err != nil {
			return err
		}
		done, fault, err := w.ask(ctx, p, it, tasks, todo, results)
		if err != nil {
			return err
		}
		if done == len(todo) {
			w.put(p)
			return nil
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if errors.Is(fault, ErrDied) && again != todo[done] { // somebody may have killed it
			again, todo = todo[done], todo[done:]
			continue
		}
		results[todo[done]] = result{err: fault}
		todo = todo[done+1:]
	}
	return nil
}

// ask gives an item to a worker and takes the replies. done is how many came; if not all did, the process is gone, and fault says why.
func (w *Workers) ask(ctx context.Context, p *worker, it *Item, tasks []*Task, todo []int, results []result) (done int, fault, err error) {
	o := order{Item: it}
	for _, i := range todo {
		place, ok := w.places[tasks[i].Mapper.Name]
		if !ok {
			w.put(p)
			return 0, nil, fmt.Errorf("mapper %q was not told to the workers", tasks[i].Mapper.Name)
		}
		o.Run = append(o.Run, place)
		for n, v := range needs(tasks[i].Mapper, tasks, results) {
			if o.Have == nil {
				o.Have = map[string]any{}
			}
			o.Have[n] = v
		}
	}
	stop := context.AfterFunc(ctx, func() { _ = p.cmd.Process.Kill() })
	defer stop()
	var late sync.Once
	over := false
	limit := tasks[todo[0]].Mapper.Limits.Time
	timer := time.AfterFunc(limit, func() { late.Do(func() { over = true; _ = p.cmd.Process.Kill() }) })
	failed := p.to.Encode(&o)
	if failed == nil {
		failed = p.buf.Flush()
	}
	for failed == nil && done < len(todo) {
		var r reply
		if failed = p.from.Decode(&r); failed != nil {
			break
		}
		t := tasks[todo[done]]
		t.CPU.Add(int64(r.CPU))
		results[todo[done]] = r.result()
		done++
		if done < len(todo) {
			limit = tasks[todo[done]].Mapper.Limits.Time
			timer.Reset(limit)
		}
	}
	timer.Stop()
	killed := false
	late.Do(func() {}) // from here on nobody sets over
	killed = over
	if failed == nil && !killed {
		return done, nil, nil
	}
	if done == len(todo) { // all is there; the time was over just then
		p.end()
		return done - 1, overTime(limit), nil
	}
	return done, p.ended(killed, limit, tasks[todo[done]].Mapper.Limits.Memory), nil
}

func (r *reply) result() result {
	switch {
	case r.Panic:
		return result{err: fmt.Errorf("%w: %s", ErrPanic, r.Err)}
	case r.Err != "":
		return result{err: errors.New(r.Err)}
	}
	return result{value: r.Value}
}

// ended waits for a process that did not answer and says why it did not.
func (p *worker) ended(killed bool, limit time.Duration, memory int64) error {
	_ = p.stdin.Close()
	if !killed { // it ends by itself: its pipe is shut
		timer := time.AfterFunc(10*time.Second, func() { _ = p.cmd.Process.Kill() })
		defer timer.Stop()
	}
	err := p.cmd.Wait()
	switch code := p.cmd.ProcessState.ExitCode(); {
	case killed:
		return overTime(limit)
	case code == exitMemory:
		return fmt.Errorf("%w: more than %d MB", ErrMemory, memory>>20)
	case err == nil:
		err = errors.New("without a word")
	}
	return fmt.Errorf("%w: %w%s", ErrDied, err, p.stderr.text())
}

// beginning keeps the first lines of what a process says of its end.
type beginning struct {
	mu sync.Mutex
	b  bytes.Buffer
}

// Write takes what fits.
func (b *beginning) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if room := 2000 - b.b.Len(); room > 0 {
		b.b.Write(p[:min(len(p), room)])
	}
	return len(p), nil
}

func (b *beginning) text() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	s := strings.TrimSpace(b.b.String())
	if s == "" {
		return ""
	}
	return ": " + s
}
