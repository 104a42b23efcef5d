package shared

import (
	"time"

	"varve/crawl/polite"
)

// slot is what is known of a key. Instants are nanoseconds of Unix time; the zero slot is one that nobody uses.
type slot struct {
	next    int64  // not before
	trouble int64  // as next, without ordinary rests
	set     int64  // when it was changed last: a clock before it was set back
	heir    uint64 // the member that comes next; 0 without
	due     int64  // when the heir was told to ask again
	places  [maxMembers]place
}

// place is what one member has of a slot.
type place struct {
	member uint64
	since  int64 // its last entry
	rest   int64 // what it leaves behind if it dies
	count  uint32
}

const (
	maxMembers = 4                       // at one slot at a time; a fifth waits
	longest    = int64(time.Hour)        // a place that is held longer counts no more: its member stands still
	late       = int64(10 * time.Second) // by which an instant may be before the last change: waiting for the lock takes less
	leastPoll  = int64(time.Millisecond * 2)
	mostPoll   = int64(time.Millisecond * 500)
	leastGrace = int64(time.Millisecond * 5)
	mostGrace  = int64(time.Millisecond * 100)
)

// member says who asks, and whether others live.
type member struct {
	id    uint64
	alive func(id uint64) bool
}

// reckon returns the instant to reckon with. Who had to wait for the lock comes with an instant a little before the last change: that
// is no clock that was set back, and taking it for one would shorten the rest by as much. When it was set back, the instants of the slot
// move with it.
func (s *slot) reckon(now int64) int64 {
	if s.set-now <= late {
		return max(s.set, now)
	}
	d := s.set - now
	s.next, s.trouble, s.due, s.set = s.next-d, s.trouble-d, s.due-d, now
	for i := range s.places {
		s.places[i].since -= d
	}
	return now
}

// refuses reports whether the slot does not take a claim now, and when to ask again.
func (s *slot) refuses(c polite.Claim, m member, now int64) (at int64, why string, trouble bool) {
	now = s.reckon(now)
	if s.full(c) {
		s.vacate(m, now)
	}
	switch rest := int64(c.Rest); {
	case s.full(c):
		stay := rest
		for _, p := range s.places {
			if p.count > 0 {
				stay = max(stay, now-p.since)
			}
		}
		return now + min(max(stay/8, leastPoll), mostPoll), "busy in another process", false
	case now < s.trouble:
		return s.trouble, "in trouble, another process was told", true
	case c.Ahead:
		return 0, "", false
	case now < s.next:
		return s.next, "resting after another process", false
	case s.heir != 0 && s.heir != m.id && now < s.graceOf(rest):
		if m.alive(s.heir) {
			return s.graceOf(rest), "another process first", false
		}
		s.heir = 0
	}
	return 0, "", false
}

// full reports whether all places are taken.
func (s *slot) full(c polite.Claim) bool {
	if c.Places <= 0 {
		return false
	}
	taken, free := 0, false
	for _, p := range s.places {
		taken += int(p.count)
		free = free || p.count == 0
	}
	return taken >= c.Places || !free
}

// vacate takes the places of dead members, and of those that stand still. Their requests were sent by now, but may still
// be on their way: the host rests twice as long.
func (s *slot) vacate(m member, now int64) {
	for i := range s.places {
		p := &s.places[i]
		if p.count == 0 || now-p.since < longest && (p.member == m.id || m.alive(p.member)) {
			continue
		}
		s.next = max(s.next, now+2*p.rest)
		*p = place{}
	}
}

// graceOf is the instant until which the heir goes first.
func (s *slot) graceOf(rest int64) int64 {
	return max(s.due, s.next) + min(max(rest, leastGrace), mostGrace)
}

// inherit makes a refused member heir, if there is none.
func (s *slot) inherit(c polite.Claim, m member, at, now int64) {
	if c.Ahead {
		return
	}
	if s.heir == 0 || s.heir == m.id || now >= s.graceOf(int64(c.Rest)) {
		s.heir, s.due = m.id, at
	}
	s.set = max(s.set, now)
}

// enter takes a place, which refuses has said to be there.
func (s *slot) enter(c polite.Claim, m member, now int64) {
	s.set = max(s.set, now)
	if s.heir == m.id {
		s.heir, s.due = 0, 0
	}
	if c.Spaced {
		s.next = max(s.next, now+int64(c.Rest))
	}
	if c.Places <= 0 {
		return
	}
	p := s.placeOf(m.id)
	if p == nil {
		p = s.placeOf(0)
	}
	p.member, p.since, p.rest = m.id, now, int64(c.Rest)
	p.count++
}

// leave gives a place back.
func (s *slot) leave(st polite.Stay, m member, now int64) {
	s.set = s.reckon(now)
	if p := s.placeOf(m.id); p != nil {
		if p.count--; p.count == 0 {
			*p = place{}
		}
	}
	if !st.Next.IsZero() {
		s.next = max(s.next, st.Next.UnixNano())
	}
	if !st.Trouble.IsZero() {
		s.trouble = max(s.trouble, st.Trouble.UnixNano())
	}
}

// placeOf finds the place of a member, or with 0 one that nobody has; nil without.
func (s *slot) placeOf(id uint64) *place {
	for i := range s.places {
		p := &s.places[i]
		if p.member == id && (p.count > 0) == (id != 0) {
			return p
		}
	}
	return nil
}

// idle reports whether the slot says nothing any more.
func (s *slot) idle(now int64) bool {
	for _, p := range s.places {
		if p.count > 0 {
			return false
		}
	}
	return max(s.next, s.trouble) <= now && (s.heir == 0 || s.due+mostGrace <= now)
}

// claim decides on all claims of a request together: a place at every slot, or at none.
func claim(slots []*slot, claims []polite.Claim, m member, now int64) (polite.Denial, bool) {
	for i, s := range slots {
		at, why, trouble := s.refuses(claims[i], m, now)
		if why != "" {
			s.inherit(claims[i], m, at, now)
			return polite.Denial{Claim: i, At: time.Unix(0, at), Why: why, Trouble: trouble}, false
		}
	}
	for i, s := range slots {
		s.enter(claims[i], m, now)
	}
	return polite.Denial{}, true
}
