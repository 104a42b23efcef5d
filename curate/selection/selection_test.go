package selection

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"

	"varve/derive"
)

var origin = time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)

// collection has ten pages about elections and forty about gardens, two versions each.
func collection(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	var rows []derive.VersionRow
	for i := range 50 {
		text := strings.Repeat(fmt.Sprintf("roses and tulips grow in the garden number %d with water and sun ", i), 10)
		if i < 10 {
			text = strings.Repeat(fmt.Sprintf("the election of parliament, candidates and votes in district %d ", i), 10)
		}
		for v := range 2 {
			rows = append(rows, derive.VersionRow{
				URL: fmt.Sprintf("http://a.test/%02d", i), SURT: fmt.Sprintf("test,a)/%02d", i), Host: "a.test", Title: fmt.Sprintf("Page %d", i), Text: text + fmt.Sprint("version", v),
				From: origin.AddDate(0, v, 0), Last: origin.AddDate(0, v, 9), Captures: 2, Words: 100, File: "f.warc.gz", Offset: int64(i),
			})
		}
	}
	if err := os.MkdirAll(filepath.Join(dir, "derived"), 0o755); err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(filepath.Join(dir, "derived", "versions.parquet"))
	if err != nil {
		t.Fatal(err)
	}
	w := parquet.NewGenericWriter[derive.VersionRow](f)
	if _, err := w.Write(rows); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(w.Close(), f.Close()); err != nil {
		t.Fatal(err)
	}
	return dir
}

func counts(t *testing.T, dir string) Counts {
	t.Helper()
	_, c, err := Each(t.Context(), dir, "x", nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestSelection(t *testing.T) {
	for name, d := range map[string]Definition{
		"words":    {Name: "x", Topic: "election parliament votes", Threshold: 0.2},
		"examples": {Name: "x", Examples: []string{"http://a.test/03"}, Threshold: 0.4},
	} {
		t.Run(name, func(t *testing.T) {
			dir := collection(t)
			if _, err := Define(dir, d); err != nil {
				t.Fatal(err)
			}
			if _, _, err := Each(t.Context(), dir, "x", nil, nil); !errors.Is(err, ErrNotProposed) {
				t.Error(err)
			}
			p, err := Propose(t.Context(), dir, "x", nil)
			if err != nil || p.Versions != 100 || p.Proposed != 20 || len(p.Terms) == 0 {
				t.Fatalf("%+v, %v", p, err)
			}
			if got := counts(t, dir); got.Proposed != 20 || got.Included != 0 {
				t.Errorf("%+v", got)
			}
			decide := func(list ...Decision) {
				t.Helper()
				if err := Decide(dir, "x", list); err != nil {
					t.Fatal(err)
				}
			}
			decide(Decision{Do: Exclude, URL: "http://a.test/01"}, Decision{Do: Include, URL: "http://a.test/01", From: origin}, Decision{Do: Include, URL: "http://a.test/30"})
			if got := counts(t, dir); got.Excluded != 1 || got.Included != 1 || got.Proposed != 18 || got.Unlisted != 1 {
				t.Errorf("%+v", got)
			}
			if p, err := Propose(t.Context(), dir, "x", nil); err != nil || p.Proposed != 20 {
				t.Errorf("%+v, %v", p, err)
			}
			if got := counts(t, dir); got.Included != 3 || got.Unlisted != 0 {
				t.Errorf("%+v", got)
			}
			decide(Decision{Do: Reset, URL: "http://a.test/01"})
			if got := counts(t, dir); got.Included != 2 || got.Excluded != 0 || got.Proposed != 20 {
				t.Errorf("%+v", got)
			}
			last, n := 2.0, 0
			_, _, err = Each(t.Context(), dir, "x", nil, func(it Item) (bool, error) {
				if it.Relevance > last {
					t.Errorf("%g after %g", it.Relevance, last)
				}
				last = it.Relevance
				n++
				return n < 5, nil
			})
			if err != nil || n != 5 {
				t.Error(n, err)
			}
		})
	}
}

func TestRefused(t *testing.T) {
	dir := collection(t)
	for _, d := range []Definition{{}, {Name: "../x", Topic: "a"}, {Name: "x"}, {Name: "x", Topic: "a", Threshold: 2}} {
		if _, err := Define(dir, d); err == nil {
			t.Errorf("%+v was taken", d)
		}
	}
	if _, err := Read(dir, "none"); !errors.Is(err, ErrNone) {
		t.Error(err)
	}
	if _, err := Define(dir, Definition{Name: "x", Examples: []string{"http://nowhere.test/"}}); err != nil {
		t.Fatal(err)
	}
	if _, err := Propose(t.Context(), dir, "x", nil); err == nil {
		t.Error("a topic without words")
	}
	for _, d := range []Decision{{Do: "keep", URL: "http://a.test/"}, {Do: Include, URL: "::"}, {Do: Include, URL: "nonsense:"}} {
		if err := Decide(dir, "x", []Decision{d}); err == nil {
			t.Errorf("%+v was taken", d)
		}
	}
	if names, err := Names(dir); err != nil || len(names) != 1 || names[0] != "x" {
		t.Error(names, err)
	}
}

func FuzzJournal(f *testing.F) {
	f.Add(`{"do":"define","define":{"name":"x","topic":"a","threshold":0.1}}` + "\n" + `{"do":"include","surt":"a)/"}` + "\n")
	f.Fuzz(func(t *testing.T, text string) {
		dir := t.TempDir()
		if err := os.MkdirAll(filepath.Join(dir, "labels"), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file(dir, "x"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if s, err := Read(dir, "x"); err == nil {
			_ = s.decision("a)/", origin)
		}
	})
}
