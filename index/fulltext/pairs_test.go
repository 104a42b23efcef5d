package fulltext

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"varve/derive"
)

// The worked example: pairs of common words are read with how often they stand in a row; other words have none.
func TestPairs(t *testing.T) {
	var list []derive.VersionRow
	for i := range 40 {
		list = append(list, derive.VersionRow{SURT: fmt.Sprintf("k%02d", i), From: origin, Text: fmt.Sprintf("the end of the end x%d end the rare of x%d", i, i+100)})
	}
	ix := build(t, list)
	s := ix.shards[0]
	if got := strings.Join(s.pairs.Fields[0].Words, " "); got != "end of rare the" {
		t.Fatalf("common words: %s", got)
	}
	pairs := func(a, b string) (docs, times int) {
		t.Helper()
		if err := s.pairs.each(0, s.pairs.number(0, a), s.pairs.number(0, b), func(_ uint32, n int) {
			docs++
			times += n
		}); err != nil {
			t.Fatal(err)
		}
		return docs, times
	}
	for _, c := range []struct {
		a, b        string
		docs, times int
	}{{"the", "end", 40, 80}, {"end", "of", 40, 40}, {"of", "the", 40, 40}, {"the", "rare", 40, 40}, {"end", "the", 40, 40}, {"end", "end", 0, 0}} {
		if docs, times := pairs(c.a, c.b); docs != c.docs || times != c.times {
			t.Errorf("%s %s: %d times in %d documents, want %d in %d", c.a, c.b, times, docs, c.times, c.docs)
		}
	}
	if s.pairs.number(0, "x1") >= 0 || s.pairs.number(1, "the") >= 0 {
		t.Error("words that few have are common")
	}
}

// A block ends when its lists are large, so that where they end fits into its 32 bits; what is read is the same.
func TestPairsInManyBlocks(t *testing.T) {
	list := library(400, 21)
	for i := range list {
		list[i].From = origin
	}
	s := build(t, list).shards[0]
	path := filepath.Join(t.TempDir(), "pairs")
	if err := writePairs(path, s.words, s.frequent, s.info.Docs, 500); err != nil {
		t.Fatal(err)
	}
	cut, err := openPairs(path, s.info.Docs)
	if err != nil {
		t.Fatal(err)
	}
	defer cut.close()
	read := func(r *pairsReader, first, second int) string {
		var b strings.Builder
		if err := r.each(0, first, second, func(doc uint32, times int) { fmt.Fprint(&b, doc, "x", times, " ") }); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	words, some := len(s.pairs.Fields[0].Words), 0
	for first := range words {
		for second := range words {
			want := read(s.pairs, first, second)
			if got := read(cut, first, second); got != want {
				t.Fatalf("pair %d-%d: %s, want %s", first, second, got, want)
			}
			some += len(want)
		}
	}
	if blocks := len(cut.Fields[0].Blocks); some == 0 || blocks < 5 || len(s.pairs.Fields[0].Blocks) != 1 {
		t.Errorf("%d blocks, and %d as they are, of %d words", blocks, len(s.pairs.Fields[0].Blocks), words)
	}
}

// Answers with pairs are those without, scores included.
func TestPairsChangeNothing(t *testing.T) {
	ix := build(t, library(1500, 21))
	rng := rand.New(rand.NewPCG(22, 23))
	var queries []Query
	var want []*Answer
	for i := range 120 {
		q := randomQuery(rng)
		if i%2 == 0 {
			q = Query{Text: strconv.Quote(strings.TrimSpace(strings.Repeat(fmt.Sprintf("w%d ", rng.IntN(3)), 1+rng.IntN(2)) + fmt.Sprintf("w%d w%d", rng.IntN(5), rng.IntN(8)))), Limit: 50}
		}
		a, err := ix.Search(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		queries, want = append(queries, q), append(want, a)
	}
	for _, s := range ix.shards {
		if s.pairs == nil || len(s.pairs.Fields[0].Words) < 5 {
			t.Fatalf("pairs of %s: %+v", s.info.Year, s.pairs)
		}
		kept := s.pairs
		s.pairs = nil
		defer func() { s.pairs = kept }()
	}
	for i, q := range queries {
		a, err := ix.Search(t.Context(), q)
		if err != nil || !reflect.DeepEqual(a, want[i]) {
			t.Errorf("%+v: %+v, %v; with pairs %+v", q, a, err, want[i])
		}
	}
}

// Whatever a file says, reading it ends with documents that are there or an error.
func FuzzPairs(f *testing.F) {
	dir := f.TempDir()
	table, at := filepath.Join(dir, "versions.parquet"), filepath.Join(dir, "ix")
	list := library(60, 4)
	for i := range list {
		list[i].From = origin
	}
	writeVersions(f, table, list)
	if _, err := Build(f.Context(), at, table, nil); err != nil {
		f.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(at, "*", "pairs"))
	if err != nil || len(files) != 1 {
		f.Fatal(files, err)
	}
	b, err := os.ReadFile(files[0])
	if err != nil {
		f.Fatal(err)
	}
	f.Add(b)
	f.Fuzz(func(t *testing.T, b []byte) {
		r, err := parsePairs(b, 60)
		if err != nil {
			return
		}
		for field := range r.Fields {
			for a := range min(len(r.Fields[field].Words), 4) {
				_ = r.each(field, a, 0, func(doc uint32, _ int) {
					if doc >= 60 {
						t.Fatal(doc)
					}
				})
			}
		}
	})
}
