package frontier

import (
	"fmt"
	"time"
)

// Finish ends attempts at URLs. In one commit it takes each URL out of its queue and marks it
// done, waiting or dropped as the verdict says, and queues its links. It returns when that is
// durable; commits of callers that arrive together share one write to the disk.
//
// A URL that was not taken may be finished too, such as a robots.txt that was fetched on the way.
// ErrSettled is given, and nothing is changed, when one of them is already done or dropped.
func (f *Frontier) Finish(results ...Result) (Report, error) {
	return f.FinishNoting(nil, results...)
}

// FinishNoting is Finish that also keeps a note of the caller's in the same commit, such as its
// own totals, so that after a crash both are of the same moment. Nil leaves the note as it is.
func (f *Frontier) FinishNoting(note []byte, results ...Result) (Report, error) {
	return f.FinishWith(note, nil, results...)
}

// FinishWith is FinishNoting that also keeps notes by name in the same commit; an empty one is deleted.
func (f *Frontier) FinishWith(note []byte, notes map[string][]byte, results ...Result) (Report, error) {
	return f.commit(func(t *tx) error {
		if err := t.checkResults(results); err != nil {
			return err
		}
		for i := range results {
			if err := t.end(&results[i]); err != nil {
				return err
			}
			if err := t.addAll(results[i].Links); err != nil {
				return err
			}
		}
		if err := t.setNotes(notes); err != nil || note == nil {
			return err
		}
		return t.batch.Set(keyNote, note, nil)
	})
}

// Note gives the note that was kept last, or nil.
func (f *Frontier) Note() ([]byte, error) {
	if err := f.enter(); err != nil {
		return nil, err
	}
	defer f.leave()
	return f.get(keyNote)
}

// Retry gives a taken URL back to be tried again at notBefore, or at the end of its queue when
// that is zero. Its Attempts grow by one and its Meta becomes that of it.
func (f *Frontier) Retry(it Item, notBefore time.Time) error {
	_, err := f.Finish(Result{Item: it, Verdict: Later, NotBefore: notBefore})
	return err
}

// Drop takes a URL out of the queue for good.
func (f *Frontier) Drop(it Item, reason string) error {
	_, err := f.Finish(Result{Item: it, Verdict: Refused, Reason: reason})
	return err
}

// checkResults finds what would make a commit impossible before anything is changed.
func (t *tx) checkResults(results []Result) error {
	in := make(map[string]struct{}, len(results))
	for i := range results {
		it := &results[i].Item
		if err := it.check(t.f.cfg.MaxItemBytes); err != nil {
			return err
		}
		if _, twice := in[it.Key]; twice {
			return fmt.Errorf("finish %.200q: twice in one call", it.Key)
		}
		in[it.Key] = struct{}{}
		if t.f.flights[it.Key] != nil {
			continue
		}
		rec, err := t.lookup(it.Key, t.f.hash(it.Key))
		if err != nil {
			return err
		}
		if rec.state == Done || rec.state == Dropped && it.Band >= rec.band {
			return fmt.Errorf("finish %.200q: %w", it.Key, ErrSettled)
		}
	}
	return nil
}

// end applies one result.
func (t *tx) end(r *Result) error {
	hash := t.f.hash(r.Item.Key)
	h, cur, err := t.detach(&r.Item, hash)
	if err != nil {
		return err
	}
	rec := seen{host: h.id}
	switch r.Verdict {
	case Later:
		return t.requeue(h, cur, r, hash)
	case Refused:
		if cur.was && cur.item.Band < r.Item.Band { // it was found for a better reason meanwhile
			return t.reenter(h, cur, hash)
		}
		h.tally.dropped++
		t.report.Dropped++
		rec.state, rec.band = Dropped, r.Item.Band
		t.valBuf = appendDropped(t.valBuf[:0], h.id, rec.band, clip(r.Reason))
	default:
		o := r.Outcome
		o.Size = max(o.Size, 0)
		h.tally.done++
		h.tally.bytes += o.Size
		if o.Failed {
			h.tally.failed++
		}
		rec.state = Done
		t.valBuf = appendDone(t.valBuf[:0], h.id, &o)
	}
	if cur.was {
		t.tell(Left, h, &cur.item)
	} else {
		t.f.filter.add(hash)
	}
	return t.putSettled(r.Item.Key, hash, rec, t.valBuf)
}

// clip bounds a reason.
func clip(s string) string { return s[:min(len(s), 1000)] }

// attached is a URL taken out of its queue by detach.
type attached struct {
	seen
	item Item
	was  bool // it was in the queue
}

// detach takes a URL out of its queue, in flight or not, if it is in one.
func (t *tx) detach(it *Item, hash uint64) (*host, attached, error) {
	if fl := t.f.flights[it.Key]; fl != nil {
		t.mark(fl.host, true)
		delete(t.f.flights, it.Key)
		fl.host.land(fl.pos)
		t.f.hosts.touch(fl.host)
		item, err := decodeItem(fl.val)
		if err != nil {
			return nil, attached{}, err
		}
		return fl.host, attached{seen: seen{pos: fl.pos}, item: item, was: true}, t.pull(fl.host, fl.pos)
	}
	rec, err := t.lookup(it.Key, hash)
	if err != nil {
		return nil, attached{}, err
	}
	if rec.state == Unseen {
		h, err := t.host(it.Host, it.Domain)
		return h, attached{item: *it}, err
	}
	h, err := t.hostOf(it.Key, rec)
	if err != nil {
		return nil, attached{}, err
	}
	if rec.state == Dropped { // and found for a better reason: checkResults let it pass
		h.tally.dropped--
		return h, attached{item: *it}, nil
	}
	item, err := t.queued(it.Key, h, rec.pos)
	if err != nil {
		return nil, attached{}, err
	}
	return h, attached{seen: rec, item: item, was: true}, t.pull(h, rec.pos)
}

// requeue puts a detached URL back for another attempt.
func (t *tx) requeue(h *host, cur attached, r *Result, hash uint64) error {
	it := cur.item
	it.Attempts++
	it.Meta, it.NotBefore = r.Item.Meta, r.NotBefore
	h.tally.retries++
	return t.putBack(h, &it, cur.was, hash)
}

// reenter puts a URL back that was refused for a worse reason than it has by now.
func (t *tx) reenter(h *host, cur attached, hash uint64) error {
	t.report.Reopened++
	it := cur.item
	it.NotBefore = time.Time{}
	return t.putBack(h, &it, true, hash)
}

// putBack queues a detached URL anew. Known says that it was queued before.
func (t *tx) putBack(h *host, it *Item, known bool, hash uint64) error {
	rec := seen{state: Queued, host: h.id, score: toScore(it.Score), count: 1}
	if known { // the store knows the exact score, and how many went into it
		was, err := t.lookup(it.Key, hash)
		if err != nil {
			return err
		}
		rec.score, rec.count = was.score, was.count
	} else {
		t.f.filter.add(hash)
	}
	it.Score = rec.score.float()
	rec.pos = t.place(it, it.NotBefore.IsZero())
	if err := t.putQueued(it.Key, hash, rec, it); err != nil {
		return err
	}
	return t.push(h, rec.pos, it)
}
