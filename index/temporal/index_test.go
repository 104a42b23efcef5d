package temporal

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"varve/archive/cdxj"
)

// randomStory makes captures of some pages, in the order of the index.
func randomStory(rng *rand.Rand) string {
	var lines []string
	for page := range 1 + rng.IntN(40) {
		at := 0
		for range rng.IntN(12) {
			at += rng.IntN(4)
			status := []int{200, 200, 200, 200, 404, 500, 304}[rng.IntN(7)]
			extra := ""
			if status == 304 {
				extra = " notModified=" + []string{"strong", "weak"}[rng.IntN(2)]
			} else if rng.IntN(3) == 0 {
				extra = fmt.Sprintf(" modified=%d", at-rng.IntN(5))
			}
			if rng.IntN(2) == 0 {
				extra += fmt.Sprintf(" crawl=%d", at/5)
			}
			lines = append(lines, fmt.Sprintf("%d %d D%d url=http://h%d.example/%02d%s", at, status, rng.IntN(3), page%3, page, extra))
		}
	}
	return strings.Join(lines, "\n")
}

// sorted brings captures into the order of the index.
func sorted(in iter.Seq2[cdxj.Record, error]) iter.Seq2[cdxj.Record, error] {
	var all []string
	for r := range in {
		all = append(all, string(cdxj.Format{}.Append(nil, &r)))
	}
	slices.Sort(all)
	return func(yield func(cdxj.Record, error) bool) {
		for _, l := range all {
			r, err := cdxj.Parse(l)
			if !yield(r, err) {
				return
			}
		}
	}
}

// The index answers like a look at every version.
func TestIndexAgainstBruteForce(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	for range 30 {
		text := randomStory(rng)
		dir := t.TempDir()
		var all []*Version
		j := &judge{out: func(v *Version) error { all = append(all, v); return nil }}
		f := &folder{crawl: crawlOf, emit: j.add}
		for r := range sorted(captures(t, text)) {
			if err := f.add(&r); err != nil {
				t.Fatal(err)
			}
		}
		if err := errors.Join(f.flush(Forever), j.flush()); err != nil {
			t.Fatal(err)
		}
		done, err := Build(t.Context(), dir, sorted(captures(t, text)), Config{Crawl: crawlOf})
		if err != nil || done.Versions != int64(len(all)) {
			t.Fatal(done, len(all), err)
		}
		ix, err := Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		for range 60 {
			compare(t, rng, ix, all)
		}
		if err := errors.Join(ix.Check(), ix.Close()); err != nil {
			t.Fatal(err)
		}
	}
}

func compare(t *testing.T, rng *rand.Rand, ix *Index, all []*Version) {
	t.Helper()
	from := rng.IntN(50)
	q := Query{
		Validity: []Validity{Nominal, Inferred, Proven}[rng.IntN(3)],
		Relation: []Relation{Alive, Inside, Contains, Intersects}[rng.IntN(4)],
		At:       day(from), From: day(from), To: day(from + 1 + rng.IntN(20)),
	}
	host := -1
	if rng.IntN(2) == 0 {
		host = rng.IntN(3)
		q.URL, q.Match = fmt.Sprintf("http://h%d.example/", host), "host"
	}
	want := 0
	for _, v := range all {
		if host >= 0 && !strings.HasPrefix(v.Key, fmt.Sprintf("example,h%d)", host)) {
			continue
		}
		spans := map[Validity][]Span{Nominal: {v.Nominal()}, Inferred: {v.Inferred()}, Proven: append(slices.Clone(v.Witnessed), v.Asserted...)}[q.Validity]
		for _, s := range spans {
			if holds(q.Relation, interval{lo: s.From, hi: s.To}, seconds(q.From), seconds(q.To)) {
				want++
			}
		}
	}
	n, err := ix.Count(q)
	found := 0
	last := uint32(0)
	for r, err := range ix.Search(t.Context(), q) {
		if err != nil || r.ID < last || r.Version.First == 0 {
			t.Fatal(r, last, err)
		}
		last = r.ID
		found++
	}
	if err != nil || n != int64(want) || found != want {
		t.Fatalf("%+v: counted %d, found %d, want %d, %v", q, n, found, want, err)
	}
}

func TestDamagedFilesAreTold(t *testing.T) {
	dir := t.TempDir()
	if _, err := Open(dir); !errors.Is(err, ErrNotBuilt) {
		t.Errorf("an index that is not there: %v", err)
	}
	var text strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&text, "%d 200 D%d url=http://a.example/%04d\n", i%30, i, i)
	}
	if _, err := Build(t.Context(), dir, captures(t, text.String()), Config{}); err != nil {
		t.Fatal(err)
	}
	folders, _ := filepath.Glob(filepath.Join(dir, "v*"))
	files, _ := filepath.Glob(filepath.Join(folders[0], "*"))
	files = append(files, filepath.Join(dir, manifestName))
	for _, name := range files {
		whole, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, spoil := range []func([]byte) []byte{
			func(b []byte) []byte { b[len(b)/2] ^= 1; return b },
			func(b []byte) []byte { return b[:len(b)*2/3] },
		} {
			if err := os.WriteFile(name, spoil(slices.Clone(whole)), 0o644); err != nil {
				t.Fatal(err)
			}
			ix, err := Open(dir)
			if err == nil {
				err = errors.Join(ix.Check(), ix.Close())
			}
			if err == nil {
				t.Errorf("%s: damage was not noticed", filepath.Base(name))
			}
		}
		if err := os.WriteFile(name, whole, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func TestRebuildReplacesAndReadersGoOn(t *testing.T) {
	dir := t.TempDir()
	build := func(text string) {
		t.Helper()
		if _, err := Build(t.Context(), dir, captures(t, text), Config{}); err != nil {
			t.Fatal(err)
		}
	}
	build("1 200 A")
	ix, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer ix.Close()
	build("1 200 A\n3 200 B")
	if !ix.Stale() || answers(t, ix, Query{At: day(5)}) != "A" {
		t.Error("an open index must stay as it is")
	}
	again, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	if again.Stale() || answers(t, again, Query{At: day(5)}) != "B" {
		t.Error("the new index is not seen")
	}
	failing := func(yield func(cdxj.Record, error) bool) { yield(cdxj.Record{}, errors.New("no more")) }
	if _, err := Build(context.Background(), dir, failing, Config{}); err == nil {
		t.Error("a failing source gave an index")
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "v*")); len(left) != 1 {
		t.Errorf("left behind: %v", left)
	}
}
