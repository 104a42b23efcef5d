package gather

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"varve/crawl"
	"varve/crawl/collect"
	"varve/crawl/frontier"
	"varve/crawl/scope"
	"varve/web/markup"
)

// Stage has collectors go further with answers.
type Stage struct {
	r       *crawl.Run
	opts    Options
	number  int       // among the politeness' customers
	leases  *notifier // for politeness
	lessons *notifier // and when the route has learned
	hosts   *semaphores
	answers *answers
	tables  tables // of routes

	ctx     context.Context          // of all fetches of the run
	slots   map[string]chan struct{} // visits being collected, by the first of their collectors
	waiting chan struct{}            // visits that wait for a slot
	jobs    sync.WaitGroup

	mu      sync.Mutex
	workers []*crawl.Worker // with their buffers, for the visits of collectors
	learned int             // since the route's state was kept
	ran     map[string]int  // pages whose scripts were run, by host
}

var _ interface {
	crawl.Stage
	crawl.Opener
	crawl.Starter
	crawl.Sharer
	crawl.Extender
	crawl.PageReader
} = (*Stage)(nil)

// maxAnswer bounds the content that a collector is given.
const maxAnswer = 8 << 20

// New returns the stage of a run that collects.
func New(o Options) *Stage {
	o = o.withDefaults()
	c := &Stage{
		opts: o, answers: newAnswers(), leases: newNotifier(), lessons: newNotifier(), hosts: newSemaphores(),
		slots: map[string]chan struct{}{}, waiting: make(chan struct{}, maxWaiting), ran: map[string]int{},
	}
	for name := range o.Collectors {
		c.slots[name] = make(chan struct{}, o.Slots)
	}
	return c
}

// Open takes the run.
func (c *Stage) Open(r *crawl.Run) error {
	c.r = r
	return nil
}

// Start makes collectors a customer of the politeness, and recalls what the route had measured.
func (c *Stage) Start(ctx context.Context) {
	c.ctx = ctx
	c.number = c.r.Engine().Enter(c.leases)
	keeper, ok := c.opts.Route.(RouteKeeper)
	if !ok {
		return
	}
	state, err := os.ReadFile(c.statePath())
	if err == nil {
		err = keeper.Restore(state)
	}
	if err != nil && !os.IsNotExist(err) {
		c.r.Event("route-state", "lost", err.Error()) // it is measured anew
	}
}

// Stop returns when no visit is collected any more.
func (c *Stage) Stop() {
	c.jobs.Wait()
	c.r.Engine().Leave(c.number)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.keepState()
}

// Admit leaves the parts of streams to a collector of its own (crawl/media), which takes one rendition or all, and never
// follows a live stream for ever; and of hosts whose pages were executed it guesses nothing but routes of their applications.
func (c *Stage) Admit(a *crawl.Admission) {
	switch {
	case a.Link != nil && a.Link.Kind.OfStream() && c.opts.Collectors[streams] != nil:
		a.Refuse("a collector chooses among the parts of the stream")
	case a.Link != nil && a.Visit != nil && isGuess(a.Item):
		c.tables.note(a.Visit.Item().URL, a.Item.Key, a.URL)
	case a.Taken && !a.Visit.Again() && strings.HasSuffix(a.Item.HopPath, string(scope.HopSpeculative)) && c.hasRun(a.URL.Host()) && !c.tables.isRoute(a.Item.Via, a.URL, c.r.Frontier().Lookup):
		a.Refuse("pages of the host were executed: what their scripts ask for is known")
	}
}

// Examine leaves answers as they are: what a collector finds comes later (TakeOver).
func (c *Stage) Examine(*crawl.Visit, *crawl.Answer) {}

// Settle notes nothing: what was collected is in the records.
func (c *Stage) Settle([]*crawl.Visit, *crawl.Notes) error { return nil }

func (c *Stage) statePath() string { return filepath.Join(c.r.Dir(), "route.json") }

// keepEvery is after how many lessons the route's state is kept: a kill costs no more.
const keepEvery = 8

