package server

import (
	"sync"
	"time"

	"varve/clock"
)

// Timeline maps the time of a clock to simulated instants: from a starting instant on, at a speed.
// It is safe for concurrent use.
type Timeline struct {
	clock clock.Clock

	mu    sync.Mutex
	ref   time.Time // on the clock
	at    time.Time // simulated, at ref
	speed float64

	virtual *clock.Virtual // moved along with the timeline; nil: the clock is not ours to move
}

// NewTimeline gives a timeline that stands at the given instant and runs at speed times the clock;
// at speed 0 it stands still until it is moved.
func NewTimeline(c clock.Clock, at time.Time, speed float64) *Timeline {
	return &Timeline{clock: c, ref: c.Now(), at: at, speed: speed}
}

// Follow returns the timeline of a virtual clock: both show the same instant, and moving one moves the other. Who waits
// on that clock waits for simulated time, so a client and the web it looks at live in one time.
func Follow(v *clock.Virtual) *Timeline { return &Timeline{clock: v, virtual: v} }

// Now is the present simulated instant.
func (t *Timeline) Now() time.Time {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.now()
}

func (t *Timeline) now() time.Time {
	switch {
	case t.virtual != nil:
		return t.virtual.Now()
	case t.speed == 0:
		return t.at
	}
	return t.at.Add(time.Duration(float64(t.clock.Now().Sub(t.ref)) * t.speed))
}

// Advance moves the simulated instant forward.
func (t *Timeline) Advance(d time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.set(t.now().Add(d))
}

// take tells the present instant and moves on from it.
func (t *Timeline) take(d time.Duration) time.Time {
	t.mu.Lock()
	defer t.mu.Unlock()
	at := t.now()
	t.set(at.Add(d))
	return at
}

// Set moves the simulated instant anywhere, also back, but for the timeline of a virtual clock, which never goes back.
func (t *Timeline) Set(at time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.set(at)
}

func (t *Timeline) set(at time.Time) {
	if t.virtual != nil {
		t.virtual.AdvanceTo(at)
		return
	}
	t.at, t.ref = at, t.clock.Now()
}
