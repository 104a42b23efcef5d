// Package clean chooses, of observations that contradict each other, those that fit together and weigh most: the integer program of PRAVDA (seed 004, 4.2.3), solved exactly.
//
// Terms: a fact holds from its begin b to its end e, the end excluded; an observation speaks of one fact, has a weight, and bounds b and e; a constraint says which of Allen's relations may
// hold between two facts (one marriage before the other).
//
// # Formula
//
//	maximise    sum_r w_r x_r                                        x_r in {0,1}: observation r is right
//	such that   b_f < e_f                                            for each fact f
//	            Begin_r.Lo <= b_f <= Begin_r.Hi                      for each r of f with x_r = 1
//	            End_r.Lo   <= e_f <= End_r.Hi
//	            b_f, e_f, b_g, e_g stand in an allowed relation      for each constraint, if f and g both have an observation with x_r = 1
//
// The seed's three kinds are boxes of this form: "begin" bounds b, "end" bounds e, "during [lo,hi]" is b <= hi, e > lo. Where the seed sets b to one year, a box keeps what the text said: a day, a month, a year.
//
// # How
//
// Facts that no constraint joins are cleaned one apart from the other (component). A constraint that cannot bind is no join: see drop. Inside a component it is branch and bound: observations by
// falling weight, each taken or left. What is taken must be feasible (feasible.go). A branch ends when its weight and all that could be added is not more than the best so far; what could be added
// is bounded by cliques of observations that exclude each other in pairs, of which one can be taken: the sum over cliques of the largest weight.
//
// # Example
//
//	A married B, begins 1990 (0.9)   A married B, ends 2000 (0.8)   A married C, during 1995 (0.6)   A married C, begins 2001 (0.5)
//
// One marriage at a time: 1995 cannot be taken with both of the first two, nor with 2001 (begun before its begin). 0.9 + 0.8 + 0.5 is best, so 1995 goes (TestExample).
//
// Cost: of n facts that share a name, only those are compared whose times meet (group.go): n log n where they lie one after the other; where more than a hundred lie at one time, those that weigh least are left
// out and counted. The search is exponential in the worst case, as the problem is NP-hard. A component that needs more than Options.Nodes steps is cleaned greedily (the heaviest first, whatever still fits),
// and counted as such: Component.Exact is false. Memory is linear in observations and constraints but for one component at a time, which has a bit for each pair of its observations.
package clean

import (
	"context"
	"fmt"
	"math"
	"slices"
)

// Open ends of ranges.
const (
	Min = math.MinInt32 / 4
	Max = math.MaxInt32 / 2
)

// Range bounds a point of time, both sides included.
type Range struct{ Lo, Hi int32 }

// Any is a range without bounds.
func Any() Range { return Range{Min, Max} }

// Both returns what lies in two ranges.
func (r Range) Both(s Range) Range { return Range{max(r.Lo, s.Lo), min(r.Hi, s.Hi)} }

// Empty reports whether there is no point in the range.
func (r Range) Empty() bool { return r.Lo > r.Hi }

// Observation bounds the interval of a fact.
type Observation struct {
	Fact       int32
	Weight     float64
	Begin, End Range
}

// Constraint says how the intervals of two facts may lie.
type Constraint struct {
	F, G  int32
	Allow Relations
}

// Problem is observations of facts, which are numbered from 0.
type Problem struct {
	Facts        int
	Observations []Observation
	Constraints  []Constraint
	Groups       []Group // more of them
}

// Options bound the work.
type Options struct {
	Nodes int // steps of the search in one component; 0 is DefaultNodes
}

// DefaultNodes is how many steps a component may take, about a second.
const DefaultNodes = 200_000

// Component is what was found of facts that constraints join.
type Component struct {
	Facts, Observations int
	Chosen              int
	Weight              float64
	Steps               int
	Exact               bool // false: it took more than Options.Nodes, and was cleaned greedily
}

// Solution says which observations were chosen.
type Solution struct {
	Chosen     []bool  // by observation
	Begin, End []Range // by fact: what the chosen observations leave; all of time for a fact without any
	Components []Component
	Crowded    int // facts of which nothing was chosen since they share a name with too many others at once (Group)
}

