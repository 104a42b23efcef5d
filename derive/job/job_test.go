package job

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"varve/archive/scan"
	"varve/archive/warc"
)

// texts are parts with lines of words, each line a record; the address of a record ends with the number of its line.
func texts(t *testing.T, n, lines int) []Part {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, uint64(n)))
	dir := t.TempDir()
	var out []Part
	for i := range n {
		var file bytes.Buffer
		enc, err := warc.NewEncoder(warc.Packing{Kind: warc.Plain})
		if err != nil {
			t.Fatal(err)
		}
		for k := range lines {
			var b strings.Builder
			for range 1 + rng.IntN(6) {
				fmt.Fprintf(&b, "w%d ", rng.IntN(50)*rng.IntN(40))
			}
			e := warc.New(warc.TypeResource, fmt.Sprintf("<urn:%d>", k), time.Unix(1e9, 0), warc.Bytes(b.String()))
			if err := enc.Encode(&file, e.With(warc.FieldTargetURI, fmt.Sprintf("http://a.test/%d", k)).With(warc.FieldContentType, "text/plain")); err != nil {
				t.Fatal(err)
			}
		}
		name := fmt.Sprintf("p%02d", i)
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, file.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		out = append(out, Part{Name: name, Path: path, Mark: sumOf(file.String())})
	}
	return out
}

// linesOf are the lines of a part, and where their records begin.
func linesOf(t *testing.T, p Part) (lines []string, offsets []int64) {
	t.Helper()
	err := scan.File(t.Context(), p.Path, scan.Options{Policy: warc.Silent()}, &scan.Task{
		Mapper: scan.New(scan.Mapper{Name: "line"}, func() func(context.Context, *scan.Item) (string, error) {
			return func(_ context.Context, it *scan.Item) (string, error) { return string(it.Body), nil }
		}),
		Sink: scan.SinkFunc(func(t *scan.Taken) error {
			lines, offsets = append(lines, t.Result.(string)), append(offsets, t.Offset)
			return nil
		}),
	})
	if err != nil {
		t.Fatal(err)
	}
	return lines, offsets
}

// counting writes the table of lines of a part and emits its words.
type counting struct {
	task *Task
	out  io.Writer
}

func (c *counting) Take(t *scan.Taken) error {
	found, ok := t.Result.([]string)
	if !ok {
		fmt.Fprintln(c.out, "no result")
		return nil
	}
	fmt.Fprintln(c.out, len(found))
	for _, w := range found {
		if err := c.task.Emit([]byte(w), binary.AppendUvarint(nil, 1)); err != nil {
			return err
		}
	}
	return nil
}

func (c *counting) Close() error { return nil }

// words counts words: a table of lines for each part, and one of counts.
func words(combine bool, before func(part string, line int) error) Job {
	j := Job{Name: "words", Version: 1, Scan: &Scan{
		Mapper: scan.New(scan.Mapper{Name: "words"}, func() func(context.Context, *scan.Item) ([]string, error) {
			return func(_ context.Context, it *scan.Item) ([]string, error) {
				if before != nil {
					line, err := strconv.Atoi(it.URI[len("http://a.test/"):])
					if err == nil {
						err = before(it.File, line)
					}
					if err != nil {
						return nil, err
					}
				}
				return strings.Fields(string(it.Body)), nil
			}
		}),
		Open: func(t *Task) (Sink, error) {
			out, err := t.Create("lines")
			return &counting{t, out}, err
		},
	}}
	if combine {
		j.Combine = func(_, a, b []byte) []byte { return binary.AppendUvarint(nil, number(a)+number(b)) }
	}
	j.Reduce = func(_ context.Context, out *Output, groups iter.Seq2[[]byte, iter.Seq[[]byte]]) error {
		w, err := out.Create("counts")
		if err != nil {
			return err
		}
		for key, values := range groups {
			n := uint64(0)
			for v := range values {
				n += number(v)
			}
			fmt.Fprintf(w, "%s %d\n", key, n)
		}
		return nil
	}
	return j
}

