package learn

import (
	"math"
	"math/rand/v2"
	"testing"
)

// A curve with lapses is found again from what it draws; Platt's goes flat on the same rows.
func TestLapseFindsItself(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	want := Lapse{Slope: 2, Shift: -3, Lapse: 0.3}
	var scores []float64
	var positive []bool
	for range 20000 {
		s := rng.NormFloat64()*1.5 + 0.5
		scores, positive = append(scores, s), append(positive, rng.Float64() < want.Of(s))
	}
	got := NewLapse(scores, positive)
	if math.Abs(got.Slope-2) > 0.2 || math.Abs(got.Shift+3) > 0.3 || math.Abs(got.Lapse-0.3) > 0.02 {
		t.Errorf("%+v, want %+v", got, want)
	}
	if slope, _ := Platt(scores, positive); slope > 1.2 {
		t.Errorf("Platt's slope is %g", slope)
	}
}

// It rises, stays between 0 and 1, and survives rows of one class, equal scores, perfect scores and none.
func TestLapseDegenerate(t *testing.T) {
	for name, c := range map[string]struct {
		scores   []float64
		positive []bool
	}{
		"none":     {},
		"one":      {[]float64{1}, []bool{true}},
		"equal":    {[]float64{2, 2, 2, 2}, []bool{true, false, true, false}},
		"positive": {[]float64{1, 2, 3}, []bool{true, true, true}},
		"negative": {[]float64{1, 2, 3}, []bool{false, false, false}},
		"perfect":  {[]float64{-1, -2, 1, 2}, []bool{false, false, true, true}},
		"turned":   {[]float64{-1, -2, 1, 2}, []bool{true, true, false, false}},
	} {
		l := NewLapse(c.scores, c.positive)
		last := -1.0
		for s := -10.0; s <= 10; s++ {
			p := l.Of(s)
			if math.IsNaN(p) || p < 0 || p > 1 || p < last-1e-12 {
				t.Errorf("%s: %+v says %g of %g", name, l, p, s)
			}
			last = p
		}
	}
}
