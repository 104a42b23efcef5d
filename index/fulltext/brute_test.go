package fulltext

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"

	"varve/derive"
)

var (
	hosts  = []string{"a.test", "b.test", "c.test", "d.test"}
	mimes  = []string{"text/html", "application/pdf"}
	langs  = []string{"en", "de", ""}
	origin = time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
)

// word draws a word: few are common, many rare.
func word(rng *rand.Rand) string {
	return fmt.Sprintf("w%d", int(float64(rng.IntN(300))*rng.Float64()*rng.Float64()))
}

func sentence(rng *rand.Rand, n int) string {
	out := make([]string, n)
	for i := range out {
		out[i] = word(rng)
		if rng.IntN(12) == 0 {
			out[i] = strings.ToUpper(out[i]) + ","
		}
	}
	return strings.Join(out, " ")
}

// library makes documents over four years.
func library(n int, seed uint64) []derive.VersionRow {
	rng := rand.New(rand.NewPCG(seed, 1))
	var out []derive.VersionRow
	for i := range n {
		v := derive.VersionRow{
			URL: fmt.Sprintf("http://%s/p%d/%s", hosts[rng.IntN(4)], i, word(rng)), MIME: mimes[rng.IntN(8)/7], Language: langs[rng.IntN(3)],
			Title: sentence(rng, rng.IntN(5)), Text: sentence(rng, 5+rng.IntN(60)), Captures: int32(1 + rng.IntN(4)), Inlinks: int32(rng.IntN(20)),
			Crawl: fmt.Sprintf("c%d", rng.IntN(3)),
		}
		v.Host = strings.Split(v.URL, "/")[2]
		v.Domain, v.SURT = v.Host, fmt.Sprintf("test,x)/%06d", i)
		if rng.IntN(2) == 0 {
			v.Anchors = sentence(rng, rng.IntN(4))
		}
		v.From = origin.Add(time.Duration(rng.IntN(4*365*24)) * time.Hour)
		v.Last = v.From.Add(time.Duration(rng.IntN(1000)) * time.Hour)
		if rng.IntN(3) > 0 {
			v.Until = v.Last.Add(time.Duration(1+rng.IntN(2000)) * time.Hour)
		}
		out = append(out, v)
	}
	return out
}

func writeVersions(t testing.TB, path string, list []derive.VersionRow) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w := parquet.NewGenericWriter[derive.VersionRow](f)
	if _, err := w.Write(list); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

// made are the facets of the library.
var made = derive.FacetTable{Job: "made", Facets: []derive.Facet{
	{Name: "person", Title: "Persons", Kind: derive.FacetNames},
	{Name: "place", Title: "Places", Kind: derive.FacetNames},
	{Name: "opinion", Title: "Opinion", Kind: derive.FacetNumbers},
}}

// topics are what opinions are about.
var topics = []string{"rent law", "Rent Law", "rents", "the wall", "w1"}

// valuesOf makes the values of a document up: few persons are named often, many seldom; some are written in two ways.
func valuesOf(v *derive.VersionRow) (out []derive.FacetValue) {
	rng := rand.New(rand.NewPCG(uint64(len(v.Text)), uint64(v.From.Unix())))
	persons := map[string]bool{}
	for range rng.IntN(12) {
		name := fmt.Sprintf("Person %d", int(200*rng.Float64()*rng.Float64()))
		if rng.IntN(5) == 0 {
			name = strings.ToUpper(name)
		}
		if !persons[name] {
			persons[name] = true
			out = append(out, derive.FacetValue{Facet: "person", Value: name, Count: 1})
		}
	}
	if rng.IntN(3) == 0 {
		out = append(out, derive.FacetValue{Facet: "place", Value: fmt.Sprintf("Großort %d, Süd", rng.IntN(4)), Count: 1})
	}
	if rng.IntN(3) > 0 {
		out = append(out, derive.FacetValue{Facet: "opinion", Number: float64(rng.IntN(21)-10) / 10, Count: 1})
	}
	for _, topic := range topics {
		if rng.IntN(4) == 0 {
			out = append(out, derive.FacetValue{Facet: "opinion", Value: topic, Number: float64(rng.IntN(21)-10) / 10, Count: 1})
		}
	}
	return out
}

func writeFacets(t testing.TB, path string, list []derive.VersionRow, of func(*derive.VersionRow) []derive.FacetValue, declared ...derive.FacetTable) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w := derive.WriteFacets(f, declared...)
	for i := range list {
		if err := w.Add(&list[i], of(&list[i])); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(w.Close(), f.Close()); err != nil {
		t.Fatal(err)
	}
}

