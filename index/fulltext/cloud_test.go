package fulltext

import (
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"varve/derive"
)

// The worked example of docs/algorithms/search.md.
func TestLikelihood(t *testing.T) {
	if got := likelihood(30, 20, 100, 900); math.Abs(got-83.0) > 0.1 {
		t.Errorf("%g", got)
	}
	if got := likelihood(10, 90, 100, 900); math.Abs(got) > 1e-9 {
		t.Errorf("the same share: %g", got)
	}
	if got := likelihood(5, 0, 5, 0); math.IsNaN(got) || got != 0 {
		t.Errorf("nothing outside: %g", got)
	}
}

// scanCloud is RisingTerms by brute force: all words of all documents.
func scanCloud(all, list []derive.VersionRow, inside func(*derive.VersionRow) bool, most int) *Cloud {
	byYear := map[string]map[string]int{} // what is rare in a year is told by all documents of the year
	for i := range all {
		y := yearOf(&all[i])
		if byYear[y] == nil {
			byYear[y] = map[string]int{}
		}
		for _, w := range slices.Compact(slices.Sorted(slices.Values(tokens(all[i].Text)))) {
			byYear[y][w]++
		}
	}
	out := &Cloud{}
	hits, other := map[string]int64{}, map[string]int64{}
	for i := range list {
		in := inside(&list[i])
		if in {
			out.In++
		} else {
			out.Other++
		}
		for _, w := range slices.Compact(slices.Sorted(slices.Values(tokens(list[i].Text)))) {
			switch {
			case byYear[yearOf(&list[i])][w] < rareWord || !countable([]byte(w)):
			case in:
				hits[w]++
			default:
				other[w]++
			}
		}
	}
	for w, a := range hits {
		b := other[w]
		if a < leastRise || float64(a)/float64(out.In) <= float64(b)/float64(out.Other) {
			continue
		}
		out.keep(Rise{Term: w, Hits: a, Other: b, Score: likelihood(float64(a), float64(b), float64(out.In), float64(out.Other))}, 1<<30)
	}
	out.Terms = out.Terms[:min(most, len(out.Terms))]
	return out
}

func TestRisingTerms(t *testing.T) {
	list := library(1500, 5)
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range list { // some words belong to some months
		if rng.IntN(3) == 0 {
			list[i].Text += fmt.Sprintf(" topic%s topic%s", list[i].From.Format("200601"), list[i].From.Format("2006"))
		}
	}
	ix := build(t, list)
	for i := range 40 {
		from := origin.AddDate(0, rng.IntN(40), 0)
		q := Query{From: from, To: from.AddDate(0, 1+rng.IntN(6), 0).Add(-time.Microsecond), Limit: 1 + rng.IntN(40)}
		some := list
		if i%4 == 1 {
			q.Filters = map[string][]string{"host": {"a.test"}}
			some = only(list, func(v *derive.VersionRow) bool { return v.Host == "a.test" })
		}
		if i%4 == 2 {
			q.Text = "w1"
			some = only(list, func(v *derive.VersionRow) bool { return fits(Words{Text: "w1"}, bookOf(v)) })
		}
		got, err := RisingTerms(t.Context(), []Source{{Index: ix}}, q)
		if err != nil {
			t.Fatal(err)
		}
		inside := func(v *derive.VersionRow) bool { return !v.From.Before(q.From) && !v.From.After(q.To) }
		want := scanCloud(list, some, inside, q.Limit)
		if got.In != want.In || got.Other != want.Other || len(got.Terms) != len(want.Terms) {
			t.Fatalf("%d: %d of %d, %d terms; want %d of %d, %d", i, got.In, got.Other, len(got.Terms), want.In, want.Other, len(want.Terms))
		}
		for k := range want.Terms {
			g, w := got.Terms[k], want.Terms[k]
			if g.Term != w.Term || g.Hits != w.Hits || g.Other != w.Other || math.Abs(g.Score-w.Score) > 1e-9 {
				t.Errorf("%d, term %d: %+v, want %+v", i, k, g, w)
			}
		}
	}
}

func only(list []derive.VersionRow, keep func(*derive.VersionRow) bool) (out []derive.VersionRow) {
	for i := range list {
		if keep(&list[i]) {
			out = append(out, list[i])
		}
	}
	return out
}

