package changerate

import "math"

// Likelihood gives the rate under which what was seen is most likely: the root of the score, by bisection. When the
// likelihood has no maximum (none changed, or all did and none is dated) the value is the rate
// at which what was seen had probability one half. conf is the confidence of the interval.
func Likelihood(cs []Comparison, conf float64) Rate {
	e := &evidence{cs: cs}
	if len(cs) == 0 {
		return Rate{}
	}
	value, ok := 0.0, false
	if _, _, closed := e.exposure(); closed {
		value, ok = root(e.score, e.scale(), fine)
	}
	return e.rate(value, ok, conf)
}

// Corrected gives the rate with the bias of first order taken out; see adjustment. It is the estimator
// to use for the history of a page.
func Corrected(cs []Comparison, conf float64) Rate {
	if len(cs) == 0 {
		return Rate{}
	}
	return (&evidence{cs: cs}).corrected(conf)
}

func (e *evidence) corrected(conf float64) Rate {
	value, ok := 0.0, false
	if _, events, _ := e.exposure(); events > 0 {
		value, ok = root(func(l float64) float64 { return e.score(l) + e.adjustment(l) }, e.scale(), fine)
	}
	return e.rate(value, ok, conf)
}

// adjustment is what Firth (1993) adds to the score so that the bias of its root vanishes to first order:
//
//	A(l) = 1/2 * sum (E[S^3] - E[J*S]) / sum I     S score, J = -S', I = E[J], of one comparison
//	not dated: I = tau^2*q/p, E[S^3]-E[J*S] = -tau^3*q/p        so for equal intervals A = -I/2: half an unchanged
//	dated:     I = p/l^2,     E[S^3]-E[J*S] = 2*tau*q/l^2 - 2*p/l^3     comparison more, which is
//	                                                            exactly (n-X+0.5)/(n+0.5)
//
// So the specification's formula for regular visits is the special case, and irregular visits get the same cure.
func (e *evidence) adjustment(l float64) float64 {
	var above, info float64
	if e.k > 0 { // seen exactly: no bias, but information
		info = e.k / (l * e.l0)
	}
	for i := range e.cs {
		c := &e.cs[i]
		tau, n := c.Interval, c.count()
		q := math.Exp(-l * tau)
		p := -math.Expm1(-l * tau)
		if c.Dated {
			late := 0.0 // tau*q, which is 0 for an infinite tau
			if q > 0 {
				late = tau * q
			}
			above += n * (2*late - 2*p/l) / (l * l)
			info += n * p / (l * l)
			continue
		}
		above -= n * tau * tau * tau * q / p
		info += n * tau * tau * q / p
	}
	if info == 0 || math.IsNaN(above) { // far out all terms underflow; their ratio tends to the shortest interval
		return -e.shortest() / 2
	}
	return above / info / 2
}

func (e *evidence) shortest() float64 {
	tau := math.Inf(1)
	for i := range e.cs {
		tau = min(tau, e.cs[i].Interval)
	}
	if math.IsInf(tau, 1) {
		return 0
	}
	return tau
}

// rate adds interval and counts to a value; ok tells whether there is one.
func (e *evidence) rate(value float64, ok bool, conf float64) Rate {
	r := Rate{Value: value, Confidence: conf, Source: FromVisits}
	var dated bool
	if r.Compared, r.Changed, dated = tally(e.cs); dated {
		r.Source = FromDates
	}
	if !ok {
		r.Value = e.median()
	}
	r.Low, r.High = e.interval(conf)
	return r
}

// median is the rate at which one would see as few (or as many) changes with probability one half.
func (e *evidence) median() float64 {
	quiet, _, _ := e.exposure()
	if quiet > 0 {
		return math.Ln2 / quiet
	}
	l, _ := root(func(l float64) float64 { return math.Log(0.5) - e.log(l) }, e.scale(), fine)
	return l
}
