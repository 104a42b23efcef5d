package learn

import (
	"math"
	"slices"
	"sort"
)

// Bins are the inner edges of intervals, ascending: value v lies in the bin with the number of edges below or at v.
//
//	edges 3, 7:   (-inf, 3) is bin 0, [3, 7) is bin 1, [7, inf) is bin 2
type Bins []float64

// Of gives the bin of v, or -1 where v is missing.
func (b Bins) Of(v float64) int {
	if math.IsNaN(v) {
		return -1
	}
	lo, hi := 0, len(b)
	for lo < hi {
		if mid := int(uint(lo+hi) >> 1); b[mid] > v {
			hi = mid
		} else {
			lo = mid + 1
		}
	}
	return lo
}

// Len counts the bins.
func (b Bins) Len() int { return len(b) + 1 }

// EqualFrequency cuts values into at most k bins with nearly equal numbers of them. Equal values are never torn
// apart: an edge goes to the nearer side of a run, so there may be fewer bins. Missing values are left
// out. It costs a sort.
func EqualFrequency(values []float64, k int) Bins {
	v := make([]float64, 0, len(values))
	for _, x := range values {
		if !math.IsNaN(x) {
			v = append(v, x)
		}
	}
	slices.Sort(v)
	return equalFrequency(v, k)
}

// equalFrequency is EqualFrequency of values in order.
func equalFrequency(v []float64, k int) Bins {
	var edges Bins
	at := 0 // rows before the last edge
	for i := 1; i < k && at < len(v); i++ {
		want := at + int(math.Round(float64(len(v)-at)/float64(k-i+1)))
		if want <= at || want >= len(v) {
			continue
		}
		lo, hi := run(v, want)
		cut := hi
		if want-lo <= hi-want && lo > at {
			cut = lo
		}
		if cut >= len(v) {
			break
		}
		edges = append(edges, between(v[cut-1], v[cut]))
		at = cut
	}
	return edges
}

// run gives the stretch of values equal to v[i].
func run(v []float64, i int) (lo, hi int) {
	lo = sort.SearchFloat64s(v, v[i])
	hi = lo + sort.Search(len(v)-lo, func(k int) bool { return v[lo+k] > v[i] })
	return lo, hi
}

// between gives an edge e with a < e <= b, halfway where numbers are fine enough.
func between(a, b float64) float64 {
	if mid := a/2 + b/2; mid > a && mid <= b {
		return mid
	}
	return b
}
