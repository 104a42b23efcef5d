package concept_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"varve/evolution/concept"
)

func documents(list ...string) (out []concept.Document) {
	for _, l := range list {
		out = append(out, concept.Document{Source: "news", Terms: strings.Fields(l)})
	}
	return out
}

// TestWorkedExample is that of the package comment.
func TestWorkedExample(t *testing.T) {
	m := concept.New(concept.Default())
	for week := range 4 {
		if c := m.Add(documents("rain sun", "sun wind")); len(c) > 0 {
			t.Fatalf("week %d: %v", week+1, c)
		}
	}
	event := documents("tsunami reactor japan", "japan reactor tsunami sun", "sun wind")
	if c := m.Add(event); len(c) > 0 {
		t.Fatalf("week 5: %v", c)
	}
	got := m.Add(event)
	if len(got) != 1 || !slices.Equal(got[0].Terms, []string{"japan", "reactor", "tsunami"}) || got[0].First != 4 || got[0].Cognition != 2 {
		t.Fatalf("week 6: %+v", got)
	}
	if again := m.Add(event); len(again) > 0 {
		t.Errorf("told twice: %v", again)
	}
}

// TestNotEmerging: what is there from the beginning, and what comes back after it was away, does not emerge.
func TestNotEmerging(t *testing.T) {
	m := concept.New(concept.Default())
	always, away := "election vote party", "storm flood rescue"
	for week := range 12 {
		docs := documents(always, always, "x y", "y z")
		if week == 3 || week > 6 {
			docs = append(docs, documents(away, away)...)
		}
		if c := m.Add(docs); len(c) > 0 {
			t.Errorf("week %d: %v", week, c)
		}
	}
}

// TestDrift: a concept that changes a term a slice stays the same as long as it deviates little from the last slices.
func TestDrift(t *testing.T) {
	m := concept.New(concept.Default())
	m.Add(documents("a b", "b c"))
	m.Add(documents("p q r s t", "p q r s t"))
	if c := m.Add(documents("p q r s u", "p q r s u")); len(c) != 1 || c[0].First != 1 {
		t.Errorf("%v", c)
	}
	m = concept.New(concept.Default())
	m.Add(documents("a b", "b c"))
	m.Add(documents("p q r", "p q r"))
	if c := m.Add(documents("p u v", "p u v")); len(c) > 0 {
		t.Errorf("another concept is taken for the same: %v", c)
	}
}

// TestForget holds no more than it may, and says so.
func TestForget(t *testing.T) {
	o := concept.Default()
	o.Most = 3
	m := concept.New(o)
	for i := range 10 {
		m.Add(documents(fmt.Sprintf("a%d b%d", i, i), fmt.Sprintf("a%d b%d", i, i)))
	}
	if m.Dropped != 7 {
		t.Errorf("dropped %d, want 7", m.Dropped)
	}
}

// Planted is a concept of the stream below.
type planted struct {
	terms []string
	from  int
}

// stream makes weekly slices of documents: words of a background by Zipf's law, topics that are always there, topics that flare up once, and planted concepts that come and stay, each document with most
// of the terms of its topic.
func stream(r *rand.Rand, weeks, concepts int) (out [][]concept.Document, truth []planted) {
	zipf := rand.NewZipf(r, 1.2, 5, 4000)
	topic := func(name string) (terms []string) {
		for i := range 3 + r.IntN(4) {
			terms = append(terms, fmt.Sprintf("%s-%d", name, i))
		}
		return terms
	}
	document := func(terms []string) concept.Document {
		d := concept.Document{Source: "news"}
		for _, t := range terms {
			if r.Float64() < 0.98 {
				d.Terms = append(d.Terms, t)
			}
		}
		for range 12 {
			d.Terms = append(d.Terms, fmt.Sprint("w", zipf.Uint64()))
		}
		return d
	}
	var always, flares [][]string
	for i := range 15 {
		always = append(always, topic(fmt.Sprint("always", i)))
		flares = append(flares, topic(fmt.Sprint("flare", i)))
	}
	for i := range concepts {
		truth = append(truth, planted{topic(fmt.Sprint("new", i)), 3 + r.IntN(weeks-8)})
	}
	for week := range weeks {
		var slice []concept.Document
		for range 60 {
			slice = append(slice, document(nil))
		}
		add := func(terms []string) {
			for range 3 + r.IntN(6) {
				slice = append(slice, document(terms))
			}
		}
		for _, t := range always {
			add(t)
		}
		for i, t := range flares {
			if week == 4+i*(weeks-6)/len(flares) {
				add(t)
			}
		}
		for _, p := range truth {
			if week >= p.from {
				add(p.terms)
			}
		}
		out = append(out, slice)
	}
	return out, truth
}

// TestPlantedStream finds planted concepts by Jaccard 0.5, and compares with single terms: words that were not there in the slices before and are in two slices.
func TestPlantedStream(t *testing.T) {
	slicesOf, truth := stream(rand.New(rand.NewPCG(21, 4)), 40, 30)
	o := concept.Default()
	o.MinTerms = 3
	m := concept.New(o)
	var found []concept.Concept
	for _, s := range slicesOf {
		found = append(found, m.Add(s)...)
	}
	like := func(p planted, terms []string) bool {
		common := 0
		for _, w := range terms {
			if slices.Contains(p.terms, w) {
				common++
			}
		}
		return 2*common >= len(p.terms)+len(terms)-common
	}
	right, hit := 0, map[int]bool{}
	for _, c := range found {
		if i := slices.IndexFunc(truth, func(p planted) bool { return like(p, c.Terms) && c.Slice >= p.from && c.Slice <= p.from+5 }); i >= 0 {
			right++
			hit[i] = true
		}
	}
	precision, recall := float64(right)/float64(max(1, len(found))), float64(len(hit))/float64(len(truth))
	// single terms: each new word is a concept by itself; a set of one is like a planted one only if that has two terms
	met, words := map[string][]int{}, 0
	singles := 0
	for week, s := range slicesOf {
		here := map[string]bool{}
		for _, d := range s {
			for _, w := range d.Terms {
				here[w] = true
			}
		}
		for w := range here {
			met[w] = append(met[w], week)
			if seen := met[w]; len(seen) == 2 && seen[0] == week-1 && week > 1 {
				words++
				if slices.ContainsFunc(truth, func(p planted) bool { return slices.Contains(p.terms, w) }) {
					singles++
				}
			}
		}
	}
	t.Logf("concepts: %d found, precision %.3f, recall %.3f; single terms: %d found, %d of them a word of a planted concept (%.3f), none a concept by Jaccard 0.5", len(found), precision, recall, words, singles, float64(singles)/float64(words))
	if precision < 0.9 || recall < 0.8 {
		t.Errorf("precision %.3f, recall %.3f", precision, recall)
	}
}
