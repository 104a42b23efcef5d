package triplestore

import (
	"fmt"

	"github.com/cockroachdb/pebble/v2"

	"varve"
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
	id, encoded := number(t, u.meta.salt, nil)
	if encoded == nil {
		return id, nil
	}
	held, err := durable.Get(u.batch, termKey(id))
	if err != nil {
		return 0, err
	}
	if held == nil {
		return id, u.batch.Set(termKey(id), encoded, nil)
	}
	return id, sameTerm(held, encoded)
}

// sameTerm refuses two terms with one number.
func sameTerm(held, encoded []byte) error {
	if string(held) == string(encoded) {
		return nil
	}
	a, err := readTerm(held)
	if err != nil {
		return err
	}
	b, err := readTerm(encoded)
	if err != nil {
		return err
	}
	return &varve.Error{
		Kind: varve.Conflict, Op: "write triple store", Msg: fmt.Sprintf("%s and %s have the same number by chance", a, b),
		Hint: "export the store and load it into a new one, whose numbers are others",
	}
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
