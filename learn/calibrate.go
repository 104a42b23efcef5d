package learn

import (
	"math"
	"sort"
)

// Platt fits a logistic curve to scores: probability = 1/(1+exp(-(slope*score + shift))). Targets are smoothed as
// Platt (1999) does, (positives+1)/(positives+2) and 1/(negatives+2), so perfect scores give no infinite slope. Newton
// with steps halved (Lin, Lin and Weng 2007).
func Platt(scores []float64, positive []bool) (slope, shift float64) {
	var pos, neg float64
	for _, p := range positive {
		if p {
			pos++
		} else {
			neg++
		}
	}
	goal := func(i int) float64 {
		if positive[i] {
			return (pos + 1) / (pos + 2)
		}
		return 1 / (neg + 2)
	}
	loss := func(a, b float64) float64 {
		sum := 0.0
		for i, s := range scores {
			z := a*s + b
			sum += math.Log1p(math.Exp(-math.Abs(z))) + max(-z, 0) + (1-goal(i))*z
		}
		return sum
	}
	slope, shift = 0, math.Log((pos+1)/(neg+1))
	value := loss(slope, shift)
	for range 100 {
		var ga, gb, haa, hab, hbb float64
		for i, s := range scores {
			p := sigmoid(slope*s + shift)
			d, h := p-goal(i), p*(1-p)
			ga, gb = ga+d*s, gb+d
			haa, hab, hbb = haa+h*s*s, hab+h*s, hbb+h
		}
		haa, hbb = haa+1e-12, hbb+1e-12
		det := haa*hbb - hab*hab
		if det <= 0 || math.Abs(ga)+math.Abs(gb) < 1e-7 {
			break
		}
		da, db := -(hbb*ga-hab*gb)/det, -(haa*gb-hab*ga)/det
		step, better := 1.0, false
		for ; step > 1e-10; step /= 2 {
			if v := loss(slope+step*da, shift+step*db); v < value-1e-4*step*(-ga*da-gb*db) {
				value, better = v, true
				slope, shift = slope+step*da, shift+step*db
				break
			}
		}
		if !better {
			break
		}
	}
	return slope, shift
}

// Isotonic is a rising step function from scores to probabilities, fitted by pooling adjacent violators: the best one
// by least squares. Scores between two steps get a value between them.
type Isotonic struct {
	Scores, Values []float64
}

// NewIsotonic fits one. O(n log n).
func NewIsotonic(scores []float64, positive []bool) *Isotonic {
	type block struct{ from, to, sum, n float64 }
	order := byScore(scores)
	var blocks []block
	for k := len(order) - 1; k >= 0; k-- { // rising
		i := order[k]
		b := block{scores[i], scores[i], 0, 1}
		if positive[i] {
			b.sum = 1
		}
		blocks = append(blocks, b)
		for n := len(blocks); n > 1; n-- {
			last, before := blocks[n-1], blocks[n-2]
			if before.sum*last.n < last.sum*before.n && before.to < last.from {
				break
			}
			blocks[n-2] = block{before.from, last.to, before.sum + last.sum, before.n + last.n}
			blocks = blocks[:n-1]
		}
	}
	out := &Isotonic{}
	for _, b := range blocks {
		out.Scores, out.Values = append(out.Scores, b.from), append(out.Values, b.sum/b.n)
		if b.to > b.from {
			out.Scores, out.Values = append(out.Scores, b.to), append(out.Values, b.sum/b.n)
		}
	}
	return out
}

// Of gives the probability of a score.
func (c *Isotonic) Of(score float64) float64 {
	n := len(c.Scores)
	if n == 0 || math.IsNaN(score) {
		return 0.5
	}
	i := sort.SearchFloat64s(c.Scores, score)
	switch {
	case i == n:
		return c.Values[n-1]
	case i == 0 || c.Scores[i] == score:
		return c.Values[i]
	}
	f := (score - c.Scores[i-1]) / (c.Scores[i] - c.Scores[i-1])
	return c.Values[i-1] + f*(c.Values[i]-c.Values[i-1])
}
