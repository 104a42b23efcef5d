package learn

import (
	"math/rand/v2"
	"slices"
	"sync/atomic"
)

// choice is ensemble selection on the log-odds of a library.
type choice struct {
	odds     [][]float64 // [member][row]
	positive []bool
	Ensemble
}

// run gives the weight of each member; the weights sum to 1.
func (c choice) run(seed uint64) []float64 {
	counts := make([][]float64, c.Bags)
	_ = each(c.Bags, func(b int) error {
		counts[b] = c.climb(c.bag(source(seed, b)))
		return nil
	})
	weights := make([]float64, len(c.odds))
	for _, n := range counts { // in order, for sums depend on it
		for k, v := range n {
			weights[k] += v / float64(c.Bags)
		}
	}
	return weights
}

// bag draws a share of the library, at least one member.
func (c choice) bag(rng *rand.Rand) []int {
	n := max(int(c.Share*float64(len(c.odds))+0.5), 1)
	bag := rng.Perm(len(c.odds))[:min(n, len(c.odds))]
	slices.Sort(bag)
	return bag
}

// climb is the greedy search with replacement from a sorted beginning: the best members alone, as many as together do best.
// It gives the share of each member in the best state met.
func (c choice) climb(bag []int) []float64 {
	order := slices.Clone(bag)
	alone := make(map[int]float64, len(bag))
	for _, k := range bag {
		alone[k] = c.measure(c.odds[k])
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case alone[a] > alone[b]:
			return -1
		case alone[a] < alone[b]:
			return 1
		}
		return 0
	})
	sum, counts, n, best := c.begin(order)
	state, top := slices.Clone(counts), best
	room := make([]float64, len(sum))
	size := n
	for range c.Rounds {
		next, value := -1, 0.0
		for _, k := range bag {
			for i, v := range c.odds[k] {
				room[i] = sum[i] + v
			}
			if v := c.measure(room); next < 0 || v > value {
				next, value = k, v
			}
		}
		for i, v := range c.odds[next] {
			sum[i] += v
		}
		counts[next]++
		size++
		if value > top {
			top, n = value, size
			copy(state, counts)
		}
	}
	for k := range state {
		state[k] /= float64(n)
	}
	return state
}

// begin adds the members in their order and keeps the prefix that does best.
func (c choice) begin(order []int) (sum, counts []float64, n int, best float64) {
	run := make([]float64, len(c.positive))
	sum, counts = make([]float64, len(run)), make([]float64, len(c.odds))
	for j, k := range order {
		for i, v := range c.odds[k] {
			run[i] += v
		}
		if v := c.measure(run); j == 0 || v > best {
			best, n = v, j+1
			copy(sum, run)
		}
	}
	for _, k := range order[:n] {
		counts[k]++
	}
	return sum, counts, n, best
}

func (c choice) measure(scores []float64) float64 {
	if c.Measure == ByNDCG {
		return NDCG(scores, indicator(c.positive))
	}
	return AUC(scores, c.positive)
}

// counter counts from several goroutines.
type counter struct{ n atomic.Int64 }

func (c *counter) next() int { return int(c.n.Add(1)) }
