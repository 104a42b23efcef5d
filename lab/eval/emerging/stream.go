package emerging

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"varve/evolution/concept"
	"varve/lab/eval"
)

// Stream is how well planted concepts are found in a stream of weekly slices, and beside it single terms.
type Stream struct {
	Weeks     int     `json:"weeks"`
	Planted   int     `json:"planted"`
	Found     int     `json:"found"`
	Precision float64 `json:"precision"`
	Recall    float64 `json:"recall"`
	Terms     int     `json:"single_terms"` // words that are new for two weeks
	Belong    float64 `json:"single_terms_of_concepts"`
	Alone     float64 `json:"single_terms_precision"` // as sets of one, by the same measure
}

// planted is a concept of the stream.
type planted struct {
	terms []string
	from  int // week
}

// like reports whether the Jaccard of a planted concept and a set of terms is 0.5 or more.
func (p planted) like(terms []string) bool {
	common := 0
	for _, w := range terms {
		if slices.Contains(p.terms, w) {
			common++
		}
	}
	return 2*common >= len(p.terms)+len(terms)-common
}

// late is how many weeks after its first a concept is found in time.
const late = 5

// weekly makes slices of documents: words of a background by Zipf's law, topics that are always there, topics that flare up once, and planted concepts that come and stay, each document with most of the terms of
// its topic.
func weekly(r *rand.Rand, weeks, concepts int) (out [][]concept.Document, truth []planted) {
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

// measureStream finds planted concepts, and beside them single terms: words that are new, and there in two weeks.
func measureStream(r *rand.Rand) Stream {
	weeks, truth := weekly(r, 40, 30)
	o := concept.Default()
	o.MinTerms = 3
	m := concept.New(o)
	out := Stream{Weeks: len(weeks), Planted: len(truth)}
	right, hit := 0, map[int]bool{}
	met := map[string][]int{} // weeks of each word
	belong, alone := 0, 0
	for week, documents := range weeks {
		for _, c := range m.Add(documents) {
			out.Found++
			if i := slices.IndexFunc(truth, func(p planted) bool { return p.like(c.Terms) && week >= p.from && week <= p.from+late }); i >= 0 {
				right++
				hit[i] = true
			}
		}
		for _, d := range documents {
			for _, w := range d.Terms {
				if n := len(met[w]); n > 0 && met[w][n-1] == week {
					continue
				}
				met[w] = append(met[w], week)
				if seen := met[w]; len(seen) != 2 || seen[0] != week-1 || week < 2 {
					continue
				}
				out.Terms++
				if slices.ContainsFunc(truth, func(p planted) bool { return slices.Contains(p.terms, w) }) {
					belong++
				}
				if slices.ContainsFunc(truth, func(p planted) bool { return p.like([]string{w}) }) {
					alone++
				}
			}
		}
	}
	out.Precision, _, _ = eval.F1(right, out.Found, 1)
	out.Recall = float64(len(hit)) / float64(len(truth))
	out.Belong, out.Alone = float64(belong)/float64(max(1, out.Terms)), float64(alone)/float64(max(1, out.Terms))
	return out
}
