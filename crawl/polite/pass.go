package polite

import (
	"net/netip"
	"time"
)

// Pass asks for a host ahead of those in its line and of its ordinary rest: for the parts of a page
// whose load has begun, which a reader's browser would ask for at once. The bounds on connections
// hold, and so does what a server in trouble brought its host: back-off and Retry-After. It never
// stands in line; the Wait says when to ask again, by an instant or by a channel that is closed when
// a request ends. The caller bounds how often it passes, since those in line wait meanwhile.
func (r *Registry) Pass(crawl int, host string, ip netip.Addr, limits Limits, now time.Time) (*Lease, Wait) {
	r.mu.Lock()
	defer r.unlockAndNotify()
	r.advance(now)
	h, a := r.hostSlot(host), r.addrSlot(ip)
	wait, ok := h.passable(r.config.conns(limits), now)
	if ok && a != nil {
		wait, ok = a.passable(r.config.IPConns, now)
	}
	if !ok {
		r.settle(h, now)
		r.idle(a, now)
		return nil, wait
	}
	l := &Lease{crawl: crawl, limits: limits, host: h}
	if s, wait := r.enterShared(l, h, a, true, now); s != nil {
		r.settle(h, now)
		r.idle(a, now)
		return nil, wait
	}
	h.active++
	r.unkeep(h)
	if a != nil {
		r.enter(l, a, now)
		r.settle(a, now)
	}
	r.settle(h, now)
	return l, Wait{}
}

// passable tells whether the slot can take one more at all, or when to ask again.
func (s *slot) passable(conns int, now time.Time) (Wait, bool) {
	switch {
	case conns > 0 && s.active >= conns:
		w := refusal(s, conns, now)
		if s.ended == nil {
			s.ended = make(chan struct{})
		}
		w.Free = s.ended
		return w, false
	case now.Before(s.trouble):
		return Wait{At: s.trouble, Why: "host in trouble"}, false
	}
	return Wait{}, true
}

// end notes that a lease of the slot is over.
func (s *slot) end() {
	s.active--
	if s.ended != nil {
		close(s.ended)
		s.ended = nil
	}
}
