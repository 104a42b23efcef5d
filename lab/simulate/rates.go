package simulate

import (
	"math"
	"slices"
)

// distributions are quantile functions of change rates; their scale is set afterwards.
var distributions = map[string]func(p float64) float64{
	"exponential": func(p float64) float64 { return -math.Log1p(-p) },
	"pareto":      func(p float64) float64 { return math.Pow(1-p, -1/1.2) },
	"uniform":     func(p float64) float64 { return p },
	"zero-inflated": func(p float64) float64 { // 60 % never change
		if p < 0.6 {
			return 0
		}
		return -math.Log1p(-(p - 0.6) / 0.4)
	},
	"bimodal": func(p float64) float64 { // 20 % change a hundred times more often
		if p < 0.8 {
			return 0.05 * (0.5 + p/0.8)
		}
		return 5 * (0.5 + (p-0.8)/0.2)
	},
}

// Distributions lists the names of distributions of rates.
func Distributions() []string {
	var out []string
	for name := range distributions {
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}

// quantiles gives n rates per slot in descending order, evenly spread over a distribution, with a
// mean of m changes per n slots.
func quantiles(name string, n int, m float64) []float64 {
	l := make([]float64, n)
	sum := 0.0
	for i := range l {
		l[i] = distributions[name]((float64(n-1-i) + 0.5) / float64(n))
		sum += l[i]
	}
	for i := range l {
		l[i] *= m / sum
	}
	return l
}

// meanAndError gives the mean and its standard error.
func meanAndError(x []float64) (mean, stderr float64) {
	for _, v := range x {
		mean += v / float64(len(x))
	}
	if len(x) < 2 {
		return mean, math.NaN()
	}
	sum := 0.0
	for _, v := range x {
		sum += (v - mean) * (v - mean)
	}
	return mean, math.Sqrt(sum / float64(len(x)-1) / float64(len(x)))
}
