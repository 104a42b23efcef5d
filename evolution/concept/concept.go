// Package concept finds concepts that emerge in a stream of texts: sets of terms that begin to be used together and go on, as PIWO does (Prytkova, Spaniol, Weikum 2012).
//
// # Terms
//
//	slice       the documents of a week, or of what else the stream is cut into
//	related     two terms whose document vectors have a cosine above MinRelated: where one is, the other is
//	candidate   a maximal clique of the graph of related terms (varve/evolution/clique)
//	deviation   of two candidates: 1 - Jaccard of their terms
//	stable      a candidate from which candidates of each of the last Stable slices, in a window of Window, deviate by no more than MaxDeviation
//	emerging    it was absent before some slice, not the first of the stream, and present ever since
//	cognition   cogn(c) = sum over sources r of quality(r) * docs_r(c) / lifespan_r(c), in the window: documents with the concept by slices that have it
//	concept     a candidate that is stable, emerging and of a cognition of MinCognition
//
// # Worked example
//
// In week 5 and 6 two documents each have "tsunami", "reactor" and "japan", and no other document has one of them: the three are related (cosine 1), a clique in both weeks, deviation 0; absent in weeks
// 1 to 4, so emerging; of one source of quality 1 there are 4 documents in 2 slices, cognition 2. It is a concept in week 6 (TestWorkedExample).
//
// # Cost
//
// Of a slice: its pairs of terms with at least MinDocuments documents each, and its cliques. Kept are the candidates that were ever met, at most Options.Most, those that were met longest ago dropped first.
package concept

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"varve/evolution/clique"
)

// Options are the thresholds; Default has those of the paper.
type Options struct {
	MinRelated   float64
	MinTerms     int // of a candidate
	MinDocuments int // of a term in a slice
	MaxDeviation float64
	Stable       int // slices
	Window       int // slices
	MinCognition float64
	Quality      func(source string) float64 // nil: 1
	Most         int                         // candidates that are remembered
}

// Default returns the thresholds of the paper.
func Default() Options {
	return Options{MinRelated: 0.9, MinTerms: 2, MinDocuments: 2, MaxDeviation: 0.4, Stable: 2, Window: 6, MinCognition: 2, Most: 1 << 18}
}

// Document is a text of a slice: who says it, and its terms, in any order.
type Document struct {
	Source string
	Terms  []string
}

// Concept is a set of terms that has emerged.
type Concept struct {
	Terms     []string `json:"terms"` // in order
	First     int      `json:"first"` // slice, from 0
	Slice     int      `json:"slice"` // in which it was found
	Cognition float64  `json:"cognition"`
}

// Miner looks at one slice after another. It is not for concurrent use.
type Miner struct {
	o       Options
	slice   int // the next
	tracks  []*track
	byTerm  map[string][]*track
	Dropped int // candidates that were forgotten
}

// track is a candidate through the slices.
type track struct {
	terms    []string // as last met
	history  []met    // of the last slices, the latest last
	first    int
	last     int
	gap      bool // it was away since it was first met
	reported bool
}

type met struct {
	slice     int
	terms     []string
	documents map[string]int // by source
}

// New returns a miner.
func New(o Options) *Miner { return &Miner{o: o, byTerm: map[string][]*track{}} }

// Add looks at the next slice and returns the concepts that it makes.
func (m *Miner) Add(documents []Document) []Concept {
	now := m.slice
	m.slice++
	var found []Concept
	for _, c := range m.candidates(documents) {
		t := m.follow(c.terms, now)
		t.history = append(t.history, met{now, c.terms, c.documents})
		t.history = slices.DeleteFunc(t.history, func(h met) bool { return h.slice <= now-m.o.Window })
		if cognition := m.cognition(t); !t.reported && t.first > 0 && !t.gap && m.stable(t) && cognition >= m.o.MinCognition {
			t.reported = true
			found = append(found, Concept{c.terms, t.first, now, cognition})
		}
	}
	m.forget()
	return found
}

// candidate is a clique and the documents that have all its terms.
type candidate struct {
	terms     []string
	documents map[string]int
}

