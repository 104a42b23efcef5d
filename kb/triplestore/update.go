package triplestore

import (
	"encoding/binary"
	"errors"

	"github.com/cockroachdb/pebble/v2"

	"varve/archive/durable"
	"varve/kb/rdf"
	"varve/kb/sparql"
)

// Update is a change of the store that is not there yet. It is read like a view, and sees what it changed. It ends with
// Commit or Cancel; until then no other update or load begins.
type Update struct {
	reader
	batch *pebble.Batch
	meta  meta
	done  bool
}

// Update begins a change.
func (s *Store) Update() *Update {
	s.writing.Lock()
	b := s.db.NewIndexedBatch()
	return &Update{reader: reader{r: b, s: s}, batch: b, meta: s.known()}
}

// number returns the number of a term, and puts it into the dictionary.
func (u *Update) number(t rdf.Term) (sparql.ID, error) {
	id, encoded := u.s.numbering().of(t, nil)
	if encoded == nil {
		return id, nil
	}
	held, err := durable.Get(u.batch, termKey(id))
	switch {
	case err != nil:
		return 0, err
	case held == nil:
		return id, u.batch.Set(termKey(id), encoded, nil)
	case string(held) == string(encoded):
		return id, nil
	}
	own, err := ownNumber(u.batch, encoded)
	if own != 0 || err != nil {
		return own, err
	}
	if own, err = nextOwn(u.batch); err != nil {
		return 0, err
	}
	return own, errors.Join(u.batch.Set(termKey(own), encoded, nil), u.batch.Set(ownKey(encoded), binary.BigEndian.AppendUint64(nil, uint64(own)), nil))
}

// Insert adds a quad; one that is there already stays.
func (u *Update) Insert(q rdf.Quad) error {
	var ids sparql.Pattern
	for i, t := range []rdf.Term{q.Subject, q.Predicate, q.Object, q.Graph} {
		id, err := u.number(t)
		if err != nil {
			return err
		}
		ids[i] = id
	}
	there, err := u.has(ids)
	if err != nil || there {
		return err
	}
	u.meta.quads++
	for _, perm := range permutations(ids[3]) {
		if err := u.batch.Set(perm.appendKey(nil, ids), nil, nil); err != nil {
			return err
		}
	}
	return nil
}

func (u *Update) has(ids sparql.Pattern) (bool, error) {
	held, err := durable.Get(u.batch, permutations(ids[3])[0].appendKey(nil, ids))
	return held != nil, err
}

// Delete removes a quad; its terms stay in the dictionary.
func (u *Update) Delete(q rdf.Quad) error {
	var ids sparql.Pattern
	for i, t := range []rdf.Term{q.Subject, q.Predicate, q.Object, q.Graph} {
		id, err := u.Lookup(t)
		if err != nil || id == 0 {
			return err // a term that is not there is in no quad
		}
		ids[i] = id
	}
	there, err := u.has(ids)
	if err != nil || !there {
		return err
	}
	u.meta.quads -= min(1, u.meta.quads)
	for _, perm := range permutations(ids[3]) {
		if err := u.batch.Delete(perm.appendKey(nil, ids), nil); err != nil {
			return err
		}
	}
	return nil
}

// Commit makes the change; it is durable when Commit returns without error, and not there at all otherwise.
func (u *Update) Commit() error {
	if u.done {
		return nil
	}
	u.done = true
	defer u.s.writing.Unlock()
	return u.s.commit(u.batch, u.meta)
}

// Cancel drops the change; after Commit it does nothing.
func (u *Update) Cancel() error {
	if u.done {
		return nil
	}
	u.done = true
	defer u.s.writing.Unlock()
	return u.batch.Close()
}
