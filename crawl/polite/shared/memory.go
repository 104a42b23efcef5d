package shared

import (
	"sync"
	"time"

	"varve/crawl/polite"
)

// Memory is the politeness between registries of one process.
type Memory struct {
	mu    sync.Mutex
	slots map[string]*slot
	alive map[uint64]bool
	last  uint64
}

// NewMemory returns a registry without members.
func NewMemory() *Memory { return &Memory{slots: map[string]*slot{}, alive: map[uint64]bool{}} }

// Join makes a member; end is its death, at which it leaves nothing in order.
func (r *Memory) Join() (s polite.Shared, end func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.last++
	m := &memoryMember{r, member{r.last, func(id uint64) bool { return r.alive[id] }}}
	r.alive[m.id] = true
	return m, func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		delete(r.alive, m.id)
	}
}

type memoryMember struct {
	r *Memory
	member
}

// Enter is part of polite.Shared.
func (m *memoryMember) Enter(claims []polite.Claim, now time.Time) (polite.Denial, bool) {
	m.r.mu.Lock()
	defer m.r.mu.Unlock()
	slots := make([]*slot, len(claims))
	for i, c := range claims {
		slots[i] = m.r.slot(c.Key)
	}
	return claim(slots, claims, m.member, now.UnixNano())
}

// Leave is part of polite.Shared.
func (m *memoryMember) Leave(stays []polite.Stay, now time.Time) {
	m.r.mu.Lock()
	defer m.r.mu.Unlock()
	for _, st := range stays {
		s := m.r.slot(st.Key)
		if s.leave(st, m.member, now.UnixNano()); s.idle(now.UnixNano()) {
			delete(m.r.slots, st.Key)
		}
	}
}

func (r *Memory) slot(key string) *slot {
	s := r.slots[key]
	if s == nil {
		s = new(slot)
		r.slots[key] = s
	}
	return s
}
