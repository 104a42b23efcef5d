package spam

import (
	"cmp"
	"hash/fnv"
	"math"
	"slices"

	"varve/learn"
)

// Candidate is a host that may be labelled next.
type Candidate struct {
	Host         string  `json:"host"`
	Row          int     `json:"-"`
	Spamicity    float64 `json:"spam"`         // of the model; NaN without one
	Disagreement float64 `json:"disagreement"` // standard deviation of what the members of the ensemble say
	Stratum      int     `json:"stratum"`      // tenth of the spamicity, or of the size
	Why          string  `json:"why"`          // it was chosen: uncertain, or stratum
}

// Weigh asks a model about hosts: how likely spam, and how far its members disagree.
func Weigh(m *learn.Model, h *Hosts) []Candidate {
	var row []float64
	p := make([]float64, len(m.Class.Values))
	out := make([]Candidate, 0, len(h.Names))
	for i, host := range h.Names {
		row = h.Set.Row(i, row)
		m.Classifier.Classify(row, p)
		out = append(out, Candidate{Host: host, Row: i, Spamicity: p[0], Disagreement: disagreement(m.Classifier, row), Stratum: min(9, int(p[0]*10))})
	}
	return out
}

// disagreement is the standard deviation of the members of an ensemble, weighted as they are in it; 0 for other classifiers.
func disagreement(c learn.Classifier, row []float64) float64 {
	e, ok := c.(*learn.Selected)
	if !ok {
		return 0
	}
	var sum, mean, square float64
	for k, v := range e.Members {
		if v.Weight == 0 {
			continue
		}
		p := e.Alone(k, row)
		sum, mean, square = sum+v.Weight, mean+v.Weight*p, square+v.Weight*p*p
	}
	if sum == 0 {
		return 0
	}
	mean /= sum
	return math.Sqrt(max(0, square/sum-mean*mean))
}

// Spread puts hosts into ten strata by a number, such as their pages, where there is no model yet.
func Spread(h *Hosts, values []float64) []Candidate {
	order := make([]int, len(h.Names))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(values[a], values[b]) })
	out := make([]Candidate, len(h.Names))
	for rank, i := range order {
		out[i] = Candidate{Host: h.Names[i], Row: i, Spamicity: math.NaN(), Stratum: rank * 10 / len(order)}
	}
	return out
}

// Choose picks n hosts to label: a share of them where the model is least certain (spamicity near one half, members that disagree),
// most uncertain first; the rest at random, the same number from every stratum as far as they have hosts, so that also what the model
// is sure of is looked at. The same seed chooses the same.
//
//	uncertainty = 1 − |2·spamicity − 1| + disagreement
func Choose(all []Candidate, n int, share float64, seed uint64) []Candidate {
	all = slices.Clone(all)
	slices.SortFunc(all, func(a, b Candidate) int {
		return cmp.Or(cmp.Compare(uncertainty(b), uncertainty(a)), cmp.Compare(draw(a.Host, seed), draw(b.Host, seed)))
	})
	n = min(n, len(all))
	first := 0
	if len(all) > 0 && !math.IsNaN(all[0].Spamicity) {
		first = int(share * float64(n))
	}
	out := slices.Clone(all[:first])
	for i := range out {
		out[i].Why = "uncertain"
	}
	return append(out, stratified(all[first:], n-first, seed)...)
}

func uncertainty(c Candidate) float64 {
	if math.IsNaN(c.Spamicity) {
		return 0
	}
	return 1 - math.Abs(2*c.Spamicity-1) + c.Disagreement
}

// draw gives a host its lot.
func draw(host string, seed uint64) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(host)) // never fails
	z := (h.Sum64() ^ seed*0x9e3779b97f4a7c15) * 0xbf58476d1ce4e5b9
	return (z ^ z>>31) * 0x94d049bb133111eb
}

// stratified takes hosts from the strata in turn, each stratum in the order of lots.
func stratified(all []Candidate, n int, seed uint64) []Candidate {
	strata := map[int][]Candidate{}
	for _, c := range all {
		strata[c.Stratum] = append(strata[c.Stratum], c)
	}
	for _, s := range strata {
		slices.SortFunc(s, func(a, b Candidate) int { return cmp.Compare(draw(a.Host, seed), draw(b.Host, seed)) })
	}
	var out []Candidate
	for round := 0; len(out) < n; round++ {
		took := false
		for k := range 10 {
			if round < len(strata[k]) && len(out) < n {
				c := strata[k][round]
				c.Why = "stratum"
				out, took = append(out, c), true
			}
		}
		if !took {
			break
		}
	}
	return out
}
