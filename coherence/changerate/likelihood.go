package changerate

import "math"

// The likelihood of all that comparisons can tell about l. With q = exp(-l*tau) and p = 1-q, one comparison has
//
//	unchanged             q                     log: -l*tau
//	changed, dated        l*exp(-l*a)           log: log l - l*a        (nothing happened after the change)
//	changed, not dated    p                     log: log(1 - exp(-l*tau))
//
// Each is concave in l, so the score (derivative of the sum) is decreasing and has at most one root:
//
//	score(l) = sum over dated (1/l - a) + sum over undated tau/(exp(l*tau)-1) - sum over unchanged tau
//
// which is the specification's equation when there are no dates. A prior counts like k changes seen
// exactly, in the time k/l0: it adds k*log l - l*k/l0.
type evidence struct {
	cs    []Comparison
	k, l0 float64 // the prior: k = 0 for none
}

// log gives the logarithm of the likelihood at l.
func (e *evidence) log(l float64) float64 {
	sum := 0.0
	if e.k > 0 {
		sum = e.k * (math.Log(l) - l/e.l0)
	}
	for i := range e.cs {
		c := &e.cs[i]
		switch {
		case !c.Changed:
			sum -= c.count() * l * c.Interval
		case c.Dated:
			sum += c.count() * (math.Log(l) - l*c.Since)
		default:
			sum += c.count() * math.Log(-math.Expm1(-l*c.Interval))
		}
	}
	return sum
}

// score gives its derivative.
func (e *evidence) score(l float64) float64 {
	sum := 0.0
	if e.k > 0 {
		sum = e.k * (1/l - 1/e.l0)
	}
	for i := range e.cs {
		c := &e.cs[i]
		switch {
		case !c.Changed:
			sum -= c.count() * c.Interval
		case c.Dated:
			sum += c.count() * (1/l - c.Since)
		default:
			sum += c.count() * c.Interval / math.Expm1(l*c.Interval)
		}
	}
	return sum
}

// exposure sums the time that certainly passed without a change, and events counts the changes. closed tells
// whether the likelihood has its maximum inside (0, infinity).
func (e *evidence) exposure() (quiet, events float64, closed bool) {
	quiet, events = 0, e.k
	if e.k > 0 {
		quiet = e.k / e.l0
	}
	for i := range e.cs {
		c := &e.cs[i]
		switch {
		case !c.Changed:
			quiet += c.count() * c.Interval
		case c.Dated:
			quiet += c.count() * c.Since
			events += c.count()
		default:
			events += c.count()
		}
	}
	return quiet, events, quiet > 0 && events > 0
}

// scale is a rate of the right order of magnitude, to start a search from.
func (e *evidence) scale() float64 {
	sum, n := e.k/max(e.l0, math.SmallestNonzeroFloat64), e.k
	if e.k == 0 {
		sum = 0
	}
	for i := range e.cs {
		c := &e.cs[i]
		tau := c.Interval
		if math.IsInf(tau, 1) {
			tau = c.Since
		}
		sum += c.count() * tau
		n += c.count()
	}
	return n / sum
}