// Weight returns the sum over the chosen observations.
func (s *Solution) Weight() (sum float64) {
	for _, c := range s.Components {
		sum += c.Weight
	}
	return sum
}

// Solve chooses observations. An observation whose weight is not above 0, or whose ranges are empty, is never chosen.
func Solve(ctx context.Context, p Problem, o Options) (*Solution, error) {
	if o.Nodes == 0 {
		o.Nodes = DefaultNodes
	}
	for i, r := range p.Observations {
		if r.Fact < 0 || int(r.Fact) >= p.Facts || math.IsNaN(r.Weight) {
			return nil, fmt.Errorf("clean facts: observation %d is of fact %d of %d, with weight %v", i, r.Fact, p.Facts, r.Weight)
		}
	}
	for i, c := range p.Constraints {
		if c.F == c.G || min(c.F, c.G) < 0 || int(max(c.F, c.G)) >= p.Facts {
			return nil, fmt.Errorf("clean facts: constraint %d joins facts %d and %d of %d", i, c.F, c.G, p.Facts)
		}
	}
	for i, g := range p.Groups {
		for _, f := range slices.Concat(g.F, g.G) {
			if f < 0 || int(f) >= p.Facts {
				return nil, fmt.Errorf("clean facts: group %d has fact %d of %d", i, f, p.Facts)
			}
		}
	}
	hulls, shrinks, left := survey(p)
	p.Constraints = append(slices.Clip(p.Constraints), joins(p, hulls, shrinks, left)...)
	s := &Solution{Chosen: make([]bool, len(p.Observations)), Begin: make([]Range, p.Facts), End: make([]Range, p.Facts)}
	for f := range p.Facts {
		s.Begin[f], s.End[f] = Any(), Any()
	}
	for _, crowded := range left {
		if crowded {
			s.Crowded++
		}
	}
	for _, part := range components(p, drop(p, hulls, shrinks)) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		c, chosen := newSearch(p, part, left, o.Nodes).solve()
		s.Components = append(s.Components, c)
		for _, r := range chosen {
			s.Chosen[r] = true
			f := p.Observations[r].Fact
			s.Begin[f], s.End[f] = s.Begin[f].Both(p.Observations[r].Begin), s.End[f].Both(p.Observations[r].End)
		}
	}
	for f := range p.Facts { // b < e
		s.Begin[f].Hi, s.End[f].Lo = min(s.Begin[f].Hi, s.End[f].Hi-1), max(s.End[f].Lo, s.Begin[f].Lo+1)
	}
	return s, nil
}

// part is a component: numbers of its observations and constraints.
type part struct{ observations, constraints []int32 }

// components returns the observations and constraints of each set of facts that constraints join, but for those that are dropped. Those of a single fact are a component, too.
func components(p Problem, dropped []bool) []part {
	parent := make([]int32, p.Facts)
	for f := range parent {
		parent[f] = int32(f)
	}
	root := func(f int32) int32 {
		for parent[f] != f {
			parent[f] = parent[parent[f]]
			f = parent[f]
		}
		return f
	}
	for i, c := range p.Constraints {
		if !dropped[i] {
			parent[root(c.F)] = root(c.G)
		}
	}
	var out []part
	at := map[int32]int{}
	for i, r := range p.Observations {
		f := root(r.Fact)
		n, known := at[f]
		if !known {
			n = len(out)
			at[f] = n
			out = append(out, part{})
		}
		out[n].observations = append(out[n].observations, int32(i))
	}
	for i, c := range p.Constraints {
		if n, known := at[root(c.F)]; known && !dropped[i] {
			out[n].constraints = append(out[n].constraints, int32(i))
		}
	}
	return out
}

// drop finds the constraints that cannot bind. Let the hull of a fact be the smallest interval that holds all that its observations speak of (hull). If a fact holds from b to e, it can be made to hold only inside of its hull
// as well: no observation is violated, and no comparison of the form "the end of one is not after the begin of another" is, since ends become earlier and begins later. So where all constraints of two facts
// are made of such comparisons, and their hulls satisfy the one between them, it holds whatever is chosen.
func drop(p Problem, hulls []Range, shrinks []bool) []bool {
	out := make([]bool, len(p.Constraints))
	for i, c := range p.Constraints {
		f, g := hulls[c.F], hulls[c.G]
		if f.Empty() || g.Empty() { // nothing speaks of one of them
			out[i] = true
			continue
		}
		first := c.Allow&(Before|Meets) == Before|Meets && f.Hi <= g.Lo
		second := c.Allow&(After|MetBy) == After|MetBy && g.Hi <= f.Lo
		out[i] = shrinks[c.F] && shrinks[c.G] && (first || second)
	}
	return out
}

