package coherence

import "math"

// ExactLimit is the number of pages up to which the assignment is solved exactly.
const ExactLimit = 400

// etaGrid are the thresholds of the seed's rule that Arrange tries, with its good range 0.45..0.7
// and what lies around it.
var etaGrid = [...]float64{0.2, 0.3, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.9, 0.95}

// Arrange gives the pages that the positions of a pyramid get so that the expected coherence is as
// high as can be: at[k] is the page, of rates l in descending order, for the interval gaps[k],
// which ascend. Up to ExactLimit pages it is the optimum; above, the best of the h-splits and of
// the seed's rule on a grid of thresholds.
func Arrange(l, gaps []float64) []int {
	if len(l) <= ExactLimit {
		return exact(l, gaps)
	}
	at := newSplitter(l, gaps).arrange()
	most := Value(l, gaps, at)
	for _, eta := range etaGrid {
		if other := Threshold(l, gaps, eta); Value(l, gaps, other) > most {
			at, most = other, Value(l, gaps, other)
		}
	}
	return at
}

// exact solves the assignment of pages to intervals. Pages that never change take what is left.
func exact(l, gaps []float64) []int {
	n, moving := len(l), 0
	for moving < n && l[moving] > 0 {
		moving++
	}
	cost := matrix(moving, n)
	for i := range cost {
		for k := range cost[i] {
			cost[i][k] = -math.Exp(-l[i] * gaps[k])
		}
	}
	at := make([]int, n)
	for k := range at {
		at[k] = -1
	}
	for i, k := range assign(moving, n, cost) {
		at[k] = i
	}
	rest := moving
	for k := range at {
		if at[k] < 0 {
			at[k] = rest
			rest++
		}
	}
	return at
}

// matrix gives m rows of n in one piece of memory.
func matrix(m, n int) [][]float64 {
	all := make([]float64, m*n)
	out := make([][]float64, m)
	for i := range out {
		out[i] = all[i*n : (i+1)*n]
	}
	return out
}
