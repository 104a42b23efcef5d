package coherence

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// reference are the rates of the table in the specification: of 300 pages, 180 of rate 0 and 120
// quantiles of an exponential distribution, with a mean over all of m changes per 300 slots.
func reference(m float64) []float64 {
	const n, moving = 300, 120
	l := make([]float64, n)
	sum := 0.0
	for i := range moving {
		l[i] = -math.Log(1 - (float64(i)+0.5)/moving)
		sum += l[i]
	}
	for i := range l {
		l[i] *= m / sum // mean l = sum/n = m/n
	}
	slices.SortFunc(l, func(a, b float64) int { return cmpDesc(a, b) })
	return l
}

func cmpDesc(a, b float64) int {
	switch {
	case a > b:
		return -1
	case a < b:
		return 1
	}
	return 0
}

// identity is the arrangement hottest to shortest.
func identity(n int) []int {
	at := make([]int, n)
	for i := range at {
		at[i] = i
	}
	return at
}

func TestReferenceTable(t *testing.T) {
	for _, c := range []struct {
		m, fifo, lifo, eta45, eta60, eta70, greedy, split, exact float64
	}{
		{0.5, 0.7775, 0.8007, 0.9145, 0.9145, 0.9145, 0.9145, 0.9145, 0.9145},
		{1, 0.7140, 0.7437, 0.8468, 0.8503, 0.8503, 0.8503, 0.8527, 0.8528},
		{3, 0.6469, 0.6744, 0.7479, 0.7457, 0.7384, 0.7149, 0.7607, 0.7613},
		{10, 0.6153, 0.6320, 0.6846, 0.6819, 0.6771, 0.6292, 0.6932, 0.6938},
		{50, 0.6030, 0.6094, 0.6393, 0.6387, 0.6366, 0.6074, 0.6439, 0.6443},
	} {
		l := reference(c.m)
		n := float64(len(l))
		gaps := Gaps(len(l), 1)
		fifo, lifo := 0.0, 0.0
		for _, x := range l {
			fifo += math.Exp(-x*n) / n
			for _, g := range gaps {
				lifo += math.Exp(-x*g) / n / n
			}
		}
		near(t, "fifo", fifo, c.fifo, 1e-4)
		near(t, "lifo", lifo, c.lifo, 1e-4)
		near(t, "eta 0.45", Value(l, gaps, Threshold(l, gaps, 0.45))/n, c.eta45, 1e-4)
		near(t, "eta 0.6", Value(l, gaps, Threshold(l, gaps, 0.6))/n, c.eta60, 1e-4)
		near(t, "eta 0.7", Value(l, gaps, Threshold(l, gaps, 0.7))/n, c.eta70, 1e-4)
		near(t, "greedy", Value(l, gaps, identity(len(l)))/n, c.greedy, 1e-4)
		near(t, "h-split", Value(l, gaps, newSplitter(l, gaps).arrange())/n, c.split, 1e-4)
		near(t, "exact", Value(l, gaps, Arrange(l, gaps))/n, c.exact, 1e-4)
	}
}

// distributions of rates, of mean 1.
var distributions = map[string]func(*rand.Rand) float64{
	"exponential": func(r *rand.Rand) float64 { return r.ExpFloat64() },
	"pareto": func(r *rand.Rand) float64 { // shape 1.2
		return math.Pow(1-r.Float64(), -1/1.2) / 6
	},
	"zero-inflated": func(r *rand.Rand) float64 {
		if r.Float64() < 0.6 {
			return 0
		}
		return r.ExpFloat64() / 0.4
	},
	"bimodal": func(r *rand.Rand) float64 {
		if r.Float64() < 0.8 {
			return 0.05 * (0.5 + r.Float64())
		}
		return 4.8 * (0.5 + r.Float64())
	},
}

// draw gives n rates in descending order whose mean is m changes per n slots.
func draw(r *rand.Rand, of func(*rand.Rand) float64, n int, m float64) []float64 {
	l := make([]float64, n)
	sum := 0.0
	for i := range l {
		l[i] = of(r)
		sum += l[i]
	}
	for i := range l {
		l[i] *= m / max(sum, 1e-300)
	}
	slices.SortFunc(l, cmpDesc)
	return l
}

func TestArrangementsAreArrangements(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for name, of := range distributions {
		for _, n := range []int{0, 1, 2, 3, 7, 60, 401, 3000} {
			for _, m := range []float64{0, 0.1, 3, 50} {
				l := draw(r, of, n, m)
				gaps := Gaps(n, 1)
				for what, at := range map[string][]int{
					"arrange": Arrange(l, gaps), "split": newSplitter(l, gaps).arrange(), "threshold": Threshold(l, gaps, 0.5),
				} {
					got := slices.Clone(at)
					slices.Sort(got)
					if !slices.Equal(got, identity(n)) {
						t.Fatalf("%s of %s, n=%d m=%v is no arrangement: %v", what, name, n, m, at)
					}
				}
			}
		}
	}
}

// With equal costs nested gaps are those of the even pace, and with any the value is the planner's.
func TestNestedGaps(t *testing.T) {
	if got, want := NestedGaps([]float64{3, 3, 3, 3}), Gaps(4, 3); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	pages := []Candidate{{Rate: 0.3, Cost: 1}, {Rate: 0.1, Cost: 4}, {Rate: 0.05, Cost: 0.5}, {Rate: 0.01, Cost: 2}}
	var rates, costs []float64
	for _, pg := range pages {
		rates, costs = append(rates, pg.Rate), append(costs, pg.Cost)
	}
	at := identity(len(pages))
	near(t, "value", nestedValue(pages, at, 1), Value(rates, NestedGaps(costs), at), 1e-12)
}
