package stored_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"varve/evolution"
	"varve/evolution/stored"
	"varve/evolution/term"
)

// talk makes the texts of some years: lists of fruit in all of them, of cars from 1972 on, when Ceylon becomes Sri Lanka.
func talk(from, to int) (out []*evolution.Document) {
	words := func(keys ...string) (s evolution.Sentence) {
		for i, k := range keys {
			s = append(s, evolution.Phrase{Key: k, Listed: i > 0})
		}
		return s
	}
	for y := from; y <= to; y++ {
		for i := range 8 {
			d := &evolution.Document{ID: fmt.Sprintf("http://s%d.test/%d", i, y), Source: fmt.Sprintf("s%d.test", i), Year: y, Time: time.Date(y, 9, 25, 12, 0, 0, 0, time.UTC)}
			d.Sentences = append(d.Sentences, words("apple", "pear", "plum"))
			land := "Ceylon"
			if y >= 1972 {
				land = "Sri Lanka"
				d.Sentences = append(d.Sentences, words("car", "truck", "bus"))
			}
			d.Sentences = append(d.Sentences, evolution.Sentence{{Key: strings.ToLower(land), Name: land}, {Key: "tea"}, {Key: "rubber plantation"}})
			d.Sentences = append(d.Sentences, evolution.Sentence{{Key: fmt.Sprint("topic ", i)}, {Key: "apple"}})
			out = append(out, d)
		}
	}
	return out
}

func source(docs []*evolution.Document) stored.Source {
	return stored.Source{Documents: fresh(docs), Mark: fmt.Sprint(len(docs)), Absent: func() int { return 0 }}
}

// fresh yields copies: a build may change what it is given.
func fresh(docs []*evolution.Document) evolution.Documents {
	return func() iter.Seq2[*evolution.Document, error] {
		return func(yield func(*evolution.Document, error) bool) {
			for _, d := range docs {
				one := *d
				if !yield(&one, nil) {
					return
				}
			}
		}
	}
}

func build(t *testing.T, dir string, src stored.Source) *stored.Report {
	t.Helper()
	rep, err := stored.Build(t.Context(), src, stored.Config{Dir: dir, Cores: 2, Options: stored.Default()})
	if err != nil {
		t.Fatal(err)
	}
	return rep
}

func TestTables(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	docs := talk(1965, 1978)
	rep := build(t, dir, source(docs))
	if rep.Texts != 112 || rep.Years != 14 || rep.Counted != 14 || rep.Whole {
		t.Errorf("%+v", rep)
	}
	tables, err := stored.Open(dir, stored.Default())
	if err != nil {
		t.Fatal(err)
	}
	o := term.Default()
	var years []*term.Slice
	for _, y := range tables.Years() { // what the tables say is what is found without them
		s, err := term.Count(y, fresh(docs), t.TempDir(), o)
		if err != nil {
			t.Fatal(err)
		}
		years = append(years, s)
		edges, err := tables.Edges(y)
		if err != nil || !slices.Equal(edges, s.Edges) {
			t.Errorf("%d: edges %v, want %v, %v", y, edges, s.Edges, err)
		}
		for _, w := range []string{"apple", "car", "rubber plantation"} {
			rows, err := tables.Frequency(w)
			if err != nil {
				t.Fatal(err)
			}
			got := int64(0)
			for _, r := range rows {
				if int(r.Year) == y {
					got = r.Count
				}
			}
			if got != int64(s.Frequency[w]) {
				t.Errorf("%d: %s %d times, want %d", y, w, got, s.Frequency[w])
			}
		}
	}
	want, _ := term.Paths(term.Units(years, o), "car", o)
	got, _, err := tables.Paths("car")
	if err != nil || len(got) != 1 || got[0].Units[0].From != 1972 || fmt.Sprint(got[0].Units[0].Terms) != fmt.Sprint(want[0].Units[0].Terms) {
		t.Errorf("paths of car: %+v, want %+v, %v", got, want, err)
	}
	for word, want := range map[string]string{"sri lanka": "ceylon 1973 1967", "car": "", "apple": "", "ceylon": ""} { // what comes from one era to the next, where something went
		got := ""
		rows, err := tables.Reworded(word)
		if len(rows) > 0 {
			got = fmt.Sprint(rows[0].Old, " ", rows[0].Year, " ", rows[0].Since)
		}
		if err != nil || got != want {
			t.Errorf("%s was said as %q before, want %q, %v", word, got, want, err)
		}
	}
	beside, err := tables.Company("tea")
	if err != nil || len(beside) == 0 || beside[0].Year != 1965 || !slices.ContainsFunc(beside, func(r stored.CompanyRow) bool { return r.Companion == "sri lanka" && r.Year == 1972 && r.Count == 8 }) {
		t.Errorf("company of tea: %+v, %v", beside, err)
	}
	former, err := tables.Former("sri lanka")
	if err != nil || len(former) == 0 || former[0].Old != "Ceylon" || former[0].Year != 1972 || len(former[0].Shared) == 0 {
		t.Errorf("former names: %+v, %v", former, err)
	}
	later, err := tables.Later("ceylon")
	if err != nil || len(later) == 0 || later[0].Name != "Sri Lanka" {
		t.Errorf("later names: %+v, %v", later, err)
	}
	named, err := tables.Name("ceylon")
	if err != nil || len(named) != 7 || named[6].Year != 1971 || named[6].Texts != 8 {
		t.Errorf("ceylon: %+v, %v", named, err)
	}
	flags, err := tables.Emerging()
	if err != nil || !slices.ContainsFunc(flags, func(r stored.EmergingRow) bool {
		return r.Phrase == "car" && r.Begun == 1972 && len(r.First) == 3 && r.First[0] == "19720925120000 http://s0.test/1972"
	}) {
		t.Errorf("emerging: %+v, %v", flags, err)
	}
	known, err := tables.Known("c", 10)
	if err != nil || len(known) < 2 || known[0].Term != "car" || known[0].Count != 8*7 {
		t.Errorf("known: %+v, %v", known, err)
	}
}

