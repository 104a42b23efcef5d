package history

import (
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/cockroachdb/pebble/v2"

	"varve/archive/durable"
)

// Record adds observations, in one commit, and returns when they are durable. A visit that is
// already there, with the same millisecond, changes nothing. If one observation cannot be stored
// none is, and the error says which.
func (s *Store) Record(batch []Observation) error {
	for i := range batch {
		if err := batch[i].check(s.cfg.MaxBytes); err != nil {
			return err
		}
	}
	b, err := s.apply(batch)
	if err != nil {
		return err
	}
	defer s.pending.Done()
	if err := s.db.Wait(b); err != nil {
		s.stop(err)
		return fmt.Errorf("write history: %w", err)
	}
	return b.Close()
}

// apply builds and applies the commit of a batch. Waiting for the disk is left to the caller, who
// also ends the pending call.
func (s *Store) apply(observations []Observation) (*pebble.Batch, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err != nil {
		return nil, s.err
	}
	t := tx{s: s, b: s.db.NewBatch(), n: s.n, entries: map[string]*Entry{}, digests: map[string]Reference{}}
	for i := range observations {
		if err := t.observe(&observations[i]); err != nil {
			return nil, err
		}
	}
	if err := t.write(); err != nil {
		return nil, err
	}
	if err := s.db.ApplyNoSyncWait(t.b, pebble.Sync); err != nil {
		s.err = fmt.Errorf("history stopped: %w", err)
		return nil, s.err
	}
	s.n = t.n
	s.pending.Add(1)
	return t.b, nil
}

// stop makes later calls fail: after a failed sync the store may not tell the truth.
func (s *Store) stop(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err == nil {
		s.err = fmt.Errorf("history stopped: %w", err)
	}
}

// tx is a commit being built. It changes nothing of the store until it is applied.
type tx struct {
	s       *Store
	b       *pebble.Batch
	n       Stats
	entries map[string]*Entry    // changed entries by key
	digests map[string]Reference // new first records by store key
}

func (t *tx) observe(o *Observation) error {
	e := t.entries[o.Key]
	if e == nil {
		old, ok, err := t.s.entry(o.Key)
		if err != nil {
			return err
		}
		e = &old
		if !ok {
			t.n.URLs++
		}
	}
	t.entries[o.Key] = e
	if e.visited(o.At) {
		return nil // it is there already, and so is the record of its payload
	}
	if merge(e, o, t.s.cfg.MaxChanges) {
		t.n.Visits++
	}
	if o.Revisit || o.NotModified || !o.whole() {
		return nil
	}
	for _, d := range o.Digests {
		if slices.Contains(t.s.cfg.Index, d.Name) && len(d.Sum) > 0 {
			if err := t.first(d, o.Record); err != nil {
				return err
			}
		}
	}
	return nil
}

// first keeps r as the first record of a payload, unless an earlier one is known.
func (t *tx) first(d Digest, r Reference) error {
	key := digestKey(d)
	old, ok := t.digests[string(key)]
	if !ok {
		var err error
		if old, ok, err = t.s.reference(key); err != nil {
			return err
		}
	}
	if !ok {
		t.n.Digests++
	}
	if !ok || r.before(old) {
		t.digests[string(key)] = r
	}
	return nil
}

func (t *tx) write() error {
	var val []byte
	for key, e := range t.entries {
		val = appendEntry(val[:0], e)
		if err := t.b.Set(entryKey(key), val, nil); err != nil {
			return err
		}
	}
	for key, r := range t.digests {
		val = appendReference(val[:0], r, "")
		if err := t.b.Set([]byte(key), val, nil); err != nil {
			return err
		}
	}
	val = binary.AppendUvarint(val[:0], uint64(t.n.URLs))
	val = binary.AppendUvarint(val, uint64(t.n.Visits))
	val = binary.AppendUvarint(val, uint64(t.n.Digests))
	return t.b.Set(keyStats, val, nil)
}

func entryKey(key string) []byte { return append([]byte{spaceEntry}, key...) }

// digestKey is the name with its length, so that no name is the beginning of another, and the sum.
func digestKey(d Digest) []byte {
	return append(durable.AppendString([]byte{spaceDigest}, d.Name), d.Sum...)
}
