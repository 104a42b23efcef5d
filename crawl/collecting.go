package crawl

import (
	"context"
	"os"
	"path/filepath"
	"sync"

	"varve/crawl/collect"
	"varve/crawl/frontier"
)

// collecting is the part of a run that has collectors go further with answers.
//
//	worker:    answer fetched and looked at -> route -> a collector: the visit, its answer and its host are
//	           handed over; the host has its turn again when the visit has got a slot
//	collector: asks the Net (net.go) under a deadline, gives links, resources, and what it cost
//	then:      records with the resources, in one write; the visit goes to the committer
//
// So no worker waits for a collector, at most one visit per host waits for a slot, and a visit that is
// killed while it is collected is made again: nothing of it was written, and what the collector fetched is
// found in the records.
type collecting struct {
	r       *Run
	opts    Collect
	number  int   // among the politeness' customers
	bell    *bell // rings for politeness
	lessons *bell // and when the route has learned
	doors   *doors

	ctx   context.Context          // of all fetches of the run
	slots map[string]chan struct{} // visits being collected, by the first of their collectors
	held  chan struct{}            // visits that wait for a slot
	under sync.WaitGroup

	mu      sync.Mutex
	workers []*Worker      // with their buffers, for the visits of collectors
	learned int            // since the route's state was kept
	ran     map[string]int // pages whose scripts were run, by host
}

// maxAnswer bounds the content that a collector is given.
const maxAnswer = 8 << 20

// collectWith makes the run one that collects, if there is a route and somebody to do it.
func (r *Run) collectWith(opts Collect) {
	if opts.Route == nil || len(opts.Collectors) == 0 {
		return
	}
	opts = opts.withDefaults()
	r.answers = newAnswers()
	r.collects = &collecting{
		r: r, opts: opts, bell: newBell(), lessons: newBell(), doors: newDoors(),
		slots: map[string]chan struct{}{}, held: make(chan struct{}, maxHeld),
	}
	for name := range opts.Collectors {
		r.collects.slots[name] = make(chan struct{}, opts.Slots)
	}
}

// begin tells the context of the run.
func (c *collecting) begin(ctx context.Context) {
	if c != nil {
		c.ctx = ctx
	}
}

// enter makes collectors a customer of the politeness, and recalls what the route had measured.
func (c *collecting) enter(e *Engine) {
	if c == nil {
		return
	}
	c.number = e.enter(c.bell)
	keeper, ok := c.opts.Route.(RouteKeeper)
	if !ok {
		return
	}
	state, err := os.ReadFile(c.statePath())
	if err == nil {
		err = keeper.Restore(state)
	}
	if err != nil && !os.IsNotExist(err) {
		c.r.events.add("route-state", "lost", err.Error()) // it is measured anew
	}
}

func (c *collecting) statePath() string { return filepath.Join(c.r.place.Dir, "route.json") }

// keepEvery is after how many lessons the route's state is kept: a kill costs no more.
const keepEvery = 8

// learn tells the route what a collector brought, and keeps what it knows by now.
func (c *collecting) learn(choice collect.Choice, y collect.Yield) {
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
func (c *collecting) keepState() {
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
		c.r.events.add("route-state", "notKept", err.Error())
	}
}

// wait returns when no visit is collected any more.
func (c *collecting) wait() {
	if c == nil {
		return
	}
	c.under.Wait()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.keepState()
}

func (c *collecting) leave() {
	if c != nil {
		c.r.engine.leave(c.number)
	}
}

// worker gives a worker's buffers to somebody who is none.
func (c *collecting) worker() *Worker {
	c.mu.Lock()
	defer c.mu.Unlock()
	if n := len(c.workers); n > 0 {
		w := c.workers[n-1]
		c.workers = c.workers[:n-1]
		return w
	}
	return newWorker(c.r)
}

func (c *collecting) give(w *Worker) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.workers) < 2*c.opts.Slots+4 {
		c.workers = append(c.workers, w)
	}
}

// choosesStreams tells whether the parts of streams are left to a collector of its own (crawl/media), which
// takes one rendition or all, and never follows a live stream for ever.
func (c *collecting) choosesStreams() bool { return c != nil && c.opts.Collectors[streams] != nil }

// settled ends the notice of a URL under way: the frontier knows by now what came of it, or nothing did. A
// worker may have taken it and left it to a collector that came to nothing: then it goes back.
func (r *Run) settled(key string) {
	left := r.answers.drop(key)
	if left == nil {
		return
	}
	if e, err := r.frontier.Lookup(key); err == nil && e.State == frontier.InFlight {
		r.returnURL(&Visit{item: *left})
		r.Wake()
	}
}
