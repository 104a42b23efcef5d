package changerate

import "math"

// interval gives the ends between which the likelihood is not too far below its maximum:
//
//	2*(log L(max) - log L(l)) <= z^2      z = normal quantile of (1+conf)/2
//
// the likelihood-ratio interval, which suits few comparisons better than value +- z*error: it cannot be negative and
// follows the skew. Without a maximum it has one side: the other end is where the probability of what
// was seen, the likelihood itself, falls to 1-conf.
//
//	none changed:           [0, -log(1-conf)/T]
//	all changed, undated:   [l with product of (1-exp(-l*tau)) = 1-conf, infinity)
func (e *evidence) interval(conf float64) (low, high float64) {
	quiet, events, closed := e.exposure()
	switch {
	case closed:
		return e.ratio(conf)
	case events == 0:
		return 0, -math.Log(1-conf) / quiet
	default:
		low, _ = root(func(l float64) float64 { return math.Log(1-conf) - e.log(l) }, e.scale(), coarse)
		return low, math.Inf(1)
	}
}

func (e *evidence) ratio(conf float64) (low, high float64) {
	best, ok := root(e.score, e.scale(), fine)
	if !ok {
		return 0, math.Inf(1)
	}
	z := quantile((1 + conf) / 2)
	floor := e.log(best) - z*z/2
	high, ok = root(func(l float64) float64 { return e.log(l) - floor }, best, coarse) // above the maximum it falls
	if !ok {
		high = math.Inf(1)
	}
	low, _ = root(func(l float64) float64 { return floor - e.log(l) }, best, coarse) // below it rises
	return low, high
}
