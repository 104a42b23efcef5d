package coherence

import (
	"math"
	"math/rand/v2"
	"os"
	"testing"
)

// auction bounds the optimum of an assignment from above and from below, by another method than
// assign: Bertsekas' auction. Persons bid for objects; prices rise by at least epsilon per bid, and
// epsilon shrinks in rounds. Whatever the prices, the optimum is at most
//
//	sum over objects of price  +  sum over persons of the best value less price
//
// so that the upper bound holds even if the auction were wrong. The lower bound is what the
// persons really got. They differ by n*epsilon.
func auction(value [][]float64, epsilon float64) (lower, upper float64) {
	n := len(value)
	price := make([]float64, n)
	owner, has := make([]int, n), make([]int, n)
	for eps := 0.1; ; eps = max(epsilon, eps/7) {
		var free []int
		for i := range n {
			owner[i], has[i] = -1, -1
			free = append(free, i)
		}
		for len(free) > 0 {
			i := free[len(free)-1]
			free = free[:len(free)-1]
			best, first, second := -1, math.Inf(-1), math.Inf(-1)
			for j, v := range value[i] {
				switch p := v - price[j]; {
				case p > first:
					best, first, second = j, p, first
				case p > second:
					second = p
				}
			}
			if n == 1 {
				second = first
			}
			price[best] += first - second + eps
			if o := owner[best]; o >= 0 {
				has[o] = -1
				free = append(free, o)
			}
			owner[best], has[i] = i, best
		}
		if eps == epsilon {
			break
		}
	}
	for i := range n {
		most := math.Inf(-1)
		for j, v := range value[i] {
			most = max(most, v-price[j])
		}
		lower += value[i][has[i]]
		upper += most + price[i]
	}
	return lower, upper
}

// values is the matrix of an arrangement problem.
func values(l, gaps []float64) [][]float64 {
	v := matrix(len(l), len(gaps))
	for i := range v {
		for k := range v[i] {
			v[i][k] = math.Exp(-l[i] * gaps[k])
		}
	}
	return v
}

func TestAuctionAgainstAllPermutations(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	for range 50 {
		n := 1 + r.IntN(6)
		v := matrix(n, n)
		for i := range v {
			for j := range v[i] {
				v[i][j] = r.Float64()
			}
		}
		most := math.Inf(-1)
		permute(n, func(at []int) {
			sum := 0.0
			for i, j := range at {
				sum += v[i][j]
			}
			most = max(most, sum)
		})
		lower, upper := auction(v, 1e-10)
		if lower < most-1e-8 || upper < most-1e-12 || upper-lower > 1e-8 {
			t.Fatalf("auction says %v to %v, the best of all permutations is %v", lower, upper, most)
		}
	}
}

// permute calls f with all orders of 0..n-1.
func permute(n int, f func([]int)) {
	at := identity(n)
	var rec func(k int)
	rec = func(k int) {
		if k == n {
			f(at)
			return
		}
		for i := k; i < n; i++ {
			at[k], at[i] = at[i], at[k]
			rec(k + 1)
			at[k], at[i] = at[i], at[k]
		}
	}
	rec(0)
}

var means = []float64{0.1, 0.5, 1, 3, 10, 50}

// gapToOptimum is how much less than the optimum a plan is, per page, at most.
func gapToOptimum(l []float64, epsilon float64) float64 {
	gaps := Gaps(len(l), 1)
	_, upper := auction(values(l, gaps), epsilon)
	return (upper - Value(l, gaps, Arrange(l, gaps))) / float64(len(l))
}

// drill skips slow tests but in make drill.
func drill(t *testing.T) {
	t.Helper()
	if os.Getenv("VARVE_DRILL") == "" {
		t.Skip("slow: run with VARVE_DRILL=1, or make drill")
	}
}

// Up to ExactLimit pages the plan is the optimum.
func TestPlanIsTheOptimum(t *testing.T) { planIsTheOptimum(t, 2, 3, 5, 10, 40) }

func TestDrillPlanIsTheOptimum(t *testing.T) {
	drill(t)
	planIsTheOptimum(t, 100, 200, 400)
}

func planIsTheOptimum(t *testing.T, sizes ...int) {
	for name, of := range distributions {
		for _, n := range sizes {
			for _, m := range means {
				r := rand.New(rand.NewPCG(uint64(n), 11))
				if gap := gapToOptimum(draw(r, of, n, m), 1e-8); gap > 2e-8 || gap < -1e-12 {
					t.Errorf("%s, n=%d, m=%v: %.2g below the optimum", name, n, m, gap)
				}
			}
		}
	}
}

// Above, it is within 0.002 of it; with the blocks even within 0.0005.
func TestLargePlanIsNearTheOptimum(t *testing.T) { nearTheOptimum(t, 1, []float64{3}, 401) }

func TestDrillLargePlanIsNearTheOptimum(t *testing.T) {
	drill(t)
	nearTheOptimum(t, 3, means, 401, 500, 1000)
}

func nearTheOptimum(t *testing.T, seeds int, means []float64, sizes ...int) {
	for name, of := range distributions {
		for _, n := range sizes {
			worst := 0.0
			for _, m := range means {
				for seed := range seeds {
					r := rand.New(rand.NewPCG(uint64(n), uint64(seed)))
					worst = max(worst, gapToOptimum(draw(r, of, n, m), 1e-5))
				}
			}
			t.Logf("%s, n=%d: at most %.5f below the optimum", name, n, worst)
			if worst > 0.0005 {
				t.Errorf("%s, n=%d: %.5f below the optimum", name, n, worst)
			}
		}
	}
}

// No threshold of the seed's rule does better, on a grid finer than the one that is tried.
func TestNeverBelowTheSeedsRule(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	for name, of := range distributions {
		for _, n := range []int{5, 50, 401, 2500} {
			for _, m := range means {
				l := draw(r, of, n, m)
				gaps := Gaps(n, 1)
				ours := Value(l, gaps, Arrange(l, gaps))
				for eta := 0.01; eta < 1; eta += 0.02 {
					if seed := Value(l, gaps, Threshold(l, gaps, eta)); seed > ours+1e-9*float64(n) {
						t.Errorf("%s, n=%d, m=%v: eta %.2f gives %.6f, ours %.6f", name, n, m, eta, seed/float64(n), ours/float64(n))
					}
				}
			}
		}
	}
}

// No order of visits and no order of revisits does better than the plan: nesting is optimal, not
// only among pyramids. docs/algorithms/coherence.md has the proof.
func TestNoScheduleIsBetterThanThePyramid(t *testing.T) {
	r := rand.New(rand.NewPCG(12, 12))
	for round := range 24 {
		n := 2 + round%4
		l := draw(r, distributions["exponential"], n, []float64{0.2, 1, 4, 15}[round/6])
		most := 0.0
		permute(n, func(visit []int) {
			v := append([]int(nil), visit...)
			permute(n, func(revisit []int) {
				sum := 0.0
				for i, x := range l {
					sum += math.Exp(-x * float64(v[i]+revisit[i]))
				}
				most = max(most, sum)
			})
		})
		gaps := Gaps(n, 1)
		near(t, "plan", Value(l, gaps, Arrange(l, gaps)), most, 1e-12)
	}
}
