package frontier

import (
	"container/list"
	"slices"
)

// host is a host that is resident in memory.
type host struct {
	hostRecord
	name    string
	ready   window    // what may be given out at once
	late    []*window // what must wait, by band; nil where nothing is known to wait
	lateAll bool      // late has a window for every band that something waits in
	flights []pos     // places of its URLs in flight
	claimed bool      // handed to the scheduler by Claim
	dirty   bool      // changed by the commit being built
	idle    *list.Element
}

// newHost makes a host whose queue on disk is not held in memory, except when it is empty.
func newHost(name string, rec hostRecord) *host {
	h := &host{hostRecord: rec, name: name}
	h.ready.whole = rec.tally.queued == rec.tally.late
	h.lateAll = rec.tally.late == 0
	return h
}

// waiting counts the URLs that are queued and not in flight.
func (h *host) waiting() int64 { return h.tally.queued - int64(len(h.flights)) }

// window gives the window that p belongs to, or nil when nothing of its part is held.
func (h *host) window(p pos) *window {
	switch {
	case !p.late():
		return &h.ready
	case !h.lateAll:
		return nil
	}
	return h.lateWindow(p.band(), true)
}

// lateWindow gives the window of the URLs of a band that wait, and makes one when there is none.
func (h *host) lateWindow(band uint8, whole bool) *window {
	if int(band) >= len(h.late) {
		h.late = append(h.late, make([]*window, int(band)+1-len(h.late))...)
	}
	if h.late[band] == nil {
		start, _ := lateEnds(band)
		h.late[band] = &window{bound: start, whole: whole}
	}
	return h.late[band]
}

// covers tells whether an item at p belongs into memory.
func (h *host) covers(p pos) bool {
	w := h.window(p)
	return w != nil && w.covers(p)
}

// held gives the entry at p if it is in memory.
func (h *host) held(p pos) (entry, bool) {
	w := h.window(p)
	if w == nil {
		return entry{}, false
	}
	i, ok := w.find(p)
	if !ok {
		return entry{}, false
	}
	return w.entries[i], true
}

func (h *host) headBytes() int64 {
	n := h.ready.bytes
	for _, w := range h.late {
		if w != nil {
			n += w.bytes
		}
	}
	return n
}

func (h *host) cut(r room) {
	h.ready.cut(r)
	for _, w := range h.late {
		if w != nil {
			w.cut(r)
		}
	}
}

// hostTable holds the resident hosts. Those that are claimed or have URLs in flight are pinned;
// the others may be put out, the longest untouched first.
type hostTable struct {
	byName map[string]*host
	byID   map[uint32]*host
	idle   *list.List // of *host, most recently used first
	max    int
	bytes  int64 // of all windows
	budget int64
	items  int   // per window
	cutAt  int64 // bytes at which all windows are cut
}

func newHostTable(c Config) *hostTable {
	return &hostTable{
		byName: map[string]*host{}, byID: map[uint32]*host{}, idle: list.New(),
		max: c.MaxHosts, budget: c.HeadBytes, items: c.HeadItems, cutAt: c.HeadBytes,
	}
}

func (t *hostTable) add(h *host) {
	t.byName[h.name], t.byID[h.id] = h, h
	h.idle = t.idle.PushFront(h)
}

// touch marks a host as used, and pins or unpins it as its state demands.
func (t *hostTable) touch(h *host) {
	pinned := h.claimed || len(h.flights) > 0
	switch {
	case pinned && h.idle != nil:
		t.idle.Remove(h.idle)
		h.idle = nil
	case !pinned && h.idle == nil:
		h.idle = t.idle.PushFront(h)
	case !pinned:
		t.idle.MoveToFront(h.idle)
	}
}

// pinned counts the hosts that cannot be put out.
func (t *hostTable) pinned() int { return len(t.byName) - t.idle.Len() }

// room is what one window may hold: half of the budget shared among the pinned hosts. Idle hosts
// have no share, they can be put out.
func (t *hostTable) room() room {
	return room{items: t.items, bytes: t.budget / 2 / int64(t.pinned()+1)}
}

// trim puts hosts out until the bounds hold; when only pinned ones are left it cuts their windows.
// No commit is being built, so no host is dirty.
func (t *hostTable) trim() {
	for len(t.byName) > t.max || t.bytes > t.budget {
		last := t.idle.Back()
		if last == nil {
			t.cutAll()
			return
		}
		h := last.Value.(*host)
		t.idle.Remove(last)
		t.bytes -= h.headBytes()
		delete(t.byName, h.name)
		delete(t.byID, h.id)
	}
}

// cutAll cuts all windows to their share, and does so again only when they have grown by a
// quarter, so that it does not run at every call.
func (t *hostTable) cutAll() {
	if t.bytes < t.cutAt {
		return
	}
	t.bytes = 0
	r := t.room()
	for _, h := range t.byName {
		h.cut(r)
		t.bytes += h.headBytes()
	}
	t.cutAt = max(t.budget, t.bytes+t.bytes/4)
}

func (t *hostTable) insert(h *host, e entry) {
	if w := h.window(e.pos); w != nil {
		before := w.bytes
		w.insert(e, t.room())
		t.bytes += w.bytes - before
	}
}

func (t *hostTable) remove(h *host, p pos) {
	if w := h.window(p); w != nil {
		before := w.bytes
		w.remove(p)
		t.bytes += w.bytes - before
	}
}

func (h *host) land(p pos) {
	if i := slices.Index(h.flights, p); i >= 0 {
		h.flights = slices.Delete(h.flights, i, i+1)
	}
}