// learn tells the route what a collector brought, and keeps what it knows by now.
func (c *Stage) learn(choice collect.Choice, y collect.Yield) {
	c.opts.Route.Learn(choice, y)
	c.lessons.Wake()
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.learned++; c.learned >= keepEvery {
		c.learned = 0
		c.keepState()
	}
}

// keepState writes the route's state; the lock is held.
func (c *Stage) keepState() {
	keeper, ok := c.opts.Route.(RouteKeeper)
	if !ok {
		return
	}
	state, err := keeper.State()
	if err == nil {
		tmp := c.statePath() + ".new"
		if err = os.WriteFile(tmp, state, 0o644); err == nil {
			err = os.Rename(tmp, c.statePath())
		}
	}
	if err != nil {
		c.r.Event("route-state", "notKept", err.Error())
	}
}

// worker gives a worker's buffers to somebody who is none.
func (c *Stage) worker() *crawl.Worker {
	c.mu.Lock()
	defer c.mu.Unlock()
	if n := len(c.workers); n > 0 {
		w := c.workers[n-1]
		c.workers = c.workers[:n-1]
		return w
	}
	return c.r.NewWorker()
}

func (c *Stage) give(w *crawl.Worker) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.workers) < 2*c.opts.Slots+4 {
		c.workers = append(c.workers, w)
	}
}

// Take takes a URL for a worker. What a collector fetches at the moment is left to it.
func (c *Stage) Take(next func() (frontier.Item, bool, error)) (frontier.Item, bool, error) {
	return c.answers.take(next)
}

// Recorded lets collectors have an answer of a worker that waits for its commit.
func (c *Stage) Recorded(v *crawl.Visit) { c.answers.have(v.Item().Key, recordOf(c.r, v)) }

// Returned ends the notice of a URL that is queued again.
func (c *Stage) Returned(key string) { c.answers.drop(key) }

// Settled ends the notice of a URL under way: the frontier knows by now what came of it, or nothing did. A
// worker may have taken it and left it to a collector that came to nothing: then it goes back.
func (c *Stage) Settled(key string) {
	left := c.answers.drop(key)
	if left == nil {
		return
	}
	if e, err := c.r.Frontier().Lookup(key); err == nil && e.State == frontier.InFlight {
		c.r.Return(*left)
	}
}

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

// NewReader returns the reader of the route; nil if it has none.
func (c *Stage) NewReader() markup.Subscriber {
	if r, ok := c.opts.Route.(RouteReader); ok {
		return r.NewReader()
	}
	return nil
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

// Strings in scripts that look like URLs are tried last, as guesses: most of them are none, and cost the
// server a 404 each. Where scripts are run there is nothing to guess, since what they ask for is seen. So a
// host loses its guesses when a page of it is executed, or is being looked at for that: its script files are
// fetched meanwhile, and their strings would be tried at once. What was executed is not kept with the crawl: a
// run that is resumed may try some guesses more.

// maxRan bounds the hosts that are remembered; those beyond are guessed at.
const maxRan = 100_000

// running notes that a page of a host is about to be executed, perhaps. It gives what is to be called when that is over.
func (c *Stage) running(choice collect.Choice, host string) (over func(ran bool)) {
	if c.opts.Runs == "" || !c.runs(choice.Collector) && len(choice.Look) == 0 {
		return func(bool) {}
	}
	c.count(host, 1)
	return func(ran bool) {
		if !ran {
			c.count(host, -1)
		}
	}
}

// runs tells whether scripts are run by one of the collectors of a choice.
func (c *Stage) runs(collectors string) bool {
	return strings.Contains("+"+collectors+"+", "+"+c.opts.Runs+"+")
}

// count adds to the pages of a host that were executed, or will be.
func (c *Stage) count(host string, n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, known := c.ran[host]; !known && len(c.ran) >= maxRan {
		return
	}
	if c.ran[host] += n; c.ran[host] <= 0 {
		delete(c.ran, host)
	}
}

// hasRun reports whether scripts of a host's pages were run, or will be.
func (c *Stage) hasRun(host string) bool {
	if c.opts.Runs == "" {
		return false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.ran[host] > 0
}
