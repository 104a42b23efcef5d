package changerate

import (
	"cmp"
	"math"
	"slices"
)

// Belief is what is believed of the rate of one page before it is watched any longer. What is known of pages like it leaves several *levels* possible, from
// kinds that hardly change to kinds that change much, each with its weight; at one level the rates of pages are spread by a Gamma distribution of shape s
// and time B, whose mean is s/B. What the page itself showed, n changes in the quiet time T, turns that into
//
//	Gamma(s + n, B + T)
//
// and the page is found unchanged after the time d with the probability
//
//	E[exp(-l*d)] = sum over levels of weight * ((B+T) / (B+T+d))^(s+n)
//
// which is more than exp(-E[l]*d): a page that may be one that never changes has a better chance than its mean rate says.
//
// Worked example: pages of a template are spread with s = 1 around one change in 10 days (B = 10 days), and a page says that it last changed 30 days ago
// (n = 1, T = 30 days). Its rate is Gamma(2, 40 days), one change in 20 days on average, and it stands for another 10 days with (40/50)^2 = 0.64;
// exp(-10/20) would be 0.61, and without what the page says it were 10/20 = 0.5.
type Belief struct {
	parts  []part
	known  bool   // more than the prior
	source Source // of what is known without the page itself
	vanish float64
}

// part is one level.
type part struct {
	weight float64
	shape  float64 // s + n
	time   float64 // B + T, seconds
}

// Own is what one page itself showed: a likelihood of its rate that is proportional to l^Changes * exp(-l*Quiet).
type Own struct {
	Changes float64
	Quiet   float64 // seconds
}

// IsZero reports whether the page showed nothing.
func (o Own) IsZero() bool { return o == Own{} }

// Summary sums up comparisons. Those without a change, and dated changes, have that very form. An undated change within tau has the likelihood
// 1 - exp(-l*tau), which is replaced by the l^m * exp(-l*q) with the same slope and the same curvature at the rate r that all comparisons and the typical rate of such pages
// speak for (0: not known):
//
//	p = 1 - exp(-r*tau)    m = (r*tau)^2 * (1-p)/p^2    q = m/r - tau*(1-p)/p
//
// A change in a short time counts as one (m = 1, q = tau/2), one in a long time as less: pages that change all the time show it too.
func Summary(cs []Comparison, typical float64) Own {
	var o Own
	var r float64
	for i := range cs {
		c := &cs[i]
		n := c.count()
		switch {
		case !c.Changed:
			o.Quiet += n * c.Interval
		case c.Dated:
			o.Changes += n
			o.Quiet += n * c.Since
		default:
			if r == 0 {
				e := &evidence{cs: cs}
				if typical > 0 {
					e.k, e.l0 = 1, typical
				}
				r = e.corrected(Level).Value
			}
			if x := r * c.Interval; x > 0 && x < 500 {
				p, rest := -math.Expm1(-x), math.Exp(-x)
				m := x * x * rest / (p * p)
				o.Changes += n * m
				o.Quiet += n * (m/r - c.Interval*rest/p)
			}
		}
	}
	return o
}

// with adds what the page itself showed. The levels are weighed by it too, unless the kind learnt it already:
// the marginal likelihood of n changes in T is proportional to G(s+n)/G(s) * B^s / (B+T)^(s+n), G the gamma function.
func (b Belief) with(o Own, learnt bool) Belief {
	if o.IsZero() {
		return b
	}
	out := Belief{parts: slices.Clone(b.parts), known: true, source: cmp.Or(b.source, FromVisits), vanish: b.vanish}
	logs := make([]float64, len(out.parts))
	for i := range out.parts {
		p := &out.parts[i]
		if !learnt {
			above, _ := math.Lgamma(p.shape + o.Changes)
			below, _ := math.Lgamma(p.shape)
			logs[i] = above - below + p.shape*math.Log(p.time) - (p.shape+o.Changes)*math.Log(p.time+o.Quiet)
		}
		p.shape, p.time = p.shape+o.Changes, p.time+o.Quiet
	}
	if learnt {
		return out
	}
	most, sum := slices.Max(logs), 0.0
	for i := range out.parts {
		out.parts[i].weight *= math.Exp(logs[i] - most)
		sum += out.parts[i].weight
	}
	for i := range out.parts {
		out.parts[i].weight /= sum
	}
	return out
}

