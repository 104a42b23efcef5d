package cli

import (
	"context"
	"os"
	"runtime/debug"
	"runtime/metrics"
	"time"

	"varve/crawl/frontier"
)

// Bounds of what the Go runtime may take of a crawl's memory.
const (
	programBytes = 64 << 20  // of the program file, which the runtime does not count
	mostMemory   = 512 << 20 // above it the collector works as hard as it must
	tuneEvery    = time.Second
)

// tuneMemory lets the heap of a crawl grow further between collections: its live part is small, so this costs some 15 MB
// and saves about a tenth of the processor time. That ends at the bound of the frontier; a heap whose live part is
// larger than half of it may double, as Go does by itself, so that the collector never works all the time. The
// environment has the last word. The function that is returned ends it.
func tuneMemory(ctx context.Context) (end func()) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(250)
	}
	if os.Getenv("GOMEMLIMIT") != "" {
		return func() {}
	}
	limit := memoryLimit(0)
	debug.SetMemoryLimit(limit)
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		tick := time.NewTicker(tuneEvery)
		defer tick.Stop()
		live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
			metrics.Read(live)
			if l := memoryLimit(live[0].Value.Uint64()); l != limit {
				limit = l
				debug.SetMemoryLimit(limit)
			}
		}
	}()
	return func() {
		cancel()
		<-done
	}
}

// memoryLimit is what the runtime may take while so many bytes are live, in steps of 16 MiB.
func memoryLimit(live uint64) int64 {
	const step = 16 << 20
	double := (2*int64(live) + step - 1) / step * step
	return min(max(frontier.Config{}.MemoryBound()-programBytes, double), mostMemory)
}
