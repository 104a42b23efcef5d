// Package jobtest is the suite that every engine of derive/job passes: the embedded one, and those of cluster/.
//
// An engine is tried from outside: the test program starts itself as a process that makes a whole run (Main), perhaps dies on the way, and is started
// again. What then lies in the folder of derivatives is held against what the embedded engine makes, undisturbed.
package jobtest

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"varve/archive/scan"
	"varve/archive/warc"
	"varve/derive/job"
)

// Spec is a run of the suite, told so that a worker in another process can take part in it.
type Spec struct {
	Dir   string     `json:"dir"` // of the derivatives
	Parts []job.Part `json:"parts"`
	// Deaths is a folder. A process that comes to a place where it is to die does so if it can make the file of that name in it: once.
	Deaths string   `json:"deaths,omitempty"`
	Die    []string `json:"die,omitempty"`   // places: scan, map, reduce
	Limit  int64    `json:"limit"`           // nanoseconds of an item
	Twice  bool     `json:"twice,omitempty"` // everything is done twice, and the first outcome is thrown away
}

// die ends the process at a place, once.
func (s *Spec) die(place string) {
	if s.Deaths == "" || !strings.Contains(" "+strings.Join(s.Die, " ")+" ", " "+place+" ") {
		return
	}
	f, err := os.OpenFile(filepath.Join(s.Deaths, place), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err != nil {
		return
	}
	_ = f.Close() // what counts is that it is there
	os.Exit(9)
}

// memory is what an item may hold.
const memory = 96 << 20

// mapper reads words. What is to happen to an item stands in its address: http://a.test/KIND/N.
func (s *Spec) mapper() *scan.Mapper {
	config := *s
	config.Parts = nil
	return scan.New(scan.Mapper{
		Name: "words", Config: config, Limits: scan.Limits{Time: time.Duration(s.Limit), Memory: memory},
		Trusted: func(it *scan.Item) bool { return !strings.Contains(it.URI, "/wild-") },
	}, func() func(context.Context, *scan.Item) ([]string, error) {
		return func(ctx context.Context, it *scan.Item) ([]string, error) {
			switch kind := strings.Split(it.URI, "/")[3]; kind {
			case "fail":
				return nil, errors.New("no good")
			case "panic":
				panic("oh")
			case "die":
				s.die("scan")
			case "wild-time":
				select {}
			case "wild-memory":
				hold := bytes.Repeat([]byte{1}, 2*memory)
				<-ctx.Done()
				return []string{fmt.Sprint(len(hold))}, nil
			}
			return strings.Fields(string(it.Body)), nil
		}
	})
}

// Mapper makes the mappers of scan workers.
func Mapper(name string, config []byte) (*scan.Mapper, error) {
	var s Spec
	if err := json.Unmarshal(config, &s); err != nil || name != "words" {
		return nil, fmt.Errorf("mapper %q: %w", name, err)
	}
	return s.mapper(), nil
}

// wordSink writes the number of words of each record and emits the words.
type wordSink struct {
	task *job.Task
	out  io.Writer
}

func (c *wordSink) Take(t *scan.Taken) error {
	found, ok := t.Result.([]string)
	if !ok {
		if _, err := fmt.Fprintln(c.out, "no result"); err != nil {
			return err
		}
		return nil
	}
	for _, w := range found {
		if err := c.task.Emit([]byte(w), binary.AppendUvarint(nil, 1)); err != nil {
			return err
		}
	}
	if len(found) == 5 {
		if err := c.task.Partial(fmt.Sprint(t.Offset), "five words are too many"); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintln(c.out, len(found))
	return err
}

func (c *wordSink) Close() error { return nil }

// Jobs are the jobs of a run: one in the scan, with pairs; one over its tables, with pairs; one over the tables of that one.
func Jobs(s Spec) []job.Job {
	add := func(_, a, b []byte) []byte { return binary.AppendUvarint(nil, number(a)+number(b)) }
	words := job.Job{
		Name: "words", Version: 3, Combine: add,
		Scan: &job.Scan{Mapper: s.mapper(), Open: func(t *job.Task) (job.Sink, error) {
			out, err := t.Create("lines")
			return &wordSink{t, out}, err
		}},
		Reduce: func(_ context.Context, out *job.Output, groups iter.Seq2[[]byte, iter.Seq[[]byte]]) error {
			return counts(out, "counts", groups)
		},
	}
	sizes := job.Job{
		Name: "sizes", Version: 1, Mark: "by lines", Needs: []string{"words"},
		Map: func(_ context.Context, t *job.Task) error {
			if t.Part.Name == s.Parts[len(s.Parts)/2].Name {
				s.die("map")
			}
			b, err := os.ReadFile(t.Input("lines"))
			if err != nil {
				return err
			}
			out, err := t.Create("sizes")
			if err != nil {
				return err
			}
			for line := range strings.Lines(string(b)) {
				if err := t.Emit([]byte(strings.TrimSpace(line)), binary.AppendUvarint(nil, 1)); err != nil {
					return err
				}
			}
			_, err = fmt.Fprintln(out, len(b))
			return err
		},
		Reduce: func(_ context.Context, out *job.Output, groups iter.Seq2[[]byte, iter.Seq[[]byte]]) error {
			s.die("reduce")
			return counts(out, "spread", groups)
		},
	}
	digits := job.Job{Name: "digits", Version: 1, Needs: []string{"sizes"}, Map: func(_ context.Context, t *job.Task) error {
		b, err := os.ReadFile(t.Input("sizes"))
		if err != nil {
			return err
		}
		out, err := t.CreateFile("digits", t.Part.Name+".txt")
		if err == nil {
			_, err = fmt.Fprintln(out, len(b))
		}
		return err
	}}
	return []job.Job{words, sizes, digits}
}

func counts(out *job.Output, table string, groups iter.Seq2[[]byte, iter.Seq[[]byte]]) error {
	w, err := out.Create(table)
	if err != nil {
		return err
	}
	for key, values := range groups {
		n := uint64(0)
		for v := range values {
			n += number(v)
		}
		if _, err := fmt.Fprintf(w, "%s %d\n", key, n); err != nil {
			return err
		}
	}
	return nil
}

func number(b []byte) uint64 { n, _ := binary.Uvarint(b); return n }

// files writes parts of lines of words, each line a record; one has damage in its middle, one has items that misbehave.
func files(t *testing.T, n, lines int) []job.Part {
	t.Helper()
	rng := rand.New(rand.NewPCG(7, uint64(n)))
	dir := t.TempDir()
	var out []job.Part
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
			kind := "good"
			if bad := map[int]string{5: "fail", 9: "panic", 13: "wild-time", 17: "wild-memory"}[k]; bad != "" && i == n-1 {
				kind = bad
			}
			if i == n/2 && k == lines/2 {
				kind = "die"
			}
			e := warc.New(warc.TypeResource, fmt.Sprintf("<urn:%d>", k), time.Unix(1e9, 0), warc.Bytes(b.String()))
			if err := enc.Encode(&file, e.With(warc.FieldTargetURI, fmt.Sprintf("http://a.test/%s/%d", kind, k)).With(warc.FieldContentType, "text/plain")); err != nil {
				t.Fatal(err)
			}
			if i == 1 && k == lines/3 {
				file.WriteString("here lies no record\r\n\r\n")
			}
		}
		name := fmt.Sprintf("p%02d.warc", i)
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, file.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		out = append(out, job.Part{Name: name, Path: path, Mark: fmt.Sprintf("%d-%d", i, file.Len())})
	}
	return out
}