// Known reports whether anything was learnt of the page or of those like it.
func (b Belief) Known() bool { return b.known }

// Source is what was known without the page itself: pages like it that the crawl met, a forecast, or nothing.
func (b Belief) Source() Source { return b.source }

// Mean is the expected rate.
func (b Belief) Mean() (l float64) {
	for _, p := range b.parts {
		l += p.weight * p.shape / p.time
	}
	return l
}

// Typical is the geometric mean over levels of their mean rates.
func (b Belief) Typical() float64 {
	sum := 0.0
	for _, p := range b.parts {
		sum += p.weight * math.Log(p.shape/p.time)
	}
	return math.Exp(sum)
}

// Unchanged is the probability that the page is found unchanged after d seconds, and has neither vanished nor moved.
func (b Belief) Unchanged(d float64) (chance float64) {
	for _, p := range b.parts {
		chance += p.weight * p.unchanged(d)
	}
	return chance * math.Exp(-b.vanish*d)
}

func (p part) unchanged(d float64) float64 { return math.Exp(-p.shape * math.Log1p(d/p.time)) }

// Over is the rate at which a page whose rate is known would have the same chance to be unchanged after d seconds. Plans, which reckon with one rate for each page,
// are right about the intervals of that length.
func (b Belief) Over(d float64) float64 {
	if !(d > 0) {
		return b.Mean()
	}
	return -math.Log(max(b.Unchanged(d), math.SmallestNonzeroFloat64)) / d
}

// Share foretells which share of pages will be found unchanged. It is the sum over pages; their kinds may all be hotter or all be colder than
// believed, so levels are taken together from the coldest to the hottest (comonotone), which makes the interval wider rather than
// narrower. The zero value is empty.
type Share struct {
	pages int
	mean  [levels]float64 // sum of the chances of pages at each level
	noise [levels]float64 // sum of p*(1-p)
}

// Add adds a page that is looked at again after d seconds.
func (s *Share) Add(b Belief, d float64) {
	s.pages++
	at, room := 0, 1.0/levels // the level that is being filled, and what it still takes
	sum, there := 0.0, math.Exp(-b.vanish*d)
	for _, p := range b.parts {
		chance := p.unchanged(d) * there
		for w := p.weight; w > 0; {
			take := min(w, room)
			if at == levels-1 {
				take = w
			}
			sum += take * chance
			w -= take
			if room -= take; room <= 1e-12 && at < levels-1 {
				s.level(at, sum*levels)
				at, room, sum = at+1, 1.0/levels, 0
			}
		}
	}
	for ; at < levels; at++ { // rounding
		if room < 1.0/levels {
			sum /= 1 - room*levels
		}
		s.level(at, sum*levels)
		room = 1.0 / levels
	}
}

func (s *Share) level(at int, chance float64) {
	chance = min(chance, 1)
	s.mean[at] += chance
	s.noise[at] += chance * (1 - chance)
}

// Pages is the number of pages that were added.
func (s *Share) Pages() int { return s.pages }

// Expected is the share that is expected.
func (s *Share) Expected() float64 {
	sum := 0.0
	for _, m := range s.mean {
		sum += m
	}
	return sum / float64(levels*max(1, s.pages))
}

// Interval holds the share with the given probability: quantiles of the mixture over levels of normal distributions, to which a half page on each side is added.
func (s *Share) Interval(conf float64) (low, high float64) {
	n := float64(max(1, s.pages))
	return max(0, s.quantile((1-conf)/2)-0.5/n), min(1, s.quantile((1+conf)/2)+0.5/n)
}

func (s *Share) quantile(p float64) float64 {
	n := float64(max(1, s.pages))
	below := func(x float64) (sum float64) {
		for i, m := range s.mean {
			if sd := math.Sqrt(s.noise[i]); sd > 0 {
				sum += 0.5 * math.Erfc(-(x*n-m)/(sd*math.Sqrt2))
			} else if x*n >= m {
				sum++
			}
		}
		return sum / levels
	}
	lo, hi := 0.0, 1.0
	for range 40 {
		if mid := (lo + hi) / 2; below(mid) < p {
			lo = mid
		} else {
			hi = mid
		}
	}
	return (lo + hi) / 2
}
