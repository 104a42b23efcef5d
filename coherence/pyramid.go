package coherence

import "math"

// A pyramid is a set of nested visit-revisit intervals. Position 0 is the innermost: its page is
// visited last and, like in the seed, not again, since its visit is the reference point. Position
// k is visited before and revisited after all positions below it.

// Gaps gives the lengths of the nested intervals of n pages at an even pace: 0, 2, 4, ..., 2(n-1)
// paces.
func Gaps(n int, pace float64) []float64 {
	out := make([]float64, n)
	for k := range out {
		out[k] = 2 * float64(k) * pace
	}
	return out
}

// NestedGaps gives the lengths of nested intervals when fetches take unequal time. costs are those
// of the pages at positions 0, 1, ...; the instant of a fetch is at the end of its time:
//
//	L_k = sum over j=0..k-1 of cost_j (visits)  +  sum over j=1..k of cost_j (revisits)
func NestedGaps(costs []float64) []float64 {
	out := make([]float64, len(costs))
	for k := 1; k < len(costs); k++ {
		out[k] = out[k-1] + costs[k-1] + costs[k]
	}
	return out
}

// Value is the expected number of coherent pages when position k, of interval gaps[k], has the
// page at[k] of rates l.
func Value(l, gaps []float64, at []int) float64 {
	sum := 0.0
	for k, i := range at {
		sum += math.Exp(-l[i] * gaps[k])
	}
	return sum
}

// hopeless is the threshold of the SHARC pyramid: a page is given up when one change or more is
// expected in the interval that it would get, l*L >= 1. It is where the mixed derivative of
// exp(-l*L) changes its sign.
const hopeless = 1 - 1/math.E

// Threshold is the rule of seed 001, figure 8, for rates l in descending order: the pages that
// positions 0, 1, ... get. A page whose conflict probability in the interval of the position in
// question is eta or more is given up and gets the longest interval still free; else it has the
// position.
func Threshold(l, gaps []float64, eta float64) []int {
	n := len(l)
	at := make([]int, n)
	limit := -math.Log1p(-eta) // kappa >= eta  <=>  l*L >= -ln(1-eta)
	k, last := 0, n-1
	for i := range l {
		if l[i]*gaps[k] >= limit {
			at[last] = i
			last--
		} else {
			at[k] = i
			k++
		}
	}
	return at
}
