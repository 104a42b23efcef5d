package polite

import (
	"net/netip"
	"sync"
	"time"
)

// Registry knows the hosts and addresses that must be left alone or are in use. It is safe for use by
// several goroutines. Instants given to it must not go back.
type Registry struct {
	config Config
	random func() float64
	notify func(crawl int)
	shared Shared // nil: nobody else

	mu      sync.Mutex
	hosts   map[string]*slot
	addrs   map[netip.Addr]*slot
	places  map[waiter]*place
	ready   map[int]*readyLine
	lost    map[int][]string // hosts whose place was lost, until the crawl asks
	agenda  agenda
	failing int // slots that are kept beyond their rest for the count of failures
}

// New makes a registry. Random gives numbers in [0,1) for the jitter of back-off. Notify, which may be nil,
// is called after a release or the like has made a host ready for a crawl; it must not call the registry.
func New(config Config, random func() float64, notify func(crawl int)) *Registry {
	return &Registry{
		config: config, random: random, notify: notify,
		hosts: map[string]*slot{}, addrs: map[netip.Addr]*slot{},
		places: map[waiter]*place{}, ready: map[int]*readyLine{}, lost: map[int][]string{},
	}
}

// Lease is the right to make one request to a host.
type Lease struct {
	crawl  int
	limits Limits
	host   *slot
	addr   *slot // nil while not known or not limited

	hostIn, addrIn bool // places taken in the politeness of all processes
}

// Wait says when to ask again. The crawl need not: Ready gives the host back when its turn has come.
type Wait struct {
	At  time.Time // the earliest instant; zero when it depends on the end of another request
	Why string    // "host busy", "host resting", "others first", "address busy", ...

	Free <-chan struct{} // of Pass: closed when a request ends that is in the way; else nil
}

// Acquire asks for a host. The address is invalid (netip.Addr{}) while it is not known. On refusal the
// crawl stands in line, once, until it gets the lease, loses its turn, or calls Forget.
func (r *Registry) Acquire(crawl int, host string, ip netip.Addr, limits Limits, now time.Time) (*Lease, Wait) {
	r.mu.Lock()
	defer r.unlockAndNotify()
	r.advance(now)
	w := waiter{crawl, host}
	conns := r.config.conns(limits)
	h := r.hostSlot(host)
	if !h.free(w, conns, now) {
		wait := refusal(h, conns, now)
		r.stand(w, h, nil, conns, now)
		return nil, wait
	}
	a := r.addrSlot(ip)
	if a != nil && !a.free(w, r.config.IPConns, now) {
		wait := refusal(a, r.config.IPConns, now)
		r.stand(w, a, h, conns, now)
		return nil, wait
	}
	l := &Lease{crawl: crawl, limits: limits}
	if ip.IsValid() || h.contended { // else Bind asks, when it is known that there is something to ask for
		if s, wait := r.enterShared(l, h, a, false, now); s != nil {
			r.stand(w, s, heldFor(s, h), conns, now)
			r.idle(a, now)
			return nil, wait
		}
	}
	r.grant(l, w, h, a, now)
	r.advance(now)
	return l, Wait{}
}

// heldFor is the host that a waiter keeps while it stands in the line of a slot.
func heldFor(s, h *slot) *slot {
	if s == h {
		return nil
	}
	return h
}

// Bind is called before the host of a lease is contacted, with its address once DNS has given it. When host or address
// cannot be contacted now, the lease is over, and the crawl waits; for the address it waits with the host kept for it.
func (r *Registry) Bind(l *Lease, ip netip.Addr, now time.Time) (bool, Wait) {
	r.mu.Lock()
	defer r.unlockAndNotify()
	r.advance(now)
	if l.host == nil || l.addr != nil {
		return l.host != nil, Wait{}
	}
	h, a := l.host, r.addrSlot(ip)
	w := waiter{l.crawl, h.host}
	var full *slot
	var wait Wait
	if a != nil && !a.free(w, r.config.IPConns, now) {
		full, wait = a, refusal(a, r.config.IPConns, now)
	} else {
		full, wait = r.enterShared(l, h, a, false, now)
	}
	if full == nil {
		if a != nil {
			r.enter(l, a, now)
			r.settle(a, now)
		}
		r.space(h, l.limits, now) // the name was looked up meanwhile
		r.served(w, now)
		r.advance(now)
		return true, Wait{}
	}
	r.leaveShared(l, h, nil, time.Time{}, time.Time{}, time.Time{}, now)
	l.host = nil
	h.end()
	r.stand(w, full, heldFor(full, h), r.config.conns(l.limits), now)
	r.idle(a, now)
	r.advance(now)
	return false, wait
}

// idle plans for a slot that was looked at and not used.
func (r *Registry) idle(s *slot, now time.Time) {
	if s != nil {
		r.settle(s, now)
	}
}

