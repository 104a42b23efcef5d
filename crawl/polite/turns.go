package polite

import (
	"container/heap"
	"container/list"
	"slices"
	"strings"
	"time"
)

// readyLine holds the hosts whose turn has come for one crawl, until it takes them.
type readyLine struct {
	hosts []string
	told  bool // notify is due
}

// Ready gives the next host of a crawl whose turn has come. The crawl should Acquire it within the grace, or
// Forget it when it has nothing more for it.
func (r *Registry) Ready(crawl int, now time.Time) (host string, ok bool) {
	r.mu.Lock()
	defer r.unlockAndNotify()
	r.advance(now)
	line := r.ready[crawl]
	if line == nil {
		return "", false
	}
	line.told = false
	for len(line.hosts) > 0 {
		host, line.hosts = line.hosts[0], line.hosts[1:]
		if p := r.places[waiter{crawl, host}]; p != nil && p.slot != nil && p.slot.holder == p {
			return host, true
		}
	}
	delete(r.ready, crawl)
	return "", false
}

// Lost gives a host whose place the crawl lost because it did not come within the grace: all its
// workers were busy, or it was paused. It stands in no line until it asks for the host again.
func (r *Registry) Lost(crawl int, now time.Time) (host string, ok bool) {
	r.mu.Lock()
	defer r.unlockAndNotify()
	r.advance(now)
	hosts := r.lost[crawl]
	for len(hosts) > 0 && !ok {
		host, hosts = hosts[0], hosts[1:]
		_, stands := r.places[waiter{crawl, host}]
		ok = !stands
	}
	r.lost[crawl] = hosts
	if len(hosts) == 0 {
		delete(r.lost, crawl)
	}
	return host, ok
}

// NextDue gives the instant at which something happens without a release: a host has rested, an address is
// free again, a place is lost. False when nothing is planned. A loop sleeps until then.
func (r *Registry) NextDue(now time.Time) (time.Time, bool) {
	r.mu.Lock()
	defer r.unlockAndNotify()
	r.advance(now)
	if len(r.agenda) == 0 {
		return time.Time{}, false
	}
	return r.agenda[0].wake, true
}

// Forget takes a crawl out of the line for a host.
func (r *Registry) Forget(crawl int, host string, now time.Time) {
	r.mu.Lock()
	defer r.unlockAndNotify()
	r.leave(waiter{crawl, host}, now)
	if i := slices.Index(r.lost[crawl], host); i >= 0 {
		r.lost[crawl] = slices.Delete(r.lost[crawl], i, i+1)
	}
	r.advance(now)
}

// Leave takes a crawl out of all lines, when it is paused or ends. Leases it has must still be released.
func (r *Registry) Leave(crawl int, now time.Time) {
	r.mu.Lock()
	defer r.unlockAndNotify()
	var mine []waiter
	for w := range r.places {
		if w.crawl == crawl {
			mine = append(mine, w)
		}
	}
	slices.SortFunc(mine, func(a, b waiter) int { return strings.Compare(a.host, b.host) })
	for _, w := range mine {
		r.leave(w, now)
	}
	delete(r.ready, crawl)
	delete(r.lost, crawl)
	r.advance(now)
}

// stand puts a waiter at the end of a line, unless it is in it already. Holds is the host that it keeps
// meanwhile, when the line is that of an address.
func (r *Registry) stand(w waiter, s, holds *slot, conns int, now time.Time) {
	if p := r.places[w]; p != nil && p.slot == s && (p.holds == holds || p.leased) {
		p.conns = conns
		if p.leased {
			p.leased, p.holds = false, holds
			holds.holder, holds.until = p, time.Time{}
			r.settle(holds, now)
		}
		if s.holder == p { // its turn came too early, the slot is taken again: it stays first
			s.holder = nil
		}
		r.settle(s, now)
		return
	}
	p := &place{waiter: w, conns: conns, slot: s, holds: holds}
	if s.line == nil {
		s.line = list.New()
	}
	p.elem = s.line.PushBack(p)
	if holds != nil {
		holds.holder, holds.until = p, time.Time{}
	}
	r.leave(w, now) // only now: a slot that nobody needs is forgotten
	r.places[w] = p
	if holds != nil {
		r.settle(holds, now)
	}
	r.settle(s, now)
}

