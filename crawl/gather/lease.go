package gather

import (
	"context"
	"fmt"
	"net/netip"
	"sync"
	"time"

	"varve/crawl/collect"
	"varve/crawl/polite"
)

// semaphores let one request of collectors at a time to a host: so one customer of the
// politeness waits, not one per request.
type semaphores struct {
	mu sync.Mutex
	by map[string]*semaphore
}

type semaphore struct {
	turn  chan struct{}
	users int
}

func newSemaphores() *semaphores { return &semaphores{by: map[string]*semaphore{}} }

// acquire waits until nobody else asks the host; call the function to release it.
func (g *semaphores) acquire(ctx context.Context, host string) (release func(), err error) {
	g.mu.Lock()
	one := g.by[host]
	if one == nil {
		one = &semaphore{turn: make(chan struct{}, 1)}
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

// notifier wakes all who wait for it.
type notifier struct {
	mu   sync.Mutex
	wake chan struct{}
}

func newNotifier() *notifier { return &notifier{wake: make(chan struct{})} }

// Wake wakes who waits.
func (b *notifier) Wake() {
	b.mu.Lock()
	defer b.mu.Unlock()
	close(b.wake)
	b.wake = make(chan struct{})
}

// next returns what is closed by the next Wake.
func (b *notifier) next() <-chan struct{} {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.wake
}

// longestLook is how long one waits for politeness without looking again: places can be lost and
// won without anybody's notice.
const longestLook = time.Second

// lease waits for the right to make one request. The semaphore of the host is held. A part of the page goes
// ahead, as often as the burst lets it. Nobody waits for what comes after its deadline.
func (n *pageNet) lease(ctx context.Context, host string, ip netip.Addr, part bool) (*polite.Lease, error) {
	r := n.r
	for {
		woken := n.c.leases.next()
		now := r.Clock().Now()
		limits := r.HostLimits(host, now)
		var l *polite.Lease
		var wait polite.Wait
		if part && n.passes(host) {
			l, wait = r.Polite().Pass(n.c.number, host, ip, limits, now)
			if l != nil {
				n.passed(host)
			}
		} else {
			l, wait = r.Polite().Acquire(n.c.number, host, ip, limits, now)
			n.c.drain(now)
		}
		if l != nil {
			return l, nil
		}
		if end, ok := ctx.Deadline(); ok && wait.At.After(end) {
			r.Polite().Forget(n.c.number, host, now)
			return nil, fmt.Errorf("%s until %s: %w", wait.Why, wait.At.UTC().Format(time.RFC3339), collect.ErrRefused)
		}
		if err := n.await(ctx, wait, woken, now); err != nil {
			r.Polite().Forget(n.c.number, host, r.Clock().Now())
			return nil, err
		}
	}
}

// await waits until asking again may help.
func (n *pageNet) await(ctx context.Context, wait polite.Wait, woken <-chan struct{}, now time.Time) error {
	timer := n.r.Clock().NewTimer(within(longestLook, wait.At, now))
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-woken:
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
func (c *Stage) drain(now time.Time) {
	for {
		if _, ok := c.r.Polite().Ready(c.number, now); !ok {
			break
		}
	}
	for {
		if _, ok := c.r.Polite().Lost(c.number, now); !ok {
			return
		}
	}
}

// within gives the smaller of a wait and the time to an instant.
func within(wait time.Duration, at, now time.Time) time.Duration {
	if at.IsZero() {
		return wait
	}
	return max(0, min(wait, at.Sub(now)))
}
