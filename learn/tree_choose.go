package learn

import "math"

// question is a way to split a node.
type question struct {
	attribute int
	nominal   bool
	cut       float64
	gain      float64
	ratio     float64
	shares    []float64 // of the known weight, by branch
}

func (q *question) branch(v float64) int {
	switch {
	case q.nominal:
		return int(v)
	case v <= q.cut:
		return 0
	}
	return 1
}

// choose gives the question with the best gain ratio among those whose gain is not below the average: the ratio alone
// would favour splits that cut off next to nothing.
func (g *grower) choose(b bough, counts []float64) (question, bool) {
	all := total(counts)
	var found []question
	sum := 0.0
	for a := range g.set.Attributes {
		var q question
		var ok bool
		if g.set.Attributes[a].Nominal() {
			q, ok = g.nominal(a, b, all)
		} else {
			q, ok = g.numeric(a, b, all)
		}
		if ok && q.gain > 1e-9 {
			found = append(found, q)
			sum += q.gain
		}
	}
	best := -1
	for i, q := range found {
		if q.gain >= sum/float64(len(found))-1e-3 && (best < 0 || q.ratio > found[best].ratio) {
			best = i
		}
	}
	if best < 0 {
		return question{}, false
	}
	return found[best], true
}

// nominal asks for the value of a: one branch each, of which two must have the least weight.
func (g *grower) nominal(a int, b bough, all float64) (question, bool) {
	k := g.set.Classes()
	values := len(g.set.Attributes[a].Values)
	counts := make([]float64, values*k)
	whole := make([]float64, k)
	for _, r := range b.sorted[a] {
		v := int(g.set.Columns[a][r])
		counts[v*k+g.set.Y[r]] += g.weight[r]
		whole[g.set.Y[r]] += g.weight[r]
	}
	known := total(whole)
	q := question{attribute: a, nominal: true, shares: make([]float64, values)}
	rest, big := 0.0, 0
	for v := range values {
		d := counts[v*k : v*k+k]
		w := total(d)
		rest += entropy(d)
		q.shares[v] = share(w, known)
		if w >= g.Least {
			big++
		}
	}
	if big < 2 {
		return question{}, false
	}
	q.gain = (entropy(whole) - rest) / all
	q.ratio = q.gain / spread(q.shares, known, all)
	return q, true
}

// numeric finds the best cut of a. Only boundaries can be best: a cut between two runs of equal values of which
// all rows have one and the same class never is (Fayyad and Irani 1992).
func (g *grower) numeric(a int, b bough, all float64) (question, bool) {
	rows, column, left, right := b.sorted[a], g.set.Columns[a], g.left, g.right
	clear(left)
	clear(right)
	for _, r := range rows {
		right[g.set.Y[r]] += g.weight[r]
	}
	known, whole := total(right), entropy(right)
	least := max(g.Least, min(0.1*known/float64(len(right)), 25))
	best, at, tried, gone := math.Inf(1), -1, 0, 0.0
	for i := 0; i < len(rows); {
		v, first, pure, end := column[rows[i]], g.set.Y[rows[i]], true, i
		for ; end < len(rows) && column[rows[end]] == v; end++ {
			c, w := g.set.Y[rows[end]], g.weight[rows[end]]
			pure = pure && c == first
			left[c] += w
			right[c] -= w
			gone += w
		}
		i = end
		if i == len(rows) {
			break
		}
		if gone < least || known-gone < least {
			continue
		}
		tried++
		if pure && g.alike(rows[i:], column, first) {
			continue
		}
		if e := entropy(left) + entropy(right); e < best {
			best, at = e, i
		}
	}
	if at < 0 {
		return question{}, false
	}
	q := question{attribute: a, cut: column[rows[at-1]]}
	if mid := q.cut/2 + column[rows[at]]/2; mid > q.cut && mid < column[rows[at]] {
		q.cut = mid
	}
	below := 0.0
	for _, r := range rows[:at] {
		below += g.weight[r]
	}
	q.shares = []float64{below / known, 1 - below/known}
	q.gain = (whole-best)/all - math.Log2(float64(tried))/all
	q.ratio = q.gain / spread(q.shares, known, all)
	return q, true
}

// alike tells whether the next run of equal values has the class alone.
func (g *grower) alike(rows []int32, column []float64, class int) bool {
	for i := 0; i < len(rows) && column[rows[i]] == column[rows[0]]; i++ {
		if g.set.Y[rows[i]] != class {
			return false
		}
	}
	return true
}

// spread is the entropy of the sizes of the branches, missing values being one more.
func spread(shares []float64, known, all float64) float64 {
	sum := 0.0
	part := func(w float64) {
		if w > 1e-12 {
			sum -= w * math.Log2(w)
		}
	}
	part((all - known) / all)
	for _, s := range shares {
		part(s * known / all)
	}
	return max(sum, 1e-12)
}
