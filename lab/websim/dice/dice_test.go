package dice_test

import (
	"math"
	"testing"

	"varve/lab/websim/dice"
)

// The values are part of the promise that a seed gives the same web everywhere and for ever.
func TestStreamsAreFixed(t *testing.T) {
	s := dice.New(1, 2, 3)
	got := []uint64{dice.Mix(1, 2, 3), dice.String("news.sim.test"), s.Uint64(), uint64(s.IntN(1000)), uint64(s.Float64() * 1e9), uint64(s.Exp() * 1e9)}
	want := []uint64{15378950933529109311, 12440897491371548055, 17276901584624271151, 300, 26353923, 1954629392}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("value %d: %d, want %d", i, got[i], want[i])
		}
	}
	if dice.Mix(1, 2) == dice.Mix(2, 1) || dice.Mix(0) == dice.Mix(0, 0) || dice.Mix() == dice.Mix(0) {
		t.Error("order and number of parts must matter")
	}
}

func TestDistributions(t *testing.T) {
	const n = 200_000
	s := dice.New(7)
	var exp, unit, norm, norm2 float64
	var faces [6]int
	for range n {
		exp += s.Exp()
		unit += s.Float64()
		x := s.Norm()
		norm, norm2 = norm+x, norm2+x*x
		faces[s.IntN(6)]++
	}
	near := func(what string, got, want, sigma float64) {
		t.Helper()
		if math.Abs(got-want) > 5*sigma/math.Sqrt(n) {
			t.Errorf("%s: mean %v, want %v", what, got, want)
		}
	}
	near("exponential", exp/n, 1, 1)
	near("uniform", unit/n, 0.5, math.Sqrt(1.0/12))
	near("normal", norm/n, 0, 1)
	near("normal squared", norm2/n, 1, math.Sqrt2)
	for _, f := range faces {
		near("face", float64(f)/n, 1.0/6, math.Sqrt(5.0/36))
	}
}

func BenchmarkMix(b *testing.B) {
	for i := range b.N {
		_ = dice.Mix(1, uint64(i), 3)
	}
}
