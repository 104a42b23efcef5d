package changerate

import (
	"math/rand/v2"
	"testing"
)

func BenchmarkCorrected(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, kind := range []struct {
		name  string
		dated bool
	}{{"visits", false}, {"dates", true}} {
		cs := history(rng, 0.5, 10, irregular, kind.dated)
		b.Run(kind.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Corrected(cs, 0.95)
			}
		})
	}
}

func BenchmarkRegular(b *testing.B) {
	for b.Loop() {
		Regular(10, 4, hourly, 0.95)
	}
}
