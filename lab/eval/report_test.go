package eval_test

import (
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"varve/lab/eval"
)

type report struct {
	Words int `json:"words"`
}

func (r report) Print(w io.Writer) error { _, err := fmt.Fprintln(w, r.Words, "words"); return err }
func (r report) Summary() eval.Summary   { return eval.Found(r.Words, 0.7, 0.72001, 0) }

// The last line of JSON has no blanks, a measure that is 0 is there, and one that the task does not have is not.
func TestWrite(t *testing.T) {
	for _, c := range []struct {
		json bool
		want string
	}{
		{false, "3 words\n"},
		{true, `{"words":3}` + "\n" + `{"set":"a","n":3,"f1":0,"precision":0.7,"recall":0.72}` + "\n"},
	} {
		var b strings.Builder
		if err := eval.Write(&b, "a", report{3}, c.json); err != nil || b.String() != c.want {
			t.Errorf("%q, want %q (%v)", b.String(), c.want, err)
		}
	}
}

func TestF1(t *testing.T) {
	for _, c := range []struct {
		hits, found, wanted int
		p, r, f             float64
	}{{0, 0, 0, 0, 0, 0}, {0, 3, 2, 0, 0, 0}, {2, 4, 2, 0.5, 1, 2.0 / 3}} {
		if p, r, f := eval.F1(c.hits, c.found, c.wanted); p != c.p || r != c.r || f != c.f {
			t.Errorf("%+v: %v %v %v", c, p, r, f)
		}
	}
}

func TestSetName(t *testing.T) {
	for path, want := range map[string]string{
		"data/pos/ewt-dev.conllu.gz": "ewt-dev", "lid/": "lid", "a.tsv": "a", "test-pages": "test-pages",
	} {
		if got := eval.SetName(path); got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
}

// A set is a file, a packed one, or the folder around either.
func TestOpen(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		f, err := os.Create(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		var w io.WriteCloser = f
		if strings.HasSuffix(name, ".gz") {
			w = gzip.NewWriter(f)
			defer w.Close()
		}
		if _, err := io.WriteString(w, text); err != nil {
			t.Fatal(err)
		}
	}
	write("plain.tsv", "plain")
	write("packed.tsv.gz", "packed")
	if err := os.WriteFile(filepath.Join(dir, "broken.tsv.gz"), []byte("no gzip"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ path, name, want string }{
		{"plain.tsv", "", "plain"},
		{"packed.tsv.gz", "", "packed"},
		{".", "plain.tsv", "plain"},
		{".", "packed.tsv", "packed"},
		{".", "missing.tsv", ""},
		{"broken.tsv.gz", "", ""},
	} {
		r, err := eval.Open(filepath.Join(dir, c.path), c.name)
		if err != nil {
			if c.want != "" {
				t.Errorf("%+v: %v", c, err)
			}
			continue
		}
		b, err := io.ReadAll(r)
		if err != nil || string(b) != c.want {
			t.Errorf("%+v: %q %v", c, b, err)
		}
		r.Close()
	}
}
