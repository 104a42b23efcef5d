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
	value := func(i int) float64 { return number(scores[i]) }
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
// half (Mann-Whitney). It is 0.5 where one kind is missing. Only the rarer kind is sorted: O(n log rare).
func AUC(scores []float64, positive []bool) float64 {
	pos := 0
	for _, p := range positive {
		if p {
			pos++
		}
	}
	neg := len(scores) - pos
	if pos == 0 || neg == 0 {
		return 0.5
	}
	rare := pos <= neg // the kind that is sorted
	sorted := make([]float64, 0, min(pos, neg))
	for i, p := range positive {
		if p == rare {
			sorted = append(sorted, number(scores[i]))
		}
	}
	slices.Sort(sorted)
	below := 0.0 // pairs whose rare one is lower, a tie being half
	for i, p := range positive {
		if p == rare {
			continue
		}
		s := number(scores[i])
		at, tied := slices.BinarySearch(sorted, s)
		below += float64(at)
		for ; tied && at < len(sorted) && sorted[at] == s; at++ {
			below += 0.5
		}
	}
	share := below / (float64(pos) * float64(neg))
	if rare {
		return 1 - share
	}
	return share
}

// number takes a score that is none for the lowest.
func number(v float64) float64 {
	if math.IsNaN(v) {
		return math.Inf(-1)
	}
	return v
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
