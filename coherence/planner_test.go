package coherence

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// pagesOf makes pages of rates.
func pagesOf(rates ...float64) []Candidate {
	pages := make([]Candidate, len(rates))
	for i, l := range rates {
		pages[i] = Candidate{ID: uint64(i), Rate: l}
	}
	return pages
}

func order(t *testing.T, s Strategy, pages []Candidate, o Options) []int {
	t.Helper()
	got, err := Order(s, pages, o)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func TestOrdersOfKnownPages(t *testing.T) {
	rates := []float64{0.2, 0, 0.9, 0.4, 0.1}
	for _, c := range []struct {
		s    Strategy
		o    Options
		want []int
	}{
		{BFS, Options{}, []int{0, 1, 2, 3, 4}},
		{DFS, Options{}, []int{4, 3, 2, 1, 0}},
		{HottestFirst, Options{}, []int{2, 3, 0, 4, 1}},
		{HottestLast, Options{}, []int{1, 4, 0, 3, 2}},
		{Freshness, Options{}, []int{4, 0, 3, 2, 1}}, // coldest of those that change; what never changes last
		{SHARC, Options{}, []int{1, 0, 2, 3, 4}},     // organ pipe
		{Varve, Options{}, []int{1, 0, 2, 3, 4}},
	} {
		if got := order(t, c.s, pagesOf(rates...), c.o); !slices.Equal(got, c.want) {
			t.Errorf("%s: got %v, want %v", c.s, got, c.want)
		}
	}
	if _, err := Order("best", nil, Options{}); err == nil {
		t.Error("a strategy that is not known is no error")
	}
	if s, err := ParseStrategy(""); s != Varve || err != nil {
		t.Errorf("default is %v, %v", s, err)
	}
}

// SHARC offline is the optimum: no order of 8 pages has less blur.
func TestSHARCHasTheLeastBlur(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 8))
	for _, n := range []int{7, 8} {
		for range 4 {
			rates := make([]float64, n)
			for i := range rates {
				rates[i] = r.ExpFloat64()
			}
			blur := func(at []int) float64 {
				sum := 0.0
				for t, i := range at {
					sum += Blur(rates[i], float64(t), float64(n-1))
				}
				return sum
			}
			least := math.Inf(1)
			permute(n, func(at []int) { least = min(least, blur(at)) })
			near(t, "blur", blur(order(t, SHARC, pagesOf(rates...), Options{})), least, 1e-12)
		}
	}
}

// figure7 is the program of seed 001, figure 7, word by word; conflicts use the downloads so far.
func figure7(l []float64, eta float64) []int {
	var out, skipped []int
	for slot := range l {
		if Conflict(l[slot], float64(len(out))) < eta {
			out = append(out, slot)
		} else {
			skipped = append(skipped, slot)
		}
	}
	slices.Reverse(skipped)
	return append(out, skipped...)
}

// figure8 is the program of figure 8 as the specification corrects it.
func figure8(l []float64, eta float64) []int {
	slots := identity(len(l))
	slot, promising := 1, len(l)
	for slot <= promising {
		page := slots[slot-1]
		if Conflict(l[page], 2*float64(slot-1)) >= eta {
			slots = slices.Delete(slots, slot-1, slot)
			slots = slices.Insert(slots, promising-1, page)
			promising--
		} else {
			slot++
		}
	}
	slices.Reverse(slots) // visit from hopeless to promising
	return slots
}

func TestThresholdStrategiesAreThoseOfTheSeed(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for name, of := range distributions {
		if name == "zero-inflated" {
			continue // pages of equal rate may stand in another order
		}
		for range 20 {
			l := draw(r, of, 1+r.IntN(60), 4)
			eta := 0.05 + 0.9*r.Float64()
			if got, want := order(t, MeasurableThreshold, pagesOf(l...), Options{Eta: eta}), figure7(l, eta); !slices.Equal(got, want) {
				t.Fatalf("figure 7, eta %v, %v:\ngot  %v\nwant %v", eta, l, got, want)
			}
			got, want := order(t, InducibleThreshold, pagesOf(l...), Options{Eta: eta, Revisit: true}), figure8(l, eta)
			if !slices.Equal(got, want) {
				t.Fatalf("figure 8, eta %v, %v:\ngot  %v\nwant %v", eta, l, got, want)
			}
		}
	}
}

