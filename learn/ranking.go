package learn

import (
	"math"
	"slices"
)

// byScore gives the rows from the highest score to the lowest; NaN comes last.
func byScore(scores []float64) []int {
	order := make([]int, len(scores))
	for i := range order {
		order[i] = i
	}
	value := func(i int) float64 {
		if math.IsNaN(scores[i]) {
			return math.Inf(-1)
		}
		return scores[i]
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch x, y := value(a), value(b); {
		case x > y:
			return -1
		case x < y:
			return 1
		}
		return 0
	})
	return order
}

// ties calls f for each run of equal scores, order[from:to].
func ties(scores []float64, order []int, f func(from, to int)) {
	for i := 0; i < len(order); {
		j := i + 1
		for j < len(order) && scores[order[j]] == scores[order[i]] {
			j++
		}
		f(i, j)
		i = j
	}
}

// AUC is the area under the ROC curve: the probability that a positive row scores above another, a tie counting
// half (Mann-Whitney). It is 0.5 where one kind is missing. O(n log n).
func AUC(scores []float64, positive []bool) float64 {
	order := byScore(scores)
	var above, pairs, pos, neg float64
	ties(scores, order, func(from, to int) {
		var p, n float64
		for _, i := range order[from:to] {
			if positive[i] {
				p++
			} else {
				n++
			}
		}
		above += n * (pos + p/2)
		pos, neg = pos+p, neg+n
	})
	if pairs = pos * neg; pairs == 0 {
		return 0.5
	}
	return above / pairs
}

// NDCG is the normalised discounted cumulative gain of the whole ranking: each row gains its relevance over
// log2(1+rank), divided by what the best order would gain. Rows of equal score share the discounts of their ranks. It
// is 0 where nothing is relevant.
func NDCG(scores, relevance []float64) float64 {
	order := byScore(scores)
	var dcg, ideal float64
	ties(scores, order, func(from, to int) {
		var gain, discount float64
		for k := from; k < to; k++ {
			gain += relevance[order[k]]
			discount += 1 / math.Log2(float64(k)+2)
		}
		dcg += gain * discount / float64(to-from)
	})
	best := slices.Clone(relevance)
	slices.Sort(best)
	slices.Reverse(best)
	for k, r := range best {
		ideal += r / math.Log2(float64(k)+2)
	}
	return share(dcg, ideal)
}
