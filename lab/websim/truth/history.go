package truth

import (
	"slices"
)

// Change is one change of a page.
type Change struct {
	At   int64 // milliseconds since the epoch
	Kind Kind
}

// History is all changes of one page. It does not change after it was made.
type History struct {
	times []int64      // of all kinds, one kind after the other, each sorted
	end   [kinds]int32 // where the times of a kind end
}

// kind gives the sorted times of one kind.
func (h *History) kind(k Kind) []int64 {
	if k == 0 {
		return h.times[:h.end[0]]
	}
	return h.times[h.end[k-1]:h.end[k]]
}

// until counts the changes of kind k at or before t.
func (h *History) until(k Kind, t int64) int {
	ts := h.kind(k)
	if len(ts) == 0 || ts[0] > t {
		return 0
	}
	n, _ := slices.BinarySearch(ts, t+1)
	return n
}

// At is the version at instant t. A change takes effect at its time.
func (h *History) At(t int64) Version {
	v := Version{
		Content: uint32(h.until(Content, t)),
		Minor:   uint32(h.until(Minor, t)),
		Links:   uint32(h.until(Links, t)),
		Token:   uint32(h.until(Token, t)),
		Ad:      uint32(h.until(Ad, t)),
		Moves:   uint32(h.until(Move, t)),
		State:   Live,
	}
	switch born := h.kind(Appear); {
	case len(born) > 0 && t < born[0]:
		v.State = Unborn
	case h.until(Vanish, t) > h.until(Return, t):
		v.State = Gone
	}
	return v
}

// Last is the time of the last change on layer l at or before t.
func (h *History) Last(t int64, l Layer) (at int64, ok bool) {
	for k := range kinds {
		if n := h.until(k, t); n > 0 && l.Sees(k) {
			if last := h.kind(k)[n-1]; !ok || last > at {
				at, ok = last, true
			}
		}
	}
	return at, ok
}

// Next is the time of the first change on layer l after t.
func (h *History) Next(t int64, l Layer) (at int64, ok bool) {
	for k := range kinds {
		ts := h.kind(k)
		if n := h.until(k, t); n < len(ts) && l.Sees(k) && (!ok || ts[n] < at) {
			at, ok = ts[n], true
		}
	}
	return at, ok
}

// Count is the number of changes on layer l in (from, to].
func (h *History) Count(from, to int64, l Layer) int {
	n := 0
	for k := range kinds {
		if l.Sees(k) {
			n += h.until(k, to) - h.until(k, from)
		}
	}
	return n
}

// Len is the number of all changes.
func (h *History) Len() int { return len(h.times) }

// Changes lists all changes in order of time; at the same time in order of kind.
func (h *History) Changes() []Change {
	out := make([]Change, 0, len(h.times))
	for k := range kinds {
		for _, t := range h.kind(k) {
			out = append(out, Change{t, k})
		}
	}
	slices.SortStableFunc(out, func(a, b Change) int { return int(max(-1, min(1, a.At-b.At))) })
	return out
}

// Builder collects changes in any order and makes histories. It can be used again and again.
type Builder struct {
	times [kinds][]int64
}

// Reset forgets what was collected.
func (b *Builder) Reset() {
	for k := range b.times {
		b.times[k] = b.times[k][:0]
	}
}

// Add collects one change.
func (b *Builder) Add(t int64, k Kind) { b.times[k] = append(b.times[k], t) }

// Times gives what was collected of a kind, in order of collection.
func (b *Builder) Times(k Kind) []int64 { return b.times[k] }

// Keep drops the changes to content and noise whose time does not pass.
func (b *Builder) Keep(pass func(int64) bool) {
	for k := Content; k <= Ad; k++ {
		b.times[k] = slices.DeleteFunc(b.times[k], func(t int64) bool { return !pass(t) })
	}
}

// History makes the history of what was collected.
func (b *Builder) History() *History {
	n := 0
	for k := range b.times {
		n += len(b.times[k])
	}
	h := &History{times: make([]int64, 0, n)}
	for k := range b.times {
		if !slices.IsSorted(b.times[k]) {
			slices.Sort(b.times[k])
		}
		h.times = append(h.times, b.times[k]...)
		h.end[k] = int32(len(h.times))
	}
	return h
}
