package crawl

import (
	"context"
	"errors"
	"maps"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"varve/clock"
	"varve/crawl/frontier"
	"varve/crawl/polite"
)

// maxWaiting bounds the hosts that stand in the lines of politeness; more stay in the frontier.
const maxWaiting = 4000

// turnOf is a host that a worker may contact now.
type turnOf struct {
	host  string
	lease *polite.Lease // nil: something of the host was given up, and the next URL may need none
}

// next gives a worker its next host, or false when the run is over. One worker at a time looks;
// the others wait for the lock.
func (r *Run) next(ctx context.Context) (turnOf, bool) {
	r.lookout.turn.Lock()
	defer r.lookout.turn.Unlock()
	for {
		seen := r.lookout.wakes.Load()
		state, _ := r.State()
		if state == Stopping || ctx.Err() != nil {
			return turnOf{}, false
		}
		now := r.engine.cfg.Clock.Now()
		over := r.overBudget(now)
		switch {
		case over != "" && over != waitForBusy && (over == timeIsUp || !r.stages.order.Close(over)):
			r.Stop(over)
			continue
		case over != waitForBusy && state == Running:
			if t, ok := r.ready(now); ok {
				r.lookout.serving.Add(1)
				return t, true
			}
			if r.stages.idle(false) {
				continue
			}
			if r.Spent() && !r.stages.hold() {
				if r.stages.idle(true) {
					continue
				}
				known, err := r.askKnown()
				if err != nil {
					r.Fail(err)
				}
				if known {
					continue
				}
				if r.stages.ends() {
					r.Wake() // the next one that looks finds the same
					return turnOf{}, false
				}
			}
		}
		r.sleep(ctx, now, seen, state == Running && over != waitForBusy)
	}
}

// ready finds a host whose turn it is: one that stood in line, or one that the frontier gives.
func (r *Run) ready(now time.Time) (turnOf, bool) {
	for {
		host, ok := r.engine.polite.Ready(r.number, now)
		if !ok {
			host, ok = r.engine.polite.Lost(r.number, now)
		}
		if !ok {
			break
		}
		if lease := r.acquire(host, now); lease != nil {
			return turnOf{host, lease}, true
		}
	}
	for r.waiting() < maxWaiting {
		hosts, err := r.frontier.Claim(r.steady(now), 1)
		if err != nil {
			r.Fail(err)
			return turnOf{}, false
		}
		if len(hosts) == 0 {
			return turnOf{}, false
		}
		r.claimed(hosts[0])
		if r.reach.concerns(hosts[0]) {
			return turnOf{hosts[0], nil}, true
		}
		if lease := r.acquire(hosts[0], now); lease != nil {
			return turnOf{hosts[0], lease}, true
		}
	}
	return turnOf{}, false
}

// acquire asks politeness for a host; nil means that the host stands in line now.
func (r *Run) acquire(host string, now time.Time) *polite.Lease {
	lease, _ := r.engine.polite.Acquire(r.number, host, netip.Addr{}, r.limits(host, now), now)
	return lease
}

// limits are what the curator and robots.txt say about the pace for a host.
func (r *Run) limits(host string, now time.Time) polite.Limits {
	s := r.scope.Load().Settings(HostName(host))
	var l polite.Limits
	if s.Delay == nil {
		s.Delay = r.Def.Delay
	}
	if s.Delay != nil {
		d := time.Duration(*s.Delay)
		l.Delay = &d
	}
	if s.MinDelay != nil {
		l.Min = time.Duration(*s.MinDelay)
	}
	if s.MaxDelay != nil {
		l.Max = time.Duration(*s.MaxDelay)
	}
	if d, ok := r.robots.delay(host, now); ok && !r.ignoresRobots(s) {
		l.CrawlDelay = d
	}
	return l
}

func (r *Run) claimed(host string) {
	r.hosts.mu.Lock()
	defer r.hosts.mu.Unlock()
	r.hosts.claimed[host] = struct{}{}
}

func (r *Run) waiting() int {
	r.hosts.mu.Lock()
	defer r.hosts.mu.Unlock()
	return len(r.hosts.claimed)
}

// unclaim gives a host back to the frontier.
func (r *Run) unclaim(host string) {
	r.hosts.mu.Lock()
	delete(r.hosts.claimed, host)
	r.hosts.mu.Unlock()
	r.frontier.Release(host)
}

