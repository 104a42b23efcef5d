package crawl

import (
	"sync"
	"sync/atomic"
	"time"

	"varve/clock"
)

// nap tells whether the worker that looks for work has found that there is none for now.
type nap struct {
	pokes   atomic.Int64 // how often something changed
	serving atomic.Int64 // workers that have a host
	driven  atomic.Bool  // by a virtual clock
	changed chan struct{}

	mu     sync.Mutex
	asleep bool
	until  time.Time
	seen   int64 // pokes when it looked
}

func newNap() *nap { return &nap{changed: make(chan struct{}, 1)} }

func (n *nap) begin(until time.Time, seen int64) {
	n.mu.Lock()
	n.asleep, n.until, n.seen = true, until, seen
	n.mu.Unlock()
	n.signal()
}

func (n *nap) end() {
	n.mu.Lock()
	n.asleep = false
	n.mu.Unlock()
}

func (n *nap) signal() {
	select {
	case n.changed <- struct{}{}:
	default:
	}
}

// Drive runs a crawl whose engine has a virtual clock to its end: whenever there is nothing to do but wait, it
// moves the clock to the next instant at which there may be. Visits that are under way, and their commit, take
// no virtual time, and neither does a pause: that ends when a person or the disk says so. It is how simulated webs
// are crawled by the real engine, a year in a minute and the same every time. One run at a time can be driven by a
// clock.
func (r *Run) Drive(v *clock.Virtual) (*Report, error) {
	r.nap.driven.Store(true)
	r.hurry() // it may wait for the clock already
	r.Wake()
	for {
		select {
		case <-r.done:
			return r.Wait()
		default:
		}
		if r.onlyWaits(v.Now()) && v.AdvanceNext() {
			continue
		}
		select {
		case <-r.done:
		case <-r.nap.changed:
		}
	}
}

// onlyWaits tells that nothing can happen before the clock moves: the one that looks has looked since anything
// changed and waits, and nobody has a host or a visit that is not committed.
func (r *Run) onlyWaits(now time.Time) bool {
	if state, _ := r.State(); state == Paused {
		return false
	}
	n := r.nap
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.serving.Load() == 0 && r.busy.Load() == 0 && n.asleep && n.seen == n.pokes.Load() && n.until.After(now)
}

// served notes that a worker is done with its host. A driver has to know that all have looked after it.
func (r *Run) served() {
	if r.nap.driven.Load() {
		r.Wake()
	}
	r.nap.serving.Add(-1)
	r.nap.signal()
}
