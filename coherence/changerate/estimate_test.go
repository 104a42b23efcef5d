package changerate

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"
)

const hourly = time.Hour

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance*max(math.Abs(want), 1e-300)) {
		t.Errorf("%s = %v, want %v within %v", what, got, want, tolerance)
	}
}

// Worked examples, by hand: 10 comparisons a day apart of which 4 found a change give
// -log(6.5/10.5)/86400 = 0.47957/86400.
func TestWorkedExamples(t *testing.T) {
	r := Regular(10, 4, 24*hourly, 0.95)
	near(t, "regular", r.Value*day, 0.4795731, 1e-6)
	near(t, "regular low", r.Low*day, -math.Log(1-0.1215523), 1e-5) // Clopper-Pearson 4/10: 0.12155, 0.73762
	near(t, "regular high", r.High*day, -math.Log(1-0.7376219), 1e-5)

	o := Oracle(5, 10*24*hourly, 0.95)
	near(t, "oracle", o.Value*day, 0.5, 1e-12)
	near(t, "oracle low", o.Low*day, 0.1623486, 1e-5) // Garwood for 5: 1.6235, 11.6683
	near(t, "oracle high", o.High*day, 1.1668332, 1e-5)

	// two changed, three unchanged, dates at 0.5 and 0.25 days: T = 3.75, X' = 1 + 2/(5*0.510826) = 1.78305
	d := Dated(5, 2, time.Duration(3.75*day*1e9), 0.95)
	near(t, "dated", d.Value*day, 1.7830456/3.75, 1e-6)
}

// One side only: what was seen has probability 0.05 at the end of the interval, and one half at the value.
func TestOneSided(t *testing.T) {
	none := Folded(7, 0, 7*hourly)
	all := Folded(7, 7, 7*hourly)
	for name, r := range map[string]Rate{"regular": Regular(7, 0, hourly, 0.95), "likelihood": Likelihood(none, 0.95), "corrected": Corrected(none, 0.95)} {
		near(t, name+" value", math.Exp(-r.Value*7*hour), 0.5, 1e-9)
		near(t, name+" high", math.Exp(-r.High*7*hour), 0.05, 1e-9)
		if r.Low != 0 || r.Changed != 0 || r.Compared != 7 {
			t.Errorf("%s: %+v", name, r)
		}
	}
	for name, r := range map[string]Rate{"regular": Regular(7, 7, hourly, 0.95), "likelihood": Likelihood(all, 0.95), "corrected": Corrected(all, 0.95)} {
		near(t, name+" low", math.Pow(-math.Expm1(-r.Low*hour), 7), 0.05, 1e-6)
		if !math.IsInf(r.High, 1) || math.IsInf(r.Value, 1) || r.Value <= r.Low {
			t.Errorf("%s: %+v", name, r)
		}
	}
	near(t, "all changed, likelihood", math.Pow(-math.Expm1(-Likelihood(all, 0.95).Value*hour), 7), 0.5, 1e-9)
}

// The correction of first order is the specification's formula when all intervals are equal, also when all changed.
func TestCorrectedIsRegular(t *testing.T) {
	for n := 1; n <= 30; n++ {
		for x := 0; x <= n; x++ {
			near(t, fmt.Sprintf("%d of %d", x, n), Corrected(Folded(n, x, time.Duration(n)*hourly), 0.95).Value, Regular(n, x, hourly, 0.95).Value, 1e-9)
		}
	}
}

// random gives comparisons of all kinds, with at least one change and one quiet stretch.
func random(rng *rand.Rand) []Comparison {
	l := math.Exp(rng.Float64()*6 - 3)
	cs := []Comparison{{Interval: 1, Changed: true}, {Interval: rng.Float64()}}
	for range rng.IntN(12) {
		cs = append(cs, visit(rng, l, rng.ExpFloat64(), rng.IntN(2) == 0))
	}
	if rng.IntN(2) == 0 {
		cs = append(cs, Comparison{Interval: math.Inf(1), Changed: true, Dated: true, Since: rng.ExpFloat64() / l})
	}
	return cs
}

