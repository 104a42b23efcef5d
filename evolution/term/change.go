package term

import (
	"cmp"
	"maps"
	"math"
	"math/rand/v2"
	"slices"

	"varve/evolution"
)

// Change is a year in which the company of a term becomes another: the phrases of the sentences that it stands in.
type Change struct {
	Year   int      `json:"year"`   // the first of the new company
	Effect float64  `json:"effect"` // E(y)
	New    []string `json:"new"`    // companions that came, those that say most first
	Gone   []string `json:"gone"`   // and that went
}

// Company is the phrases that some terms stand in sentences with, by year. Lists alone say too little of one term in one year.
type Company struct {
	years  []int
	names  []string                       // of companions
	prior  []float64                      // their shares of all company
	counts map[string][]map[int32]float64 // term: by year: companion: occurrences
}

// Companions returns the terms that company is counted by: the most frequent ones of all slices.
func Companions(years []*Slice, most int) []string {
	sum := map[string]int{}
	for _, s := range years {
		for t, n := range s.Frequency {
			sum[t] += n
		}
	}
	all := slices.SortedFunc(maps.Keys(sum), func(a, b string) int { return cmp.Or(cmp.Compare(sum[b], sum[a]), cmp.Compare(a, b)) })
	return all[:min(most, len(all))]
}

// ReadCompany counts the company of terms in documents of some years, which are in order.
func ReadCompany(documents evolution.Documents, years []int, terms, companions []string) (*Company, error) {
	c := &Company{years: years, names: companions, prior: make([]float64, len(companions)), counts: map[string][]map[int32]float64{}}
	at := map[string]int32{}
	for i, t := range companions {
		at[t] = int32(i)
	}
	for _, t := range terms {
		c.counts[t] = make([]map[int32]float64, len(years))
		for i := range years {
			c.counts[t][i] = map[int32]float64{}
		}
	}
	total := 0.0
	for d, err := range documents() {
		if err != nil {
			return nil, err
		}
		year, ok := slices.BinarySearch(years, d.Year)
		if !ok {
			continue
		}
		for _, s := range d.Sentences {
			for i, p := range s {
				if n, ok := at[p.Key]; ok {
					c.prior[n]++
					total++
				}
				counts := c.counts[p.Key]
				if counts == nil {
					continue
				}
				for j, q := range s {
					if n, ok := at[q.Key]; ok && i != j && q.Key != p.Key {
						counts[year][n]++
					}
				}
			}
		}
	}
	for n := range c.prior {
		c.prior[n] /= max(1, total)
	}
	return c, nil
}

// weights are those of a term's companions in some years. With n_k occurrences of companion k, n in all and its share p_k of all company, those that are more frequent than e_k = n * p_k weigh
//
//	w_k = sqrt(2 * (n_k * ln(n_k / e_k) - (n_k - e_k)))
//
// the root of what they add to the likelihood ratio (Dunning 1993): words that stand everywhere weigh nothing, and those that were met once little.
func (c *Company) weights(term string, years []int) (w []float64, norm, n float64) {
	sum := make([]float64, len(c.names))
	for _, y := range years {
		for k, x := range c.counts[term][y] {
			sum[k] += x
			n += x
		}
	}
	for k, x := range sum {
		e := n * c.prior[k]
		sum[k] = 0
		if x >= 2 && x > e && e > 0 {
			g := 2 * (x*math.Log(x/e) - (x - e))
			sum[k] = math.Sqrt(g)
			norm += g
		}
	}
	return sum, math.Sqrt(norm), n
}

// distance is 1 - cosine of the company of a term in some years and in others; n is the smaller number of occurrences.
func (c *Company) distance(term string, before, after []int) (d, n float64) {
	a, norm, n := c.weights(term, before)
	b, normB, nB := c.weights(term, after)
	return 1 - cosine(a, b, norm, normB), min(n, nB)
}

func cosine(a, b []float64, na, nb float64) float64 {
	dot := 0.0
	for k, w := range a {
		dot += w * b[k]
	}
	return dot / max(1e-9, na*nb)
}

// Likeness is the cosine of the company of two terms in all years.
func (c *Company) Likeness(a, b string) float64 {
	all := make([]int, len(c.years))
	for i := range all {
		all[i] = i
	}
	x, nx, _ := c.weights(a, all)
	y, ny, _ := c.weights(b, all)
	return cosine(x, y, nx, ny)
}

// splits is how many other ways to part the years of a window are looked at.
const splits = 10

// Changes returns the years in which the company of a term changed, in order. With w = Options.Window years on each side of y, and the distance D between the company of some years and of others,
//
//	E(y) = D(y-w..y-1, y..y+w-1) - mean of D over other ways to part the same 2w years into halves
//
// is what the order of the years has to do with how much the halves differ: little company differs by chance, and in every way. A change is where E is at least Options.MinChange, and higher than everywhere
// within w years. Both halves must have Options.MinCompany companions.
func (c *Company) Changes(term string, o Options) []Change {
	w := o.Window
	effect := make([]float64, len(c.years))
	for i := w; i+w <= len(c.years) && c.counts[term] != nil; i++ {
		window := make([]int, 2*w)
		for k := range window {
			window[k] = i - w + k
		}
		d, n := c.distance(term, window[:w], window[w:])
		if n < o.MinCompany {
			continue
		}
		r := rand.New(rand.NewPCG(1, 1)) // the same splits for every term and year
		mean := 0.0
		for range splits {
			r.Shuffle(len(window), func(i, j int) { window[i], window[j] = window[j], window[i] })
			other, _ := c.distance(term, window[:w], window[w:])
			mean += other / splits
		}
		effect[i] = d - mean
	}
	var out []Change
	for i, e := range effect {
		if e > 0 && e >= o.MinChange && e == slices.Max(effect[max(0, i-w):min(len(effect), i+w+1)]) {
			out = append(out, c.change(term, i, w, e))
		}
	}
	return out
}

// change says which companions came and went.
func (c *Company) change(term string, i, w int, effect float64) Change {
	var before, after []int
	for k := range w {
		before, after = append(before, i-w+k), append(after, i+k)
	}
	p, np, _ := c.weights(term, before)
	q, nq, _ := c.weights(term, after)
	came := func(k int) float64 { return q[k]/max(1e-9, nq) - p[k]/max(1e-9, np) }
	order := make([]int, len(c.names))
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(came(b), came(a)) })
	out := Change{Year: c.years[i], Effect: effect, New: []string{}, Gone: []string{}}
	for k := range min(8, len(order)) {
		if first := order[k]; came(first) > 0 {
			out.New = append(out.New, c.names[first])
		}
		if last := order[len(order)-1-k]; came(last) < 0 {
			out.Gone = append(out.Gone, c.names[last])
		}
	}
	return out
}
