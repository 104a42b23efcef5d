package coherence

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// Whatever happens, the strategy chooses among the most valuable pages that wait, as many as the leeway lets it; with none of it the order is
// that of value. The model is a sorted list.
func TestWindowHasTheMostValuable(t *testing.T) {
	for _, leeway := range []float64{0, 0.1, 1} {
		for _, s := range Strategies() {
			r := rand.New(rand.NewPCG(4, 23))
			p, err := NewPlanner(s, Options{Revisit: true, Expected: 200, Prior: 0.01, Focus: true, Leeway: leeway})
			if err != nil {
				t.Fatal(err)
			}
			var wait []Candidate
			at := func(id uint64) int { return slices.IndexFunc(wait, func(c Candidate) bool { return c.ID == id }) }
			visited, next := 0, uint64(0)
			for range 500 {
				switch r.IntN(7) {
				case 0, 1, 2:
					c := Candidate{ID: next, Rate: r.ExpFloat64() / 50, Value: float64(r.IntN(20)) / 20}
					p.Discover(c)
					wait = append(wait, c)
					next++
				case 3:
					id, value := uint64(r.IntN(int(next)+1)), r.Float64()
					p.SetValue(id, value)
					p.SetRate(id, r.ExpFloat64()/50)
					if i := at(id); i >= 0 {
						wait[i].Value = value
					}
				case 4:
					id := uint64(r.IntN(int(next) + 1))
					i := at(id)
					if p.Remove(id) != (i >= 0) {
						t.Fatalf("%s: removal of %d", s, id)
					}
					if i >= 0 {
						wait = slices.Delete(wait, i, i+1)
					}
				default:
					size := max(1, int(leeway*float64(200-visited)))
					pg, ok := p.Next()
					if ok != (len(wait) > 0) {
						t.Fatalf("%s: next is %v with %d waiting", s, ok, len(wait))
					}
					if !ok {
						continue
					}
					visited++
					best := slices.Clone(wait)
					slices.SortFunc(best, func(a, b Candidate) int { return cmp.Compare(b.Value, a.Value) })
					least := best[min(size, len(best))-1].Value
					if i := at(pg.ID); i < 0 || wait[i].Value < least {
						t.Fatalf("%s, leeway %g: took %v, and the best %d are worth %g and more", s, leeway, pg, size, least)
					}
					wait = slices.Delete(wait, at(pg.ID), at(pg.ID)+1)
				}
				if p.Len() != len(wait) {
					t.Fatalf("%s: %d wait, want %d", s, p.Len(), len(wait))
				}
			}
		}
	}
}

// A capture with a limit that has far more pages to choose from than it may visit does not spend its visits on hopeless ones.
func TestLimitedCaptureIsCoherent(t *testing.T) {
	const all, most = 4000, 400
	coherent := func(focus bool) (sum float64) {
		r := rand.New(rand.NewPCG(1, 2))
		p, err := NewPlanner(Varve, Options{Revisit: true, Expected: most, Focus: focus, Leeway: 1})
		if err != nil {
			t.Fatal(err)
		}
		for i := range all {
			p.Discover(Candidate{ID: uint64(i), Rate: r.ExpFloat64() / most})
		}
		var visited []Visited
		for i := range most {
			pg, _ := p.Next()
			visited = append(visited, Visited{ID: pg.ID, Rate: pg.Rate, At: float64(i)})
		}
		for _, v := range RevisitOrder(visited, Revisits{Kind: Plan}) {
			sum += v.Chance / most
		}
		return sum
	}
	with, without := coherent(true), coherent(false)
	if with < 0.55 || with < without || math.IsNaN(with) {
		t.Errorf("expected coherent: %.3f within the limit, %.3f planned for all pages", with, without)
	}
	t.Logf("within the limit %.3f, for all %.3f", with, without)
}
