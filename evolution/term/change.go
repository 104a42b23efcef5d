package term

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"varve/evolution"
)

// Change is a year from which on a term is said more than before, and in another company: the phrases of the sentences that it stands in.
type Change struct {
	Year   int      `json:"year"`   // the first of the new company
	Effect float64  `json:"effect"` // E(y)
	Step   float64  `json:"step"`   // how many times as often as before it is said, at least
	New    []string `json:"new"`    // companions that came, those that say most first
	Gone   []string `json:"gone"`   // and that went
}

// Company is the phrases that some terms stand in sentences with, by year. Lists alone say too little of one term in one year.
type Company struct {
	years  []int
	names  []string                       // of companions
	prior  []float64                      // their shares of all company
	counts map[string][]map[int32]float64 // term: by year: companion: occurrences
	said   map[string][]float64           // term: by year: occurrences
	all    []float64                      // phrases by year
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
	c := &Company{years: years, names: companions, prior: make([]float64, len(companions)), counts: map[string][]map[int32]float64{}, said: map[string][]float64{}, all: make([]float64, len(years))}
	at := map[string]int32{}
	for i, t := range companions {
		at[t] = int32(i)
	}
	for _, t := range terms {
		c.counts[t], c.said[t] = make([]map[int32]float64, len(years)), make([]float64, len(years))
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
			c.all[year] += float64(len(s))
			for i, p := range s {
				if n, ok := at[p.Key]; ok {
					c.prior[n]++
					total++
				}
				counts := c.counts[p.Key]
				if counts == nil {
					continue
				}
				c.said[p.Key][year]++
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

// Said counts the occurrences of a term from the i-th year to before the j-th.
func (c *Company) Said(term string, i, j int) (n float64) {
	for y := max(0, i); y < min(len(c.years), j) && c.said[term] != nil; y++ {
		n += c.said[term][y]
	}
	return n
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

// step is the logarithm of how many times as often as before a term is said from the i-th year on: the least of the numbers that the w years on each side tell, half of them, and a third. So what was a peak of some
// years, or grew slowly, is no step. Rates are of all phrases of the years; one occurrence more on each side is for terms that were never said.
func (c *Company) step(term string, i, w int) float64 {
	least := math.Inf(1)
	rate := func(from, to int) float64 {
		n, of := 1.0, 1.0
		for y := max(0, from); y < min(len(c.years), to); y++ {
			n, of = n+c.said[term][y], of+c.all[y]
		}
		return n / of
	}
	for _, w := range [...]int{w, max(1, w/2), max(1, w/3)} {
		least = min(least, math.Log(rate(i, i+w)/rate(i-w, i)))
	}
	return least
}

// Changes returns the years in which a term got a use that it did not have, in order. With w = Options.Window years on each side of y, or as many as there are, but at least half of them, the distance D between the company
// of the years before and from y on, and the step S of how often it is said,
//
//	E(y) = D(y-w..y-1, y..y+w-1) * S(y)
//
// is high where much is new and what is new comes on top of what was said before. Company alone tells little: what a word is said of goes with the events of the time, so that words of which nobody would say that
// they mean something new have a D as high as those that do. A word that is said more in the same company has a low D. A change is where E is at least Options.MinChange, and higher than everywhere within
// half of w years. Both sides must have Options.MinCompany companions.
//
// What is not found: a use that replaces another, as often said, and one that goes.
func (c *Company) Changes(term string, o Options) []Change {
	w := o.Window
	side := max(1, w/2) // the least years of a side
	effect, steps := make([]float64, len(c.years)), make([]float64, len(c.years))
	for i := side; i+side <= len(c.years) && c.counts[term] != nil; i++ {
		if steps[i] = c.step(term, i, w); steps[i] <= 0 {
			continue
		}
		before, after := c.sides(i, w)
		if d, n := c.distance(term, before, after); n >= o.MinCompany {
			effect[i] = d * steps[i]
		}
	}
	var out []Change
	for i, e := range effect {
		if e > 0 && e >= o.MinChange && e == slices.Max(effect[max(0, i-side):min(len(effect), i+side+1)]) {
			x := c.change(term, i, w)
			x.Effect, x.Step = e, math.Exp(steps[i])
			out = append(out, x)
		}
	}
	return out
}

// sides are the w years before the i-th and from it on, as far as there are so many.
func (c *Company) sides(i, w int) (before, after []int) {
	for k := max(0, i-w); k < min(len(c.years), i+w); k++ {
		if k < i {
			before = append(before, k)
		} else {
			after = append(after, k)
		}
	}
	return before, after
}

// change says which companions came and went.
func (c *Company) change(term string, i, w int) Change {
	before, after := c.sides(i, w)
	p, np, _ := c.weights(term, before)
	q, nq, _ := c.weights(term, after)
	came := func(k int) float64 { return q[k]/max(1e-9, nq) - p[k]/max(1e-9, np) }
	order := make([]int, len(c.names))
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(came(b), came(a)) })
	out := Change{Year: c.years[i], New: []string{}, Gone: []string{}}
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
