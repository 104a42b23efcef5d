package coherence

import (
	"fmt"
	"math/rand/v2"
	"syscall"
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

// BenchmarkOrder plans 50,000 pages from nothing but rates, as a crawl with a sitemap does, and
// takes them all. cpu-s/op is the CPU time of the process, which is what the bound of 0.2 s is on.
func BenchmarkOrder(b *testing.B) {
	for name, of := range distributions {
		l := draw(rand.New(rand.NewPCG(1, 1)), of, 50_000, 3)
		pages := make([]Candidate, len(l))
		for i := range pages {
			pages[i] = Candidate{Rate: l[(i*7919)%len(l)]}
		}
		b.Run(name, func(b *testing.B) {
			before := cpuSeconds()
			for b.Loop() {
				if _, err := Order(Varve, pages, Options{Revisit: true}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric((cpuSeconds()-before)/float64(b.N), "cpu-s/op")
		})
	}
}

// cpuSeconds is the CPU time that the process has used.
func cpuSeconds() float64 {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}
