package frontier

import "fmt"

// addStep is how many URLs one commit of Add takes at most.
const addStep = 4096

// Add queues the URLs that were never seen. For one that is still queued it applies the update
// function of the configuration to the score, and raises the band when the new one is more
// urgent; for one in flight, done or dropped nothing changes. It returns when the result is
// durable. Items that are malformed or too large are counted as Refused.
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
		return t.enqueue(it, hash)
	case rec.state != Queued || t.f.flights[it.Key] != nil:
		t.report.Known++
		return nil
	}
	return t.rescore(it, hash, rec, c)
}

// enqueue puts a URL that was never seen into the queue of its host.
func (t *tx) enqueue(it *Item, hash uint64) error {
	h, err := t.host(it.Host, it.Domain)
	if err != nil {
		return err
	}
	p := t.place(it, it.NotBefore.IsZero())
	rec := seen{state: Queued, host: h.id, pos: p, score: toScore(it.Score), count: 1}
	t.f.filter.add(hash)
	t.report.New++
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
		cur.Band, cur.Via, cur.HopPath, cur.Depth = it.Band, it.Via, it.HopPath, it.Depth
	}
	cur.Score = next.score.float()
	next.pos = t.f.rank.moved(old.pos, cur.Band, next.score)
	if err := t.pull(h, old.pos); err != nil {
		return nil, err
	}
	if raised {
		t.tell(Entered, h, &cur)
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
