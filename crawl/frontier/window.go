package frontier

import "slices"

// window is the part of a queue that is held in memory: everything of the queue from its start up
// to and including bound, except what is in flight; or the whole queue, when whole is set.
//
// Because of that, an item that comes in at or before bound belongs into the window, and one
// behind it is only written to the store. An empty window that is not whole is filled by a scan
// that starts behind bound, so entries deleted in front of it are never passed over twice.
type window struct {
	entries []entry
	bound   pos
	whole   bool
}

// entry is one queue entry: its place and its stored value.
type entry struct {
	pos pos
	val []byte
}

func (e entry) size() int64 { return int64(len(e.val)) + 48 }

func (w *window) find(p pos) (int, bool) {
	return slices.BinarySearchFunc(w.entries, p, func(e entry, p pos) int { return e.pos.cmp(p) })
}

// covers tells whether an item at p is held in memory when it is in the queue at all.
func (w *window) covers(p pos) bool { return w.whole || p.cmp(w.bound) <= 0 }

// insert puts an entry in, if it is covered, and keeps at most n entries. It gives the change of
// the bytes held.
func (w *window) insert(e entry, n int) int64 {
	if !w.covers(e.pos) {
		return 0
	}
	i, found := w.find(e.pos)
	if found {
		d := e.size() - w.entries[i].size()
		w.entries[i] = e
		return d
	}
	w.entries = slices.Insert(w.entries, i, e)
	d := e.size()
	for len(w.entries) > max(n, 1) {
		last := len(w.entries) - 1
		d -= w.entries[last].size()
		w.entries[last] = entry{}
		w.entries = w.entries[:last]
		w.bound, w.whole = w.entries[last-1].pos, false
	}
	return d
}

// remove takes the entry at p out, if it is held. It gives the entry and the change of the bytes
// held.
func (w *window) remove(p pos) (entry, int64, bool) {
	i, found := w.find(p)
	if !found {
		return entry{}, 0, false
	}
	e := w.entries[i]
	w.entries = slices.Delete(w.entries, i, i+1)
	if len(w.entries) == 0 {
		w.entries = nil
	}
	return e, -e.size(), true
}