// Why a host is parked.
const (
	parkedByCurator = "paused by the curator"
	parkedByBudget  = "budget used up"
)

// park takes a claimed host out of the rotation; its URLs stay queued.
func (r *Run) park(host, why string) {
	hold := HoldAll
	if r.stages.ordered && why != parkedByCurator && !strings.HasPrefix(why, parkedByServer) {
		hold = HoldVisits // what was visited is revisited all the same
	}
	r.stages.order.Hold(host, hold)
	if hold == HoldAll {
		if err := r.frontier.Retire(host, true); err != nil {
			r.Fail(err)
		}
	}
	r.hosts.mu.Lock()
	r.hosts.parked[host] = why
	r.hosts.mu.Unlock()
	r.events.add("parked", "host", host, "why", why)
	r.unclaim(host)
}

// setAside takes a claimed host out of the rotation because a stage said so. Its URLs stay queued until the end of the crawl.
func (r *Run) setAside(host, why string) {
	if err := r.frontier.Retire(host, true); err != nil {
		r.Fail(err)
	}
	r.events.add("set-aside", "host", host, "why", why)
	r.unclaim(host)
}

// rest parks a host whose budget is used up, or holds it until the visits under way are committed.
func (r *Run) rest(host, why string) {
	if why != "" {
		r.park(host, why)
		return
	}
	r.hosts.mu.Lock()
	r.hosts.resting = append(r.hosts.resting, host)
	r.hosts.mu.Unlock()
	if s, err := r.frontier.HostStats(host); err != nil || s.InFlight == 0 {
		r.wakeResting() // they are committed by now
	}
}

// wakeResting gives the resting hosts back to the frontier.
func (r *Run) wakeResting() {
	r.hosts.mu.Lock()
	hosts := r.hosts.resting
	r.hosts.resting = nil
	r.hosts.mu.Unlock()
	for _, h := range hosts {
		r.unclaim(h)
	}
}

// unparkAll puts the hosts back that an earlier run parked.
func (r *Run) unparkAll() error {
	cursor := ""
	for r.frontier.Stats().Retired > 0 {
		hosts, next, err := r.frontier.Hosts(cursor, 1000)
		if err != nil {
			return err
		}
		for _, h := range hosts {
			if h.Retired {
				err = errors.Join(err, r.frontier.Retire(h.Host, false))
			}
		}
		if cursor = next; err != nil || cursor == "" {
			return err
		}
	}
	return nil
}

// unpark puts all parked hosts back, when settings changed: those that still must rest are parked
// again at their turn.
func (r *Run) unpark() {
	r.hosts.mu.Lock()
	hosts := slices.Collect(maps.Keys(r.hosts.parked))
	clear(r.hosts.parked)
	r.hosts.mu.Unlock()
	for _, h := range hosts {
		if err := r.frontier.Retire(h, false); err != nil {
			r.Fail(err)
		}
		r.stages.order.Hold(h, HoldNothing)
	}
	r.Wake()
}

// exhausted tells that nothing is queued, under way, or on its way to the frontier, from wherever.
func (r *Run) exhausted() bool { return r.Spent() && !r.stages.hold() && r.stages.ends() }

// Spent reports whether nothing is queued here, under way, or on its way to the frontier.
func (r *Run) Spent() bool { return r.load.busy.Load() <= 0 && r.stages.order.Exhausted() }

// takeURL gives the next URL of a host: in the order of the frontier, or of a stage.
func (r *Run) takeURL(host string, now time.Time) (frontier.Item, bool, error) {
	return r.stages.order.Take(host, r.steady(now))
}

// returnURL gives a taken URL back to its place.
func (r *Run) returnURL(v *Visit) {
	for _, s := range r.stages.sharers {
		s.Returned(v.item.Key) // before anybody can take it again
	}
	r.frontier.Return(v.item.Key)
	r.stages.order.Return(&v.item)
}

// steady is an instant of this run on a clock that nobody sets: the time of day at its start, and what has gone by since. The
// frontier keeps instants as times of day; those that come from here do not move when the machine's clock is put right.
func (r *Run) steady(t time.Time) time.Time { return r.started.Add(t.Sub(r.started)) }

