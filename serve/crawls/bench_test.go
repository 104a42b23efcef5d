package crawls

import (
	"testing"
	"time"
)

func BenchmarkForetell(b *testing.B) {
	h := History{}
	for i := range maxRated {
		h.Rates = append(h.Rates, 1/float64(3600+60*i))
	}
	for b.Loop() {
		h.Foretell(5000, time.Second)
	}
}
