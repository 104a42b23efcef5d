package frontier

import "time"

// TakeKey gives out one URL that the caller chose; ok is false when it is not queued, is in flight, must
// still wait, or its host is retired. It must be ended like one that Take gave out.
func (f *Frontier) TakeKey(key string, now time.Time) (it Item, ok bool, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.err != nil {
		return Item{}, false, f.err
	}
	rec, err := f.lookup(key, f.hash(key))
	if err != nil || rec.state != Queued || f.flights[key] != nil || f.waits(rec.pos, now) {
		return Item{}, false, err
	}
	h, err := f.residentID(rec.host)
	if err != nil || h == nil || h.retired {
		return Item{}, false, err
	}
	e, held := h.held(rec.pos)
	if !held {
		v, err := f.get(queueKey(nil, h.id, rec.pos))
		if err != nil || v == nil {
			return Item{}, false, err
		}
		e = entry{pos: rec.pos, val: v}
	}
	it, err = f.give(h, e)
	return it, err == nil, err
}

// TakeBefore is Take for the URLs of bands before band, and those of any band that waited until they were
// due.
func (f *Frontier) TakeBefore(name string, band uint8, now time.Time) (it Item, ok bool, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	h, err := f.open(name)
	if err != nil || h == nil || h.retired || h.waiting() == 0 {
		return Item{}, false, err
	}
	e, ok, err := f.peek(h, now)
	if err != nil || !ok || f.waits(e.pos, now) || !e.pos.late() && e.pos.band() >= band {
		return Item{}, false, err
	}
	it, err = f.give(h, e)
	return it, err == nil, err
}

// give makes an entry of a host a flight. It needs mu.
func (f *Frontier) give(h *host, e entry) (Item, error) {
	it, err := f.item(h, e)
	if err != nil {
		return Item{}, err
	}
	f.hosts.remove(h, e.pos)
	f.flights[it.Key] = &flight{host: h, entry: e}
	h.flights = append(h.flights, e.pos)
	f.hosts.touch(h)
	f.hosts.trim()
	return it, nil
}