// sleep waits until something may have changed. Who may not take anything, because the run is paused or its budget
// may be used up by what is under way, does not wake for what becomes due meanwhile: it would be due still, and again.
func (r *Run) sleep(ctx context.Context, now time.Time, seen int64, mayTake bool) {
	wait := time.Minute
	sooner := func(at time.Time, ok bool) {
		if ok {
			wait = min(wait, max(0, at.Sub(now)))
		}
	}
	deadline := r.most.Load().deadline
	sooner(deadline, !deadline.IsZero())
	if mayTake {
		sooner(r.engine.polite.NextDue(now))
		if r.waiting() < maxWaiting { // else it is a host in line that has to go first
			if at, ok := r.frontier.NextDue(); ok {
				wait = min(wait, max(0, at.Sub(r.steady(now))))
			}
		}
	}
	wait = max(wait, 200*time.Microsecond)
	timer := r.engine.cfg.Clock.NewTimer(wait)
	defer timer.Stop()
	r.lookout.begin(now.Add(wait), seen)
	defer r.lookout.end()
	select {
	case <-timer.C:
	case <-r.frontier.Ready():
	case <-r.lookout.wakeup:
	case <-ctx.Done():
	}
}

// lookout is the looking for work, which one worker does at a time.
type lookout struct {
	turn   sync.Mutex    // of the worker that looks
	wakeup chan struct{} // something changed for it

	wakes   atomic.Int64  // how often something changed
	serving atomic.Int64  // workers that have a host
	driven  atomic.Bool   // by a virtual clock
	changed chan struct{} // for the driver

	mu    sync.Mutex
	idle  bool // it has found that there is nothing to do for now
	until time.Time
	seen  int64 // wakes when it looked
}

func newLookout() *lookout {
	return &lookout{wakeup: make(chan struct{}, 1), changed: make(chan struct{}, 1)}
}

// begin notes that there is nothing to do until then, or until something changes.
func (n *lookout) begin(until time.Time, seen int64) {
	n.mu.Lock()
	n.idle, n.until, n.seen = true, until, seen
	n.mu.Unlock()
	n.signal()
}

func (n *lookout) end() {
	n.mu.Lock()
	n.idle = false
	n.mu.Unlock()
}

func (n *lookout) signal() {
	select {
	case n.changed <- struct{}{}:
	default:
	}
}

// hostTable knows the hosts of a run that the frontier does not give out at the moment.
type hostTable struct {
	mu      sync.Mutex
	claimed map[string]struct{}
	met     map[string]time.Time // hosts with a budget of time: when this run first came
	parked  map[string]string    // retired hosts and why: a budget, or the curator
	resting []string             // claimed until the visits under way show what is left of their budget
}

func newHostTable() hostTable {
	return hostTable{claimed: map[string]struct{}{}, parked: map[string]string{}, met: map[string]time.Time{}}
}

// Drive runs a crawl whose engine has a virtual clock to its end: whenever there is nothing to do but wait, it
// moves the clock to the next instant at which there may be. Visits that are under way, and their commit, take
// no virtual time, and neither does a pause: that ends when a person or the disk says so. It is how simulated webs
// are crawled by the real engine, a year in a minute and the same every time. One run at a time can be driven by a
// clock.
func (r *Run) Drive(v *clock.Virtual) (*Report, error) {
	r.lookout.driven.Store(true)
	r.hurry() // it may wait for the clock already
	r.Wake()
	for {
		select {
		case <-r.done:
			return r.Wait()
		default:
		}
		if r.onlyWaits(v.Now()) && v.AdvanceNext() {
			continue
		}
		select {
		case <-r.done:
		case <-r.lookout.changed:
		}
	}
}

// onlyWaits tells that nothing can happen before the clock moves: the one that looks has looked since anything
// changed and waits, and nobody has a host or a visit that is not committed.
func (r *Run) onlyWaits(now time.Time) bool {
	if state, _ := r.State(); state == Paused {
		return false
	}
	n := r.lookout
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.serving.Load() == 0 && r.load.busy.Load() == 0 && n.idle && n.seen == n.wakes.Load() && n.until.After(now)
}

// served notes that a worker is done with its host. A driver has to know that all have looked after it.
func (r *Run) served() {
	if r.lookout.driven.Load() {
		r.Wake()
	}
	r.lookout.serving.Add(-1)
	r.lookout.signal()
}
