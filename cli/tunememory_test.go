package cli

import (
	"math"
	"runtime/debug"
	"testing"
)

// A process that goes on after a crawl, as the demonstration does, is not held to the memory of a crawl: its collector worked all the
// time, 30 % of the processor, when the bound stayed.
func TestMemoryIsGivenBack(t *testing.T) {
	t.Setenv("GOGC", "")
	t.Setenv("GOMEMLIMIT", "")
	percent, limit := debug.SetGCPercent(100), debug.SetMemoryLimit(math.MaxInt64)
	defer debug.SetGCPercent(percent)
	defer debug.SetMemoryLimit(limit)
	end := tuneMemory(t.Context())
	if now := debug.SetMemoryLimit(-1); now == math.MaxInt64 {
		t.Error("a crawl has no bound")
	}
	end()
	if now := debug.SetMemoryLimit(-1); now != math.MaxInt64 {
		t.Errorf("after the crawl the bound is %d bytes", now)
	}
	if now := debug.SetGCPercent(100); now != 100 {
		t.Errorf("after the crawl the heap grows by %d %%", now)
	}
}

// The collector keeps a crawl at the bound of its frontier, whatever lies beside the heap, but a heap may always grow by half,
// up to half a gigabyte.
func TestMemoryLimit(t *testing.T) {
	for _, tt := range []struct{ live, beside, least, most int64 }{
		{0, 0, 100, 104},
		{40, 0, 100, 104},
		{40, 60, 100, 104}, // less than the program file
		{30, 100, 64, 68},  // a filter of 16 MiB, a cache of 24: what is left of 176
		{48, 120, 72, 72},
		{80, 0, 120, 120},
		{200, 0, 300, 300},
		{400, 300, 512, 512},
	} {
		if got := memoryLimit(tt.live<<20, tt.beside<<20) >> 20; got < tt.least || got > tt.most {
			t.Errorf("%d MiB live, %d beside: the limit is %d MiB, want %d to %d", tt.live, tt.beside, got, tt.least, tt.most)
		}
	}
}
