package crawl

import "time"

// State tells what the run is doing, and why.
func (r *Run) State() (State, string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.state, r.why
}

// Pause stops taking new URLs until Resume; visits under way are finished.
func (r *Run) Pause(why string) { r.to(Paused, why, Running) }

// Resume goes on after a pause.
func (r *Run) Resume() { r.to(Running, "", Paused) }

// Stop ends the run after the visits under way. What is queued stays queued: the crawl can be
// resumed.
func (r *Run) Stop(why string) { r.to(Stopping, why, Running, Paused) }

// to changes the state if it is one of from.
func (r *Run) to(state State, why string, from ...State) {
	r.mu.Lock()
	changed := false
	for _, f := range from {
		if r.state == f {
			r.state, r.why, changed = state, why, true
			break
		}
	}
	r.mu.Unlock()
	if changed {
		r.events.add(string(state), "why", why)
		r.Wake()
		r.hurry()
	}
}

// Wake wakes the worker that waits for work.
func (r *Run) Wake() {
	r.nap.pokes.Add(1)
	select {
	case r.wakeup <- struct{}{}:
	default:
	}
}

// begin takes a place for one more visit, if the budget has one.
func (r *Run) begin(now time.Time) bool {
	r.budget.Lock()
	defer r.budget.Unlock()
	if over := r.overBudget(now); over != "" && !r.onlyRevisits(over) {
		return false
	}
	r.busy.Add(1)
	return true
}

// end gives the place of a visit back that nothing came of.
func (r *Run) end() {
	r.nap.pokes.Add(1)
	r.busy.Add(-1)
	r.Wake() // perhaps it was the last one
}

// overBudget tells which limit is used up, or "".
func (r *Run) overBudget(now time.Time) string {
	t := r.tally.totals() // of visits: revisits are not limited by these
	t.URLs, t.Bytes = t.URLs-t.Again, t.Bytes-t.AgainBytes
	busy, most := r.busy.Load(), r.most.Load()
	switch {
	case !most.deadline.IsZero() && !now.Before(most.deadline):
		return timeIsUp
	case most.MaxPages > 0 && t.Pages >= most.MaxPages:
		return "max-pages reached"
	case most.MaxURLs > 0 && t.URLs >= most.MaxURLs:
		return "max-urls reached"
	case most.MaxBytes > 0 && t.Bytes >= most.MaxBytes:
		return "max-bytes reached"
	case most.MaxPages > 0 && t.Pages+busy-r.parts.Load() >= most.MaxPages, most.MaxURLs > 0 && t.URLs+busy >= most.MaxURLs,
		most.MaxBytes > 0 && t.Bytes+r.got.Load() >= most.MaxBytes:
		return waitForBusy
	}
	return ""
}

// timeIsUp is the limit that ends everything.
const timeIsUp = "max-time reached"

// waitForBusy says that what is under way may use up the budget: wait and see.
const waitForBusy = "wait"
