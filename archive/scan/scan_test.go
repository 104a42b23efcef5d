package scan

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"reflect"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"varve/archive/cdxj"
	"varve/archive/warc"
)

// workerEnv makes this test binary a worker process.
const workerEnv = "VARVE_TEST_SCAN_WORKER"

func TestMain(m *testing.M) {
	if os.Getenv(workerEnv) != "" {
		os.Exit(Main(func(name string, config []byte) (*Mapper, error) {
			var c toy
			if err := json.Unmarshal(config, &c); err != nil {
				return nil, err
			}
			return c.mapper(name), nil
		}))
	}
	os.Exit(m.Run())
}

func workerCommand() *exec.Cmd {
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), workerEnv+"=1")
	return c
}

// toy is a mapper for tests: it counts the bytes of content, and does harm to the pages that it is told.
type toy struct {
	Harm  map[string]string // by address
	Needs []string
}

// Size is what it makes of an item.
type Size struct {
	URL   string
	Bytes int
	Of    string // results that it needed
}

func (c toy) mapper(name string) *Mapper {
	return New(Mapper{Name: name, Needs: c.Needs, Config: c, Limits: Limits{Time: 10 * time.Second, Memory: 64 << 20}},
		func() func(context.Context, *Item) (*Size, error) {
			return func(_ context.Context, it *Item) (*Size, error) {
				c.harm(it.URI)
				b, err := it.Content()
				out := &Size{URL: it.URI, Bytes: len(b)}
				for _, n := range c.Needs {
					if s, ok := it.Result(n).(*Size); ok {
						out.Of += fmt.Sprint(n, s.Bytes)
					}
				}
				if c.Harm[it.URI] == "fail" {
					err = errors.New("no good")
				}
				return out, err
			}
		})
}

func (c toy) harm(url string) {
	switch c.Harm[url] {
	case "stick":
		for n := 0; n >= 0; n &= 0xff { // for ever
			n++
		}
	case "eat":
		var held [][]byte
		for {
			b := make([]byte, 1<<20)
			for i := range b {
				b[i] = byte(i)
			}
			held = append(held, b)
			runtime.KeepAlive(held)
		}
	case "panic":
		panic("oh")
	case "overflow":
		var down func(n int) int
		down = func(n int) int { return down(n+1) + 1 }
		down(0)
	case "exit":
		os.Exit(3)
	}
}

var at = time.Date(2024, 5, 6, 7, 8, 9, 0, time.UTC)

func address(i int) string { return fmt.Sprintf("http://a.test/%d", i) }