func number(b []byte) uint64 { n, _ := binary.Uvarint(b); return n }

// wordCounts is the answer by brute force.
func wordCounts(t *testing.T, parts []Part, without map[string]bool) string {
	t.Helper()
	counts := map[string]int{}
	for _, p := range parts {
		lines, _ := linesOf(t, p)
		for i, l := range lines {
			if without[fmt.Sprint(p.Name, i)] {
				continue
			}
			for _, w := range strings.Fields(l) {
				counts[w]++
			}
		}
	}
	var out []string
	for w, n := range counts {
		out = append(out, fmt.Sprintf("%s %d\n", w, n))
	}
	slices.SortFunc(out, func(a, b string) int { return strings.Compare(strings.Fields(a)[0], strings.Fields(b)[0]) })
	return strings.Join(out, "")
}

// everything is the content of all tables of a folder.
func everything(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".parquet" {
			return err
		}
		b, err := os.ReadFile(path)
		rel, _ := filepath.Rel(dir, path)
		out[rel] = string(b)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestWords(t *testing.T) {
	parts := texts(t, 7, 300)
	want := wordCounts(t, parts, nil)
	for _, combine := range []bool{false, true} {
		for _, memory := range []int{200, 5000, 1 << 20} {
			dir := t.TempDir()
			sum, err := Run(t.Context(), Config{Dir: dir, Memory: memory, Cores: 3}, []Job{words(combine, nil)}, parts)
			if err != nil {
				t.Fatal(err)
			}
			if got := everything(t, dir)["counts.parquet"]; got != want {
				t.Errorf("combine %t, memory %d: %d bytes, want %d", combine, memory, len(got), len(want))
			}
			if r := sum.Jobs[0]; r.Done != 7 || r.Items != 2100 || r.Failed != 0 || !r.Reduced {
				t.Errorf("%+v", r)
			}
			again, err := Run(t.Context(), Config{Dir: dir}, []Job{words(combine, nil)}, parts)
			if r := again.Jobs[0]; err != nil || r.Done != 0 || r.Items != 2100 || r.Reduced {
				t.Errorf("again: %+v, %v", r, err)
			}
			fewer, err := Run(t.Context(), Config{Dir: dir}, []Job{words(combine, nil)}, parts[1:])
			if r := fewer.Jobs[0]; err != nil || r.Done != 0 || !r.Reduced {
				t.Errorf("fewer: %+v, %v", r, err)
			}
			if got := everything(t, dir); got["counts.parquet"] != wordCounts(t, parts[1:], nil) || len(got) != 7 {
				t.Error("what was made of a part that is gone is still there")
			}
		}
	}
}

// A run that is ended again and again comes to the same bytes as one that is not.
func TestResume(t *testing.T) {
	parts := texts(t, 9, 100)
	whole := t.TempDir()
	if _, err := Run(t.Context(), Config{Dir: whole}, []Job{words(true, nil)}, parts); err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(3, 4))
	dir := t.TempDir()
	for ends := 0; ; ends++ {
		ctx, cancel := context.WithCancel(t.Context())
		var left atomic.Int64
		left.Store(rng.Int64N(250))
		_, err := Run(ctx, Config{Dir: dir, Cores: 1}, []Job{words(true, func(string, int) error {
			if left.Add(-1) < 0 {
				cancel()
			}
			return nil
		})}, parts)
		cancel()
		if err == nil {
			t.Logf("ended %d times", ends)
			break
		}
		if !errors.Is(err, context.Canceled) || ends > 100 {
			t.Fatal(ends, err)
		}
	}
	a, b := everything(t, whole), everything(t, dir)
	if len(a) != 10 || fmt.Sprint(a) != fmt.Sprint(b) {
		t.Errorf("%d and %d files", len(a), len(b))
	}
}

