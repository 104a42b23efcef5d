package warc

import (
	"fmt"
	"sync"
)

// syncGroup shares syncs among writers: the first that waits syncs for all that appended before
// it began, the others wait for it or for the next one.
type syncGroup struct {
	mu      sync.Mutex
	changed sync.Cond
	file    Handle // that the newest append went to
	noted   uint64 // appends so far
	durable uint64 // appends known durable
	syncing bool
	err     error // sticky: after a failed sync nothing is known
}

// note registers an append to f and gives its number.
func (g *syncGroup) note(f Handle) uint64 {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.file = f
	g.noted++
	return g.noted
}

// wait returns when append seq is durable.
func (g *syncGroup) wait(seq uint64) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.changed.L = &g.mu
	for {
		switch {
		case g.durable >= seq:
			return nil
		case g.err != nil:
			return g.err
		case g.syncing:
			g.changed.Wait()
		default:
			g.lead(g.file)
		}
	}
}

// lead syncs for everyone who has appended so far. The lock is held on entry and on return.
func (g *syncGroup) lead(f Handle) {
	upTo := g.noted
	g.syncing = true
	g.mu.Unlock()
	err := f.Sync()
	g.mu.Lock()
	g.syncing = false
	if err != nil {
		g.err = fmt.Errorf("sync: %w", err)
	} else {
		g.durable = max(g.durable, upTo)
	}
	g.changed.Broadcast()
}

// flush makes all appends durable before their file is closed. The caller keeps others from
// appending; waiters of earlier appends are served by it.
func (g *syncGroup) flush(f Handle) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.changed.L = &g.mu
	for g.syncing {
		g.changed.Wait()
	}
	if g.err == nil {
		g.lead(f)
	}
	return g.err
}