// pages is a file with n pages, each with its request and metadata.
func pages(t testing.TB, n int) *warc.File {
	t.Helper()
	enc, err := warc.NewEncoder(warc.Packing{Kind: warc.Gzip})
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	put := func(kind, id, uri, mime, block string, with ...string) {
		e := warc.New(kind, id, at, warc.Bytes(block)).With(warc.FieldContentType, mime)
		if uri != "" {
			e = e.With(warc.FieldTargetURI, uri)
		}
		for _, w := range with {
			e = e.With(warc.FieldConcurrentTo, w)
		}
		if err := enc.Encode(&b, e); err != nil {
			t.Fatal(err)
		}
	}
	put(warc.TypeWarcinfo, "<urn:i>", "", warc.ContentTypeFields, "isPartOf: c1\r\n")
	for i := range n {
		id := fmt.Sprintf("<urn:r%d>", i)
		put(warc.TypeResponse, id, address(i), warc.ContentTypeResponse, "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"+strings.Repeat("word ", i+1))
		put(warc.TypeRequest, fmt.Sprintf("<urn:q%d>", i), address(i), warc.ContentTypeRequest, "POST / HTTP/1.1\r\nHost: a.test\r\n\r\nx=1", id)
		put(warc.TypeMetadata, fmt.Sprintf("<urn:m%d>", i), address(i), warc.ContentTypeFields, "hopsFromSeed: L\r\n", id)
	}
	f, err := warc.NewFile("f.warc.gz", bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// keeping is a task that keeps what its mapper made, and why it made nothing.
type keeping struct {
	Task
	got  []any
	errs map[string]error
}

func keep(m *Mapper) *keeping {
	k := &keeping{errs: map[string]error{}}
	k.Mapper = m
	k.Sink = SinkFunc(func(t *Taken) error {
		if t.Result != nil {
			k.got = append(k.got, t.Result)
		}
		if t.Err != nil {
			k.errs[t.URI] = t.Err
		}
		return nil
	})
	return k
}

// All mappers get all captures of one reading, in order, with what belongs to them; and the same whether in this process or in others.
func TestMappers(t *testing.T) {
	var want []any
	for i := range 300 {
		want = append(want, &Size{URL: address(i), Bytes: 5 * (i + 1), Of: fmt.Sprint("first", 5*(i+1))})
	}
	for _, away := range []bool{false, true} {
		first, second := keep(toy{}.mapper("first")), keep(toy{Needs: []string{"first"}}.mapper("second"))
		var lines []string
		captures := Captures(func(r *cdxj.Record) error {
			method, _ := r.Get("method")
			lines = append(lines, r.URL+" "+method)
			return nil
		})
		o := Options{Name: "f.warc.gz", Cores: 2, Policy: warc.Silent()}
		if away {
			var err error
			if o.Workers, err = NewWorkers(workerCommand, []*Mapper{first.Mapper, second.Mapper}); err != nil {
				t.Fatal(err)
			}
		}
		if err := Run(t.Context(), pages(t, 300), o, &second.Task, captures, &first.Task); err != nil {
			t.Fatal(err)
		}
		if o.Workers != nil {
			if err := o.Workers.Close(); err != nil {
				t.Error(err)
			}
		}
		if !reflect.DeepEqual(second.got, want) {
			t.Errorf("in other processes %t: %d results, %+v; want %d, %+v", away, len(second.got), second.got[:1], len(want), want[0])
		}
		if len(first.got) != 300 || len(lines) != 300 || lines[7] != "http://a.test/7 POST" {
			t.Errorf("%d sizes, %d lines", len(first.got), len(lines))
		}
		if first.Items.Load() != 300 || first.CPU.Load() <= 0 {
			t.Errorf("%d items, %d ns", first.Items.Load(), first.CPU.Load())
		}
	}
}

// counted counts what is read of a file.
type counted struct {
	io.ReaderAt
	n atomic.Int64
}

func (c *counted) ReadAt(p []byte, off int64) (int, error) {
	n, err := c.ReaderAt.ReadAt(p, off)
	c.n.Add(int64(n))
	return n, err
}

// However many mappers there are, a file is read once; and no payload is read if all want heads alone.
func TestReadsOnce(t *testing.T) {
	body := make([]byte, 3<<20)
	for i := range body {
		body[i] = byte(i * i >> 7)
	}
	enc, err := warc.NewEncoder(warc.Packing{Kind: warc.Plain})
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	for i := range 3 {
		e := warc.New(warc.TypeResource, fmt.Sprintf("<urn:%d>", i), at, warc.Bytes(body)).With(warc.FieldTargetURI, address(i)).With(warc.FieldContentType, "image/x")
		if err := enc.Encode(&b, e); err != nil {
			t.Fatal(err)
		}
	}
	src := &counted{ReaderAt: bytes.NewReader(b.Bytes())}
	f, err := warc.NewFile("f.warc", src, int64(b.Len()))
	if err != nil {
		t.Fatal(err)
	}
	var tasks []*Task
	for i := range 5 {
		tasks = append(tasks, &keep(toy{}.mapper(fmt.Sprint("m", i))).Task)
	}
	src.n.Store(0)
	if err := Run(t.Context(), f, Options{Policy: warc.Silent()}, tasks...); err != nil {
		t.Fatal(err)
	}
	if n := src.n.Load(); n > int64(b.Len())+1<<20 {
		t.Errorf("five mappers read %d bytes of a file of %d", n, b.Len())
	}
	heads := New(Mapper{Name: "heads", Wants: func(*Item) Part { return Head }}, func() func(context.Context, *Item) (int, error) {
		return func(_ context.Context, it *Item) (int, error) { return len(it.Body), nil }
	})
	k := keep(heads)
	if err := Run(t.Context(), f, Options{Policy: warc.Silent()}, &k.Task); err != nil {
		t.Fatal(err)
	}
	if len(k.got) != 3 || k.got[0] != 0 {
		t.Errorf("who wants heads got payloads: %v", k.got)
	}
}

// A mapper that is stuck, eats memory, panics, recurses without end or ends its process loses that item and no other; the
// other mappers lose nothing; and nothing of it is left running.
func TestHarm(t *testing.T) {
	bad := toy{Harm: map[string]string{
		address(3): "stick", address(5): "eat", address(7): "panic", address(9): "overflow", address(11): "exit", address(13): "fail",
	}}
	first, harmful, last := keep(toy{}.mapper("first")), keep(bad.mapper("harmful")), keep(toy{}.mapper("last"))
	needy := keep(toy{Needs: []string{"harmful", "first"}}.mapper("needy"))
	told := map[string]bool{}
	harmful.Failed = func(item string, err error) error { told[item] = true; return nil }
	workers, err := NewWorkers(workerCommand, []*Mapper{first.Mapper, harmful.Mapper, last.Mapper, needy.Mapper})
	if err != nil {
		t.Fatal(err)
	}
	before := runtime.NumGoroutine()
	if err := Run(t.Context(), pages(t, 20), Options{Policy: warc.Silent(), Workers: workers}, &first.Task, &harmful.Task, &last.Task, &needy.Task); err != nil {
		t.Fatal(err)
	}
	if len(first.got) != 20 || len(last.got) != 20 || len(harmful.got) != 14 || len(needy.got) != 20 { // what failed is nil to those who need it
		t.Errorf("%d, %d, %d and %d results", len(first.got), len(harmful.got), len(last.got), len(needy.got))
	}
	for i, got := range needy.got {
		if of := got.(*Size).Of; !strings.HasSuffix(of, fmt.Sprint("first", 5*(i+1))) {
			t.Errorf("page %d: needed %q", i, of)
		}
	}
	for i, want := range map[int]error{3: ErrTime, 5: ErrMemory, 7: ErrPanic, 9: ErrDied, 11: ErrDied, 13: nil} {
		if err := harmful.errs[address(i)]; err == nil || want != nil && !errors.Is(err, want) {
			t.Errorf("page %d: %v, want %v", i, err, want)
		}
	}
	if harmful.Failures.Load() != 6 || len(told) != 6 || first.Failures.Load() != 0 {
		t.Errorf("%d failures, %d told", harmful.Failures.Load(), len(told))
	}
	if err := workers.Close(); err != nil {
		t.Error(err)
	}
	for deadline := time.Now().Add(20 * time.Second); runtime.NumGoroutine() > before; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%d goroutines, %d before", runtime.NumGoroutine(), before)
		}
	}
	t.Logf("%d processes for 20 pages", workers.Started())
}

