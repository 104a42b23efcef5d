package coherence

import "math"

// The h-split: of n pages in descending order of rate, the h hottest get the h longest intervals,
// the hottest the longest, and the others the shorter ones, the hottest the shortest. With the
// joker, the hottest page of all has interval 0 and the split is made of the rest.
//
// Why: for two pages of rates a > b and two intervals S < L the better way is a-S, b-L exactly when
// exp(-aS)+exp(-bL) > exp(-aL)+exp(-bS); the difference is the integral of the mixed derivative
// (lL-1)exp(-lL) over the rectangle [b,a] x [S,L]. Below the curve l*L = 1 hotter pages want
// shorter intervals, above it longer ones.

// splitter finds the best split.
type splitter struct {
	l, gaps []float64
	moving  int          // pages of a rate above 0; the others are coherent anywhere
	given   [2][]float64 // given[j][h] is the value of the hopeless pages of split h, joker j
}

func newSplitter(l, gaps []float64) *splitter {
	s := &splitter{l: l, gaps: gaps, moving: len(l)}
	for s.moving > 0 && l[s.moving-1] <= 0 {
		s.moving--
	}
	for j := range s.given {
		g := make([]float64, max(1, s.moving-j+1))
		for h := 1; h < len(g); h++ {
			g[h] = g[h-1] + math.Exp(-l[h-1+j]*gaps[len(l)-h])
		}
		s.given[j] = g
	}
	return s
}

// value is the number of coherent pages of a split, looking at every step-th of the hopeful pages.
func (s *splitter) value(h, joker, step int) float64 {
	first := h + joker // the first hopeful page
	sum, seen := 0.0, 0
	for i := first + step/2; i < s.moving; i += step {
		sum += math.Exp(-s.l[i] * s.gaps[i-h])
		seen++
	}
	if seen > 0 {
		sum *= float64(s.moving-first) / float64(seen)
	}
	return s.given[joker][h] + sum + float64(joker)
}

// Limits of the scan: it looks at scanPoints splits with about scanSample pages each, and then
// around the best with about fineSample pages.
const (
	scanPoints = 96
	scanSample = 1024
	fineSample = 8192
)

// best finds the best split of one kind: a coarse scan over all h, then ever finer around the best.
func (s *splitter) best(joker int) (h int, value float64) {
	top := len(s.given[joker]) - 1
	if top == 0 {
		return 0, s.value(0, joker, 1)
	}
	width := max(1, top/scanPoints)
	step := max(1, s.moving/scanSample)
	h, most := 0, math.Inf(-1)
	for c := 0; c <= top; c += width {
		if v := s.value(c, joker, step); v > most {
			h, most = c, v
		}
	}
	step = max(1, s.moving/fineSample)
	most = s.value(h, joker, step)
	for width > 1 {
		width = (width + 1) / 2
		mid := h
		for _, c := range []int{mid - width, mid + width} {
			if c < 0 || c > top {
				continue
			}
			if v := s.value(c, joker, step); v > most {
				h, most = c, v
			}
		}
	}
	return h, s.value(h, joker, 1)
}

// arrange gives the pages that positions get, for the best split.
func (s *splitter) arrange() []int {
	h, plain := s.best(0)
	joker := 0
	if len(s.l) > 0 {
		if hj, v := s.best(1); v > plain {
			h, joker = hj, 1
		}
	}
	return splitAt(len(s.l), h, joker)
}

// splitAt writes out a split.
func splitAt(n, h, joker int) []int {
	at := make([]int, n)
	for i := range n {
		switch {
		case i < joker:
			at[0] = 0
		case i < h+joker:
			at[n-1-i+joker] = i
		default:
			at[i-h] = i
		}
	}
	return at
}
