package coherence

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// BenchmarkArrange plans once with all rates known and sorted.
func BenchmarkArrange(b *testing.B) {
	for _, n := range []int{100, 400, 1000, 10_000, 50_000} {
		for _, name := range []string{"exponential", "zero-inflated", "pareto"} {
			for _, m := range []float64{0.5, 3, 50} {
				l := draw(rand.New(rand.NewPCG(1, 1)), distributions[name], n, m)
				gaps := Gaps(n, 1)
				b.Run(fmt.Sprintf("%s/n=%d/m=%v", name, n, m), func(b *testing.B) {
					for b.Loop() {
						Arrange(l, gaps)
					}
				})
			}
		}
	}
}
