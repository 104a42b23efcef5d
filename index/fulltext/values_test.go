package fulltext

import (
	"cmp"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

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

// toy is names in order of how many documents have them.
type toy []string

func (n toy) name(id int) string { return n[id] }

func (n toy) hash(id int) uint32 { return uint32(len(n[id])) } // often the same

func (n toy) same(id int, other named, otherID int) bool { return n[id] == other.name(otherID) }

// toyTally counts the names that least documents have.
func toyTally(counts map[string]uint32, least uint32) (t tally) {
	var of toy
	for n := range counts {
		of = append(of, n)
	}
	slices.SortFunc(of, func(a, b string) int { return cmp.Or(cmp.Compare(counts[b], counts[a]), strings.Compare(a, b)) })
	t.of, t.left = of, func(name string) int64 { return int64(counts[name]) }
	for i, n := range of {
		if t.beyond = counts[n]; t.beyond < least {
			break
		}
		if t.beyond = 0; counts[n] > 0 {
			t.put(uint32(i), counts[n])
		}
	}
	return t
}

// The commonest names of several tallies are those of their sum, equal ones in order: as a sum of all of them says. Tallies that leave names out say the same, or that
// it is not enough, and then with a bound that is reached.
func TestCommonest(t *testing.T) {
	s := &spare{}
	a, b := map[string]uint32{"a": 5, "b": 4, "d": 1}, map[string]uint32{"b": 4, "c": 3}
	for least, want := range []string{"[{b 8}]", "[{b 8}]", "[{b 8}]", "[{b 8}]", "[{b 8}]", "[] 5"} {
		got, bound, ok := s.commonest([]tally{toyTally(a, uint32(least)), toyTally(b, uint32(least))}, 1)
		if have := fmt.Sprint(got); ok && have != want || !ok && fmt.Sprint(have, " ", bound) != want {
			t.Errorf("of names that %d have: %v, %d, %t, want %s", least, got, bound, ok, want)
		}
	}
	rng := rand.New(rand.NewPCG(3, 4))
	enough, again := 0, 0
	for round := range 3000 {
		var all []map[string]uint32
		sums := map[string]int64{}
		for range []int{1, 3, 6, 80}[rng.IntN(4)] {
			counts := map[string]uint32{}
			for range rng.IntN(40) {
				counts[fmt.Sprint("n", int(60*rng.Float64()*rng.Float64()))] = uint32(rng.IntN(1 + rng.IntN(20)))
			}
			for n, x := range counts {
				sums[n] += int64(x)
			}
			all = append(all, counts)
		}
		if rng.IntN(3) == 0 { // more names than are all added up
			many := map[string]uint32{}
			for i := range fewNames + 1 {
				many[fmt.Sprint("m", i)] = 1
				sums[fmt.Sprint("m", i)]++
			}
			all = append(all, many)
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
		least := uint32(0)
		if rng.IntN(2) == 0 {
			least = uint32(rng.IntN(8))
		}
		var tallies []tally
		for _, counts := range all {
			tallies = append(tallies, toyTally(counts, least))
		}
		got, bound, ok := s.commonest(tallies, most)
		switch {
		case ok && !slices.Equal(got, want):
			t.Fatalf("round %d, the %d commonest of names that %d have: %v, want %v", round, most, least, got, want)
		case ok:
			enough++
		case least < 2 || bound > 0 && (len(want) < most || want[most-1].Count < bound):
			t.Fatalf("round %d: the %d commonest are reached by %d, and they are %v", round, most, bound, want)
		default:
			again++
		}
	}
	if enough < 1000 || again < 100 {
		t.Errorf("%d were found, of %d more had to be counted", enough, again)
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
		if got, err := filepath.Glob(filepath.Join(at, "ordinals-*")); err != nil || len(got) != min(files, 1) {
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

// Damaged files of facets and ordinals are noticed and written anew, the shard is not.
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
	ordinals, err := filepath.Glob(filepath.Join(at, "ordinals-*"))
	if err != nil || len(ordinals) != 1 {
		t.Fatal(ordinals, err)
	}
	for _, file := range []string{files[0], ordinals[0]} {
		whole, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range []int{0, len(whole) / 2, len(whole) - 1} {
			b := slices.Clone(whole)
			b[i] ^= 0x41
			if err := os.WriteFile(file, b, 0o644); err != nil {
				t.Fatal(err)
			}
			if err := Verify(t.Context(), at); !errors.Is(err, ErrDamaged) {
				t.Errorf("%s, byte %d: %v", file, i, err)
			}
			rep, err := Build(t.Context(), at, table, nil)
			if err != nil || rep.Built != 0 || len(rep.Damaged) != 1 || Verify(t.Context(), at) != nil {
				t.Errorf("%s, byte %d: %+v, %v", file, i, rep, err)
			}
			if now, err := os.ReadFile(file); err != nil || !slices.Equal(now, whole) {
				t.Errorf("%s, byte %d: the file is not what it was: %v", file, i, err)
			}
		}
	}
}

// Whatever a file says, reading it ends: with values of documents that are there, an error, or a panic that a search makes ErrDamaged of.
func FuzzFacets(f *testing.F) {
	f.Add(fewFacets(f))
	f.Fuzz(func(_ *testing.T, b []byte) {
		list, err := parseFacets(b, 5)
		if err != nil {
			return
		}
		defer func() { _ = recover() }()
		for i := range list {
			out := make(set, 1)
			_ = list[i].with(0, list[i].Names, nil, out)
			list[i].beginning("p", func(id int) { _ = list[i].among(id, out) })
		}
	})
}

// fewFacets returns the file of a shard with five documents.
func fewFacets(tb testing.TB) []byte {
	tb.Helper()
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
		tb.Fatal(err)
	}
	return b
}

// The same of the file of ordinals.
func FuzzOrdinals(f *testing.F) {
	dir := f.TempDir()
	info := shardInfo{Dir: "x", Docs: 5, Facets: "y"}
	if err := errors.Join(os.Mkdir(filepath.Join(dir, info.Dir), 0o755), os.WriteFile(facetsPath(dir, info), fewFacets(f), 0o644)); err != nil {
		f.Fatal(err)
	}
	if _, err := writeOrdinals(f.Context(), dir, "z", []shardInfo{info}); err != nil {
		f.Fatal(err)
	}
	b, err := os.ReadFile(ordinalsPath(dir, "z"))
	if err != nil {
		f.Fatal(err)
	}
	facets, err := parseFacets(fewFacets(f), 5)
	if err != nil {
		f.Fatal(err)
	}
	s := &shard{info: info, facets: &facetsFile{of: facets}}
	f.Add(b)
	f.Fuzz(func(_ *testing.T, b []byte) {
		o, err := parseOrdinals(b)
		if err != nil || o.bind([]*shard{s}) != nil {
			return
		}
		defer func() { _ = recover() }()
		spare := &spare{}
		for _, h := range []found{{count: 5}, {docs: set{1}, count: 1}, {docs: set{30}, count: 4}} {
			h.part = &part{shard: s, ordinals: o}
			for least := range uint32(3) {
				for i := range o.Facets {
					_, _, _ = spare.commonest(spare.tallyValues(&hitsOf{o, []found{h}, h.count}, []facetAsked{{i, least + 1}}, 3), 3)
				}
			}
		}
	})
}

// Names that few documents have are not counted, and the commonest are those of a count of all: of few, some, most and all documents, and where what was found has other names than the rest.
func TestCountValues(t *testing.T) {
	list := library(1200, 11)
	ix := build(t, list)
	rng := rand.New(rand.NewPCG(12, 13))
	again := 0
	var common []string // found without them, other names are the commonest, and the guess is too high
	for i := range 15 {
		common = append(common, fmt.Sprint("Person ", i), fmt.Sprint("PERSON ", i))
	}
	for round := range 200 {
		share, person := []float64{0.02, 0.2, 0.6, 0.97, 1}[round%5], ""
		if rng.IntN(3) == 0 {
			person = fmt.Sprintf("Person %d", 20+rng.IntN(100))
		}
		q := &Query{Facets: []string{"opinion", "person", "place"}, Top: []int{1, 3, 10, 40}[rng.IntN(4)]}
		c := &collector{q: q, tallies: map[string][]tally{}}
		spare, want := &spare{}, map[string]map[string]int64{"opinion": {}, "person": {}, "place": {}}
		for i, s := range ix.shards {
			var docs []uint32
			in := spare.set(s.info.Docs)
			for d := range uint32(s.info.Docs) {
				row, err := s.docs.get(uint64(s.cols.number[d]))
				if err != nil {
					t.Fatal(err)
				}
				b := bookOf(row)
				if rng.Float64() > share || person != "" && !b.holds("person", []string{person}) || round%4 == 3 && b.holds("person", common) {
					continue
				}
				docs = append(docs, d)
				in.put(d)
				for f, names := range want {
					for _, name := range b.of(f) {
						names[name]++
					}
				}
			}
			if len(docs) > 0 {
				c.note(spare, &part{shard: s, ordinals: ix.ordinals, place: i}, in, docs)
			}
		}
		got := map[string][]Count{}
		c.countValues(spare, got)
		for f, names := range want {
			var list []Count
			for name, n := range names {
				list = append(list, Count{name, n})
			}
			slices.SortFunc(list, compareCounts)
			if list = list[:min(len(list), q.Top)]; !slices.Equal(list, got[f]) {
				t.Fatalf("round %d, the %d commonest of %s in %g of the documents, %q: %v, want %v", round, q.Top, f, share, person, got[f], list)
			}
		}
		if slices.ContainsFunc(spare.counts.counters, func(n uint32) bool { return n != 0 }) {
			t.Fatalf("round %d: counters are left", round)
		}
		again += c.again
	}
	if again == 0 {
		t.Error("no guess was too high")
	}
}

// Few documents with many names each are counted right, whether few, most or all of a year were found.
func TestFewDocumentsWithManyNames(t *testing.T) {
	dir := t.TempDir()
	table, at := filepath.Join(dir, "versions.parquet"), filepath.Join(dir, "ix")
	list := library(40, 3)
	writeVersions(t, table, list)
	writeFacets(t, filepath.Join(dir, "facets.parquet"), list, func(v *derive.VersionRow) []derive.FacetValue {
		out := []derive.FacetValue{{Facet: "person", Value: "Everybody"}}
		for i := range 40 {
			out = append(out, derive.FacetValue{Facet: "person", Value: fmt.Sprint(v.SURT, " ", i)})
		}
		return out
	}, made)
	if _, err := Build(t.Context(), at, table, nil); err != nil {
		t.Fatal(err)
	}
	ix, err := Open(at)
	if err != nil {
		t.Fatal(err)
	}
	defer ix.Close()
	for n := 1; n <= len(list); n++ {
		view := &View{Key: n, May: func(surt string, _ time.Time) bool { return surt < fmt.Sprintf("test,x)/%06d", n) }}
		a, err := Search(t.Context(), []Source{{Index: ix, View: view}}, Query{Facets: []string{"person"}, Top: 3})
		if err != nil {
			t.Fatal(err)
		}
		want := []Count{{"Everybody", int64(n)}, {"test,x)/000000 0", 1}, {"test,x)/000000 1", 1}}
		if !slices.Equal(a.Facets["person"], want) {
			t.Errorf("of %d documents: %v, want %v", n, a.Facets["person"], want)
		}
	}
}

// Completed are names of documents that a view lets through, with as many as it lets through; of several indexes together, with a query and without.
func TestPrefix(t *testing.T) {
	one, two := library(400, 5), library(300, 6)
	may := func(surt string, _ time.Time) bool { return surt >= "test,x)/000100" }
	view := &View{Key: "some", May: may}
	sources := []Source{{"one", build(t, one), view}, {"two", build(t, two), view}}
	hidden := 0
	for _, q := range []Query{{Prefix: "person"}, {Prefix: "Person 1", Text: "w1"}, {Prefix: "großort"}, {Prefix: "person 19", Filters: map[string][]string{"collection": {"two"}}}, {Prefix: "x"}} {
		q.Facets, q.Limit, q.Top = []string{"person", "place", "host"}, -1, 1000
		got, err := Search(t.Context(), sources, q)
		if err != nil {
			t.Fatal(err)
		}
		want := map[string]map[string]int64{"person": {}, "place": {}, "host": {}}
		withheld := map[string]bool{}
		for i, list := range [][]derive.VersionRow{one, two} {
			for d := range list {
				b := bookOf(&list[d])
				if q.Text != "" && !fits(Words{Text: q.Text}, b) || q.Filters != nil && i == 0 {
					continue
				}
				for f, names := range want {
					for _, name := range b.of(f) {
						if !written(name, Value{Text: q.Prefix, Prefix: true}) {
							continue
						}
						if may(b.SURT, b.From) {
							names[name]++
						} else {
							withheld[name] = true
						}
					}
				}
			}
		}
		for f, names := range want {
			have := map[string]int64{}
			for _, c := range got.Facets[f] {
				have[c.Name] = c.Count
			}
			if !maps.Equal(have, names) {
				t.Errorf("%s that begin with %q: %v, want %v", f, q.Prefix, have, names)
			}
			for name := range withheld {
				if names[name] == 0 {
					hidden++
				}
			}
		}
	}
	if hidden == 0 {
		t.Error("no name is withheld: nothing is tested")
	}
}

// Files of forms before are passed over: their facets are not there, what else is asked is answered, and the next Build writes them anew.
func TestFacetsOfTheFormBefore(t *testing.T) {
	for _, magic := range facetsBefore {
		t.Run(magic, func(t *testing.T) { facetsOfTheFormBefore(t, magic) })
	}
}

func facetsOfTheFormBefore(t *testing.T, magic string) {
	dir := t.TempDir()
	table, at := filepath.Join(dir, "versions.parquet"), filepath.Join(dir, "ix")
	list := library(60, 3)
	writeVersions(t, table, list)
	writeFacets(t, filepath.Join(dir, "facets.parquet"), list, valuesOf, made)
	if _, err := Build(t.Context(), at, table, nil); err != nil {
		t.Fatal(err)
	}
	m, err := readManifest(at)
	if err != nil {
		t.Fatal(err)
	}
	for i := range m.Shards { // as the build of then left it: another file under another mark
		s := &m.Shards[i]
		now, b := facetsPath(at, *s), []byte(magic+"what it had"+magic)
		s.Facets, s.FacetsSum = "0123456789ab", hex.EncodeToString(sumBytes(b))
		if err := errors.Join(os.Remove(now), os.WriteFile(facetsPath(at, *s), b, 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	m.Ordinals, m.OrdinalsSum = "", ""
	if err := writeManifest(at, m); err != nil {
		t.Fatal(err)
	}
	ix, err := Open(at)
	if err != nil {
		t.Fatal(err)
	}
	defer ix.Close()
	if a, err := ix.Search(t.Context(), Query{Text: "w1", Facets: []string{"host"}}); err != nil || a.Total == 0 || len(a.Facets["host"]) == 0 {
		t.Errorf("%+v, %v", a, err)
	}
	if got := Declared([]Source{{Index: ix}}); len(got) != 0 {
		t.Errorf("%+v", got)
	}
	rep, err := Build(t.Context(), at, table, nil)
	if err != nil || rep.Built != 0 || len(rep.Damaged) > 0 {
		t.Fatalf("%+v, %v", rep, err)
	}
	if err := ix.Refresh(); err != nil {
		t.Fatal(err)
	}
	if a, err := ix.Search(t.Context(), Query{Facets: []string{"person"}}); err != nil || len(a.Facets["person"]) == 0 {
		t.Errorf("%+v, %v", a, err)
	}
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