// survey returns the hull of each fact (empty if nothing speaks of it), whether all its constraints let it shrink, and room to mark what is left out.
func survey(p Problem) (hulls []Range, shrinks, left []bool) {
	hulls, shrinks, left = make([]Range, p.Facts), make([]bool, p.Facts), make([]bool, p.Facts)
	for f := range p.Facts {
		hulls[f], shrinks[f] = Range{Max, Min}, true
	}
	for _, r := range p.Observations {
		from, to := hull(r)
		hulls[r.Fact] = Range{min(hulls[r.Fact].Lo, from), max(hulls[r.Fact].Hi, to)}
	}
	for _, c := range p.Constraints {
		if !c.Allow.apart() {
			shrinks[c.F], shrinks[c.G] = false, false
		}
	}
	for _, g := range p.Groups {
		if !g.Allow.apart() {
			for _, f := range slices.Concat(g.F, g.G) {
				shrinks[f] = false
			}
		}
	}
	return hulls, shrinks, left
}

// hull returns the smallest interval into which any interval that an observation allows can be cut, and still be allowed.
func hull(r Observation) (lo, hi int32) {
	lo, hi = Max, Min
	if r.Begin.Lo == Min && r.End.Lo == Min {
		lo = Min
	}
	if r.Begin.Hi == Max && r.End.Hi == Max {
		hi = Max
	}
	for _, b := range []int32{r.Begin.Lo, r.Begin.Hi} {
		if b > Min && b < Max {
			lo, hi = min(lo, b), max(hi, b+1)
		}
	}
	for _, e := range []int32{r.End.Lo, r.End.Hi} {
		if e > Min && e < Max {
			lo, hi = min(lo, e-1), max(hi, e)
		}
	}
	return lo, hi
}

// search is branch and bound in one component.
type search struct {
	system   *system
	box      []Observation // observations of the component, by falling weight, with facts numbered inside of it
	number   []int32       // of each in the problem
	excludes [][]uint64    // bits: what cannot be taken with it
	clique   []int32       // of each: those of one clique exclude each other
	limit    int

	chosen, best []int32
	bestWeight   float64
	stopped      bool
	most         []float64 // by clique, scratch of bound
}

func newSearch(p Problem, c part, left []bool, limit int) *search {
	s := &search{limit: limit}
	local := map[int32]int32{}
	for _, i := range c.observations {
		r := p.Observations[i]
		if left[r.Fact] {
			continue
		}
		if _, known := local[r.Fact]; !known {
			local[r.Fact] = int32(len(local))
		}
		r.Fact = local[r.Fact]
		if r.Weight > 0 && !r.Begin.Empty() && !r.End.Empty() && r.Begin.Lo < r.End.Hi {
			s.box, s.number = append(s.box, r), append(s.number, i)
		}
	}
	order := make([]int, len(s.box))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int {
		switch {
		case s.box[i].Weight > s.box[j].Weight:
			return -1
		case s.box[i].Weight < s.box[j].Weight:
			return 1
		}
		return 0
	})
	box, number := make([]Observation, len(order)), make([]int32, len(order))
	for k, i := range order {
		box[k], number[k] = s.box[i], s.number[i]
	}
	s.box, s.number = box, number
	var joins []Constraint
	for _, i := range c.constraints {
		k := p.Constraints[i]
		f, ok1 := local[k.F]
		g, ok2 := local[k.G]
		if ok1 && ok2 {
			joins = append(joins, Constraint{f, g, k.Allow})
		}
	}
	s.system = newSystem(len(local), joins)
	return s
}

