package gather

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"varve/crawl"
	"varve/crawl/collect"
	"varve/crawl/frontier"
	"varve/crawl/scope"
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
// follows a live stream for ever; and it guesses nothing of hosts whose pages were executed.
func (c *Stage) Admit(a *crawl.Admission) {
	switch {
	case a.Link != nil && a.Link.Kind.OfStream() && c.opts.Collectors[streams] != nil:
		a.Refuse("a collector chooses among the parts of the stream")
	case a.Taken && !a.Visit.Again() && strings.HasSuffix(a.Item.HopPath, string(scope.HopSpeculative)) && c.hasRun(a.URL.Host()):
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
