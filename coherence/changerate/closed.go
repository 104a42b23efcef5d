package changerate

import (
	"math"
	"time"

	"gonum.org/v1/gonum/mathext"
)

// Oracle gives the maximum-likelihood rate of a page whose every change in span is known: l = X/T. The interval is the
// exact one of a Poisson count (Garwood): quantiles of chi-square with 2X and 2X+2 degrees of freedom, over 2T.
// No change at all gives a one-sided interval and the rate at which that had probability one half.
func Oracle(changes int, span time.Duration, conf float64) Rate {
	t := span.Seconds()
	if t <= 0 || changes < 0 {
		return Rate{}
	}
	x := float64(changes)
	r := Rate{Value: x / t, Source: FromOracle, Confidence: conf, Changed: changes}
	if changes == 0 {
		r.Value, r.High = math.Ln2/t, -math.Log(1-conf)/t
		return r
	}
	r.Low = mathext.GammaIncRegInv(x, (1-conf)/2) / t
	r.High = mathext.GammaIncRegInv(x+1, (1+conf)/2) / t
	return r
}

// Regular gives the bias-corrected rate from n comparisons of visits at interval every, of which changed (X)
// found a change (Cho and Garcia-Molina):
//
//	l = -log((n - X + 0.5)/(n + 0.5)) / I
//
// The interval is the exact one of the share X/n (Clopper-Pearson) put through -log(1-p)/I. None changed: one
// side, and the rate at which that had probability one half. All changed: one side, the value from the formula.
func Regular(n, changed int, every time.Duration, conf float64) Rate {
	i := every.Seconds()
	if n <= 0 || changed < 0 || changed > n || i <= 0 {
		return Rate{}
	}
	nf, x := float64(n), float64(changed)
	r := Rate{Source: FromVisits, Confidence: conf, Compared: n, Changed: changed}
	r.Value = -math.Log((nf-x+0.5)/(nf+0.5)) / i
	rate := func(p float64) float64 { return -math.Log1p(-p) / i }
	switch changed {
	case 0:
		r.Value, r.High = math.Ln2/(nf*i), -math.Log(1-conf)/(nf*i)
	case n:
		r.Low, r.High = rate(math.Pow(1-conf, 1/nf)), math.Inf(1)
	default:
		r.Low = rate(mathext.InvRegIncBeta(x, nf-x+1, (1-conf)/2))
		r.High = rate(mathext.InvRegIncBeta(x+1, nf-x, (1+conf)/2))
	}
	return r
}

// Dated gives the rate from n comparisons with trusted dates, of which changed (X) found a change, by the improved
// date-aware estimator of Cho and Garcia-Molina (2003):
//
//	T  = sum over unchanged of tau + sum over changed of a
//	X' = (X - 1) - X/(n*log(1 - X/n))        l = X'/T
//
// X' takes from X what it has too much: nothing when changes are rare, one when every visit finds one. The
// interval is that of the likelihood ratio. Corrected does the same for any mixture of dated and undated.
func Dated(n, changed int, watched time.Duration, conf float64) Rate {
	t := watched.Seconds()
	if n <= 0 || changed < 0 || changed > n || t <= 0 {
		return Rate{}
	}
	nf, x := float64(n), float64(changed)
	e := &evidence{k: x, l0: x / t} // the likelihood X*log l - l*T
	r := Rate{Source: FromDates, Confidence: conf, Compared: n, Changed: changed}
	switch {
	case changed == 0:
		r.Value, r.High = math.Ln2/t, -math.Log(1-conf)/t
		return r
	case changed == n && n == 1:
		r.Value = math.Ln2 / t
	case changed == n:
		r.Value = (x - 1) / t
	default:
		r.Value = (x - 1 - x/(nf*math.Log1p(-x/nf))) / t
	}
	r.Low, r.High = e.interval(conf)
	return r
}
