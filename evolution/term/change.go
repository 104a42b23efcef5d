package term

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
)

// Change is a year in which the company of a term becomes another: the terms that it stands in lists with.
type Change struct {
	Year   int      `json:"year"`   // the first of the new company
	Effect float64  `json:"effect"` // E(y), in bits
	New    []string `json:"new"`    // companions that came, those that say most first
	Gone   []string `json:"gone"`   // and that went
}

// company is the companions of a term by year.
type company struct {
	terms  []string
	counts map[int]map[int32]int // year: companion: documents
}

func companyOf(years []*Slice, term string) *company {
	c := &company{counts: map[int]map[int32]int{}}
	at := map[string]int32{}
	for _, s := range years {
		counts := map[int32]int{}
		for _, e := range s.Edges {
			other := e.A
			switch term {
			case e.A:
				other = e.B
			case e.B:
			default:
				continue
			}
			n, ok := at[other]
			if !ok {
				n = int32(len(c.terms))
				at[other] = n
				c.terms = append(c.terms, other)
			}
			counts[n] += e.Count
		}
		c.counts[s.Year] = counts
	}
	return c
}

// sum adds up some years: counts by companion, and all of them.
func (c *company) sum(years []int) (counts []float64, total float64) {
	counts = make([]float64, len(c.terms))
	for _, y := range years {
		for n, k := range c.counts[y] {
			counts[n] += float64(k)
			total += float64(k)
		}
	}
	return counts, total
}

// divergence returns that of Jensen and Shannon between the company of some years and of others, in bits, and the smaller of the two totals:
//
//	D(p, q) = (KL(p | m) + KL(q | m)) / 2    m = (p+q)/2    KL(p | m) = sum of p_i log2(p_i / m_i)
func (c *company) divergence(before, after []int) (d, least float64) {
	p, np := c.sum(before)
	q, nq := c.sum(after)
	if np == 0 || nq == 0 {
		return 0, 0
	}
	for i := range p {
		a, b := p[i]/np, q[i]/nq
		if a > 0 {
			d += a * math.Log2(2*a/(a+b)) / 2
		}
		if b > 0 {
			d += b * math.Log2(2*b/(a+b)) / 2
		}
	}
	return d, min(np, nq)
}

// splits is how many other ways to part the years of a window are looked at.
const splits = 30

// Changes returns the years in which the company of a term changed, in order. With w = Options.Window years on each side of y,
//
//	E(y) = D(y-w..y-1, y..y+w-1) - mean of D over other ways to part the same 2w years into halves
//
// is what the order of the years has to do with how much the halves differ: few companions differ by chance, and in every way. A change is where E is at
// least Options.MinChange, and higher than everywhere within w years. Both halves must have Options.MinCompany companions.
func Changes(years []*Slice, term string, o Options) []Change {
	if len(years) < 2*o.Window {
		return nil
	}
	c := companyOf(years, term)
	all := make([]int, len(years))
	effect := make([]float64, len(years))
	for i, s := range years {
		all[i] = s.Year
	}
	for i := o.Window; i+o.Window <= len(all); i++ {
		window := all[i-o.Window : i+o.Window]
		d, least := c.divergence(window[:o.Window], window[o.Window:])
		if least < o.MinCompany {
			continue
		}
		r := rand.New(rand.NewPCG(1, 1)) // the same splits for every term and year
		mean := 0.0
		mixed := slices.Clone(window)
		for range splits {
			r.Shuffle(len(mixed), func(i, j int) { mixed[i], mixed[j] = mixed[j], mixed[i] })
			other, _ := c.divergence(mixed[:o.Window], mixed[o.Window:])
			mean += other / splits
		}
		effect[i] = d - mean
	}
	var out []Change
	for i, e := range effect {
		near := effect[max(0, i-o.Window):min(len(effect), i+o.Window+1)]
		if e >= o.MinChange && e == slices.Max(near) {
			out = append(out, c.change(all, i, o.Window, e))
		}
	}
	return out
}

// change says which companions came and went.
func (c *company) change(all []int, i, window int, effect float64) Change {
	p, np := c.sum(all[i-window : i])
	q, nq := c.sum(all[i : i+window])
	part := func(n int) float64 { // of E(y), with the sign of what came
		a, b := p[n]/np, q[n]/nq
		return b - a
	}
	order := make([]int, len(c.terms))
	for n := range order {
		order[n] = n
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Or(cmp.Compare(part(b), part(a)), cmp.Compare(c.terms[a], c.terms[b])) })
	out := Change{Year: all[i], Effect: effect, New: []string{}, Gone: []string{}}
	for k := range min(8, len(order)) {
		if first := order[k]; part(first) > 0 {
			out.New = append(out.New, c.terms[first])
		}
		if last := order[len(order)-1-k]; part(last) < 0 {
			out.Gone = append(out.Gone, c.terms[last])
		}
	}
	return out
}