// visit draws what one comparison over tau sees of a page that changes at rate l.
func visit(rng *rand.Rand, l, tau float64, dated bool) Comparison {
	c := Comparison{Interval: tau, Dated: dated}
	if since := rng.ExpFloat64() / l; since < tau {
		c.Changed = true
		if dated {
			c.Since = since
		}
	}
	return c
}

// The root of the score must be the maximum that a grid search finds, and the interval what the grid keeps.
func TestLikelihoodIsMaximum(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range 80 {
		cs := random(rng)
		r := Likelihood(cs, 0.9)
		e := &evidence{cs: cs}
		best, at := math.Inf(-1), 0.0
		const steps = 20000
		grid := func(k int) float64 { return math.Exp(-12 + 24*float64(k)/steps) }
		for k := range steps {
			if v := e.log(grid(k)); v > best {
				best, at = v, grid(k)
			}
		}
		near(t, fmt.Sprintf("case %d", i), r.Value, at, 0.002)
		low, high := math.Inf(1), 0.0
		for k := range steps {
			if 2*(best-e.log(grid(k))) <= 2.705543 {
				low, high = min(low, grid(k)), max(high, grid(k))
			}
		}
		near(t, fmt.Sprintf("case %d low", i), r.Low, low, 0.003)
		near(t, fmt.Sprintf("case %d high", i), r.High, high, 0.003)
	}
}

// The score is the derivative of the logarithm, by differences.
func TestScoreIsDerivative(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		e := &evidence{cs: random(rng), k: 1, l0: 2}
		l := math.Exp(rng.NormFloat64())
		h := l * 1e-5
		near(t, "score", e.score(l), (e.log(l+h)-e.log(l-h))/(2*h), 1e-4*(1+math.Abs(1/e.score(l))))
	}
}

func TestCompare(t *testing.T) {
	t0 := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	h := func(n float64) time.Time { return t0.Add(time.Duration(n * float64(time.Hour))) }
	got := Compare([]Observation{
		{At: h(0), Modified: h(-5)},                                 // an age
		{At: h(2), Compared: true, Changed: true},                   // undated
		{At: h(3), Compared: true, Changed: true, Modified: h(2.5)}, // dated
		{At: h(5), Compared: true, Modified: h(4)},                  // touched: equal content did not change
		{At: h(6), Compared: true, Changed: true, Modified: h(1)},   // a date that lies
		{At: h(6), Compared: true, Changed: true},                   // no time passed
		{At: h(7)},                 // nothing known
		{At: h(8), Modified: h(4)}, // the date says: unchanged
		{At: h(9), Modified: h(8.5)},
		{At: h(10), Compared: true, Changed: true, Modified: h(11)}, // the future
	})
	want := []Comparison{
		{Interval: math.Inf(1), Changed: true, Dated: true, Since: 5 * hour},
		{Interval: 2 * hour, Changed: true},
		{Interval: hour, Changed: true, Dated: true, Since: hour / 2},
		{Interval: 2 * hour, Dated: true},
		{Interval: hour, Changed: true},
		{Interval: hour, Dated: true},
		{Interval: hour, Changed: true, Dated: true, Since: hour / 2},
		{Interval: hour, Changed: true},
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

func TestUnknown(t *testing.T) {
	for _, r := range []Rate{
		{},
		Likelihood(nil, 0.95), Corrected(nil, 0.95), Regular(0, 0, hourly, 0.95), Regular(3, 4, hourly, 0.95), Regular(3, 1, 0, 0.95),
		Oracle(1, 0, 0.95), Oracle(-1, hourly, 0.95), Dated(0, 0, hourly, 0.95), Dated(2, 1, 0, 0.95), Changefreq("often"), Lastmods(nil, 0.95), (&Estimator{}).Rate(Facts{}),
	} {
		if r.Known() {
			t.Errorf("%+v should be unknown", r)
		}
	}
}

func TestJSON(t *testing.T) {
	for _, r := range []Rate{Regular(3, 1, hourly, 0.95), Regular(3, 3, hourly, 0.95)} {
		b, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		var back Rate
		if err := json.Unmarshal(b, &back); err != nil || back != r {
			t.Errorf("%s came back as %+v, %v", b, back, err)
		}
	}
}
