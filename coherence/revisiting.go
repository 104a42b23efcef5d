package coherence

import (
	"cmp"
	"math"
	"slices"
)

// Planning of revisits. The visits are over, so page i has an age a_i = start - t_i, and the k-th
// revisit finds it unchanged with the probability
//
//	exp(-l_i * (a_i + (k+1)*pace))
//
// Which pages get the revisits that the budget allows, and in what order, is an assignment again.
// Up to ExactLimit pages it is solved exactly. Above, it starts from the best of
//
//	the reverse order of the visits, which is right when the visits followed the plan
//	for a few thresholds: the pages that are most likely unchanged half-way, as many as the budget
//	allows, those still hopeful hottest first, then the hopeless ones, coldest first
//
// and is improved by solving parts of it exactly: every s-th place and every s-th page left out,
// together at most blockSize pages, exchange their places as is best for them.

// blockSize is the number of pages whose places are exchanged at once.
const blockSize = 160

// revisiting is the planning of one set of revisits.
type revisiting struct {
	v []Visited // the first o.Budget of them are revisited, in this order
	o Revisits
}

func newRevisiting(v []Visited, o Revisits) *revisiting { return &revisiting{v: v, o: o} }

// chance is that of page p at the k-th revisit; k beyond the budget is none.
func (r *revisiting) chance(p Visited, k int) float64 {
	if k >= r.o.Budget {
		return 0
	}
	return math.Exp(-p.Rate * (r.o.Start - p.At + float64(k+1)*r.o.Pace))
}

func (r *revisiting) value(v []Visited) float64 {
	sum := 0.0
	for k := range r.o.Budget {
		sum += r.chance(v[k], k)
	}
	return sum
}

func (r *revisiting) order() []Visited {
	if len(r.v) <= ExactLimit {
		all := make([]int, len(r.v))
		for i := range all {
			all[i] = i
		}
		r.exchange(all)
		return r.v
	}
	best, most := r.v, r.value(r.v)
	for _, changes := range []float64{0.25, 0.5, 0.75, 1, 1.5, 2, 4, math.Inf(1)} {
		other := r.hopeful(changes)
		if value := r.value(other); value > most {
			best, most = other, value
		}
	}
	r.v = best
	stride := (len(r.v) + blockSize - 1) / blockSize
	for first := range stride {
		var block []int
		for k := first; k < len(r.v); k += stride {
			block = append(block, k)
		}
		r.exchange(block)
	}
	return r.v
}

// hopeful makes an order in which pages that expect fewer changes than the given number come
// first.
func (r *revisiting) hopeful(changes float64) []Visited {
	v := slices.Clone(r.v)
	half := r.o.Budget / 2
	slices.SortStableFunc(v, func(a, b Visited) int { return cmp.Compare(r.chance(b, half), r.chance(a, half)) })
	chosen := v[:r.o.Budget]
	slices.SortStableFunc(chosen, func(a, b Visited) int { return cmp.Compare(b.Rate, a.Rate) })
	kept, given := 0, make([]Visited, 0, len(chosen))
	for _, p := range chosen {
		if p.Rate*(r.o.Start-p.At+float64(kept+1)*r.o.Pace) >= changes {
			given = append(given, p)
		} else {
			chosen[kept] = p
			kept++
		}
	}
	slices.Reverse(given)
	copy(chosen[kept:], given)
	return v
}

// exchange gives the pages at the given places the best of these places.
func (r *revisiting) exchange(places []int) {
	inside := 0 // places within the budget; these come first
	for inside < len(places) && places[inside] < r.o.Budget {
		inside++
	}
	pages := make([]Visited, len(places))
	for i, k := range places {
		pages[i] = r.v[k]
	}
	cost := matrix(inside, len(pages))
	for row := range cost {
		for i, p := range pages {
			cost[row][i] = -r.chance(p, places[row])
		}
	}
	taken := make([]bool, len(pages))
	for row, i := range assign(inside, len(pages), cost, nil) {
		r.v[places[row]] = pages[i]
		taken[i] = true
	}
	rest := inside
	for i, p := range pages {
		if !taken[i] {
			r.v[places[rest]] = p
			rest++
		}
	}
}