// Limit changes the limits of a lease, when robots.txt was learned under it.
func (r *Registry) Limit(l *Lease, limits Limits) {
	r.mu.Lock()
	defer r.mu.Unlock()
	l.limits = limits
}

// Release ends a lease and says how long the host is left alone. A lease can be released once.
func (r *Registry) Release(l *Lease, o Outcome, now time.Time) Pause {
	r.mu.Lock()
	defer r.unlockAndNotify()
	h, a := l.host, l.addr
	if h == nil {
		return Pause{Until: now}
	}
	l.host, l.addr = nil, nil
	h.end()
	p := r.pause(h, l, o, now)
	h.next = later(h.next, p.Until)
	if p.trouble {
		h.trouble = h.next
	}
	p.Until = h.next
	var next, addrNext time.Time
	if o.Failure != Abandoned {
		next = h.next
	}
	if a != nil {
		if o.Failure != Abandoned { // it may have been sent later than it was allowed
			addrNext = now.Add(r.config.IPDelay - o.Duration)
			a.next = later(a.next, addrNext)
		}
		a.end()
		r.settle(a, now)
	}
	r.leaveShared(l, h, a, next, h.trouble, addrNext, now)
	r.served(waiter{l.crawl, h.host}, now)
	r.settle(h, now)
	r.advance(now)
	return p
}

// pause works out the rest of a host after a request.
func (r *Registry) pause(h *slot, l *Lease, o Outcome, now time.Time) Pause {
	if o.Failure == Abandoned {
		return Pause{Until: now, Failures: h.failures, Why: "nothing was sent"}
	}
	rest := r.config.rest(l.limits, o.Duration)
	p := Pause{Why: "delay"}
	if rest > 0 && rest == min(l.limits.CrawlDelay, r.config.MaxCrawlDelay) {
		p.Why = "crawl-delay"
	}
	if r.config.conns(l.limits) > 1 {
		rest = 0 // it counted from the start
	}
	if why, bad := o.troubled(); bad {
		h.failures++
		if d := r.config.backoff(h.failures, r.random()); d > rest {
			rest, p.Why, p.trouble = d, why, true
		}
	} else {
		h.failures = 0
	}
	asked := o.RetryAfter
	if r.config.MaxRetryAfter > 0 {
		asked = min(asked, r.config.MaxRetryAfter)
	}
	if asked > rest {
		rest, p.Why, p.trouble = asked, "retry-after", true
	}
	p.Until, p.Failures = now.Add(rest), h.failures
	return p
}

// grant gives host and address to a waiter. It counts first and leaves the line then, since an idle slot
// without a line is forgotten.
func (r *Registry) grant(l *Lease, w waiter, h, a *slot, now time.Time) {
	l.host = h
	h.active++
	r.unkeep(h)
	r.space(h, l.limits, now)
	if a != nil {
		r.enter(l, a, now)
	}
	if p := r.places[w]; p != nil && a == nil && !p.slot.isHost() {
		p.keep() // Bind needs it
	} else {
		r.leave(w, now)
	}
	r.settle(h, now)
	if a != nil {
		r.settle(a, now)
	}
}

// space counts the rest of a host from the start of a request, where it has several connections.
func (r *Registry) space(h *slot, limits Limits, now time.Time) {
	if r.config.conns(limits) > 1 {
		h.next = later(h.next, now.Add(r.config.rest(limits, 0)))
	}
}

// enter counts a lease on its address.
func (r *Registry) enter(l *Lease, a *slot, now time.Time) {
	l.addr = a
	a.active++
	a.next = later(a.next, now.Add(r.config.IPDelay))
}

// hostSlot finds or makes the slot of a host.
func (r *Registry) hostSlot(host string) *slot {
	s := r.hosts[host]
	if s == nil {
		s = &slot{host: host, index: -1}
		r.hosts[host] = s
	}
	return s
}

// addrSlot finds or makes the slot of an address; nil when it is not known, or addresses have no limit.
func (r *Registry) addrSlot(ip netip.Addr) *slot {
	if !ip.IsValid() || r.config.IPConns <= 0 && r.config.IPDelay <= 0 {
		return nil
	}
	ip = ip.Unmap()
	s := r.addrs[ip]
	if s == nil {
		s = &slot{addr: ip, index: -1}
		r.addrs[ip] = s
	}
	return s
}

// refusal says why a slot did not take a waiter, and when it may.
func refusal(s *slot, conns int, now time.Time) Wait {
	what := "address"
	if s.isHost() {
		what = "host"
	}
	switch {
	case conns > 0 && s.active >= conns:
		return Wait{Why: what + " busy"}
	case now.Before(s.next):
		return Wait{At: s.next, Why: what + " resting"}
	}
	return Wait{Why: "others first"}
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
