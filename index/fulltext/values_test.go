package fulltext

import (
	"errors"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"varve/derive"
)

// Packed numbers come back, whatever their width.
func TestPacked(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for width := range 33 {
		list := make([]uint32, rng.IntN(50))
		for i := range list {
			list[i] = uint32(rng.Uint64() & (1<<width - 1))
		}
		p := newPacked(appendPacked([]byte("before"), width, list)[len("before"):], width)
		for i, x := range list {
			if p.at(i) != x {
				t.Fatalf("width %d: number %d is %d, want %d", width, i, p.at(i), x)
			}
		}
	}
	for n, want := range map[int]int{0: 0, 1: 0, 2: 1, 3: 2, 256: 8, 257: 9} {
		if got := widthFor(n); got != want {
			t.Errorf("below %d: %d bits, want %d", n, got, want)
		}
	}
}

// Names of a file are compared as fold has them, ASCII or not.
func TestCompareFold(t *testing.T) {
	names := []string{"", "a", "A", "a b", "Ab", "Z", "É", "é", "éa", "ÉB", "zé", "ZÉ x", "ẞ", "ß", "Ωμ", "İ", "i"}
	for _, a := range names {
		for _, b := range names {
			if got, want := compareFold([]byte(a), fold(b)), strings.Compare(fold(a), fold(b)); (got < 0) != (want < 0) || (got > 0) != (want > 0) {
				t.Errorf("%q, %q: %d, want %d", a, b, got, want)
			}
		}
	}
}

// toyNames are names in order.
type toyNames []string

func (n toyNames) name(id int) string { return n[id] }

func (n toyNames) find(name string) int { return slices.Index(n, name) }

// The commonest names of several tallies are those of their sum, equal ones in order: as a sum of all of them says.
func TestCommonest(t *testing.T) {
	tallyOf := func(counts map[string]uint32) (t tally) {
		var names toyNames
		for n := range counts {
			names = append(names, n)
		}
		slices.Sort(names)
		t.of, t.names = names, len(names)
		for i, n := range names {
			if counts[n] > 0 {
				t.ids, t.counts = append(t.ids, uint32(i)), append(t.counts, counts[n])
				t.sizes[bits.Len32(counts[n])]++
			}
		}
		return t
	}
	s := &spare{}
	got := s.commonest([]tally{tallyOf(map[string]uint32{"a": 5, "b": 4, "d": 1}), tallyOf(map[string]uint32{"b": 4, "c": 3})}, 1)
	if fmt.Sprint(got) != "[{b 8}]" {
		t.Error(got)
	}
	if got := s.candidates([]tally{tallyOf(map[string]uint32{"a": 5, "b": 4, "d": 1}), tallyOf(map[string]uint32{"b": 4, "c": 3})}, 1); fmt.Sprint(got) != "map[a:5 b:8 c:3]" {
		t.Error(got)
	}
	rng := rand.New(rand.NewPCG(3, 4))
	for round := range 800 {
		var tallies []tally
		sums := map[string]int64{}
		for range []int{1, 3, 6, 80}[rng.IntN(4)] {
			counts := map[string]uint32{}
			for range rng.IntN(40) {
				counts[fmt.Sprint("n", int(60*rng.Float64()*rng.Float64()))] = uint32(rng.IntN(1 + rng.IntN(20)))
			}
			for n, x := range counts {
				sums[n] += int64(x)
			}
			tallies = append(tallies, tallyOf(counts))
		}
		var want []Count
		for n, x := range sums {
			if x > 0 {
				want = append(want, Count{n, x})
			}
		}
		slices.SortFunc(want, compareCounts)
		most := 1 + rng.IntN(12)
		want = want[:min(most, len(want))]
		if got := s.commonest(tallies, most); !slices.Equal(got, want) {
			t.Fatalf("round %d, the %d commonest: %v, want %v", round, most, got, want)
		}
		if len(tallies) == 0 {
			continue
		}
		exact := s.candidates(tallies, most) // as of many names
		for _, c := range want {
			if exact[c.Name] != c.Count {
				t.Fatalf("round %d: %s is looked up as %d, want %d", round, c.Name, exact[c.Name], c.Count)
			}
		}
	}
}

// A facet that there is not is refused with those that there are; a number of what has none, too.
func TestUnknownFacets(t *testing.T) {
	ix := build(t, library(40, 3))
	for query, want := range map[string]string{
		"w1 persn:x":         `query, at character 4: there is no facet "persn" (there are host, domain, mime, lang, year, crawl, coherence, spam, collection, person, place, opinion); put quotes around it to look for the words`,
		"-(w1 OR person:<1)": "query, at character 9: person is no facet of numbers (there are opinion)",
	} {
		var syntax *SyntaxError
		if _, err := ix.Search(t.Context(), Query{Text: query}); !errors.As(err, &syntax) || err.Error() != want {
			t.Errorf("%s: %v", query, err)
		}
		if _, err := RisingTerms(t.Context(), []Source{{Index: ix}}, Query{Text: query}); !errors.As(err, &syntax) {
			t.Errorf("%s: rising words: %v", query, err)
		}
	}
	if _, err := ix.Search(t.Context(), Query{Facets: []string{"topic"}}); err == nil || !strings.Contains(err.Error(), `facet "topic" is not known (host, `) {
		t.Error(err)
	}
	if got := Declared([]Source{{Index: ix}, {Index: ix}}); len(got) != 3 || got[2].Title != "Opinion" || got[2].Kind != derive.FacetNumbers {
		t.Errorf("%+v", got)
	}
}