// With nothing known about rates, pages are visited in the order of discovery.
func TestEqualRatesAreVisitedInOrderOfDiscovery(t *testing.T) {
	for _, s := range []Strategy{HottestFirst, HottestLast, SHARC, Varve, InducibleThreshold} {
		for _, n := range []int{9, 500} {
			rates := make([]float64, n)
			for i := range rates {
				rates[i] = math.NaN()
			}
			for _, prior := range []float64{0, 0.01} {
				got := order(t, s, pagesOf(rates...), Options{Revisit: s == Varve, Prior: prior})
				if !slices.Equal(got, identity(n)) {
					t.Errorf("%s: %d pages of rate %v: %v", s, n, prior, got)
				}
			}
		}
	}
}

// Every page that is discovered and not removed is visited once, whatever happens in between.
func TestPlannerLosesNothing(t *testing.T) {
	for _, s := range Strategies() {
		for _, revisit := range []bool{false, true} {
			r := rand.New(rand.NewPCG(1, 99))
			p, err := NewPlanner(s, Options{Revisit: revisit, Expected: 300, Prior: 0.01})
			if err != nil {
				t.Fatal(err)
			}
			waiting, next := map[uint64]bool{}, uint64(0)
			for range 1200 {
				switch r.IntN(60) % 8 {
				case 0, 1, 2:
					p.Discover(Candidate{ID: next, Rate: r.ExpFloat64() / 50, Cost: float64(r.IntN(2)) * r.Float64()})
					waiting[next] = true
					next++
				case 3:
					id := uint64(r.IntN(int(next) + 1))
					if p.Remove(id) != waiting[id] {
						t.Fatalf("%s: removal of %d, which waits: %v", s, id, waiting[id])
					}
					delete(waiting, id)
				case 4:
					p.SetRate(uint64(r.IntN(int(next)+1)), r.ExpFloat64())
				case 5:
					p.SetPace(1 + r.Float64()/20)
					p.Expect(300 + r.IntN(20))
				default:
					pg, ok := p.Next()
					if ok != (len(waiting) > 0) || ok && !waiting[pg.ID] {
						t.Fatalf("%s: next is %v %v with %d waiting", s, pg, ok, len(waiting))
					}
					delete(waiting, pg.ID)
				}
				if p.Len() != len(waiting) {
					t.Fatalf("%s: %d wait, want %d", s, p.Len(), len(waiting))
				}
			}
			for range len(waiting) {
				pg, _ := p.Next()
				delete(waiting, pg.ID)
			}
			if _, ok := p.Next(); ok || len(waiting) > 0 {
				t.Errorf("%s: %d pages were never visited", s, len(waiting))
			}
		}
	}
}

func TestPlannerRefusesNonsense(t *testing.T) {
	p, err := NewPlanner(Varve, Options{Revisit: true, Eta: 7, Pace: math.Inf(1), Prior: math.NaN(), Expected: -4})
	if err != nil {
		t.Fatal(err)
	}
	for i, x := range []float64{math.NaN(), math.Inf(1), -1, 1e300} {
		p.Discover(Candidate{ID: uint64(i), Rate: x, Cost: x, Age: x})
		p.SetPace(x)
		p.SetElapsed(x)
		p.SetRate(uint64(i), x)
	}
	for range 4 {
		if _, ok := p.Next(); !ok {
			t.Fatal("a page is lost")
		}
	}
}

// A plan for unequal costs is never worse than one that does not look at them, and mostly the
// optimum of all orders.
func TestUnequalCosts(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	lost, worst := 0.0, 0.0
	const runs = 60
	for range runs {
		n := 3 + r.IntN(5)
		pages := make([]Candidate, n)
		for i := range pages {
			pages[i] = Candidate{ID: uint64(i), Rate: r.ExpFloat64() / 4, Cost: 0.2 + 3*r.Float64()}
		}
		value := func(visits []int) float64 {
			at := slices.Clone(visits)
			slices.Reverse(at)
			return nestedValue(pages, at, 1)
		}
		most := 0.0
		permute(n, func(at []int) { most = max(most, value(at)) })
		gap := (most - value(order(t, Varve, pages, Options{Revisit: true}))) / float64(n)
		if gap < -1e-12 {
			t.Fatalf("better than all orders by %v", -gap)
		}
		lost += gap / runs
		worst = max(worst, gap)
	}
	t.Logf("below the optimum of all orders: mean %.4f, worst %.4f", lost, worst)
	if lost > 0.004 || worst > 0.05 {
		t.Errorf("below the optimum of all orders: mean %.4f, worst %.4f", lost, worst)
	}
}
