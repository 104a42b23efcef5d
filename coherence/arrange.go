package coherence

import (
	"math"
	"slices"
)

// ExactLimit is the number of pages up to which the assignment is solved exactly.
const ExactLimit = 400

// etaGrid are the thresholds of the seed's rule that Arrange tries, with its good range 0.45..0.7
// and what lies around it.
var etaGrid = [...]float64{0.2, 0.3, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.9, 0.95}

// Arrange gives the pages that the positions of a pyramid get so that the expected coherence is as
// high as can be: at[k] is the page, of rates l in descending order, for the interval gaps[k],
// which ascend. Up to ExactLimit pages it is the optimum; above, the best of the h-splits, of the
// seed's rule on a grid of thresholds, and of the optimum for blocks of pages. Rates and intervals
// must be finite and not negative; a Planner sees to that.
func Arrange(l, gaps []float64) []int {
	if len(l) <= ExactLimit {
		return exact(l, gaps)
	}
	at := sketch(l, gaps)
	if other := byBlocks(l, gaps); Value(l, gaps, other) > Value(l, gaps, at) {
		return other
	}
	return at
}

// sketch is Arrange without exact solutions: the best of the h-splits and of the seed's rule. It
// costs some 10 ms less, and is enough while most of the pages are guessed.
func sketch(l, gaps []float64) []int {
	at := newSplitter(l, gaps).arrange()
	most := Value(l, gaps, at)
	for _, eta := range etaGrid {
		if other := Threshold(l, gaps, eta); Value(l, gaps, other) > most {
			at, most = other, Value(l, gaps, other)
		}
	}
	return at
}

// exact solves the assignment of pages to intervals.
func exact(l, gaps []float64) []int {
	n := len(l)
	cost := matrix(n, n)
	for i := range cost {
		for k := range cost[i] {
			cost[i][k] = -math.Exp(-l[i] * gaps[k])
		}
	}
	at := make([]int, n)
	for i, k := range assign(n, n, cost, prices(l, gaps)) {
		at[k] = i
	}
	return at
}

// maxBlocks bounds the blocks of byBlocks: more cost time and gain nothing that can be measured.
const maxBlocks = 200

// byBlocks solves the assignment exactly for blocks of neighbouring pages and positions, and then
// sets the pages of each block: hottest to shortest where less than one change is expected, else
// hottest to longest. Pages that change and pages that never do are in different blocks.
func byBlocks(l, gaps []float64) []int {
	n, moving := len(l), len(l)
	for moving > 0 && l[moving-1] <= 0 {
		moving--
	}
	size := (n + maxBlocks - 1) / maxBlocks
	var starts []int
	var rates, lengths []float64
	for first := 0; first < n; first = blockEnd(first, size, moving, n) {
		starts = append(starts, first)
		rates = append(rates, l[(first+blockEnd(first, size, moving, n))/2])
	}
	for b := range starts {
		lengths = append(lengths, gaps[(2*b+1)*n/(2*len(starts))])
	}
	at := make([]int, 0, n)
	for _, b := range exact(rates, lengths) {
		k := len(at)
		for i := starts[b]; i < blockEnd(starts[b], size, moving, n); i++ {
			at = append(at, i)
		}
		if mid := (k + len(at)) / 2; l[at[mid]]*gaps[mid] > 1 {
			slices.Reverse(at[k:])
		}
	}
	return at
}

// blockEnd is where a block ends that begins at first.
func blockEnd(first, size, moving, n int) int {
	if first < moving {
		return min(first+size, moving)
	}
	return min(first+size, n)
}

// prices guesses the prices of intervals from the best h-split, so that the exact solution starts
// near its end. Where a page of rate l is content with its interval L, the price as a function of
// the interval has the slope of the page's own value:
//
//	price'(L) = d/dL of -exp(-l*L) = l*exp(-l*L)
//
// and is the sum of such steps. Of 400 pages nearly all then find their places at once.
func prices(l, gaps []float64) []float64 {
	price := make([]float64, len(l))
	if len(l) == 0 {
		return price
	}
	at := newSplitter(l, gaps).arrange()
	for k := len(l) - 2; k >= 0; k-- {
		mid := (gaps[k] + gaps[k+1]) / 2
		a, b := l[at[k]], l[at[k+1]]
		price[k] = price[k+1] - (a*math.Exp(-a*mid)+b*math.Exp(-b*mid))/2*(gaps[k+1]-gaps[k])
	}
	return price
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
