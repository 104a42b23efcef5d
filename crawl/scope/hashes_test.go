package scope

import (
	"math/rand/v2"
	"runtime"
	"testing"
)

func TestHashesAreASet(t *testing.T) {
	random := rand.New(rand.NewPCG(14, 6))
	var s hashes
	want := map[uint64]bool{}
	for _, h := range []uint64{0, 1, 1 << 56, ^uint64(0), ^uint64(0) - 1} { // 0 and 1 are one
		s.add(h)
		want[h] = true
	}
	for range 20_000 {
		h := random.Uint64() &^ (random.Uint64() & 0xff << 48) // many neighbours
		s.add(h)
		s.add(h)
		want[h] = true
	}
	if s.n != len(want)-1 {
		t.Errorf("%d hashes, want %d", s.n, len(want)-1)
	}
	for h := range want {
		if !s.has(h) {
			t.Fatalf("%x is missing", h)
		}
	}
	for range 20_000 {
		if h := random.Uint64(); s.has(h) != want[h] {
			t.Fatalf("%x: %v", h, s.has(h))
		}
	}
	if new(hashes).has(0) {
		t.Error("an empty set has something")
	}
}

// Half a million seeds in folders of their own took 37 MB of maps.
func TestSeedsAreSmall(t *testing.T) {
	heap := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before := heap()
	var s [2]hashes
	random := rand.New(rand.NewPCG(14, 7))
	const n = 500_000
	for range n {
		s[0].add(random.Uint64())
		s[1].add(random.Uint64())
	}
	if each := float64(heap()-before) / (2 * n); each > 16 {
		t.Errorf("%.1f bytes a hash", each)
	}
	runtime.KeepAlive(&s)
}
