package simulate

import (
	"math/rand/v2"
	"testing"
)

// permute calls f with all orders of 0..n-1.
func permute(n int, f func([]int)) {
	at := make([]int, n)
	for i := range at {
		at[i] = i
	}
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

// The limits of full knowledge are those of all orders of visits and revisits.
func TestKnowledgeAgainstAllOrders(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 150 {
		n := 1 + r.IntN(5)
		back, ahead := make([]float64, n), make([]float64, n)
		for i := range back {
			back[i], ahead[i] = r.ExpFloat64()*2, r.ExpFloat64()*2
		}
		most, least := 0, n
		permute(n, func(visit []int) {
			permute(n, func(revisit []int) {
				coherent := 0
				for i := range n {
					if float64(visit[i]) < back[i] && float64(revisit[i]) < ahead[i] {
						coherent++
					}
				}
				most, least = max(most, coherent), min(least, coherent)
			})
		})
		if got := optimum(back, ahead); got != most {
			t.Fatalf("optimum %d, of all orders %d: %v %v", got, most, back, ahead)
		}
		if got := worst(back, ahead); got != least {
			t.Fatalf("worst %d, of all orders %d: %v %v", got, least, back, ahead)
		}
	}
}
