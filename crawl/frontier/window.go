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
	bytes   int64 // of the entries
}

// room is how much a window may hold: so many entries and so many bytes, but always one entry.
type room struct {
	items int
	bytes int64
}

func (r room) full(w *window) bool {
	return len(w.entries) >= r.items || w.bytes >= r.bytes && len(w.entries) > 0
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

// insert puts an entry in, if it is covered, and keeps no more than there is room for.
func (w *window) insert(e entry, r room) {
	if !w.covers(e.pos) {
		return
	}
	i, found := w.find(e.pos)
	if found {
		w.bytes -= w.entries[i].size()
		w.entries[i] = e
	} else {
		w.entries = slices.Insert(w.entries, i, e)
	}
	w.bytes += e.size()
	w.cut(r)
}

// push puts an entry behind all others, as a scan finds them.
func (w *window) push(e entry) {
	w.entries = append(w.entries, e)
	w.bytes += e.size()
}

// cut leaves the entries at the end out until there is room for the others.
func (w *window) cut(r room) {
	for last := len(w.entries) - 1; last > 0 && (last >= r.items || w.bytes > r.bytes); last-- {
		w.bytes -= w.entries[last].size()
		w.entries[last] = entry{}
		w.entries = w.entries[:last]
		w.bound, w.whole = w.entries[last-1].pos, false
	}
}

// remove takes the entry at p out, if it is held.
func (w *window) remove(p pos) {
	i, found := w.find(p)
	if !found {
		return
	}
	w.bytes -= w.entries[i].size()
	w.entries = slices.Delete(w.entries, i, i+1)
	if len(w.entries) == 0 {
		w.entries = nil
	}
}
