package crawl

import (
	"varve/clock"
	"varve/crawl/frontier"
)

// What stages, and those who watch and steer a run from outside, may ask of it.

// Frontier returns the queue of the run.
func (r *Run) Frontier() *frontier.Frontier { return r.frontier }

// Clock returns the clock of the run.
func (r *Run) Clock() clock.Clock { return r.engine.cfg.Clock }

// Event writes an event; fields are name and value in turn.
func (r *Run) Event(event string, fields ...any) { r.events.add(event, fields...) }
