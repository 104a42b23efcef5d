package learn

import (
	"cmp"
	"math"
	"slices"
)

// grower builds a tree. A row may be in several nodes at once when a value is missing, with weights that change on
// the way down: weight holds those of the node at work.
type grower struct {
	Tree
	set    *Set
	weight []float64
	side   []int32 // the branch that a row takes at the split at work, -1 for all
	nodes  []node
	left   []float64 // room for class weights
	right  []float64
}

// bough is what reaches a node: its rows, and for each attribute the rows that have a value, in the order of it.
type bough struct {
	rows   []int32
	sorted [][]int32
}

func newGrower(s *Set, t Tree) *grower {
	g := &grower{Tree: t, set: s, weight: make([]float64, s.Len()), side: make([]int32, s.Len()), left: make([]float64, s.Classes()), right: make([]float64, s.Classes())}
	for i := range g.weight {
		g.weight[i] = s.Weight(i)
	}
	return g
}

func (g *grower) root() bough {
	b := bough{sorted: make([][]int32, len(g.set.Columns))}
	for i, w := range g.weight {
		if w > 0 {
			b.rows = append(b.rows, int32(i))
		}
	}
	for a, column := range g.set.Columns {
		known := make([]int32, 0, len(b.rows))
		for _, r := range b.rows {
			if !math.IsNaN(column[r]) {
				known = append(known, r)
			}
		}
		slices.SortStableFunc(known, func(x, y int32) int { return cmp.Compare(column[x], column[y]) })
		b.sorted[a] = known
	}
	return b
}

func (g *grower) counts(rows []int32) []float64 {
	d := make([]float64, g.set.Classes())
	for _, r := range rows {
		d[g.set.Y[r]] += g.weight[r]
	}
	return d
}

// grow makes the node of a bough and all below it, and gives its number.
func (g *grower) grow(b bough, depth int) int32 {
	at := int32(len(g.nodes))
	counts := g.counts(b.rows)
	g.nodes = append(g.nodes, node{counts: counts})
	if depth >= g.Depth || present(counts) < 2 || total(counts) < 2*g.Least {
		return at
	}
	q, ok := g.choose(b, counts)
	if !ok {
		return at
	}
	branches := g.split(b, q, depth)
	n := &g.nodes[at]
	n.attribute, n.cut, n.branches, n.shares = int32(q.attribute), q.cut, branches, q.shares
	return at
}

// split sends the rows of a bough down the branches of a question. Rows without the value go to each that has any,
// with its share of their weight, which is given back afterwards.
func (g *grower) split(b bough, q question, depth int) []int32 {
	column := g.set.Columns[q.attribute]
	var missing []int32
	for _, r := range b.rows {
		if v := column[r]; math.IsNaN(v) {
			g.side[r] = -1
			missing = append(missing, r)
		} else {
			g.side[r] = int32(q.branch(v))
		}
	}
	parts := make([]bough, len(q.shares))
	for k, rows := range g.deal(b.rows, q.shares) {
		parts[k] = bough{rows: rows, sorted: make([][]int32, len(b.sorted))}
	}
	for a, rows := range b.sorted {
		for k, part := range g.deal(rows, q.shares) {
			parts[k].sorted[a] = part
		}
	}
	branches := make([]int32, len(parts))
	for k, part := range parts {
		branches[k] = g.under(part, missing, q.shares[k], depth)
		parts[k] = bough{}
	}
	return branches
}

// deal parts rows by their side, order kept.
func (g *grower) deal(rows []int32, shares []float64) [][]int32 {
	out := make([][]int32, len(shares))
	sizes := make([]int, len(shares))
	all := 0
	for _, r := range rows {
		if g.side[r] < 0 {
			all++
		} else {
			sizes[g.side[r]]++
		}
	}
	for k := range out {
		if sizes[k] > 0 || shares[k] > 0 {
			out[k] = make([]int32, 0, sizes[k]+all)
		}
	}
	for _, r := range rows {
		if at := g.side[r]; at >= 0 {
			out[at] = append(out[at], r)
			continue
		}
		for k, s := range shares {
			if s > 0 {
				out[k] = append(out[k], r)
			}
		}
	}
	return out
}

// under grows a branch with the weight of the missing rows scaled, and scales it back.
func (g *grower) under(b bough, missing []int32, share float64, depth int) int32 {
	saved := make([]float64, len(missing))
	for i, r := range missing {
		saved[i] = g.weight[r]
		g.weight[r] *= share
	}
	at := g.grow(b, depth+1)
	for i, r := range missing {
		g.weight[r] = saved[i]
	}
	return at
}