func (s *search) solve() (Component, []int32) {
	n := len(s.box)
	c := Component{Facts: s.system.facts, Observations: n, Exact: true}
	if s.feasible(all(n)) { // most components have no contradiction
		s.best = all(n)
	} else if n > maxPairs {
		s.stopped = true
	} else {
		s.pairs()
		s.branch(all(n), 0)
	}
	if s.stopped {
		c.Exact = false
		s.greedy()
	}
	var out []int32
	for _, i := range s.best {
		out = append(out, s.number[i])
		c.Weight += s.box[i].Weight
	}
	c.Chosen, c.Steps = len(out), s.system.steps
	return c, out
}

// maxPairs is how many observations of one component are compared each with each: 50 MB of bits.
const maxPairs = 20_000

func all(n int) []int32 {
	out := make([]int32, n)
	for i := range out {
		out[i] = int32(i)
	}
	return out
}

// pairs finds which observations exclude each other, and cliques of them: each goes to the first clique whose members all exclude it.
func (s *search) pairs() {
	n := len(s.box)
	words := (n + 63) / 64
	s.excludes = make([][]uint64, n)
	for i := range n {
		s.excludes[i] = make([]uint64, words)
	}
	for i := range n {
		for j := range i {
			if s.near(i, j) && !s.system.pair(s.box[i], s.box[j]) {
				s.excludes[i][j/64] |= 1 << (j % 64)
				s.excludes[j][i/64] |= 1 << (i % 64)
			}
		}
	}
	var cliques [][]int32
	s.clique = make([]int32, n)
	for i := range n {
		k := slices.IndexFunc(cliques, func(c []int32) bool {
			return !slices.ContainsFunc(c, func(j int32) bool { return !s.excluded(int32(i), j) })
		})
		if k < 0 {
			k = len(cliques)
			cliques = append(cliques, nil)
		}
		cliques[k] = append(cliques[k], int32(i))
		s.clique[i] = int32(k)
	}
	s.most = make([]float64, len(cliques))
}

// near reports whether two observations are of one fact, or of two with a constraint.
func (s *search) near(i, j int) bool {
	f, g := s.box[i].Fact, s.box[j].Fact
	return f == g || len(s.system.between(f, g)) > 0
}

func (s *search) excluded(i, j int32) bool { return s.excludes[i][j/64]&(1<<(j%64)) != 0 }

// branch tries what can be taken with what is chosen.
func (s *search) branch(open []int32, weight float64) {
	if weight > s.bestWeight {
		s.bestWeight, s.best = weight, slices.Clone(s.chosen)
	}
	for len(open) > 0 && !s.stopped {
		if s.system.steps++; s.system.steps > s.limit {
			s.stopped = true
			return
		}
		if weight+s.bound(open) <= s.bestWeight+1e-12 {
			return
		}
		r := open[0]
		open = open[1:]
		s.chosen = append(s.chosen, r)
		if s.feasible(s.chosen) {
			rest := make([]int32, 0, len(open))
			for _, i := range open {
				if !s.excluded(r, i) {
					rest = append(rest, i)
				}
			}
			s.branch(rest, weight+s.box[r].Weight)
		}
		s.chosen = s.chosen[:len(s.chosen)-1]
	}
}

// bound returns more than what can be added of open, or just that: one of each clique.
func (s *search) bound(open []int32) (sum float64) {
	clear(s.most)
	for _, i := range open { // by falling weight: the first of a clique is its largest
		if k := s.clique[i]; s.most[k] == 0 {
			s.most[k] = s.box[i].Weight
			sum += s.box[i].Weight
		}
	}
	return sum
}

// greedy takes the heaviest first, and whatever fits with what is taken.
func (s *search) greedy() {
	s.chosen = s.chosen[:0]
	for i := range s.box {
		s.chosen = append(s.chosen, int32(i))
		if !s.feasible(s.chosen) {
			s.chosen = s.chosen[:len(s.chosen)-1]
		}
	}
	if weight := s.weight(s.chosen); weight > s.bestWeight {
		s.best = slices.Clone(s.chosen)
	}
}

func (s *search) weight(list []int32) (sum float64) {
	for _, i := range list {
		sum += s.box[i].Weight
	}
	return sum
}

// feasible reports whether observations can hold together. Where that takes too many steps, it says no: what is chosen is always sound, and s.stopped tells that it may not be the best.
func (s *search) feasible(list []int32) bool {
	ok, known := s.system.feasible(s.box, list)
	if !known {
		s.stopped = true
	}
	return ok
}
