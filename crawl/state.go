package crawl

import (
	"sync"
	"sync/atomic"
	"time"

	"varve"
	"varve/crawl/scope"
)

// status is what a run is doing.
type status struct {
	mu    sync.Mutex
	state State
	why   string
	fatal error
}

// load is what is under way.
type load struct {
	mu    sync.Mutex   // one at a time asks for a place
	busy  atomic.Int64 // visits between taking and commit
	parts atomic.Int64 // of these, those made for other visits
	got   atomic.Int64 // bytes of visits that wait for their commit
}

// State tells what the run is doing, and why.
func (r *Run) State() (State, string) {
	r.status.mu.Lock()
	defer r.status.mu.Unlock()
	return r.status.state, r.status.why
}

// Pause stops taking new URLs until Resume; visits under way are finished.
func (r *Run) Pause(why string) { r.to(Paused, why, Running) }

// Repause gives a pause another reason, without a moment in which it is over.
func (r *Run) Repause(why string) { r.to(Paused, why, Paused) }

// Resume goes on after a pause.
func (r *Run) Resume() { r.to(Running, "", Paused) }

// Stop ends the run after the visits under way. What is queued stays queued: the crawl can be
// resumed.
func (r *Run) Stop(why string) { r.to(Stopping, why, Running, Paused) }

// to changes the state if it is one of from.
func (r *Run) to(state State, why string, from ...State) {
	r.status.mu.Lock()
	changed := false
	for _, f := range from {
		if r.status.state == f {
			r.status.state, r.status.why, changed = state, why, true
			break
		}
	}
	r.status.mu.Unlock()
	if changed {
		r.events.add(string(state), "why", why)
		r.Wake()
		r.hurry()
	}
}

// Wake wakes the worker that waits for work.
func (r *Run) Wake() {
	r.lookout.wakes.Add(1)
	select {
	case r.lookout.wakeup <- struct{}{}:
	default:
	}
}

// begin takes a place for one more visit, if the budget has one.
func (r *Run) begin(now time.Time) bool {
	r.load.mu.Lock()
	defer r.load.mu.Unlock()
	if over := r.overBudget(now); over != "" && (over == timeIsUp || !r.stages.order.Closed()) {
		return false
	}
	r.load.busy.Add(1)
	return true
}

// end gives the place of a visit back that nothing came of.
func (r *Run) end() {
	r.lookout.wakes.Add(1)
	r.load.busy.Add(-1)
	r.Wake() // perhaps it was the last one
}

// overBudget tells which limit is used up, or "".
func (r *Run) overBudget(now time.Time) string {
	t, most := r.Usage(), r.most.Load() // of visits: revisits are not limited by these
	if r.stages.rationer != nil {
		return r.stages.rationer.Ration(now, t)
	}
	switch {
	case !most.deadline.IsZero() && !now.Before(most.deadline):
		return timeIsUp
	case most.MaxPages > 0 && t.Pages >= most.MaxPages:
		return "max-pages reached"
	case most.MaxURLs > 0 && t.URLs >= most.MaxURLs:
		return "max-urls reached"
	case most.MaxBytes > 0 && t.Bytes >= most.MaxBytes:
		return "max-bytes reached"
	case most.MaxPages > 0 && t.Pages+t.Busy-t.Parts >= most.MaxPages, most.MaxURLs > 0 && t.URLs+t.Busy >= most.MaxURLs,
		most.MaxBytes > 0 && t.Bytes+t.Got >= most.MaxBytes:
		return waitForBusy
	}
	return ""
}

// timeIsUp is the limit that ends everything.
const timeIsUp = "max-time reached"

// waitForBusy says that what is under way may use up the budget: wait and see.
const waitForBusy = "wait"

// Limits bound a crawl; zero is no limit.
type Limits struct {
	MaxPages int64          `json:"maxPages,omitempty"`
	MaxURLs  int64          `json:"maxUrls,omitempty"`
	MaxBytes int64          `json:"maxBytes,omitempty"`
	MaxTime  scope.Duration `json:"maxTime,omitempty"` // of this run
}

// limitsOf takes the limits of a definition.
func limitsOf(d *Definition) Limits {
	return Limits{MaxPages: d.MaxPages, MaxURLs: d.MaxURLs, MaxBytes: d.MaxBytes, MaxTime: d.MaxTime}
}

// inForce are the limits of a run as they are now.
type inForce struct {
	Limits
	deadline time.Time // zero: none
}

func (r *Run) putLimits(l Limits) {
	f := &inForce{Limits: l}
	if l.MaxTime > 0 && r.stages.rationer == nil {
		f.deadline = r.started.Add(time.Duration(l.MaxTime))
	}
	r.most.Store(f)
}

// Check reports what is wrong with limits.
func (l Limits) Check() error {
	if l.MaxPages < 0 || l.MaxURLs < 0 || l.MaxBytes < 0 || l.MaxTime < 0 {
		return &varve.Error{Kind: varve.Invalid, Op: "limits", Msg: "a limit cannot be less than nothing", Hint: "0 is no limit"}
	}
	return nil
}

// Limits returns those in force.
func (r *Run) Limits() Limits { return r.most.Load().Limits }

// SetLimits puts other limits in force, higher or lower; a limit that is reached already ends the visits.
func (r *Run) SetLimits(l Limits) error {
	if err := l.Check(); err != nil {
		return err
	}
	was := r.Limits()
	r.putLimits(l)
	if err := r.KeepDefinition(); err != nil {
		r.putLimits(was)
		return err
	}
	r.Wake()
	r.hurry()
	return nil
}
