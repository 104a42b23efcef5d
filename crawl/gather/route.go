package gather

import (
	"cmp"
	"time"

	"varve/crawl/collect"
)

// Route says which collector goes further with an answer, and learns what that brought
// (*route.Router is one). It is asked by many workers at once.
type Route interface {
	Choose(e *collect.Evidence) collect.Choice
	Learn(c collect.Choice, y collect.Yield)
}

// RouteKeeper is a Route whose measurements outlive the run: they are kept with the crawl.
type RouteKeeper interface {
	State() ([]byte, error)
	Restore(state []byte) error
}

// Options say who goes further with answers, and how much of that there may be. Planned crawls collect visits, not revisits; a run that is driven by a virtual
// clock cannot collect, since collectors take real time.
type Options struct {
	Route      Route
	Collectors map[string]collect.Collector // by the names that the route gives

	Slots int           // visits collected at a time; 2
	Time  time.Duration // that one may take where the route names none; 2 min
	Runs  string        // the collector that runs the scripts of pages: of hosts where it has been, nothing is guessed; "" is none
	Burst int           // requests to a host that the parts of one page may make without a rest between; 64
}

func (c Options) withDefaults() Options {
	c.Slots, c.Time, c.Burst = cmp.Or(c.Slots, 2), cmp.Or(c.Time, 2*time.Minute), cmp.Or(c.Burst, 64)
	return c
}

// Collects reports whether there is somebody who goes further, and a route that says who.
func (c Options) Collects() bool { return c.Route != nil && len(c.Collectors) > 0 }

// maxWaiting bounds the visits that wait for a slot with their answers in hand, one per host; a worker
// with one more waits.
const maxWaiting = 64
