package clock

import (
	"container/heap"
	"context"
	"sync"
	"time"
)

// Virtual is a clock that moves only when it is told to. It is safe for concurrent use.
type Virtual struct {
	mu      sync.Mutex
	now     time.Time
	seq     uint64
	waits   waitHeap
	changed chan struct{} // closed and replaced whenever a wait starts or a worker changes state
	workers int           // started by Go and not ended
	awake   int           // workers that run, rather than sleep or have not begun
}

var _ Clock = (*Virtual)(nil)

// NewVirtual gives a clock that stands at start.
func NewVirtual(start time.Time) *Virtual {
	return &Virtual{now: start, changed: make(chan struct{})}
}

// Now is the instant the clock stands at.
func (v *Virtual) Now() time.Time {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.now
}

// NewTimer starts a timer on virtual time.
func (v *Virtual) NewTimer(d time.Duration) *Timer {
	w := v.newWait(nil)
	v.mu.Lock()
	defer v.mu.Unlock()
	v.start(w, d)
	return &Timer{C: w.ch, ctl: w}
}

// Sleep waits until the clock has been moved by d, or the context ends.
func (v *Virtual) Sleep(ctx context.Context, d time.Duration) error {
	if err := ctx.Err(); err != nil || d <= 0 {
		return err
	}
	t := v.NewTimer(d)
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		t.Stop()
		return ctx.Err()
	}
}

// Advance moves the clock by d and fires what becomes due, in order.
func (v *Virtual) Advance(d time.Duration) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.moveTo(v.now.Add(d))
}

// AdvanceTo moves the clock to t and fires what becomes due, in order. The clock never goes back.
func (v *Virtual) AdvanceTo(t time.Time) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.moveTo(t)
}

// AdvanceNext moves the clock to the next deadline and fires all waits of that instant. It
// tells whether there was one.
func (v *Virtual) AdvanceNext() bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	if len(v.waits) == 0 {
		return false
	}
	v.moveTo(v.waits[0].at)
	return true
}

// Next is the earliest deadline among the waits under way.
func (v *Virtual) Next() (time.Time, bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if len(v.waits) == 0 {
		return time.Time{}, false
	}
	return v.waits[0].at, true
}

// Waiters is the number of waits under way: timers not fired and sleeps.
func (v *Virtual) Waiters() int {
	v.mu.Lock()
	defer v.mu.Unlock()
	return len(v.waits)
}

// BlockUntil waits, in real time, until at least n waits are under way or the context ends.
func (v *Virtual) BlockUntil(ctx context.Context, n int) error {
	return v.until(ctx, func() bool { return len(v.waits) >= n })
}

// until waits until the condition holds; it is looked at under the lock after every change.
func (v *Virtual) until(ctx context.Context, cond func() bool) error {
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		v.mu.Lock()
		ok, changed := cond(), v.changed
		v.mu.Unlock()
		if ok {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// moveTo fires every wait due by t in order, then stands at t.
func (v *Virtual) moveTo(t time.Time) {
	for len(v.waits) > 0 && !v.waits[0].at.After(t) {
		v.fireNext()
	}
	if t.After(v.now) {
		v.now = t
	}
}

// fireNext takes the earliest wait, moves the clock to it and fires it.
func (v *Virtual) fireNext() {
	w := heap.Pop(&v.waits).(*wait)
	if w.at.After(v.now) {
		v.now = w.at
	}
	w.fire(v.now)
}

// notify wakes those who watch the clock itself.
func (v *Virtual) notify() {
	close(v.changed)
	v.changed = make(chan struct{})
}
