package learn

import "math"

// prune replaces, from the leaves up, each branching whose leaves are expected to make no fewer errors than
// one leaf in its place. It gives the errors expected below the node.
func (m *tree) prune(at int32, confidence float64) float64 {
	n := &m.nodes[at]
	sum := total(n.counts)
	leaf := pessimistic(sum-n.counts[Best(n.counts)], sum, confidence)
	if n.branches == nil {
		return leaf
	}
	below := 0.0
	for _, b := range n.branches {
		below += m.prune(b, confidence)
	}
	if leaf <= below+0.1 {
		m.nodes[at].branches, m.nodes[at].shares = nil, nil
		return leaf
	}
	return below
}

// pessimistic gives the errors to expect of a leaf that made e among n training rows: n times the upper end of the
// confidence interval of e/n. With z the normal quantile of 1-confidence and f = (e+0.5)/n,
//
//	(f + z^2/2n + z*sqrt(f/n - f^2/n + z^2/4n^2)) / (1 + z^2/n)
//
// and exactly 1 - confidence^(1/n) for e = 0; between 0 and 1 error by a straight line.
func pessimistic(e, n, confidence float64) float64 {
	switch {
	case n == 0:
		return 0
	case e < 1:
		none := n * (1 - math.Pow(confidence, 1/n))
		if e == 0 {
			return none
		}
		return none + e*(pessimistic(1, n, confidence)-none)
	case e+0.5 >= n:
		return n
	}
	z := -math.Sqrt2 * math.Erfinv(2*confidence-1)
	f := (e + 0.5) / n
	return n * (f + z*z/(2*n) + z*math.Sqrt(f/n-f*f/n+z*z/(4*n*n))) / (1 + z*z/n)
}
