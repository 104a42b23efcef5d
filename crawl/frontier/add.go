package frontier

import "fmt"

// addStep is how many URLs one commit of Add takes at most.
const addStep = 4096

// Add queues the URLs that were never seen. For one that is still queued it applies the update
// function of the configuration to the score, and raises the band when the new one is more
// urgent. One in flight is known by the more urgent find from then on; one that was dropped is
// queued again by it, for what was refused as a guess may be wanted as a link. For one that is done
// nothing changes. It returns when the result is durable. Items that are malformed or too large are counted as Refused.
func (f *Frontier) Add(items ...Item) (Report, error) {
	var total Report
	for len(items) > 0 {
		n := min(len(items), addStep)
		r, err := f.commit(func(t *tx) error { return t.addAll(items[:n]) })
		if err != nil {
			return total, err
		}
		total.add(r)
		items = items[n:]
	}
	return total, nil
}

func (t *tx) addAll(items []Item) error {
	for i := range items {
		if err := t.add(&items[i], t.f.cfg.Combine); err != nil {
			return err
		}
	}
	return nil
}

func (t *tx) add(it *Item, c Combine) error {
	if it.check(t.f.cfg.MaxItemBytes) != nil {
		t.report.Refused++
		return nil
	}
	hash := t.f.hash(it.Key)
	rec, err := t.lookup(it.Key, hash)
	switch {
	case err != nil:
		return err
	case rec.state == Unseen:
		h, err := t.host(it.Host, it.Domain)
		if err != nil {
			return err
		}
		t.report.New++
		return t.enqueue(h, it, hash)
	case rec.state == Dropped && it.Band < rec.band:
		h, err := t.hostOf(it.Key, rec)
		if err != nil {
			return err
		}
		h.tally.dropped--
		t.report.Reopened++
		return t.enqueue(h, it, hash)
	case rec.state != Queued:
		t.report.Known++
		return nil
	case t.f.flights[it.Key] != nil:
		return t.improve(t.f.flights[it.Key], it)
	}
	return t.rescore(it, hash, rec, c)
}

// improve makes a more urgent find the reason of a URL in flight, at its place: if it was taken as a guess and is refused as one, it
// is queued again.
func (t *tx) improve(fl *flight, it *Item) error {
	cur, err := decodeItem(fl.val)
	if err != nil {
		return err
	}
	if it.Band >= cur.Band {
		t.report.Known++
		return nil
	}
	t.changed = true
	t.report.Updated++
	t.tell(Left, fl.host, &cur)
	cur.raise(it)
	t.tell(Entered, fl.host, &cur)
	t.keyBuf = queueKey(t.keyBuf[:0], fl.host.id, fl.pos)
	fl.val = appendItem(nil, &cur)
	return t.batch.Set(t.keyBuf, fl.val, nil)
}

// raise makes a more urgent find the reason to fetch a URL.
func (it *Item) raise(found *Item) {
	it.Band, it.Via, it.HopPath, it.Depth = found.Band, found.Via, found.HopPath, found.Depth
}

// enqueue puts a URL that is not queued into the queue of a host.
func (t *tx) enqueue(h *host, it *Item, hash uint64) error {
	p := t.place(it, it.NotBefore.IsZero())
	rec := seen{state: Queued, host: h.id, pos: p, score: toScore(it.Score), count: 1}
	t.f.filter.add(hash)
	t.tell(Entered, h, it)
	if err := t.putQueued(it.Key, hash, rec, it); err != nil {
		return err
	}
	return t.push(h, p, it)
}

// place gives the next free place for an item.
func (t *tx) place(it *Item, ready bool) pos {
	seq := uint64(t.f.n.nextSeq)
	t.f.n.nextSeq++
	if ready {
		return t.f.rank.ready(it.Band, toScore(it.Score), seq)
	}
	return t.f.rank.wait(it.Band, it.NotBefore, seq)
}

// push writes the queue entry of an item at p, where there is none.
func (t *tx) push(h *host, p pos, it *Item) error {
	h.tally.queued++
	if p.late() {
		h.tally.late++
	}
	if err := t.setEntry(h, p, it); err != nil {
		return err
	}
	t.announce(h)
	return nil
}

// setEntry writes the queue entry at p to the store and, where it belongs, into memory.
func (t *tx) setEntry(h *host, p pos, it *Item) error {
	t.keyBuf = queueKey(t.keyBuf[:0], h.id, p)
	t.valBuf = appendItem(t.valBuf[:0], it)
	if h.covers(p) {
		t.f.hosts.insert(h, entry{pos: p, val: append([]byte(nil), t.valBuf...)})
	}
	return t.batch.Set(t.keyBuf, t.valBuf, nil)
}

// pull deletes the queue entry at p.
func (t *tx) pull(h *host, p pos) error {
	h.tally.queued--
	if p.late() {
		h.tally.late--
	}
	t.f.hosts.remove(h, p)
	t.keyBuf = queueKey(t.keyBuf[:0], h.id, p)
	return t.batch.Delete(t.keyBuf, nil)
}

// rescore applies a new find of a queued URL.
func (t *tx) rescore(it *Item, hash uint64, rec seen, c Combine) error {
	now, count := c.apply(rec.score, rec.count, toScore(it.Score))
	better := it.Band < rec.pos.band()
	if now == rec.score && count == rec.count && !better {
		t.report.Known++
		return nil
	}
	t.changed = true
	t.report.Updated++
	next := rec
	next.score, next.count = now, count
	var own *Item
	if better || t.f.rank.bucket(now) != t.f.rank.bucket(rec.score) {
		moved, err := t.move(it, rec, &next)
		if err != nil {
			return err
		}
		own = moved
	} else {
		own = t.own[it.Key].item
	}
	return t.putQueued(it.Key, hash, next, own)
}

// move rewrites the queue entry of a URL whose score or band changed, at its new place.
func (t *tx) move(it *Item, old seen, next *seen) (*Item, error) {
	h, err := t.hostOf(it.Key, old)
	if err != nil {
		return nil, err
	}
	cur, err := t.queued(it.Key, h, old.pos)
	if err != nil {
		return nil, err
	}
	raised := it.Band < cur.Band
	if raised { // the new find is the better reason to fetch it
		t.tell(Left, h, &cur)
		cur.raise(it)
	}
	cur.Score = next.score.float()
	next.pos = t.f.rank.moved(old.pos, cur.Band, next.score)
	if err := t.pull(h, old.pos); err != nil {
		return nil, err
	}
	if raised {
		t.tell(Entered, h, &cur)
	} else {
		t.tell(Rescored, h, &cur)
	}
	return &cur, t.push(h, next.pos, &cur)
}

// queued reads the item of a queue entry, through the writes of this commit.
func (t *tx) queued(key string, h *host, p pos) (Item, error) {
	if w := t.own[key]; w.item != nil {
		return *w.item, nil
	}
	if e, ok := h.held(p); ok {
		return decodeItem(e.val)
	}
	v, err := t.f.get(queueKey(nil, h.id, p))
	if err != nil {
		return Item{}, err
	}
	if v == nil {
		return Item{}, fmt.Errorf("frontier: queue entry of %.200q is missing", key)
	}
	return decodeItem(v)
}
