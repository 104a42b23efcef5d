package frontier

import (
	"encoding/hex"
	"errors"
	"fmt"

	"github.com/cockroachdb/pebble/v2"

	"varve/archive/durable"
)

// Entry is all that the frontier knows of a key.
type Entry struct {
	State   State   `json:"state"`
	Item    Item    `json:"item,omitzero"`    // of Queued and InFlight, with the exact score
	Outcome Outcome `json:"outcome,omitzero"` // of Done
	Reason  string  `json:"reason,omitempty"` // of Dropped
	Band    uint8   `json:"band,omitempty"`   // of Dropped: the one it was in; a find for a more urgent one brings it back
}

// Lookup tells the state of a key.
func (f *Frontier) Lookup(key string) (Entry, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.err != nil {
		return Entry{}, f.err
	}
	v, err := f.get(seenKey(nil, key))
	if err != nil || v == nil {
		return Entry{}, err
	}
	rec, out, reason, err := decodeSettled(v)
	if err != nil {
		return Entry{}, fmt.Errorf("look up %.200q: %w", key, err)
	}
	e := Entry{State: rec.state, Outcome: out, Reason: reason, Band: rec.band}
	if rec.state != Queued {
		return e, nil
	}
	if f.flights[key] != nil {
		e.State = InFlight
	}
	h, err := f.residentID(rec.host)
	if err == nil && h == nil {
		err = fmt.Errorf("frontier: host %d of queued %.200q is missing", rec.host, key)
	}
	if err != nil {
		return Entry{}, err
	}
	val, err := f.get(queueKey(nil, h.id, rec.pos))
	if err != nil {
		return Entry{}, err
	}
	e.Item, err = f.item(h, entry{pos: rec.pos, val: val})
	e.Item.Score = rec.score.float()
	return e, err
}

// Listed is a queued URL in a listing.
type Listed struct {
	Item
	State State `json:"state"` // Queued or InFlight
}

// List gives up to n queued URLs of a host in the order in which they would be taken, those that
// wait last; of all hosts, host after host, when name is empty. cursor is empty to begin with,
// then what the call before returned; the listing is at its end when that is empty. URLs queued
// or moved meanwhile are listed where they are when the listing passes.
func (f *Frontier) List(name, cursor string, n int) ([]Listed, string, error) {
	if err := f.enter(); err != nil {
		return nil, "", err
	}
	defer f.leave()
	snap := f.db.NewSnapshot() // a host and its queue as of one instant
	defer snap.Close()
	lower, upper, err := listBounds(snap, name, cursor)
	if err != nil || lower == nil || n <= 0 {
		return nil, "", err
	}
	it, err := snap.NewIter(&pebble.IterOptions{LowerBound: lower, UpperBound: upper})
	if err != nil {
		return nil, "", fmt.Errorf("list queue: %w", err)
	}
	out, next, err := f.list(snap, it, n)
	return out, next, errors.Join(err, it.Close())
}

func listBounds(snap pebble.Reader, name, cursor string) (lower, upper []byte, err error) {
	lower, upper = spaceBounds(spaceQueue)
	if name != "" {
		rec, ok, err := readHost(snap, name)
		if err != nil || !ok {
			return nil, nil, err
		}
		lower = queueKey(nil, rec.id, pos{})
		upper = queueKey(nil, rec.id, pos{hi: ^uint64(0), lo: ^uint64(0)})
	}
	if cursor != "" {
		at, err := hex.DecodeString(cursor)
		if _, _, ok := parseQueueKey(at); err != nil || !ok {
			return nil, nil, fmt.Errorf("list queue: cursor %.100q is not one of ours", cursor)
		}
		lower = append(at, 0)
	}
	return lower, upper, nil
}

func (f *Frontier) list(snap pebble.Reader, it *pebble.Iterator, n int) ([]Listed, string, error) {
	var out []Listed
	var h host // only its name and record are used
	for ok := it.First(); ok; ok = it.Next() {
		if len(out) >= n {
			return out, lastKey(it), nil
		}
		id, p, good := parseQueueKey(it.Key())
		if !good {
			return out, "", fmt.Errorf("list queue: damaged key %x", it.Key())
		}
		if h.name == "" || h.id != id {
			name, err := durable.Get(snap, workKey(nil, id))
			if err != nil {
				return out, "", err
			}
			rec, _, err := readHost(snap, string(name))
			if err != nil {
				return out, "", err
			}
			h = host{name: string(name), hostRecord: rec}
		}
		item, err := f.item(&h, entry{pos: p, val: it.Value()})
		if err != nil {
			return out, "", err
		}
		out = append(out, Listed{Item: item, State: f.flying(item.Key)})
	}
	return out, "", nil
}

// lastKey is the cursor behind the entry before the iterator.
func lastKey(it *pebble.Iterator) string {
	if !it.Prev() {
		return ""
	}
	return hex.EncodeToString(it.Key())
}

// flying tells whether a queued key is in flight.
func (f *Frontier) flying(key string) State {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.flights[key] != nil {
		return InFlight
	}
	return Queued
}

// Hosts gives up to n hosts in the order of their names, from the one behind cursor on; the
// second result is the next cursor, empty at the end.
func (f *Frontier) Hosts(cursor string, n int) ([]HostStats, string, error) {
	if err := f.enter(); err != nil {
		return nil, "", err
	}
	defer f.leave()
	_, upper := spaceBounds(spaceHost)
	it, err := f.db.NewIter(&pebble.IterOptions{LowerBound: append(hostKey(nil, cursor), 0), UpperBound: upper})
	if err != nil {
		return nil, "", fmt.Errorf("list hosts: %w", err)
	}
	defer it.Close()
	var out []HostStats
	for ok := it.First() && n > 0; ok; ok = it.Next() {
		if len(out) >= n {
			return out, out[len(out)-1].Host, nil
		}
		s, err := f.HostStats(string(it.Key()[1:]))
		if err != nil {
			return out, "", err
		}
		out = append(out, s)
	}
	return out, "", it.Error()
}