// leave takes a waiter out of its line and lets go the host it holds.
func (r *Registry) leave(w waiter, now time.Time) {
	p := r.places[w]
	if p == nil {
		return
	}
	delete(r.places, w)
	s := p.slot
	s.line.Remove(p.elem)
	if s.line.Len() == 0 {
		s.line = nil
	}
	for _, held := range []*slot{s, p.holds} {
		if held != nil && held.holder == p {
			held.holder = nil
		}
	}
	r.settle(s, now)
	if p.holds != nil {
		r.settle(p.holds, now)
	}
}

// keep lets a waiter that got its host stay in the line of the address until Bind.
func (p *place) keep() {
	if p.holds != nil && p.holds.holder == p {
		p.holds.holder = nil
	}
	p.holds, p.leased = nil, true
}

// served takes a waiter out of the line in which it stayed with a lease.
func (r *Registry) served(w waiter, now time.Time) {
	if p := r.places[w]; p != nil && p.leased {
		r.leave(w, now)
	}
}

// settle plans what happens next to a slot, or forgets the slot when nothing does.
func (r *Registry) settle(s *slot, now time.Time) {
	head := s.first()
	switch {
	case s.holder != nil:
		r.agenda.plan(s, s.until) // zero: the address decides
	case head != nil && r.full(s, head):
		r.agenda.plan(s, time.Time{}) // a release decides
	case head != nil:
		r.agenda.plan(s, later(s.next, now))
	case s.active > 0:
		r.agenda.plan(s, time.Time{})
	default:
		r.rest(s, now)
	}
}

// full tells whether the slot has no room for the head of its line.
func (r *Registry) full(s *slot, head *place) bool {
	if s.isHost() {
		return s.active >= head.conns
	}
	return r.config.IPConns > 0 && s.active >= r.config.IPConns
}

// rest keeps an idle slot until it may be contacted; a failing host for twice its rest, so that its next
// failure finds the count.
func (r *Registry) rest(s *slot, now time.Time) {
	end := s.next
	if s.failures > 0 && !s.kept && r.failing < r.config.MaxFailing {
		s.kept = true
		r.failing++
	}
	if s.kept {
		end = end.Add(2 * r.config.backoff(s.failures, 0))
	}
	if now.Before(end) {
		r.agenda.plan(s, end)
		return
	}
	r.agenda.plan(s, time.Time{})
	r.unkeep(s)
	if s.isHost() {
		delete(r.hosts, s.host)
	} else {
		delete(r.addrs, s.addr)
	}
}

// unkeep ends the keeping of a failing host.
func (r *Registry) unkeep(s *slot) {
	if s.kept {
		s.kept = false
		r.failing--
	}
}

// advance does everything that is planned up to now.
func (r *Registry) advance(now time.Time) {
	for len(r.agenda) > 0 && !r.agenda[0].wake.After(now) {
		s := heap.Pop(&r.agenda).(*slot)
		switch {
		case s.holder != nil: // did not come within the grace
			w := s.holder.waiter
			if !s.holder.leased {
				r.lost[w.crawl] = append(r.lost[w.crawl], w.host)
			}
			r.leave(w, now)
		case s.first() != nil:
			r.offer(s, now)
		default:
			r.settle(s, now)
		}
	}
}

// offer tells the head of a line that its turn has come.
func (r *Registry) offer(s *slot, now time.Time) {
	p := s.first()
	s.holder, s.until = p, now.Add(r.config.grace())
	r.agenda.plan(s, s.until)
	if p.leased {
		return // it comes with Bind
	}
	line := r.ready[p.crawl]
	if line == nil {
		line = new(readyLine)
		r.ready[p.crawl] = line
	}
	line.hosts = append(line.hosts, p.host)
	line.told = true
}

// unlockAndNotify tells the crawls that have new hosts ready, outside the lock.
func (r *Registry) unlockAndNotify() {
	var tell []int
	if r.notify != nil {
		for crawl, line := range r.ready {
			if line.told {
				line.told = false
				tell = append(tell, crawl)
			}
		}
	}
	r.mu.Unlock()
	slices.Sort(tell)
	for _, crawl := range tell {
		r.notify(crawl)
	}
}
