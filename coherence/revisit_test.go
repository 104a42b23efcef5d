package coherence

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func idsOf(revisits []Revisit) []uint64 {
	var out []uint64
	for _, r := range revisits {
		out = append(out, r.ID)
	}
	return out
}

func total(revisits []Revisit) float64 {
	sum := 0.0
	for _, r := range revisits {
		sum += r.Chance
	}
	return sum
}

func TestRevisitOrders(t *testing.T) {
	v := []Visited{{ID: 1, Rate: 0.1, At: 2}, {ID: 2, Rate: 0, At: 0}, {ID: 3, Rate: 0.5, At: 1}}
	for _, c := range []struct {
		o    Revisits
		want []uint64
	}{
		{Revisits{Kind: FIFO}, []uint64{2, 3, 1}},
		{Revisits{Kind: LIFO}, []uint64{3, 2}},
		{Revisits{Kind: Plan}, []uint64{3, 2}},
		{Revisits{Kind: Plan, Budget: 1}, []uint64{2}}, // the sure one
		{Revisits{Kind: LIFO, Budget: 1}, []uint64{3}},
		{Revisits{Kind: FIFO, Budget: 2}, []uint64{2, 3}},
		{Revisits{Kind: Plan, Budget: 9}, []uint64{3, 2}},
	} {
		if got := idsOf(RevisitOrder(v, c.o)); !slices.Equal(got, c.want) {
			t.Errorf("%+v: got %v, want %v", c.o, got, c.want)
		}
	}
	got := RevisitOrder(v, Revisits{Kind: LIFO, Pace: 2, Start: 10})
	if got[0].At != 12 || got[1].At != 14 || math.Abs(got[0].Chance-math.Exp(-0.5*11)) > 1e-15 {
		t.Errorf("times: %+v", got)
	}
	if RevisitOrder(nil, Revisits{Kind: Plan}) != nil || len(RevisitOrder(v[:1], Revisits{Kind: Plan})) != 0 {
		t.Error("nothing to revisit, and yet something is")
	}
	odd := []Visited{{ID: 1, Rate: math.NaN(), At: math.NaN()}, {ID: 2, Rate: math.Inf(1), At: math.Inf(-1)}, {ID: 3, Rate: 1e300, At: 1}, {ID: 4, Rate: -1}}
	for _, k := range []RevisitKind{FIFO, LIFO, Plan} {
		if got := RevisitOrder(odd, Revisits{Kind: k, Pace: math.Inf(1), Start: math.NaN(), Budget: 2}); len(got) != 2 {
			t.Errorf("%s of odd numbers: %v", k, got)
		}
	}
	if _, err := ParseRevisit("best"); err == nil {
		t.Error("an order that is not known is no error")
	}
}

// After visits in the order of the plan, planned revisits are the plan's.
func TestRevisitsFollowThePlan(t *testing.T) {
	for _, n := range []int{300, 1500} {
		l := draw(rand.New(rand.NewPCG(1, 3)), distributions["exponential"], n, 3)
		visits := order(t, Varve, pagesOf(l...), Options{Revisit: true})
		var v []Visited
		for at, i := range visits {
			v = append(v, Visited{ID: uint64(i), Rate: l[i], At: float64(at)})
		}
		gaps := Gaps(n, 1)
		want := Value(l, gaps, Arrange(l, gaps))
		got := total(RevisitOrder(v, Revisits{Kind: Plan})) + 1 // the page visited last
		if got < want-1e-9 {
			t.Errorf("n=%d: plan has %.6f, planned revisits %.6f", n, want/float64(n), got/float64(n))
		}
		lifo := total(RevisitOrder(v, Revisits{Kind: LIFO})) + 1
		near(t, "lifo", lifo, want, 1e-6)
	}
}

// Within a budget the plan is the best choice of pages and order.
func TestPartialRevisitIsTheOptimum(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	for range 30 {
		n := 2 + r.IntN(6)
		budget := 1 + r.IntN(n-1)
		v := make([]Visited, n)
		for i := range v {
			v[i] = Visited{ID: uint64(i), Rate: r.ExpFloat64() / 3, At: float64(i)}
		}
		most := 0.0
		permute(n-1, func(at []int) {
			sum := 0.0
			for k, i := range at[:budget] {
				sum += math.Exp(-v[i].Rate * (float64(n-1+k+1) - v[i].At))
			}
			most = max(most, sum)
		})
		near(t, "plan", total(RevisitOrder(v, Revisits{Kind: Plan, Budget: budget})), most, 1e-9)
	}
}

// Above the exact limit the plan is near the optimum, with visits in any order.
func TestLargeRevisitIsNearTheOptimum(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 7))
	for _, name := range []string{"exponential", "bimodal"} {
		of := distributions[name]
		for _, budget := range []int{100, 500} {
			n := 501
			l := draw(r, of, n, 3)
			r.Shuffle(n, func(i, j int) { l[i], l[j] = l[j], l[i] })
			v := make([]Visited, n)
			for i := range v {
				v[i] = Visited{ID: uint64(i), Rate: l[i], At: float64(i)}
			}
			cost := matrix(budget, n-1)
			for k := range cost {
				for i := range cost[k] {
					cost[k][i] = -math.Exp(-l[i] * (float64(n+k) - v[i].At))
				}
			}
			most := 0.0
			for k, i := range assign(budget, n-1, cost, nil) {
				most -= cost[k][i]
			}
			got := total(RevisitOrder(v, Revisits{Kind: Plan, Budget: budget}))
			if got > most+1e-6 || got < most-0.005*float64(budget) {
				t.Errorf("%s, budget %d: %.4f of at most %.4f", name, budget, got, most)
			}
			for _, k := range []RevisitKind{FIFO, LIFO} {
				if other := total(RevisitOrder(v, Revisits{Kind: k, Budget: budget})); other > got+1 {
					t.Errorf("%s, budget %d: %s gives %.4f, plan %.4f", name, budget, k, other, got)
				}
			}
		}
	}
}