// Items that fail, panic or never end are recorded and passed over, then and later.
func TestFailures(t *testing.T) {
	parts := texts(t, 3, 40)
	var calls atomic.Int32
	bad := func(part string, line int) error {
		switch {
		case part != "p01":
		case line == 5:
			calls.Add(1)
			return errors.New("no good")
		case line == 6:
			calls.Add(1)
			panic("oh")
		case line == 7:
			calls.Add(1)
			select {} // for ever
		}
		return nil
	}
	dir := t.TempDir()
	want := wordCounts(t, parts, map[string]bool{"p015": true, "p016": true, "p017": true})
	for round := range 2 {
		sum, err := Run(t.Context(), Config{Dir: dir, Limit: 100 * time.Millisecond, Cores: 1}, []Job{words(false, bad)}, parts)
		if err != nil {
			t.Fatal(err)
		}
		if r := sum.Jobs[0]; r.Failed != 3 || r.Items != 120 {
			t.Errorf("%+v", r)
		}
		if got := everything(t, dir)["counts.parquet"]; got != want {
			t.Errorf("round %d: %d bytes, want %d", round, len(got), len(want))
		}
		if err := os.Remove(filepath.Join(dir, "lines", "p01.parquet")); err != nil { // so that it is done again
			t.Fatal(err)
		}
	}
	list, err := ReadFailures(dir)
	if err != nil || len(list) != 3 || calls.Load() != 3 {
		t.Errorf("%d calls, %+v, %v", calls.Load(), list, err)
	}
	newer := words(false, nil)
	newer.Version = 2
	if sum, err := Run(t.Context(), Config{Dir: dir}, []Job{newer}, parts); err != nil || sum.Jobs[0].Failed != 0 || sum.Jobs[0].Done != 3 {
		t.Errorf("a new version: %+v, %v", sum, err)
	}
}

// An item during which the process died twice is passed over.
func TestDeaths(t *testing.T) {
	parts := texts(t, 1, 10)
	dir := t.TempDir()
	_, offsets := linesOf(t, parts[0])
	under := `[{"job":"words","version":1,"part":"p00","item":"` + fmt.Sprint(offsets[4]) + `","cause":"the process died while it was under way","suspect":true}]`
	for round, want := range []int64{0, 1} {
		if err := os.MkdirAll(filepath.Join(dir, stateDir), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, stateDir, "under-way.json"), []byte(under), 0o644); err != nil {
			t.Fatal(err)
		}
		_ = os.RemoveAll(filepath.Join(dir, "lines"))
		sum, err := Run(t.Context(), Config{Dir: dir}, []Job{words(false, nil)}, parts)
		if err != nil || sum.Jobs[0].Failed != want {
			t.Errorf("round %d: %+v, %v", round, sum, err)
		}
	}
}

func TestNeeds(t *testing.T) {
	parts := texts(t, 4, 20)
	runs := 0
	second := Job{Name: "second", Version: 1, Needs: []string{"words"}, Map: func(_ context.Context, t *Task) error {
		runs++
		b, err := os.ReadFile(t.Input("lines"))
		if err != nil {
			return err
		}
		out, err := t.Create("sizes")
		if err != nil {
			return err
		}
		_, err = fmt.Fprintln(out, len(b))
		return err
	}}
	dir := t.TempDir()
	for range 2 {
		if _, err := Run(t.Context(), Config{Dir: dir, Cores: 1}, []Job{second, words(false, nil)}, parts); err != nil {
			t.Fatal(err)
		}
	}
	if runs != 4 {
		t.Errorf("%d runs", runs)
	}
	if _, err := Run(t.Context(), Config{Dir: dir}, []Job{second}, parts); err == nil {
		t.Error("ran without what it needs")
	}
	loop := Job{Name: "words", Needs: []string{"second"}}
	if _, err := Run(t.Context(), Config{Dir: dir}, []Job{second, loop}, parts); err == nil || !strings.Contains(err.Error(), "itself") {
		t.Error(err)
	}
}