// A process that is no worker is an error of the run, and no item is blamed for it.
func TestNoWorker(t *testing.T) {
	k := keep(toy{}.mapper("first"))
	workers, err := NewWorkers(func() *exec.Cmd { return exec.Command("false") }, []*Mapper{k.Mapper})
	if err != nil {
		t.Fatal(err)
	}
	defer workers.Close()
	err = Run(t.Context(), pages(t, 2), Options{Policy: warc.Silent(), Workers: workers}, &k.Task)
	if err == nil || k.Failures.Load() != 0 {
		t.Errorf("%v, %d failures", err, k.Failures.Load())
	}
}

// A worker whose master is gone ends, even when it is stuck.
func TestOrphan(t *testing.T) {
	stuck := toy{Harm: map[string]string{address(0): "stick"}}
	p, err := startWorker(workerCommand())
	if err != nil {
		t.Fatal(err)
	}
	config, err := json.Marshal(stuck)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.begin(setup{Mappers: []wanted{{Name: "stuck", Config: config, Memory: 1 << 30}}}); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(p.to.Encode(&order{Item: &Item{URI: address(0), Capture: true}, Run: []int{0}}), p.buf.Flush()); err != nil {
		t.Fatal(err)
	}
	if err := p.stdin.Close(); err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- p.cmd.Wait() }()
	select {
	case <-done:
	case <-time.After(30 * time.Second):
		_ = p.cmd.Process.Kill()
		t.Error("it is still there")
	}
}

// When the scan is given up, workers that are stuck are, too.
func TestCancel(t *testing.T) {
	stuck := toy{Harm: map[string]string{address(0): "stick"}}.mapper("stuck")
	stuck.Limits.Time = time.Hour
	workers, err := NewWorkers(workerCommand, []*Mapper{stuck})
	if err != nil {
		t.Fatal(err)
	}
	defer workers.Close()
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(300*time.Millisecond, cancel)
	k := keep(stuck)
	if err := Run(ctx, pages(t, 2), Options{Policy: warc.Silent(), Workers: workers}, &k.Task); !errors.Is(err, context.Canceled) || k.Failures.Load() != 0 {
		t.Errorf("%v, %d failures", err, k.Failures.Load())
	}
}

func BenchmarkItems(b *testing.B) {
	for _, away := range []bool{false, true} {
		b.Run(map[bool]string{false: "here", true: "workers"}[away], func(b *testing.B) {
			f, k := pages(b, 2000), keep(toy{}.mapper("first"))
			o := Options{Policy: warc.Silent()}
			if away {
				o.Workers, _ = NewWorkers(workerCommand, []*Mapper{k.Mapper})
				defer o.Workers.Close()
			}
			for b.Loop() {
				if err := Run(b.Context(), f, o, &k.Task); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
