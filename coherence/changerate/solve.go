package changerate

import "math"

// root finds where a decreasing f crosses 0, for positive l near start, to a relative precision. Steps of 4 find a
// bracket, then narrow takes about four steps of two evaluations where halving would take forty. It tells false when
// there is no crossing within 4^60 of start.
func root(f func(l float64) float64, start, precision float64) (float64, bool) {
	const steps, factor = 60, 4.0
	lo, hi := start, start
	flo := f(start)
	fhi := flo
	for i := 0; !(flo > 0); i++ {
		if i == steps {
			return 0, false
		}
		hi, fhi = lo, flo
		lo /= factor
		flo = f(lo)
	}
	for i := 0; !(fhi < 0); i++ {
		if i == steps {
			return 0, false
		}
		lo, flo = hi, fhi
		hi *= factor
		fhi = f(hi)
	}
	return narrow(f, math.Log(lo), math.Log(hi), flo, fhi, precision), true
}

// narrow closes in on the crossing between x and y, which are logarithms, by Ridders' method: a step of false position
// after taking the curvature out, which doubles the digits and never leaves the bracket.
func narrow(f func(float64) float64, x, y, fx, fy, precision float64) float64 {
	last := math.Inf(1)
	for range 60 {
		mid := (x + y) / 2
		fm := f(math.Exp(mid))
		if fm == 0 {
			return math.Exp(mid)
		}
		next := mid + (mid-x)*fm/math.Sqrt(fm*fm-fx*fy) // fx > 0 > fy
		if math.Abs(next-last) < precision || math.IsNaN(next) {
			break
		}
		last = next
		fn := f(math.Exp(next))
		if fm > 0 {
			x, fx = mid, fm
		} else {
			y, fy = mid, fm
		}
		switch {
		case fn == 0:
			return math.Exp(next)
		case fn > 0 && next > x:
			x, fx = next, fn
		case fn < 0 && next < y:
			y, fy = next, fn
		}
	}
	return math.Exp(last)
}

// quantile gives x with P(Z <= x) = p for a normal Z.
func quantile(p float64) float64 { return math.Sqrt2 * math.Erfinv(2*p-1) }

// Precision of roots: of a value, and of the ends of an interval.
const (
	fine   = 1e-12
	coarse = 1e-7
)
