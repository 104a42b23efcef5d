package crawl

import (
	"context"
	"errors"
	"maps"
	"net/netip"
	"slices"
	"strings"
	"time"

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
	r.turn.Lock()
	defer r.turn.Unlock()
	for {
		seen := r.nap.pokes.Load()
		state, _ := r.State()
		if state == Stopping || ctx.Err() != nil {
			return turnOf{}, false
		}
		now := r.engine.cfg.Clock.Now()
		over := r.overBudget(now)
		switch {
		case over != "" && over != waitForBusy && !r.goesOn(over):
			r.Stop(over)
			continue
		case over != waitForBusy && state == Running:
			if t, ok := r.ready(now); ok {
				r.nap.serving.Add(1)
				return t, true
			}
			if r.coh != nil && r.coh.idle() || r.stages.idle(false) {
				continue
			}
			if r.exhausted() {
				if r.stages.idle(true) {
					continue
				}
				r.Wake() // the next one that looks finds the same
				return turnOf{}, false
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
	s := r.scope.Load().Settings(hostName(host))
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
	r.mu.Lock()
	defer r.mu.Unlock()
	r.hosts[host] = struct{}{}
}

func (r *Run) waiting() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.hosts)
}

// unclaim gives a host back to the frontier.
func (r *Run) unclaim(host string) {
	r.mu.Lock()
	delete(r.hosts, host)
	r.mu.Unlock()
	r.frontier.Release(host)
}

// Why a host is parked.
const (
	parkedByCurator = "paused by the curator"
	parkedByBudget  = "budget used up"
)

// park takes a claimed host out of the rotation; its URLs stay queued.
func (r *Run) park(host, why string) {
	shut := r.coh != nil && why != parkedByCurator && !strings.HasPrefix(why, parkedByServer) // of its visits: what was visited is revisited all the same
	if r.coh != nil {
		r.coh.hold(host, shut, !shut)
	}
	if !shut {
		if err := r.frontier.Retire(host, true); err != nil {
			r.Fail(err)
		}
	}
	r.mu.Lock()
	r.parked[host] = why
	r.mu.Unlock()
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
	r.mu.Lock()
	r.held = append(r.held, host)
	r.mu.Unlock()
	if s, err := r.frontier.HostStats(host); err != nil || s.InFlight == 0 {
		r.unhold() // they are committed by now
	}
}

// unhold gives the held hosts back to the frontier.
func (r *Run) unhold() {
	r.mu.Lock()
	hosts := r.held
	r.held = nil
	r.mu.Unlock()
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
	r.mu.Lock()
	hosts := slices.Collect(maps.Keys(r.parked))
	clear(r.parked)
	r.mu.Unlock()
	for _, h := range hosts {
		if err := r.frontier.Retire(h, false); err != nil {
			r.Fail(err)
		}
		if r.coh != nil {
			r.coh.hold(h, false, false)
		}
	}
	r.Wake()
}

// exhausted tells that nothing is queued, under way, or on its way to the frontier.
func (r *Run) exhausted() bool {
	if r.busy.Load() > 0 {
		return false
	}
	if r.coh != nil {
		return r.coh.exhausted()
	}
	s := r.frontier.Stats()
	return s.Queued+s.InFlight-s.Retired <= 0
}

// steady is an instant of this run on a clock that nobody sets: the time of day at its start, and what has gone by since. The
// frontier keeps instants as times of day; those that come from here do not move when the machine's clock is put right.
func (r *Run) steady(t time.Time) time.Time { return r.started.Add(t.Sub(r.started)) }

// sleep waits until something may have changed. Who may not take anything, because the run is paused or its budget
// may be used up by what is under way, does not wake for what becomes due meanwhile: it would be due still, and again.
func (r *Run) sleep(ctx context.Context, now time.Time, seen int64, taking bool) {
	wait := time.Minute
	sooner := func(at time.Time, ok bool) {
		if ok {
			wait = min(wait, max(0, at.Sub(now)))
		}
	}
	deadline := r.most.Load().deadline
	sooner(deadline, !deadline.IsZero())
	if taking {
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
	r.nap.begin(now.Add(wait), seen)
	defer r.nap.end()
	select {
	case <-timer.C:
	case <-r.frontier.Ready():
	case <-r.wakeup:
	case <-ctx.Done():
	}
}
