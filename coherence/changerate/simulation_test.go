package changerate

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"
)

// schedule draws the intervals between visits, of mean 1.
type schedule func(*rand.Rand) float64

func regular(*rand.Rand) float64       { return 1 }
func irregular(rng *rand.Rand) float64 { return math.Exp(rng.NormFloat64()) / 1.6487 }
func history(rng *rand.Rand, l float64, n int, next schedule, dated bool) []Comparison {
	cs := make([]Comparison, n)
	for i := range cs {
		cs[i] = visit(rng, l, next(rng), dated)
	}
	return cs
}

// The naive estimate X/T is far too low for a page that changes as often as it is visited, the maximum of likelihood
// is too high for few visits; the corrected one is neither.
func TestBiasIsSmall(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 1))
	const runs = 4000
	for _, c := range []struct {
		name  string
		next  schedule
		dated bool
		l     float64
		n     int
		most  float64 // relative bias allowed
	}{
		{"regular", regular, false, 0.3, 10, 0.04},
		{"regular", regular, false, 1, 20, 0.03},
		{"irregular", irregular, false, 0.3, 20, 0.02},
		{"irregular", irregular, false, 1, 20, 0.03},
		{"irregular", irregular, false, 2, 40, 0.03},
		{"dated", irregular, true, 0.3, 20, 0.03},
		{"dated", irregular, true, 1, 20, 0.03},
		{"dated", irregular, true, 3, 10, 0.03},
	} {
		var naive, likely, corrected float64
		for range runs {
			cs := history(rng, c.l, c.n, c.next, c.dated)
			x, span := 0.0, 0.0
			for _, v := range cs {
				span += v.Interval
				if v.Changed {
					x++
				}
			}
			naive += x / span / runs
			likely += Likelihood(cs, 0.95).Value / runs
			corrected += Corrected(cs, 0.95).Value / runs
		}
		bias := func(mean float64) float64 { return mean/c.l - 1 }
		t.Logf("%-9s l=%.1f n=%2d: naive %+.3f likelihood %+.3f corrected %+.3f", c.name, c.l, c.n, bias(naive), bias(likely), bias(corrected))
		if math.Abs(bias(corrected)) > c.most {
			t.Errorf("%s l=%v n=%d: corrected is biased by %+.3f", c.name, c.l, c.n, bias(corrected))
		}
		if math.Abs(bias(corrected)) > math.Abs(bias(naive)) {
			t.Errorf("%s l=%v n=%d: corrected %+.3f is worse than naive %+.3f", c.name, c.l, c.n, bias(corrected), bias(naive))
		}
	}
}

// Cho's closed form for dates is as good as the general one where it applies.
func TestDatedBias(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 2))
	for _, l := range []float64{0.1, 0.5, 1, 3} {
		const runs, n = 4000, 20
		var closed, general float64
		for range runs {
			cs := history(rng, l, n, regular, true)
			x, watched := 0, 0.0
			for _, c := range cs {
				if c.Changed {
					x++
					watched += c.Since
				} else {
					watched += c.Interval
				}
			}
			closed += Dated(n, x, time.Duration(watched*1e9), 0.95).Value / runs
			general += Corrected(cs, 0.95).Value / runs
		}
		t.Logf("l=%.1f: closed form %+.3f, general %+.3f", l, closed/l-1, general/l-1)
		if math.Abs(closed/l-1) > 0.06 || math.Abs(general/l-1) > 0.06 {
			t.Errorf("l=%v: bias of the closed form %+.3f, of the general %+.3f", l, closed/l-1, general/l-1)
		}
	}
}

// The intervals hold the true rate about as often as they say.
func TestCoverage(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 3))
	const runs = 3000
	for _, c := range []struct {
		name string
		n    int
		l    float64
		low  float64 // least coverage
		of   func(l float64, n int) Rate
	}{
		{"oracle", 20, 0.5, 0.95, func(l float64, n int) Rate { return Oracle(poisson(rng, l*float64(n)), seconds(n), 0.95) }},
		{"regular", 10, 0.5, 0.95, func(l float64, n int) Rate {
			cs := history(rng, l, n, regular, false)
			_, x, _ := tally(cs)
			return Regular(n, x, time.Second, 0.95)
		}},
		{"irregular", 10, 0.5, 0.93, func(l float64, n int) Rate { return Corrected(history(rng, l, n, irregular, false), 0.95) }},
		{"irregular", 30, 1, 0.93, func(l float64, n int) Rate { return Corrected(history(rng, l, n, irregular, false), 0.95) }},
		{"irregular", 5, 0.05, 0.93, func(l float64, n int) Rate { return Corrected(history(rng, l, n, irregular, false), 0.95) }},
		{"dated", 10, 0.5, 0.93, func(l float64, n int) Rate { return Corrected(history(rng, l, n, irregular, true), 0.95) }},
		{"dated", 5, 3, 0.92, func(l float64, n int) Rate { return Corrected(history(rng, l, n, irregular, true), 0.95) }},
	} {
		held := 0
		for range runs {
			if r := c.of(c.l, c.n); r.Low <= c.l && c.l <= r.High {
				held++
			}
		}
		share := float64(held) / runs
		t.Logf("%-9s l=%.2f n=%2d: %.3f", c.name, c.l, c.n, share)
		if share < c.low-0.012 { // three standard errors of the simulation
			t.Errorf("%s l=%v n=%d: the interval held the rate in %.3f, want %.2f", c.name, c.l, c.n, share, c.low)
		}
	}
}

func seconds(n int) time.Duration { return time.Duration(n) * time.Second }

func poisson(rng *rand.Rand, mean float64) int {
	n := 0
	for t := rng.ExpFloat64(); t < mean; t += rng.ExpFloat64() {
		n++
	}
	return n
}

// A prior that is right helps when there is little history, and one that is wrong by ten does little harm once
// there is some.
func TestPriorHelps(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 4))
	loss := func(n int, off float64) (with, without float64) {
		const runs = 2000
		for range runs {
			l := math.Exp(rng.NormFloat64())
			cs := history(rng, l, n, irregular, false)
			e := &evidence{cs: cs, k: 1, l0: l * off}
			with += math.Pow(math.Log(e.corrected(0.95).Value/l), 2) / runs
			without += math.Pow(math.Log(Corrected(cs, 0.95).Value/l), 2) / runs
		}
		return math.Sqrt(with), math.Sqrt(without)
	}
	if with, without := loss(3, 2); with > 0.8*without {
		t.Errorf("three visits and a prior off by two: error %.3f with, %.3f without", with, without)
	}
	if with, without := loss(30, 10); with > 1.5*without {
		t.Errorf("thirty visits and a prior off by ten: error %.3f with, %.3f without", with, without)
	}
}
