package cli

import (
	"bytes"
	"context"
	"os"
	"runtime/debug"
	"runtime/metrics"
	"strconv"
	"time"

	"varve/crawl/frontier"
)

// Bounds of a crawl's memory.
const (
	programBytes = 64 << 20  // of the program file; what of it is read comes into memory bit by bit
	overshoot    = 8 << 20   // what is allocated while a collection is under way
	mostMemory   = 512 << 20 // above it the collector works as hard as it must
	tuneEvery    = time.Second
)

// tuneMemory lets the heap of a crawl grow further between collections: its live part is small, so this costs some 15 MB
// and saves about a tenth of the processor time. That ends where the process reaches the bound of the frontier, with
// the program file, the filter of seen URLs and the blocks of the store, which lie beside the heap; a heap may always grow
// by half of its live part, so that the collector never works all the time. The environment has the last word. The
// function that is returned ends it and puts back what was there: what the process does after a crawl is not bounded by it.
func tuneMemory(ctx context.Context) (end func()) {
	percent := func() {}
	if os.Getenv("GOGC") == "" {
		old := debug.SetGCPercent(250)
		percent = func() { debug.SetGCPercent(old) }
	}
	if os.Getenv("GOMEMLIMIT") != "" {
		return percent
	}
	limit := memoryLimit(memoryNow()) // a process that made other things before has them in memory still
	before := debug.SetMemoryLimit(limit)
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		tick := time.NewTicker(tuneEvery)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
			if l := memoryLimit(memoryNow()); l != limit {
				limit = l
				debug.SetMemoryLimit(limit)
			}
		}
	}()
	return func() {
		cancel()
		<-done
		debug.SetMemoryLimit(before)
		percent()
	}
}

// memoryLimit is what the runtime may take while so many bytes are live in its heap and the process has so many beside it,
// in steps of 4 MiB.
func memoryLimit(live, beside int64) int64 {
	const step = 4 << 20
	least := (live + live/2 + step - 1) / step * step
	left := (frontier.Config{}.MemoryBound() - max(beside, programBytes) - overshoot) / step * step
	return min(max(left, least), mostMemory)
}

// memoryNow returns what was live on the heap at the last collection, and what the process has in memory that the runtime does
// not know of; 0 where the system does not tell.
func memoryNow() (live, beside int64) {
	s := []metrics.Sample{{Name: "/gc/heap/live:bytes"}, {Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(s)
	live = int64(s[0].Value.Uint64())
	statm, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return live, 0
	}
	fields := bytes.Fields(statm) // size, resident, ...: in pages
	if len(fields) < 2 {
		return live, 0
	}
	pages, err := strconv.ParseInt(string(fields[1]), 10, 64)
	if err != nil {
		return live, 0
	}
	known := int64(s[1].Value.Uint64() - s[2].Value.Uint64())
	return live, max(pages*int64(os.Getpagesize())-known, 0)
}
