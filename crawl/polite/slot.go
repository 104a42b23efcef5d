package polite

import (
	"container/heap"
	"container/list"
	"net/netip"
	"time"
)

// waiter is a crawl that wants a host.
type waiter struct {
	crawl int
	host  string
}

// place is where a waiter stands: it is in one line at a time.
type place struct {
	waiter
	conns int           // connections to the host that the crawl allows
	slot  *slot         // in whose line; nil when it only holds
	elem  *list.Element // in that line
	holds *slot         // the host it keeps while it stands in the line of an address

	leased bool // it has the host, and its turn at the address is kept until Bind knows that this is the one
}

// slot is a host or an address.
type slot struct {
	host     string     // name; "" for an address
	addr     netip.Addr // of an address slot
	active   int        // open leases
	next     time.Time  // not before
	trouble  time.Time  // as next, without ordinary rests
	failures int        // in a row; hosts only
	kept     bool       // beyond its rest, for the count of failures
	line     *list.List // of *place; nil while nobody waits

	contended bool // another process was in the way: it is asked before a URL is taken

	holder *place    // who may go next, and nobody else
	until  time.Time // when the holder loses its place; zero: when the address says so

	ended chan struct{} // closed when a lease ends; nil while nobody asked

	wake  time.Time // key in the heap
	index int       // in the heap, -1 outside
}

func (s *slot) isHost() bool { return s.host != "" }

// first gives the head of the line.
func (s *slot) first() *place {
	if s.line == nil || s.line.Len() == 0 {
		return nil
	}
	return s.line.Front().Value.(*place)
}

// free tells whether the slot can take one more from this waiter now, in turn.
func (s *slot) free(w waiter, conns int, now time.Time) bool {
	if conns > 0 && s.active >= conns || now.Before(s.next) {
		return false
	}
	if s.holder != nil {
		return s.holder.waiter == w
	}
	head := s.first()
	return head == nil || head.waiter == w
}

// agenda is a heap of slots by the instant at which something happens to them.
type agenda []*slot

func (a agenda) Len() int           { return len(a) }
func (a agenda) Less(i, j int) bool { return a[i].wake.Before(a[j].wake) }
func (a agenda) Swap(i, j int) {
	a[i], a[j] = a[j], a[i]
	a[i].index, a[j].index = i, j
}

// Push is part of heap.Interface.
func (a *agenda) Push(x any) {
	s := x.(*slot)
	s.index = len(*a)
	*a = append(*a, s)
}

// Pop is part of heap.Interface.
func (a *agenda) Pop() any {
	old := *a
	s := old[len(old)-1]
	old[len(old)-1] = nil
	*a = old[:len(old)-1]
	s.index = -1
	return s
}

// plan puts the slot at an instant, or takes it out when at is zero.
func (a *agenda) plan(s *slot, at time.Time) {
	switch {
	case at.IsZero() && s.index >= 0:
		heap.Remove(a, s.index)
	case at.IsZero():
	case s.index < 0:
		s.wake = at
		heap.Push(a, s)
	case !s.wake.Equal(at):
		s.wake = at
		heap.Fix(a, s.index)
	}
}
