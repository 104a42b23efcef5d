package frontier

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/cockroachdb/pebble/v2"
)

// peek finds what a host would give out now. A URL that has waited until it was due comes before
// those of the same band that never waited. When all of them have to wait it gives the one that
// is due first; ok is false when there is none at all. It needs mu.
func (f *Frontier) peek(h *host, now time.Time) (e entry, ok bool, err error) {
	if err := f.fillHost(h); err != nil {
		return entry{}, false, err
	}
	ready := len(h.ready.entries) > 0 && !f.barred(h, h.ready.entries[0].pos)
	var first entry // of those that have to wait
	for band, w := range h.late {
		if w == nil || len(w.entries) == 0 {
			continue
		}
		e := w.entries[0]
		if !f.waits(e.pos, now) && (!ready || band <= int(h.ready.entries[0].pos.band())) {
			return e, true, nil
		}
		if first.val == nil || e.pos.due() < first.pos.due() {
			first = e
		}
	}
	if ready {
		return h.ready.entries[0], true, nil
	}
	return first, first.val != nil, nil
}

// fillHost sees to it that every window of a host has an entry if its part of the queue has one.
func (f *Frontier) fillHost(h *host) error {
	if err := f.fill(h, &h.ready, lateStart); err != nil {
		return err
	}
	if !h.lateAll {
		return f.findLate(h)
	}
	for band, w := range h.late {
		if w == nil {
			continue
		}
		_, end := lateEnds(uint8(band))
		if err := f.fill(h, w, end); err != nil {
			return err
		}
	}
	return nil
}

// fill reads the next entries of a window that has run empty.
func (f *Frontier) fill(h *host, w *window, end pos) error {
	if len(w.entries) > 0 || w.whole {
		return nil
	}
	it, err := f.scan(h, pos{hi: w.bound.hi, lo: w.bound.lo + 1}, end)
	if err != nil {
		return err
	}
	more := f.loadWindow(h, w, it, it.First())
	w.whole = !more && it.Error() == nil
	return errors.Join(it.Error(), it.Close())
}

// loadWindow reads entries from where it stands until the window is full; it tells whether the
// iterator still stands on an entry.
func (f *Frontier) loadWindow(h *host, w *window, it *pebble.Iterator, ok bool) bool {
	before, r := w.bytes, f.hosts.room()
	for ; ok && !r.full(w); ok = it.Next() {
		_, p, good := parseQueueKey(it.Key())
		if !good {
			break
		}
		w.bound = p
		if slices.Contains(h.flights, p) {
			continue
		}
		e := entry{pos: p, val: append([]byte(nil), it.Value()...)}
		w.push(e)
	}
	f.hosts.bytes += w.bytes - before
	return ok
}

// findLate makes and fills the windows of all bands in which URLs of the host wait.
func (f *Frontier) findLate(h *host) error {
	it, err := f.scan(h, lateStart, queueEnd)
	if err != nil {
		return err
	}
	for ok := it.First(); ok; {
		_, p, good := parseQueueKey(it.Key())
		if !good {
			break
		}
		_, end := lateEnds(p.band())
		h.lateWindow(p.band(), false)
		ok = it.SeekGE(queueKey(nil, h.id, end))
	}
	if err := errors.Join(it.Error(), it.Close()); err != nil {
		return err
	}
	h.lateAll = true
	return f.fillHost(h)
}

func (f *Frontier) scan(h *host, from, to pos) (*pebble.Iterator, error) {
	it, err := f.db.NewIter(&pebble.IterOptions{LowerBound: queueKey(nil, h.id, from), UpperBound: queueKey(nil, h.id, to)})
	if err != nil {
		return nil, fmt.Errorf("read queue of %.200q: %w", h.name, err)
	}
	return it, nil
}
