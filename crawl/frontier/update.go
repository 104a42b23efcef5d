package frontier

import "context"

// ScoreUpdate changes a queued URL from outside. Item.Key names it and Item.Score is the new
// score; the other fields are used when the URL was never seen, to queue it.
type ScoreUpdate struct {
	Item      Item
	Combine   Combine // how the scores go together; empty means Last: the new one replaces the old
	Blacklist bool    // take the URL out of the queue, and never queue it
	Reason    string  // of Blacklist
}

// Update re-ranks queued URLs, takes blacklisted ones out, and queues those never seen. URLs in
// flight, done or dropped stay as they are. It returns when the result is durable; a long list is
// committed piece by piece, and ctx ends it between two pieces.
func (f *Frontier) Update(ctx context.Context, updates []ScoreUpdate) (Report, error) {
	var total Report
	for i := range updates {
		if c := updates[i].Combine; c != "" {
			if err := c.validate(); err != nil {
				return total, err
			}
		}
	}
	for len(updates) > 0 {
		if err := ctx.Err(); err != nil {
			return total, err
		}
		n := min(len(updates), addStep)
		r, err := f.commit(func(t *tx) error { return t.updateAll(updates[:n]) })
		if err != nil {
			return total, err
		}
		total.add(r)
		updates = updates[n:]
	}
	return total, nil
}

func (t *tx) updateAll(updates []ScoreUpdate) error {
	for i := range updates {
		if err := t.update(&updates[i]); err != nil {
			return err
		}
	}
	return nil
}

func (t *tx) update(u *ScoreUpdate) error {
	if !u.Blacklist {
		c := u.Combine
		setDefault(&c, Last)
		return t.add(&u.Item, c)
	}
	if u.Item.check(t.f.cfg.MaxItemBytes) != nil {
		t.report.Refused++
		return nil
	}
	rec, err := t.lookup(u.Item.Key, t.f.hash(u.Item.Key))
	if err != nil {
		return err
	}
	if rec.state == Done || rec.state == Dropped || t.f.flights[u.Item.Key] != nil {
		t.report.Known++
		return nil
	}
	barred := u.Item
	barred.Band = 0 // whatever finds it: nothing is more urgent
	return t.end(&Result{Item: barred, Verdict: Refused, Reason: u.Reason})
}
