package graph

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// chunk is how many nodes are done at a time; sums over chunks are added in their order, so cores do not change results.
const chunk = 4096

// each calls work for all chunks of n nodes on all cores.
func each(n int, work func(chunk int, from, to uint32)) {
	chunks := (n + chunk - 1) / chunk
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(chunks, runtime.GOMAXPROCS(0)) {
		wg.Go(func() {
			for {
				k := int(next.Add(1)) - 1
				if k >= chunks {
					return
				}
				work(k, uint32(k*chunk), uint32(min(n, (k+1)*chunk)))
			}
		})
	}
	wg.Wait()
}

// total adds up a number for each node, in an order that does not depend on the cores.
func total(n int, of func(v uint32) float64) float64 {
	sums := make([]float64, (n+chunk-1)/chunk)
	each(n, func(k int, from, to uint32) {
		s := 0.0
		for v := from; v < to; v++ {
			s += of(v)
		}
		sums[k] = s
	})
	all := 0.0
	for _, s := range sums {
		all += s
	}
	return all
}

// mix spreads the bits of a number (splitmix64).
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// mix32 is a one-to-one shuffle of 32-bit numbers (the finish of MurmurHash3).
func mix32(x uint32) uint32 {
	x = (x ^ x>>16) * 0x85ebca6b
	x = (x ^ x>>13) * 0xc2b2ae35
	return x ^ x>>16
}

// below makes of random bits a number below n.
func below(bits uint64, n int) int { return int((bits >> 32) * uint64(n) >> 32) }
