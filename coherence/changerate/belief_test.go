package changerate

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestBelief is the worked example of Belief.
func TestBelief(t *testing.T) {
	const day = 86400.0
	b := Belief{parts: []part{{weight: 1, shape: 1, time: 10 * day}}}
	if got := b.Unchanged(10 * day); math.Abs(got-0.5) > 1e-12 {
		t.Errorf("without what the page says %v, want 0.5", got)
	}
	b = b.with(Own{Changes: 1, Quiet: 30 * day}, true)
	if got := b.Unchanged(10 * day); math.Abs(got-0.64) > 1e-12 {
		t.Errorf("a page of 30 days: %v, want 0.64", got)
	}
	if got := b.Mean() * 20 * day; math.Abs(got-1) > 1e-12 {
		t.Errorf("its mean rate is %v in 20 days, want 1", got)
	}
	if got := math.Exp(-b.Over(10*day) * 10 * day); math.Abs(got-0.64) > 1e-12 {
		t.Errorf("its rate over 10 days stands for %v, want 0.64", got)
	}
}

// TestBeliefIsThePosterior holds the closed forms against sums over a fine grid of rates, for levels that the page itself weighs.
func TestBeliefIsThePosterior(t *testing.T) {
	prior := Belief{parts: []part{{0.5, 0.5, 3}, {0.3, 1, 1}, {0.2, 4, 0.5}}}
	for _, own := range []Own{{}, {Changes: 1, Quiet: 0.3}, {Quiet: 5}, {Changes: 3, Quiet: 2}} {
		got := prior.with(own, false)
		for _, d := range []float64{0.1, 1, 7} {
			var above, all, mean float64
			const fine = 1e-2
			for z := -22.0; z < 6; z += fine { // logarithm of the rate
				l := math.Exp(z)
				density := 0.0
				for _, p := range prior.parts {
					g, _ := math.Lgamma(p.shape)
					density += p.weight * math.Exp(p.shape*math.Log(p.time)-g+(p.shape-1)*z-p.time*l)
				}
				w := density * math.Pow(l, own.Changes) * math.Exp(-l*own.Quiet) * l
				all += w
				mean += w * l
				above += w * math.Exp(-l*d)
			}
			if want := above / all; math.Abs(got.Unchanged(d)-want) > 1e-3 { // the grid leaves out what hardly ever changes
				t.Errorf("%+v, %v later: %v, by the grid %v", own, d, got.Unchanged(d), want)
			}
			if want := mean / all; math.Abs(got.Mean()/want-1) > 1e-3 {
				t.Errorf("%+v: mean %v, by the grid %v", own, got.Mean(), want)
			}
		}
	}
}

// TestKindIsThePosterior holds the likelihood of one sighting against a sum over rates of pages.
func TestKindIsThePosterior(t *testing.T) {
	for _, s := range shapes {
		for _, f := range []float64{0.2, 1, 6} {
			for _, x := range []float64{0.05, 1, 20} {
				var sum [3]float64
				g, _ := math.Lgamma(s)
				const fine = 1e-2
				for z := -40.0; z < 6; z += fine {
					l := math.Exp(z)
					w := math.Exp(s*math.Log(s/f)-g+s*z-l*s/f) * fine
					sum[dated] += w * l * math.Exp(-l*x)
					sum[quiet] += w * math.Exp(-l*x)
					sum[unnoticed] += w * -math.Expm1(-l*x)
				}
				for i, want := range sum {
					if got := math.Exp(likelihood(how(i), x, f, s)); math.Abs(got-want) > 1e-3*(1+want) {
						t.Errorf("how %d, x %v, f %v, s %v: %v, by the grid %v", i, x, f, s, got, want)
					}
				}
			}
		}
	}
}