// A view hides documents from hits and from every count; sources are asked as one index.
func TestViewsAndSources(t *testing.T) {
	list := library(900, 11)
	whole := build(t, list)
	hidden := func(v *derive.VersionRow) bool { return v.Host == "b.test" || v.From.Year() == 2021 }
	open := build(t, only(list, func(v *derive.VersionRow) bool { return !hidden(v) }))
	byKey := map[string]*derive.VersionRow{}
	for i := range list {
		byKey[list[i].SURT] = &list[i]
	}
	view := &View{Key: "v", May: func(surt string, first time.Time) bool {
		v := byKey[surt]
		if !v.From.Equal(first) && !v.Last.Equal(first) {
			t.Errorf("%s: %v, want %v or %v", surt, first, v.From, v.Last)
		}
		return !hidden(v)
	}}
	half := []Source{{Name: "x", Index: build(t, list[:450])}, {Name: "y", Index: build(t, list[450:])}}
	rng := rand.New(rand.NewPCG(3, 4))
	for range 100 {
		q := randomQuery(rng)
		q.Trend, q.Limit = ByMonth, 1000
		seen, err := Search(t.Context(), []Source{{Index: whole, View: view}}, q)
		if err != nil {
			t.Fatal(err)
		}
		want, err := open.Search(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := counts(seen), counts(want); got != want {
			t.Errorf("%+v\n%s\nwant\n%s", q, got, want)
		}
		both, err := Search(t.Context(), half, q)
		if err != nil {
			t.Fatal(err)
		}
		all, err := whole.Search(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		delete(both.Facets, collectionFacet)
		delete(all.Facets, collectionFacet)
		if got, want := counts(both), counts(all); got != want {
			t.Errorf("%+v\n%s\nwant\n%s", q, got, want)
		}
		checkScores(t, both, all)
		q.Filters = map[string][]string{collectionFacet: {"y"}}
		if y, err := Search(t.Context(), half, q); err != nil || y.Of != 450 || len(y.Hits) > 0 && y.Hits[0].Collection != "y" {
			t.Errorf("%+v, %v", y, err)
		}
	}
}

// Scores are the same however documents are spread over indexes: also if one has years in which nothing fits the time, and is not asked there.
func TestScoresOfCutIndex(t *testing.T) {
	var list []derive.VersionRow
	for i := range 60 {
		v := derive.VersionRow{SURT: fmt.Sprintf("test,x)/%03d", i), Host: "x.test", From: origin.AddDate(i%2*2, 0, i), Text: strings.Repeat("rent ", 1+i%3) + strings.Repeat("law ", i%4) + fmt.Sprint("w", i)}
		if v.Last = v.From; i%4 == 0 { // gone before the next year
			v.Until = v.From.AddDate(0, 0, 1)
		}
		list = append(list, v)
	}
	gone := func(v *derive.VersionRow) bool { return !v.Until.IsZero() }
	whole := build(t, list)
	cut := []Source{{Name: "x", Index: build(t, only(list, gone))}, {Name: "y", Index: build(t, only(list, func(v *derive.VersionRow) bool { return !gone(v) }))}}
	for _, text := range []string{"rent law", "law", `"rent law"`} {
		q := Query{Text: text, AsOf: origin.AddDate(1, 6, 0), Limit: 100}
		want, err := whole.Search(t.Context(), q)
		if err != nil || len(want.Hits) == 0 {
			t.Fatal(want, err)
		}
		got, err := Search(t.Context(), cut, q)
		if err != nil {
			t.Fatal(err)
		}
		checkScores(t, got, want)
	}
}

// counts shows everything that is counted, and the hits by key.
func counts(a *Answer) string {
	var b strings.Builder
	fmt.Fprintln(&b, a.Total, a.Of, a.Facets)
	for _, p := range a.Trend {
		fmt.Fprint(&b, p.At.Format("2006-01 "), p.Count, "/", p.Of, " ")
	}
	var list []string
	for _, h := range a.Hits {
		list = append(list, h.SURT)
	}
	slices.Sort(list)
	fmt.Fprintln(&b, list)
	return b.String()
}

// checkScores compares the scores of two answers with the same hits.
func checkScores(t *testing.T, a, b *Answer) {
	t.Helper()
	score := map[string]float64{}
	for _, h := range b.Hits {
		score[h.SURT] = h.Score
	}
	for _, h := range a.Hits {
		if s, ok := score[h.SURT]; ok && math.Abs(s-h.Score) > 1e-9 {
			t.Errorf("%s: %g, as one index %g", h.SURT, h.Score, s)
		}
	}
}

func TestKeys(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	var list []string
	for range 500 {
		list = append(list, fmt.Sprintf("com,example)/%d/%d", rng.IntN(20), rng.IntN(100)))
	}
	slices.Sort(list)
	k := &keys{}
	for _, s := range list {
		k.add(s)
	}
	back, err := parseKeys(k.bytes, len(list))
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range []*keys{k, back} {
		for n, b := range k.from(37) {
			if list[n] != string(b) {
				t.Fatalf("%d: %s, want %s", n, b, list[n])
			}
		}
		for range 500 {
			s := fmt.Sprintf("com,example)/%d/%d", rng.IntN(22), rng.IntN(100))
			if want, _ := slices.BinarySearch(list, s); k.find(s) != want {
				t.Errorf("%s: %d, want %d", s, k.find(s), want)
			}
		}
	}
	if none, err := parseKeys(nil, 0); err != nil || none.find("x") != 0 {
		t.Error(none, err)
	}
}

func FuzzKeys(f *testing.F) {
	k := &keys{}
	for _, s := range []string{"a", "ab", "abc", "b"} {
		k.add(s)
	}
	f.Add(k.bytes, 4)
	f.Fuzz(func(_ *testing.T, b []byte, n int) {
		k, err := parseKeys(b, min(max(n, 0), 1000))
		if err != nil {
			return
		}
		for range k.from(0) {
		}
		k.find("x")
	})
}

// A file of terms that is damaged gives an error.
func FuzzTerms(f *testing.F) {
	dir := f.TempDir()
	writeVersions(f, filepath.Join(dir, "v.parquet"), library(100, 1))
	if _, err := Build(f.Context(), filepath.Join(dir, "ix"), filepath.Join(dir, "v.parquet"), nil); err != nil {
		f.Fatal(err)
	}
	fuzzTerms(f, dir)
}