// TestYears counts years again only if their texts are others, and has the tables that a build from nothing has.
func TestYears(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	build(t, dir, source(talk(1969, 1974)))
	more := talk(1969, 1975)
	more[0].Sentences = more[0].Sentences[:1] // of 1969
	rep := build(t, dir, source(more))
	if rep.Counted != 2 || rep.Years != 7 {
		t.Errorf("%d of %d years were counted, want those of 1969 and 1975", rep.Counted, rep.Years)
	}
	if again := build(t, dir, source(more)); !again.Whole || again.Texts != 56 {
		t.Errorf("again: %+v", again)
	}
	other := t.TempDir()
	build(t, other, source(more))
	same(t, dir, other)
	build(t, dir, source(talk(1969, 1973))) // fewer texts: years are gone
	other = t.TempDir()
	build(t, other, source(talk(1969, 1973)))
	same(t, dir, other)
}

// same reports tables of two folders that are not equal to the byte.
func same(t *testing.T, a, b string) {
	t.Helper()
	x, y := tablesOf(t, a), tablesOf(t, b)
	for name := range x {
		if !bytes.Equal(x[name], y[name]) {
			t.Errorf("%s differs", name)
		}
	}
	if len(x) != len(y) {
		t.Errorf("%d tables, want %d", len(x), len(y))
	}
}

func tablesOf(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	out := map[string][]byte{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".parquet" && d.Name() != "build.json" {
			return err
		}
		rel, _ := filepath.Rel(dir, path)
		out[rel], err = os.ReadFile(path)
		return err
	})
	if err != nil || len(out) < 10 {
		t.Fatalf("%d tables, %v", len(out), err)
	}
	return out
}

// TestStopped stops builds at documents drawn by lot, in all passes over them, and goes on: the tables are the same to the byte, and until then there is nothing to open.
func TestStopped(t *testing.T) {
	t.Parallel()
	docs := talk(1968, 1973)
	whole := t.TempDir()
	build(t, whole, source(docs))
	r := rand.New(rand.NewPCG(1, 2))
	dir := t.TempDir()
	for range 3 {
		ctx, stop := context.WithCancel(t.Context())
		left := r.IntN(len(docs))
		src := source(docs)
		src.Documents = func() iter.Seq2[*evolution.Document, error] {
			return func(yield func(*evolution.Document, error) bool) {
				for d, err := range fresh(docs)() {
					if left--; left < 0 {
						stop()
					}
					if !yield(d, err) {
						return
					}
				}
			}
		}
		if _, err := stored.Build(ctx, src, stored.Config{Dir: dir, Options: stored.Default()}); !errors.Is(err, context.Canceled) {
			t.Fatalf("a build that is stopped says %v", err)
		}
		if _, err := stored.Open(dir, stored.Default()); err == nil {
			t.Fatal("tables of a build that was stopped can be opened")
		}
		stop()
	}
	build(t, dir, source(docs))
	same(t, dir, whole)
}

// TestMended makes anew a table that somebody damaged.
func TestMended(t *testing.T) {
	t.Parallel()
	dir, docs := t.TempDir(), talk(1968, 1973)
	build(t, dir, source(docs))
	want := tablesOf(t, dir)
	path := filepath.Join(dir, "edges", "1970.parquet")
	b := slices.Clone(want[filepath.Join("edges", "1970.parquet")])
	b[len(b)/2] ^= 1
	if err := os.WriteFile(path, b, 0o644); err != nil {
		t.Fatal(err)
	}
	rep, err := stored.Build(t.Context(), source(docs), stored.Config{Dir: dir, Check: true, Options: stored.Default()})
	if err != nil || len(rep.Mended) != 1 || rep.Counted != 1 {
		t.Errorf("%+v, %v", rep, err)
	}
	if !bytes.Equal(tablesOf(t, dir)[filepath.Join("edges", "1970.parquet")], want[filepath.Join("edges", "1970.parquet")]) {
		t.Error("the damaged table is not as it was")
	}
}
