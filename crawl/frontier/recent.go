package frontier

import "strings"

// recent is a table of the seen records that were last looked up or written. Most outlinks of a
// page are navigation that was on the page before: they are answered here without the store.
//
// Each key has one slot, chosen by its hash; a newcomer takes the slot over. Keys are compared in
// full, so an answer is exact. Every write of a seen record passes through it, so it is never old.
type recent struct {
	slots []recentSlot
	mask  uint64
}

type recentSlot struct {
	key string
	rec seen
}

func newRecent(n int) *recent {
	size := 1
	for size < n {
		size <<= 1
	}
	return &recent{slots: make([]recentSlot, size), mask: uint64(size - 1)}
}

func (r *recent) get(h uint64, key string) (seen, bool) {
	s := &r.slots[h&r.mask]
	if s.key != key || s.rec.state == Unseen {
		return seen{}, false
	}
	return s.rec, true
}

func (r *recent) put(h uint64, key string, rec seen) {
	s := &r.slots[h&r.mask]
	if s.key != key {
		s.key = strings.Clone(key) // it may be a piece of a whole page
	}
	s.rec = rec
}
