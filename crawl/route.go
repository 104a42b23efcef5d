package crawl

import (
	"time"

	"varve/crawl/collect"
	"varve/web/markup"
)

// Route says which collector goes further with an answer, and learns what that brought
// (*route.Router is one). It is asked by many workers at once.
type Route interface {
	Choose(e *collect.Evidence) collect.Choice
	Learn(c collect.Choice, y collect.Yield)
}

// RouteReader is a Route that looks at the markup of pages, and can do so while they are read for their links.
type RouteReader interface {
	NewReader() markup.Subscriber // that Choose finds in Evidence.Look; one worker uses it for one page after another
}

// RouteKeeper is a Route whose measurements outlive the run: they are kept with the crawl.
type RouteKeeper interface {
	State() ([]byte, error)
	Restore(state []byte) error
}

// Collect says who goes further with answers, and how much of that there may be. The zero value
// collects nothing. Planned crawls collect visits, not revisits; a run that is driven by a virtual
// clock cannot collect, since collectors take real time.
type Collect struct {
	Route      Route
	Collectors map[string]collect.Collector // by the names that the route gives

	Slots int           // visits collected at a time; 2
	Time  time.Duration // that one may take where the route names none; 2 min
	Runs  string        // the collector that runs the scripts of pages: of hosts where it has been, nothing is guessed; "" is none
	Burst int           // requests to a host that the parts of one page may make without a rest between; 64
}

func (c Collect) withDefaults() Collect {
	set(&c.Slots, 2)
	set(&c.Time, 2*time.Minute)
	set(&c.Burst, 64)
	return c
}

// maxHeld bounds the visits that wait for a slot with their answers in hand, one per host; a worker
// with one more waits.
const maxHeld = 64