// Facets come, change and go without a shard being built anew; the file of one that did not change stays.
func TestFacetsChange(t *testing.T) {
	dir := t.TempDir()
	table, facets, at := filepath.Join(dir, "versions.parquet"), filepath.Join(dir, "facets.parquet"), filepath.Join(dir, "ix")
	list := library(300, 3)
	writeVersions(t, table, list)
	ix, err := Open(at)
	if err != nil {
		t.Fatal(err)
	}
	defer ix.Close()
	refresh := func(built, files int) {
		t.Helper()
		rep, err := Build(t.Context(), at, table, nil)
		if err != nil || rep.Built != built || len(rep.Damaged) > 0 {
			t.Fatalf("%+v, %v", rep, err)
		}
		if err := ix.Refresh(); err != nil {
			t.Fatal(err)
		}
		if got, err := filepath.Glob(filepath.Join(at, "*", "facets-*")); err != nil || len(got) != files {
			t.Fatalf("%v, %v", got, err)
		}
	}
	named := func(name string) (n int64) {
		t.Helper()
		a, err := ix.Search(t.Context(), Query{Text: fmt.Sprintf("person:%q", name)})
		if err != nil {
			t.Fatal(err)
		}
		return a.Total
	}
	refresh(4, 0) // a table of versions that is older than facets
	writeFacets(t, facets, list, valuesOf, made)
	refresh(0, 4)
	if named("person 1") == 0 {
		t.Error("nobody is named so")
	}
	before := marksOf(t, at)
	refresh(0, 4)
	if !slices.Equal(before, marksOf(t, at)) {
		t.Error("facets that did not change were written anew")
	}
	writeFacets(t, facets, list, func(v *derive.VersionRow) []derive.FacetValue {
		if v.From.Year() == 2021 {
			return []derive.FacetValue{{Facet: "person", Value: "Nobody Else"}}
		}
		return valuesOf(v)
	}, made)
	refresh(0, 4)
	of := int64(0)
	for i := range list {
		if list[i].From.Year() == 2021 {
			of++
		}
	}
	if named("nobody else") != of {
		t.Errorf("%d, want %d", named("nobody else"), of)
	}
	after := marksOf(t, at)
	for i := range before {
		if same := before[i] == after[i]; same == (i == 1) {
			t.Errorf("year %d: %v, then %v", i, before, after)
		}
	}
	writeFacets(t, facets, list, valuesOf)
	refresh(0, 0)
	if _, err := ix.Search(t.Context(), Query{Text: "person:x"}); err == nil {
		t.Error("a facet that is gone is searched")
	}
}

func marksOf(t *testing.T, dir string) (out []string) {
	t.Helper()
	m, err := readManifest(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range m.Shards {
		out = append(out, s.Facets)
	}
	return out
}

// A damaged file of facets is noticed and written anew, the shard is not.
func TestDamagedFacets(t *testing.T) {
	dir := t.TempDir()
	table, at := filepath.Join(dir, "versions.parquet"), filepath.Join(dir, "ix")
	list := library(60, 3)
	writeVersions(t, table, list)
	writeFacets(t, filepath.Join(dir, "facets.parquet"), list, valuesOf, made)
	if _, err := Build(t.Context(), at, table, nil); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(at, "*", "facets-*"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	whole, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range []int{0, len(whole) / 2, len(whole) - 1} {
		b := slices.Clone(whole)
		b[i] ^= 0x41
		if err := os.WriteFile(files[0], b, 0o644); err != nil {
			t.Fatal(err)
		}
		if err := Verify(t.Context(), at); !errors.Is(err, ErrDamaged) {
			t.Errorf("byte %d: %v", i, err)
		}
		rep, err := Build(t.Context(), at, table, nil)
		if err != nil || rep.Built != 0 || len(rep.Damaged) != 1 || Verify(t.Context(), at) != nil {
			t.Errorf("byte %d: %+v, %v", i, rep, err)
		}
		if now, err := os.ReadFile(files[0]); err != nil || !slices.Equal(now, whole) {
			t.Errorf("byte %d: the file is not what it was: %v", i, err)
		}
	}
}

// Whatever a file says, reading it ends: with values of documents that are there, an error, or a panic that a search makes ErrDamaged of.
func FuzzFacets(f *testing.F) {
	y := newYearValues(made.Facets)
	for _, v := range library(5, 1) {
		var list []derive.VersionFacetRow
		for _, x := range valuesOf(&v) {
			list = append(list, derive.VersionFacetRow{Facet: x.Facet, Value: x.Value, Number: x.Number})
		}
		y.add(list)
	}
	b, err := y.file([]uint32{3, 0, 4, 1, 2})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(b)
	f.Fuzz(func(_ *testing.T, b []byte) {
		list, err := parseFacets(b, 5)
		if err != nil {
			return
		}
		defer func() { _ = recover() }()
		for i := range list {
			out := make(set, 1)
			_ = list[i].with(0, list[i].Names, nil, out)
			spare := &spare{}
			_ = spare.commonest([]tally{spare.tallyOfValues(&list[i], []uint32{0, 1, 2, 3, 4})}, 3)
		}
	})
}

// A value's counts over time are those of a query for it.
func TestTrendOfValue(t *testing.T) {
	list := library(500, 5)
	ix := build(t, list)
	a, err := ix.Search(t.Context(), Query{Text: `person:"Person 1"`, Trend: ByYear, Limit: -1})
	if err != nil {
		t.Fatal(err)
	}
	want := map[int]int64{}
	for i := range list {
		if slices.ContainsFunc(valuesOf(&list[i]), func(x derive.FacetValue) bool { return strings.EqualFold(x.Value, "person 1") }) {
			want[list[i].From.Year()]++
		}
	}
	got := map[int]int64{}
	for _, p := range a.Trend {
		got[p.At.Year()] = p.Count
	}
	if len(want) == 0 || !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