// candidates returns the cliques of related terms of a slice.
func (m *Miner) candidates(documents []Document) (out []candidate) {
	df := map[string]int{}
	for _, d := range documents {
		for _, t := range unique(d.Terms) {
			df[t]++
		}
	}
	var terms []string
	for t, n := range df {
		if n >= m.o.MinDocuments {
			terms = append(terms, t)
		}
	}
	slices.Sort(terms)
	at := map[string]int32{}
	for i, t := range terms {
		at[t] = int32(i)
	}
	both := map[[2]int32]int{}
	in := make([][]int32, len(terms)) // documents of each term
	for n, d := range documents {
		var here []int32
		for _, t := range unique(d.Terms) {
			if i, ok := at[t]; ok {
				here = append(here, i)
				in[i] = append(in[i], int32(n))
			}
		}
		slices.Sort(here)
		for i, a := range here {
			for _, b := range here[i+1:] {
				if near(df[terms[a]], df[terms[b]], m.o.MinRelated) {
					both[[2]int32{a, b}]++
				}
			}
		}
	}
	next := make([][]int32, len(terms))
	for p, n := range both {
		if float64(n) > m.o.MinRelated*math.Sqrt(float64(df[terms[p[0]]]*df[terms[p[1]]])) {
			next[p[0]] = append(next[p[0]], p[1])
		}
	}
	for set := range clique.Maximal(clique.NewGraph(next)) {
		if len(set) < m.o.MinTerms {
			continue
		}
		c := candidate{documents: map[string]int{}}
		common := in[set[0]]
		for _, n := range set {
			c.terms = append(c.terms, terms[n])
			common = slices.DeleteFunc(slices.Clone(common), func(d int32) bool {
				_, ok := slices.BinarySearch(in[n], d)
				return !ok
			})
		}
		slices.Sort(c.terms)
		for _, d := range common {
			c.documents[documents[d].Source]++
		}
		out = append(out, c)
	}
	slices.SortFunc(out, func(a, b candidate) int { return slices.Compare(a.terms, b.terms) })
	return out
}

// near reports whether terms of so many documents can have a cosine above a threshold: at most the smaller number is common, so cos <= sqrt(a/b).
func near(a, b int, threshold float64) bool {
	return float64(min(a, b)) > threshold*threshold*float64(max(a, b))
}

func unique(terms []string) []string {
	out := slices.Clone(terms)
	slices.Sort(out)
	return slices.Compact(out)
}

// deviation is 1 - Jaccard of two ordered sets.
func deviation(a, b []string) float64 {
	common := 0
	for _, t := range a {
		if _, ok := slices.BinarySearch(b, t); ok {
			common++
		}
	}
	return 1 - float64(common)/float64(len(a)+len(b)-common)
}

// follow returns the track that a candidate goes on with: the one that it deviates least from, which no other candidate of the slice has; or a new one.
func (m *Miner) follow(terms []string, now int) *track {
	var best *track
	least := math.Inf(1)
	seen := map[*track]bool{}
	for _, t := range terms {
		for _, k := range m.byTerm[t] {
			if seen[k] || k.last == now {
				continue
			}
			seen[k] = true
			if d := deviation(terms, k.terms); d <= m.o.MaxDeviation && (d < least || d == least && k.first < best.first) {
				best, least = k, d
			}
		}
	}
	if best == nil {
		best = &track{first: now, last: now}
		m.tracks = append(m.tracks, best)
	}
	best.gap = best.gap || best.last < now-1
	best.last = now
	m.index(best, terms)
	return best
}

// index makes a track be found by its terms.
func (m *Miner) index(t *track, terms []string) {
	for _, w := range t.terms {
		if !slices.Contains(terms, w) {
			m.byTerm[w] = slices.DeleteFunc(m.byTerm[w], func(k *track) bool { return k == t })
			if len(m.byTerm[w]) == 0 {
				delete(m.byTerm, w)
			}
		}
	}
	for _, w := range terms {
		if !slices.Contains(t.terms, w) {
			m.byTerm[w] = append(m.byTerm[w], t)
		}
	}
	t.terms = terms
}

// stable reports whether the last slices have a track, and all deviate little from its latest candidate.
func (m *Miner) stable(t *track) bool {
	if len(t.history) < m.o.Stable {
		return false
	}
	last := t.history[len(t.history)-m.o.Stable:]
	latest := last[m.o.Stable-1]
	for i, h := range last {
		if h.slice != latest.slice-m.o.Stable+1+i || deviation(h.terms, latest.terms) > m.o.MaxDeviation {
			return false
		}
	}
	return true
}

// cognition is cogn(c) over the window.
func (m *Miner) cognition(t *track) (sum float64) {
	documents, lifespan := map[string]int{}, map[string]int{}
	for _, h := range t.history {
		for source, n := range h.documents {
			documents[source] += n
			lifespan[source]++
		}
	}
	for _, source := range slices.Sorted(maps.Keys(documents)) { // the same sum in every run
		quality := 1.0
		if m.o.Quality != nil {
			quality = m.o.Quality(source)
		}
		sum += quality * float64(documents[source]) / float64(lifespan[source])
	}
	return sum
}

// forget drops the tracks that were met longest ago, if there are too many.
func (m *Miner) forget() {
	if len(m.tracks) <= m.o.Most {
		return
	}
	slices.SortStableFunc(m.tracks, func(a, b *track) int { return cmp.Compare(b.last, a.last) })
	for _, t := range m.tracks[m.o.Most:] {
		m.index(t, nil)
		m.Dropped++
	}
	m.tracks = m.tracks[:m.o.Most:m.o.Most]
}
