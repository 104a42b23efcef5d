package coherence

import (
	"math"
	"math/rand/v2"
	"testing"
)

func near(t *testing.T, what string, got, want, within float64) {
	t.Helper()
	if math.IsNaN(got) || math.Abs(got-want) > within {
		t.Errorf("%s: got %.6f, want %.6f", what, got, want)
	}
}

func TestConflict(t *testing.T) {
	near(t, "poisson", Conflict(0.5, 2), 1-math.Exp(-1), 1e-15)
	near(t, "slots", SlotConflict(0.1, 3), 1-0.9*0.9*0.9, 1e-15)
	near(t, "no time", SlotConflict(1, 0), 0, 0)
	near(t, "sure", SlotConflict(1, 1), 1, 0)
	near(t, "same in both forms", SlotConflict(PerSlot(0.3, 2), 5), Conflict(0.3, 10), 1e-12)
	near(t, "there and back", PerTime(PerSlot(0.3, 2), 2), 0.3, 1e-12)
	near(t, "tiny rates are not lost", Conflict(1e-18, 1), 1e-18, 1e-30)
}

// Blur is an integral, and the mean of what really changes.
func TestBlur(t *testing.T) {
	const n, l, at = 40.0, 0.7, 11.0
	sum := 0.0
	const steps = 100_000
	for i := range steps {
		x := (float64(i) + 0.5) * n / steps
		sum += l * math.Abs(x-at) / steps
	}
	near(t, "formula", Blur(l, at, n), sum, 1e-6)
	near(t, "middle", Blur(l, n/2, n), l*n/4, 1e-12)
	near(t, "end", Blur(l, n, n), l*n/2, 1e-12)
	near(t, "sum", CaptureBlur([]float64{l, 1}, []float64{at, 0}, n), Blur(l, at, n)+n/2, 1e-12)
	near(t, "no window", Blur(l, 0, 0), 0, 0)

	r := rand.New(rand.NewPCG(7, 7))
	mean := 0.0
	const runs = 20_000
	for range runs {
		var changes []float64
		for c := r.ExpFloat64() / l; c < n; c += r.ExpFloat64() / l {
			changes = append(changes, c)
		}
		mean += ActualBlur(changes, at, n) / runs
	}
	near(t, "mean of actual blur", mean, Blur(l, at, n), 0.06)
	near(t, "outside", ActualBlur([]float64{-1, n + 1}, at, n), 0, 0)
}

func TestActualBlurIsTheMeanOverInstants(t *testing.T) {
	changes := []float64{2, 3.5, 3.5, 8, 9.25}
	const n, at, steps = 10.0, 3.5, 40_000
	sum := 0.0
	for i := range steps {
		x := (float64(i) + 0.5) * n / steps
		for _, c := range changes {
			if (c > at) != (c > x) {
				sum += 1.0 / steps
			}
		}
	}
	near(t, "actual blur", ActualBlur(changes, at, n), sum, 1e-3)
}

func TestExpected(t *testing.T) {
	near(t, "two pages", Expected([]float64{0, 0.5}, []float64{9, 2}), (1+math.Exp(-1))/2, 1e-15)
	near(t, "no pages", Expected(nil, nil), 1, 0)
}
