package crawl

import (
	"varve/clock"
	"varve/crawl/frontier"
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
func (r *Run) Busy() int64 { return r.busy.Load() }
