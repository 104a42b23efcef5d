package name_test

import (
	"math"
	"slices"
	"testing"

	"varve/evolution/name"
	"varve/lab/chance"
)

// TestKleinbergExample has a name in 2 of 10 documents a year, and for three years in 9.
func TestKleinbergExample(t *testing.T) {
	relevant := []int{2, 1, 2, 9, 9, 9, 2, 1, 2}
	total := slices.Repeat([]int{10}, len(relevant))
	a := name.Kleinberg(relevant, total, 2, 1, 2)
	if math.Abs(a.Base-37./90) > 1e-9 {
		t.Errorf("base %f", a.Base)
	}
	a.Base = 0.2
	b := a.Bursts(relevant, total)
	if len(b) != 1 || b[0].From != 3 || b[0].To != 5 {
		t.Fatalf("bursts %+v", b)
	}
	// a year of the burst: 9 ln(0.4/0.2) + 1 ln(0.6/0.8)
	if want := 3 * (9*math.Log(2) + math.Log(0.75)); math.Abs(b[0].Weight-want) > 1e-9 {
		t.Errorf("weight %f, want %f", b[0].Weight, want)
	}
}

// TestDecodeBruteForce tries all sequences of states.
func TestDecodeBruteForce(t *testing.T) {
	r := chance.Rand(t, 5)
	for range 200 {
		n, k := 1+r.IntN(6), 1+r.IntN(3)
		relevant, total := make([]int, n), make([]int, n)
		for i := range total {
			total[i] = r.IntN(20)
			relevant[i] = r.IntN(total[i] + 1)
		}
		a := name.Automaton{Base: 0.01 + 0.2*r.Float64(), Scale: 1.5 + 2*r.Float64(), States: k, Up: r.Float64(), Down: r.Float64()}
		states, cost := a.Decode(relevant, total)
		if got := sequence(a, states, relevant, total); math.Abs(got-cost) > 1e-9 {
			t.Fatalf("the states %v cost %f, not %f", states, got, cost)
		}
		all := 1
		for range n {
			all *= k
		}
		for code := range all {
			try := make([]int, n)
			for i := range try {
				try[i] = code % k
				code /= k
			}
			if c := sequence(a, try, relevant, total); c < cost-1e-9 {
				t.Fatalf("%v costs %f, %v only %f", states, cost, try, c)
			}
		}
	}
}

// sequence is the cost of states, by the formula of the paper.
func sequence(a name.Automaton, states, relevant, total []int) (cost float64) {
	before := 0
	for i, s := range states {
		step := a.Up
		if s < before {
			step = a.Down
		}
		cost += math.Abs(float64(s-before)) * step * math.Log(float64(max(2, len(states))))
		p := min(0.5, a.Base*math.Pow(a.Scale, float64(s)))
		cost -= float64(relevant[i])*math.Log(p) + float64(total[i]-relevant[i])*math.Log(1-p)
		before = s
	}
	return cost
}
