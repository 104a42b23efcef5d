package websim_test

import (
	"fmt"
	"syscall"
	"testing"
	"time"

	"varve/lab/websim"
	"varve/lab/websim/truth"
)

// cpu is the processor time of this process so far.
func cpu(b testing.TB) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkYear is the measure of issue 2: 50,000 pages, one year of virtual time, the history of all
// pages drawn and asked; under 2 s of CPU.
func BenchmarkYear(b *testing.B) {
	spec, err := websim.Load("year", []byte(yearSpec))
	if err != nil {
		b.Fatal(err)
	}
	start, changes := cpu(b), 0
	for i := range b.N {
		w, err := websim.New(spec, uint64(i))
		if err != nil {
			b.Fatal(err)
		}
		for p := range w.Len() {
			changes += w.Changes(id(p), w.Epoch(), w.End(), truth.Bytes)
		}
	}
	b.ReportMetric((cpu(b)-start).Seconds()/float64(b.N), "cpu-s/op")
	b.ReportMetric(float64(changes)/float64(b.N), "changes/op")
}

// BenchmarkLook visits pages by number, as experiments do.
func BenchmarkLook(b *testing.B) {
	w := load(b, 1, yearSpec)
	for i := range w.Len() {
		w.Look(id(i), w.Epoch())
	}
	b.ReportAllocs()
	b.ResetTimer()
	for i := range b.N {
		w.Look(id(i*7919%w.Len()), w.Epoch().Add(time.Duration(i)*time.Minute%(360*oneDay)))
	}
}

// BenchmarkFetch makes answers with bodies that are new, and from the cache.
func BenchmarkFetch(b *testing.B) {
	for _, cache := range []int64{0, 256 << 20} {
		b.Run(fmt.Sprintf("cache=%d", cache>>20), func(b *testing.B) {
			spec, err := websim.Preset("flat5000")
			if err != nil {
				b.Fatal(err)
			}
			w, err := websim.New(spec, 1, websim.WithCache(cache))
			if err != nil {
				b.Fatal(err)
			}
			for i := range 500 {
				w.Get(w.URL(id(i), w.Epoch()), w.Epoch())
			}
			b.ReportAllocs()
			b.ResetTimer()
			for i := range b.N {
				r := &websim.Request{Host: "flat.sim.test", Target: "/page/" + fmt.Sprint(1+i%400) + ".html"}
				b.SetBytes(int64(len(w.Fetch(r, w.Epoch()).Body)))
			}
		})
	}
}