func build(t testing.TB, list []derive.VersionRow) *Index {
	t.Helper()
	dir := t.TempDir()
	writeVersions(t, filepath.Join(dir, "versions.parquet"), list)
	writeFacets(t, filepath.Join(dir, "facets.parquet"), list, valuesOf, made)
	if _, err := Build(context.Background(), filepath.Join(dir, "ix"), filepath.Join(dir, "versions.parquet"), nil); err != nil {
		t.Fatal(err)
	}
	if err := Relabel(context.Background(), filepath.Join(dir, "ix"), Labels{Coherence: coherenceOf, Spam: spamOf}); err != nil {
		t.Fatal(err)
	}
	ix, err := Open(filepath.Join(dir, "ix"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = ix.Close() })
	return ix
}

// coherenceOf and spamOf are made up.
func coherenceOf(d Labelled) string {
	return []string{"", "coherent", "incoherent"}[(d.Captures+int(d.First.Unix()/3600))%3]
}

func spamOf(host string) string { return map[string]string{"a.test": "spam", "b.test": "normal"}[host] }

// tokens are words as people would make them: by hand, not by the analyser.
func tokens(s string) []string {
	return strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !(r >= 'a' && r <= 'z' || r >= '0' && r <= '9') })
}

// book is a document with the words of its fields and the values of its facets.
type book struct {
	*derive.VersionRow
	words  map[string][]string
	values []derive.FacetValue
}

func bookOf(v *derive.VersionRow) book {
	return book{v, map[string][]string{"text": tokens(v.Text), "title": tokens(v.Title), "anchor": tokens(v.Anchors), "url": tokens(v.URL)}, valuesOf(v)}
}

// fits is the meaning of a query, by brute force.
func fits(n Node, v book) bool {
	switch n := n.(type) {
	case And:
		for _, x := range n {
			if !fits(x, v) {
				return false
			}
		}
		return true
	case Or:
		return slices.ContainsFunc(n, func(x Node) bool { return fits(x, v) })
	case Not:
		return !fits(n.Node, v)
	case Words:
		for f, words := range v.words {
			if (n.Field == "" || n.Field == f) && has(words, n) {
				return true
			}
		}
		return false
	case Value:
		return slices.ContainsFunc(v.of(n.Facet), func(name string) bool { return written(name, n) })
	case Number:
		return slices.ContainsFunc(v.values, func(x derive.FacetValue) bool {
			if x.Facet != n.Facet || n.About == nil && x.Value != "" || n.About != nil && (x.Value == "" || !written(x.Value, *n.About)) {
				return false
			}
			have, than := math.Round(x.Number*10), math.Round(n.Than*10) // all numbers are tenths
			return map[string]bool{"<": have < than, "<=": have <= than, ">": have > than, ">=": have >= than, "=": have == than}[n.Op]
		})
	}
	return true
}

// written tells whether a name is what a query asks for.
func written(name string, v Value) bool {
	name, want := strings.ToLower(name), strings.ToLower(strings.ReplaceAll(v.Text, "  ", " "))
	return name == want || v.Prefix && strings.HasPrefix(name, want)
}

// of gives the names that a document has of a facet.
func (b book) of(facet string) (out []string) {
	if slices.Contains(Facets(), facet) {
		return []string{facetOf(b.VersionRow, facet)}
	}
	for _, x := range b.values {
		if x.Facet == facet && x.Value != "" {
			out = append(out, x.Value)
		}
	}
	return out
}

// holds tells whether a document has one of the names.
func (b book) holds(facet string, names []string) bool {
	return slices.ContainsFunc(b.of(facet), func(n string) bool { return slices.Contains(names, n) })
}

func has(text []string, w Words) bool {
	want := tokens(w.Text)
	for i := range text {
		switch {
		case w.Prefix:
			if strings.HasPrefix(text[i], want[0]) {
				return true
			}
		case w.Within > 0:
			need := slices.Clone(want)
			for _, t := range text[i:min(len(text), i+len(want)+w.Within)] {
				if at := slices.Index(need, t); at >= 0 {
					need = slices.Delete(need, at, at+1)
				}
			}
			if len(need) == 0 {
				return true
			}
		case i+len(want) <= len(text) && slices.Equal(text[i:i+len(want)], want):
			return true
		}
	}
	return false
}

