package frontier

import (
	"errors"
	"fmt"

	"github.com/cockroachdb/pebble/v2"

	"varve/archive/durable"
)

// absorbStep is how many results one commit of Absorb takes at most.
const absorbStep = 1024

// Absorb takes over what became of URLs elsewhere: their results count as those of Finish, with their links, where the frontier
// has nothing of its own. A URL that is done, was dropped, or is in flight here stays as it is. It returns when the result is
// durable; a long list is committed piece by piece. Taking over the same twice changes nothing.
func (f *Frontier) Absorb(results ...Result) (Report, error) {
	var total Report
	for len(results) > 0 {
		n := min(len(results), absorbStep)
		r, err := f.commit(func(t *tx) error { return t.absorb(results[:n]) })
		if err != nil {
			return total, err
		}
		total.add(r)
		results = results[n:]
	}
	return total, nil
}

func (t *tx) absorb(results []Result) error {
	for i := range results {
		r := &results[i]
		if r.Item.check(t.f.cfg.MaxItemBytes) != nil {
			t.report.Refused++
			continue
		}
		if t.f.flights[r.Item.Key] == nil {
			rec, err := t.lookup(r.Item.Key, t.f.hash(r.Item.Key))
			if err != nil {
				return err
			}
			if rec.state == Unseen || rec.state == Queued {
				err = t.end(r)
			} else {
				t.report.Known++
			}
			if err != nil {
				return err
			}
		}
		if err := t.addAll(r.Links); err != nil {
			return err
		}
	}
	return nil
}

// Export passes all that the frontier knows of the URLs of some hosts, in the order of their keys, as of one instant: queued ones with their
// item, settled ones with what became of them. A URL in flight is queued. It goes through all keys ever seen.
func (f *Frontier) Export(want func(host, domain string) bool, each func(Entry) error) error {
	if err := f.enter(); err != nil {
		return err
	}
	defer f.leave()
	snap := f.db.NewSnapshot()
	defer snap.Close()
	hosts, err := exported(snap, want)
	if err != nil || len(hosts) == 0 {
		return err
	}
	lower, upper := spaceBounds(spaceSeen)
	it, err := snap.NewIter(&pebble.IterOptions{LowerBound: lower, UpperBound: upper})
	if err != nil {
		return fmt.Errorf("export: %w", err)
	}
	err = f.export(snap, it, hosts, each)
	return errors.Join(err, it.Close())
}

// exported finds the hosts that are wanted, by their number.
func exported(snap pebble.Reader, want func(host, domain string) bool) (map[uint32]*host, error) {
	lower, upper := spaceBounds(spaceHost)
	it, err := snap.NewIter(&pebble.IterOptions{LowerBound: lower, UpperBound: upper})
	if err != nil {
		return nil, fmt.Errorf("export: %w", err)
	}
	defer it.Close()
	out := map[uint32]*host{}
	for ok := it.First(); ok; ok = it.Next() {
		rec, err := decodeHost(it.Value())
		if err != nil {
			return nil, fmt.Errorf("export host %.200q: %w", it.Key()[1:], err)
		}
		if name := string(it.Key()[1:]); want(name, rec.domain) {
			out[rec.id] = &host{name: name, hostRecord: rec} // only its name and record are used
		}
	}
	return out, it.Error()
}

func (f *Frontier) export(snap pebble.Reader, it *pebble.Iterator, hosts map[uint32]*host, each func(Entry) error) error {
	for ok := it.First(); ok; ok = it.Next() {
		key := string(it.Key()[1:])
		rec, out, reason, err := decodeSettled(it.Value())
		if err != nil {
			return fmt.Errorf("export %.200q: %w", key, err)
		}
		h := hosts[rec.host]
		if h == nil {
			continue
		}
		e := Entry{State: rec.state, Outcome: out, Reason: reason, Band: rec.band, Item: Item{Key: key, Host: h.name, Domain: h.domain, Band: rec.band}}
		if rec.state == Queued {
			val, err := durable.Get(snap, queueKey(nil, h.id, rec.pos))
			if err == nil {
				e.Item, err = f.item(h, entry{pos: rec.pos, val: val})
			}
			if err != nil {
				return fmt.Errorf("export %.200q: %w", key, err)
			}
			e.Item.Score = rec.score.float()
		}
		if err := each(e); err != nil {
			return err
		}
	}
	return it.Error()
}
