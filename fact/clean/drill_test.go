package clean

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"testing"
	"time"

	"varve/lab/chance"
)

// A hundred thousand observations are cleaned in bounded memory; the cost is printed by size of component. Facts are those of persons, of whom most have few and some many; a tenth of the observations is wrong.
func TestDrillHundredThousand(t *testing.T) {
	if os.Getenv("VARVE_DRILL") == "" {
		t.Skip("a drill: VARVE_DRILL=1")
	}
	rng := chance.Rand(t, 4)
	var p Problem
	for len(p.Observations) < 100_000 {
		n := 1 + int(rng.ExpFloat64()*4) // facts of a person, one after the other
		if rng.IntN(200) == 0 {
			n += 30
		}
		at := int32(rng.IntN(1000))
		first := p.Facts
		for range n {
			f := int32(p.Facts)
			p.Facts++
			b, e := at, at+1+int32(rng.IntN(2000))
			at = e + int32(rng.IntN(300))
			for range 1 + rng.IntN(4) {
				wrong := int32(0)
				if rng.IntN(10) == 0 {
					wrong = int32(rng.IntN(6000)) - 3000
				}
				w := rng.Float64()
				switch rng.IntN(3) {
				case 0:
					p.Observations = append(p.Observations, begin(f, w, b+wrong, b+wrong+30))
				case 1:
					p.Observations = append(p.Observations, end(f, w, e+wrong-30, e+wrong))
				case 2:
					mid := b + (e-b)/2 + wrong
					p.Observations = append(p.Observations, during(f, w, mid, mid+1))
				}
			}
		}
		for f := first; f < p.Facts; f++ {
			for g := first; g < f; g++ {
				p.Constraints = append(p.Constraints, Constraint{int32(f), int32(g), Disjoint})
			}
		}
	}
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	start := time.Now()
	s, err := Solve(t.Context(), p, Options{})
	if err != nil {
		t.Fatal(err)
	}
	took := time.Since(start)
	runtime.GC()
	runtime.ReadMemStats(&after)
	limits := []int{1, 3, 7, 15, 31, 63, 127, 1 << 30}
	type cost struct{ components, observations, steps, greedy int }
	table := make([]cost, len(limits))
	chosen := 0
	for _, c := range s.Components {
		i, _ := slices.BinarySearch(limits, c.Observations)
		k := &table[i]
		k.components, k.observations, k.steps, chosen = k.components+1, k.observations+c.Observations, k.steps+c.Steps, chosen+c.Chosen
		if !c.Exact {
			k.greedy++
		}
	}
	out := fmt.Sprintf("%d observations, %d facts, %d constraints: %d chosen in %s (wall), %d MB more on the heap\nup to  components  observations  steps  greedy\n", len(p.Observations), p.Facts, len(p.Constraints), chosen, took.Round(time.Millisecond), (int64(after.HeapAlloc)-int64(before.HeapAlloc))>>20)
	for i, k := range table {
		out += fmt.Sprintf("%10d %10d %10d %10d %6d\n", limits[i], k.components, k.observations, k.steps, k.greedy)
	}
	t.Log(out)
	if grown := int64(after.HeapAlloc) - int64(before.HeapAlloc); grown > 256<<20 {
		t.Errorf("%d MB are held", grown>>20)
	}
}
