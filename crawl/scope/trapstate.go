package scope

import (
	"container/list"
	"fmt"
	"strings"
	"time"

	"varve/text/near"
	"varve/web/canon"
)

// hostState is what is remembered of one host: counters by the hash of a path, a date shape or a content shape.
type hostState struct{ states *recent[uint64, *shapeState] }

// shapeState holds the counters of one path or shape; only those of its kind are used.
type shapeState struct {
	queries     int                 // path: different queries
	names       map[uint64]struct{} // path: different sets of parameter names
	first, last date                // date shape: the range met
	moves       int                 // date shape: how often the range grew
	looks       [8]near.Simhash     // content shape: those of the last different pages
	nlooks      int
	alike       int // content shape: pages in a row that look like one of looks
	why         string
}

func (h *hostState) state(key uint64) *shapeState {
	return h.states.get(key, func() *shapeState { return new(shapeState) })
}

// query counts the queries under a path.
func (h *hostState) query(u canon.URL, l TrapLimits) *Suspicion {
	if u.Query() == "" {
		return nil
	}
	s := h.state(hashText(kindPath, u.Path()))
	s.queries++
	if len(s.names) < l.NameSets {
		if s.names == nil {
			s.names = map[uint64]struct{}{}
		}
		s.names[hashNames(u.Query())] = struct{}{}
	}
	switch {
	case s.queries > l.Queries:
		return &Suspicion{TrapParams, fmt.Sprintf("%d different queries under %s, more than %d", s.queries, u.Path(), l.Queries)}
	case len(s.names) >= l.NameSets && s.queries > 2*l.NameSets:
		return &Suspicion{TrapParams, fmt.Sprintf("%d or more combinations of parameter names under %s", l.NameSets, u.Path())}
	}
	return nil
}

// date judges a URL with a date in it.
func (h *hostState) date(u canon.URL, d date, now time.Time, l TrapLimits) *Suspicion {
	if limit := dateOf(now.Add(l.Ahead)); d > limit {
		return &Suspicion{TrapCalendar, fmt.Sprintf("the date %v lies beyond %v", d, limit)}
	}
	s := h.state(hashText(kindDate, u.Target()))
	switch {
	case s.first == 0:
		s.first, s.last = d, d
	case d < s.first:
		s.first = d
		s.moves++
	case d > s.last:
		s.last = d
		s.moves++
	}
	if s.moves > l.Growth {
		return &Suspicion{TrapCalendar, fmt.Sprintf("dates in %s grew %d times, now %v to %v", mask(u.Target()), s.moves, s.first, s.last)}
	}
	return nil
}

// page notes how a page looks. The first that looks new ends a row.
func (h *hostState) page(u canon.URL, simhash near.Simhash, l TrapLimits) {
	s := h.state(hashShape(u))
	for _, seen := range s.looks[:min(s.nlooks, len(s.looks))] {
		if seen.Distance(simhash) <= l.AlikeBits {
			if s.alike++; s.alike >= l.Alike {
				s.why = fmt.Sprintf("the last %d pages of the shape %s look like earlier ones", s.alike, mask(u.Target()))
			}
			return
		}
	}
	s.looks[s.nlooks%len(s.looks)] = simhash
	s.nlooks++
	s.alike, s.why = 0, ""
}

// trapped tells whether pages of the URL's shape keep looking alike.
func (h *hostState) trapped(u canon.URL) *Suspicion {
	if s, ok := h.states.peek(hashShape(u)); ok && s.why != "" {
		return &Suspicion{TrapAlike, s.why}
	}
	return nil
}

// mask writes # for each run of digits.
func mask(s string) string {
	var b strings.Builder
	for i := 0; i < len(s) && b.Len() < 200; i++ {
		if isDigit(s[i]) {
			if i == 0 || !isDigit(s[i-1]) {
				b.WriteByte('#')
			}
			continue
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// recent is a map of bounded size that forgets what was not used for longest.
type recent[K comparable, V any] struct {
	most  int
	order *list.List // of pair, newest first
	at    map[K]*list.Element
}

type pair[K comparable, V any] struct {
	key   K
	value V
}

func newRecent[K comparable, V any](most int) *recent[K, V] {
	return &recent[K, V]{most: most, order: list.New(), at: map[K]*list.Element{}}
}

// get gives the value of a key, made anew when it is not there.
func (r *recent[K, V]) get(key K, fresh func() V) V {
	if e, ok := r.at[key]; ok {
		r.order.MoveToFront(e)
		return e.Value.(pair[K, V]).value
	}
	if len(r.at) >= r.most {
		old := r.order.Back()
		delete(r.at, old.Value.(pair[K, V]).key)
		r.order.Remove(old)
	}
	v := fresh()
	r.at[key] = r.order.PushFront(pair[K, V]{key, v})
	return v
}

// peek looks without making.
func (r *recent[K, V]) peek(key K) (v V, ok bool) {
	e, ok := r.at[key]
	if !ok {
		return v, false
	}
	r.order.MoveToFront(e)
	return e.Value.(pair[K, V]).value, true
}
