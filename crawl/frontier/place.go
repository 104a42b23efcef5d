package frontier

import (
	"fmt"
	"time"
)

// Placement puts a queued URL at a place of the caller's choice among the URLs of its host and band:
// the smallest rank comes first, whatever the order of the frontier. A URL that was to wait waits no
// longer. Meta becomes that of the item.
type Placement struct {
	Key  string
	Rank uint64 // below 2^48
	Meta []byte
}

// Place moves queued URLs to the places given, and keeps notes, in one commit; it returns when that is
// durable. A URL that is in flight, done, dropped or was never seen is passed over: it needs no place.
func (f *Frontier) Place(notes map[string][]byte, places ...Placement) (Report, error) {
	return f.commit(func(t *tx) error {
		for i := range places {
			if err := t.placeAt(&places[i]); err != nil {
				return err
			}
		}
		return t.setNotes(notes)
	})
}

func (t *tx) placeAt(p *Placement) error {
	if p.Rank > rankMask {
		return fmt.Errorf("place %.200q: rank %d is over %d", p.Key, p.Rank, uint64(rankMask))
	}
	hash := t.f.hash(p.Key)
	rec, err := t.lookup(p.Key, hash)
	if err != nil {
		return err
	}
	if rec.state != Queued || t.f.flights[p.Key] != nil {
		t.report.Known++
		return nil
	}
	h, err := t.hostOf(p.Key, rec)
	if err != nil {
		return err
	}
	it, err := t.queued(p.Key, h, rec.pos)
	if err != nil {
		return err
	}
	if err := t.pull(h, rec.pos); err != nil {
		return err
	}
	it.Meta, it.NotBefore = p.Meta, time.Time{}
	rec.pos = makePos(it.Band, p.Rank, t.f.rank.seq(uint64(t.f.n.nextSeq)))
	t.f.n.nextSeq++
	t.report.Updated++
	if err := t.putQueued(p.Key, hash, rec, &it); err != nil {
		return err
	}
	return t.push(h, rec.pos, &it)
}

// Only bars the URLs of a host from band on: Claim and Take pass over them, unless they waited until
// they were due. It is kept in memory only. An empty name bars those of all hosts. AllBands ends it.
func (f *Frontier) Only(name string, band uint8) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if name == "" {
		f.ceiling = band
		f.rot.rouseAll() // hosts passed over may have work now
		f.signal()
		return
	}
	f.ceilings[name] = band
	if band >= AllBands {
		delete(f.ceilings, name)
	}
	if h, err := f.open(name); err == nil && h != nil {
		f.rot.forget(h.id)
		f.rot.push(h.id)
		f.signal()
	}
}

// AllBands is the band from which on there are none.
const AllBands = maxBand + 1

// barred tells whether a ready URL must not be given out.
func (f *Frontier) barred(h *host, p pos) bool {
	if p.band() >= f.ceiling {
		return true
	}
	if len(f.ceilings) == 0 {
		return false
	}
	c, ok := f.ceilings[h.name]
	return ok && p.band() >= c
}