func fitsTime(q *Query, v *derive.VersionRow) bool {
	end := v.Until
	if end.IsZero() {
		end = time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)
	}
	if at := q.AsOf; !at.IsZero() && (v.From.After(at) || !at.Before(end)) {
		return false
	}
	s, e := q.From, q.To
	if s.IsZero() && e.IsZero() {
		return true
	}
	if s.IsZero() {
		s = time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC)
	}
	forever := e.IsZero()
	if forever {
		e = time.Date(9998, 1, 1, 0, 0, 0, 0, time.UTC)
	}
	switch q.Relation {
	case Inside:
		return !v.From.Before(s) && (forever || !v.Until.IsZero() && !v.Until.Add(-time.Microsecond).After(e))
	case Contains:
		return !v.From.After(s) && !forever && e.Before(end)
	case Begins:
		return !v.From.Before(s) && !v.From.After(e)
	}
	return !v.From.After(e) && s.Before(end)
}

func facetOf(v *derive.VersionRow, f string) string {
	d := Labelled{SURT: v.SURT, Host: v.Host, Crawl: v.Crawl, First: v.From, Last: v.Last, Captures: int(v.Captures)}
	return map[string]string{"coherence": coherenceOf(d), "spam": spamOf(v.Host), "host": v.Host, "domain": v.Domain, "mime": v.MIME, "lang": v.Language, "year": v.From.Format("2006"), "crawl": v.Crawl}[f]
}

// Answers are those of a scan of all documents, for queries of every kind.
func TestBruteForce(t *testing.T) {
	docs, queries := 2000, 500
	if testing.Short() {
		docs, queries = 400, 100
	}
	list := library(docs, 7)
	ix := build(t, list)
	var books []book
	for i := range list {
		books = append(books, bookOf(&list[i]))
	}
	rng := rand.New(rand.NewPCG(8, 9))
	some := 0
	for i := range queries {
		q := randomQuery(rng)
		n, err := Parse(q.Text)
		if err != nil {
			t.Fatalf("%q: %v", q.Text, err)
		}
		want, facets, trend := map[string]bool{}, map[string]map[string]int64{}, map[string]int64{}
		for _, f := range q.Facets {
			facets[f] = map[string]int64{}
		}
		for d := range list {
			v := &list[d]
			ok := fits(n, books[d]) && fitsTime(&q, v)
			for f, names := range q.Filters {
				ok = ok && books[d].holds(f, names)
			}
			for f, names := range q.Without {
				ok = ok && !books[d].holds(f, names)
			}
			if !ok {
				continue
			}
			want[v.SURT] = true
			for _, f := range q.Facets {
				for _, name := range books[d].of(f) {
					facets[f][name]++
				}
			}
			if q.Trend != NoTrend {
				trend[q.Trend.begin(v.From.UnixMicro()).String()]++
			}
		}
		got, err := ix.Search(t.Context(), q)
		if err != nil {
			t.Fatalf("%+v: %v", q, err)
		}
		if got.Total != int64(len(want)) {
			t.Errorf("query %d %+v: %d, want %d", i, q, got.Total, len(want))
			continue
		}
		if len(want) > 0 {
			some++
		}
		for f, names := range facets { // all of them, or the commonest and no other
			list := make([]Count, 0, len(names))
			for name, n := range names {
				list = append(list, Count{name, n})
			}
			slices.SortFunc(list, func(a, b Count) int { return cmp.Or(cmp.Compare(b.Count, a.Count), strings.Compare(a.Name, b.Name)) })
			if list = list[:min(len(list), q.Top)]; !slices.Equal(list, got.Facets[f]) {
				t.Errorf("query %d %+v: %s: %v, want %v", i, q, f, got.Facets[f], list)
			}
		}
		for _, p := range got.Trend {
			if trend[p.At.String()] != p.Count || p.Of < p.Count {
				t.Errorf("query %d: %v: %d of %d, want %d", i, p.At, p.Count, p.Of, trend[p.At.String()])
			}
		}
		if i%5 == 0 {
			checkPages(t, ix, q, got, want)
		}
	}
	if some < queries/3 {
		t.Errorf("only %d queries found something", some)
	}
}

// checkPages goes through the results page by page: each is wanted, none comes twice, none is missing.
func checkPages(t *testing.T, ix *Index, q Query, first *Answer, want map[string]bool) {
	t.Helper()
	seen := map[string]bool{}
	last := 1e300
	for a := first; ; {
		for _, h := range a.Hits {
			if seen[h.SURT] || !want[h.SURT] || h.Score > last {
				t.Fatalf("%+v: %s: seen %t, wanted %t, score %g after %g", q, h.SURT, seen[h.SURT], want[h.SURT], h.Score, last)
			}
			seen[h.SURT], last = true, h.Score
		}
		if a.Cursor == "" {
			break
		}
		q.Cursor = a.Cursor
		next, err := ix.Search(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		a = next
	}
	if len(seen) != len(want) {
		t.Fatalf("%+v: %d results of %d", q, len(seen), len(want))
	}
}
