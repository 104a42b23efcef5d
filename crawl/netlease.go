package crawl

import (
	"context"
	"fmt"
	"net/netip"
	"sync"
	"time"

	"varve/crawl/collect"
	"varve/crawl/polite"
)

// doors let one request of collectors at a time to a host: behind a door, one customer of the
// politeness waits, not one per request.
type doors struct {
	mu sync.Mutex
	by map[string]*door
}

type door struct {
	turn  chan struct{}
	users int
}

func newDoors() *doors { return &doors{by: map[string]*door{}} }

// enter waits until the host's door is free; call the function to leave it.
func (g *doors) enter(ctx context.Context, host string) (leave func(), err error) {
	g.mu.Lock()
	one := g.by[host]
	if one == nil {
		one = &door{turn: make(chan struct{}, 1)}
		g.by[host] = one
	}
	one.users++
	g.mu.Unlock()
	forget := func() {
		g.mu.Lock()
		defer g.mu.Unlock()
		if one.users--; one.users == 0 {
			delete(g.by, host)
		}
	}
	select {
	case one.turn <- struct{}{}:
		return func() { <-one.turn; forget() }, nil
	case <-ctx.Done():
		forget()
		return nil, context.Cause(ctx)
	}
}

// bell wakes all who wait for politeness: it is the customer for which the engine is told.
type bell struct {
	mu   sync.Mutex
	ring chan struct{}
}

func newBell() *bell { return &bell{ring: make(chan struct{})} }

func (b *bell) Wake() {
	b.mu.Lock()
	defer b.mu.Unlock()
	close(b.ring)
	b.ring = make(chan struct{})
}

func (b *bell) rings() <-chan struct{} {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.ring
}

// longestLook is how long one waits for politeness without looking again: places can be lost and
// won without anybody's notice.
const longestLook = time.Second

// lease waits for the right to make one request. The door of the host is held. A part of the page goes
// ahead, as often as the burst lets it. Nobody waits for what comes after its deadline.
func (n *pageNet) lease(ctx context.Context, host string, ip netip.Addr, part bool) (*polite.Lease, error) {
	r := n.r
	for {
		rings := n.c.bell.rings()
		now := r.engine.cfg.Clock.Now()
		limits := r.limits(host, now)
		var l *polite.Lease
		var wait polite.Wait
		if part && n.passes(host) {
			l, wait = r.engine.polite.Pass(n.c.number, host, ip, limits, now)
			if l != nil {
				n.passed(host)
			}
		} else {
			l, wait = r.engine.polite.Acquire(n.c.number, host, ip, limits, now)
			n.c.drain(now)
		}
		if l != nil {
			return l, nil
		}
		if end, ok := ctx.Deadline(); ok && wait.At.After(end) {
			r.engine.polite.Forget(n.c.number, host, now)
			return nil, fmt.Errorf("%s until %s: %w", wait.Why, wait.At.UTC().Format(time.RFC3339), collect.ErrRefused)
		}
		if err := n.await(ctx, wait, rings, now); err != nil {
			r.engine.polite.Forget(n.c.number, host, r.engine.cfg.Clock.Now())
			return nil, err
		}
	}
}

// await waits until asking again may help.
func (n *pageNet) await(ctx context.Context, wait polite.Wait, rings <-chan struct{}, now time.Time) error {
	timer := n.r.engine.cfg.Clock.NewTimer(within(longestLook, wait.At, now))
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-rings:
	case <-wait.Free: // nil: never
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	return nil
}

// passes tells whether a part of the page may go ahead on a host.
func (n *pageNet) passes(host string) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.burst[host] < n.c.opts.Burst
}

func (n *pageNet) passed(host string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.burst[host]++
}

// drain empties the lists that politeness keeps for its customers: who waits here looks itself.
func (c *collecting) drain(now time.Time) {
	for {
		if _, ok := c.r.engine.polite.Ready(c.number, now); !ok {
			break
		}
	}
	for {
		if _, ok := c.r.engine.polite.Lost(c.number, now); !ok {
			return
		}
	}
}