// TestBeliefIsHonest draws hosts from the prior and pages of templates from hosts, lets the pool learn of the ages of most of them, and foretells the others and the same again: of what is foretold with p, p
// comes true, and intervals of shares hold what they say. This is what calibration means, where the model is right.
func TestBeliefIsHonest(t *testing.T) {
	r := rand.New(rand.NewPCG(22, 6))
	const bins = 5
	var told, came [bins]float64
	var count [bins]int
	held, shares := 0, 0
	for host := range 150 {
		p := &Pool{Prior: 1e-5}
		top := r.NormFloat64() * wide
		var share Share
		found := 0
		for section := range 2 {
			z := top + laplace(r)
			factor := math.Exp(z + laplace(r))
			shape := shapes[r.IntN(len(shapes))]
			var rates, ages []float64
			address := func(i int) Subject {
				return Subject{URL: fmt.Sprintf("http://h%d.test/s%c/%d", host, 'a'+section, i)}
			}
			const pages = 30
			for i := range pages {
				l := gamma(r, shape) * factor / shape * 1e-5
				rates, ages = append(rates, l), append(ages, r.ExpFloat64()/l)
				if i < 20 {
					p.Learn(address(i), ages[i])
				}
			}
			d := 1e5 * math.Exp(2*r.NormFloat64())
			for i := range pages {
				own := Own{}
				if i < 20 {
					own = Own{Changes: 1, Quiet: max(ages[i], granule/2)}
				}
				b := p.Belief(address(i), own, true)
				chance, stood := b.Unchanged(d), one(r.ExpFloat64()/rates[i] > d)
				share.Add(b, d)
				found += int(stood)
				bin := min(bins-1, int(chance*bins))
				told[bin] += chance
				came[bin] += stood
				count[bin]++
			}
		}
		low, high := share.Interval(0.9)
		shares++
		if x := float64(found) / float64(share.Pages()); low <= x && x <= high {
			held++
		}
	}
	for b := range bins {
		n := float64(count[b])
		t.Logf("%d pages: foretold %.3f, came %.3f", count[b], told[b]/n, came[b]/n)
		if math.Abs(told[b]-came[b])/n > 0.04 {
			t.Errorf("of %d pages foretold %.3f, %.3f stood", count[b], told[b]/n, came[b]/n)
		}
	}
	t.Logf("%d of %d shares in the interval of 90 %%", held, shares)
	if held < shares*85/100 {
		t.Errorf("%d of %d shares lie in the interval of 90 %%", held, shares)
	}
}

func laplace(r *rand.Rand) float64 {
	x := r.ExpFloat64() * spread
	if r.IntN(2) == 0 {
		return -x
	}
	return x
}

// gamma draws from Gamma(shape, 1), by Marsaglia and Tsang.
func gamma(r *rand.Rand, shape float64) float64 {
	if shape < 1 {
		return gamma(r, shape+1) * math.Pow(r.Float64(), 1/shape)
	}
	d := shape - 1.0/3
	for {
		x := r.NormFloat64()
		v := math.Pow(1+x/math.Sqrt(9*d), 3)
		if v > 0 && math.Log(r.Float64()) < x*x/2+d-d*v+d*math.Log(v) {
			return d * v
		}
	}
}

// TestSummary: the form that undated changes get has its maximum where their likelihood has it, and is as wide.
func TestSummary(t *testing.T) {
	for _, cs := range [][]Comparison{
		{{Interval: 1, Changed: true}, {Interval: 1}, {Interval: 1}},
		{{Interval: 2, Changed: true, N: 3}, {Interval: 5}, {Interval: 1, Changed: true, Dated: true, Since: 0.25}},
		{{Interval: 10, Changed: true, N: 4}, {Interval: 0.5}},
	} {
		o := Summary(cs, 0)
		e := evidence{cs: cs}
		r := Corrected(cs, Level).Value
		score := o.Changes/r - o.Quiet
		curve := -o.Changes / (r * r)
		const h = 1e-4
		want, bent := e.score(r), (e.score(r+h)-e.score(r-h))/(2*h)
		if math.Abs(score-want) > 1e-6 || math.Abs(curve/bent-1) > 1e-3 {
			t.Errorf("%v: slope %v and curvature %v, want %v and %v", cs, score, curve, want, bent)
		}
	}
	if o := Summary([]Comparison{{Interval: 1e9, Changed: true}}, 0); o.Quiet < 0 || o.Changes < 0 || math.IsNaN(o.Quiet) {
		t.Errorf("a change in a long time: %+v", o)
	}
	if !Summary(nil, 0).IsZero() {
		t.Error("nothing seen says something")
	}
}

// TestShare: the interval of a share lies around it, is wider when kinds are less known, and never leaves 0 to 1.
func TestShare(t *testing.T) {
	sure, unsure := Belief{parts: []part{{1, 100, 1000}}}, Belief{}
	for i := range 10 {
		unsure.parts = append(unsure.parts, part{0.1, 1, math.Exp(float64(i) - 2)})
	}
	var widths []float64
	for _, b := range []Belief{sure, unsure} {
		var s Share
		for range 200 {
			s.Add(b, 3)
		}
		low, high := s.Interval(0.95)
		if want := b.Unchanged(3); math.Abs(s.Expected()-want) > 1e-9 || !(low < want && want < high) || low < 0 || high > 1 {
			t.Errorf("expected %v, want %v, in %v to %v", s.Expected(), want, low, high)
		}
		widths = append(widths, high-low)
	}
	if !slices.IsSorted(widths) {
		t.Errorf("widths %v", widths)
	}
}
