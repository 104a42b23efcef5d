package crawl

import (
	"varve"
	"varve/clock"
	"varve/crawl/frontier"
	"varve/crawl/scope"
	"varve/text/layer"
)

// What stages, and those who watch and steer a run from outside, may ask of it.

// Frontier returns the queue of the run.
func (r *Run) Frontier() *frontier.Frontier { return r.frontier }

// Clock returns the clock of the run.
func (r *Run) Clock() clock.Clock { return r.engine.cfg.Clock }

// Event writes an event; fields are name and value in turn.
func (r *Run) Event(event string, fields ...any) { r.events.add(event, fields...) }

// History returns the memory of the collection; one that knows nothing where there is none.
func (r *Run) History() History { return r.history }

// Layers returns the layers of pages that are looked at.
func (r *Run) Layers() layer.Set { return r.layers }

// Busy returns how many visits are between taking and commit.
func (r *Run) Busy() int64 { return r.load.busy.Load() }

// Stages returns the stages of the run.
func (r *Run) Stages() []Stage { return r.stages.all }

// Ordered reports whether a stage says which URL comes next, not the frontier by its scores.
func (r *Run) Ordered() bool { return r.stages.ordered }

// Resumed reports whether the run goes on with a crawl that was begun before.
func (r *Run) Resumed() bool { return r.resumed }

// Rules returns the scope and the settings of hosts that are in force.
func (r *Run) Rules() *scope.Set { return r.scope.Load() }

// SetRules puts others in force; visits under way end under the old ones. Hosts that were parked are looked at anew.
func (r *Run) SetRules(def scope.Definition) error {
	if err := r.scope.Swap(def); err != nil {
		return &varve.Error{Kind: varve.Invalid, Op: "scope", Err: err}
	}
	if err := r.KeepDefinition(); err != nil {
		return err
	}
	r.unpark()
	return nil
}

// Seeds returns the seeds, and where they redirect to.
func (r *Run) Seeds() *scope.Seeds { return r.seeds }

// Parked returns why a host is not asked at all; "" if it is.
func (r *Run) Parked(host string) string {
	r.hosts.mu.Lock()
	defer r.hosts.mu.Unlock()
	return r.hosts.parked[host]
}

// Counts returns the few totals that are looked at often.
func (r *Run) Counts() Counts { return r.tally.totals() }

// Totals returns what the crawl has come to so far.
func (r *Run) Totals() Totals { return r.tally.copy() }

// Subscribe returns the events from now on; call the function to end it.
func (r *Run) Subscribe() (<-chan []byte, func()) { return r.events.subscribe() }
