package triplestore

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"maps"
	"slices"

	"github.com/cockroachdb/pebble/v2"

	"varve"
	"varve/archive/durable"
	"varve/kb/sparql"
)

// Two terms can have one hash, by chance or because somebody makes such terms: with xxHash that needs no knowledge of the salt. The first one has the hash as its number; each other one has a number of its own, counted up from collided,
// which the store finds by the SHA-256 of the term (spaceOwn). Who looks up a term meets this only where the dictionary has another term under its hash.
//
// A load gives numbers before it knows the dictionary. It finds collisions when it merges its terms, gives the terms their own numbers, and reads its quads once more with these.

// Bounds of what a load holds in memory of terms with numbers of their own.
const (
	maxOwn      = 1 << 20
	maxOwnBytes = 64 << 20
)

func ownKey(encoded []byte) []byte {
	sum := sha256.Sum256(encoded)
	return append([]byte{spaceOwn}, sum[:]...)
}

// ownNumber returns the number of its own that a term has, or 0.
func ownNumber(r pebble.Reader, encoded []byte) (sparql.ID, error) {
	v, err := durable.Get(r, ownKey(encoded))
	if err != nil || v == nil {
		return 0, err
	}
	if len(v) != 8 {
		return 0, fmt.Errorf("damaged store: the number of a term has %d bytes", len(v))
	}
	return sparql.ID(binary.BigEndian.Uint64(v)), nil
}

// nextOwn returns the first number of its own that no term has yet.
func nextOwn(r pebble.Reader) (sparql.ID, error) {
	it, err := r.NewIter(&pebble.IterOptions{LowerBound: termKey(collided), UpperBound: termKey(inline | isDate)})
	if err != nil {
		return 0, err
	}
	next := collided
	if it.Last() {
		next = sparql.ID(binary.BigEndian.Uint64(it.Key()[1:])) + 1
	}
	if err := it.Close(); err != nil {
		return 0, err
	}
	if next >= inline|isDate {
		return 0, fmt.Errorf("write triple store: there are no numbers left")
	}
	return next, nil
}

// owners are terms that have numbers of their own, by the hash that they would have had.
type owners struct {
	byHash map[sparql.ID]map[string]sparql.ID
	bytes  int
	count  int
}

// of returns the number of a term whose number by hash is id.
func (o *owners) of(id sparql.ID, encoded []byte) sparql.ID {
	if len(o.byHash) == 0 {
		return id
	}
	if own, ok := o.byHash[id][string(encoded)]; ok {
		return own
	}
	return id
}

// add adds a term. It refuses more than may be held.
func (o *owners) add(id sparql.ID, encoded []byte, own sparql.ID) error {
	if o.byHash == nil {
		o.byHash = map[sparql.ID]map[string]sparql.ID{}
	}
	if o.byHash[id] == nil {
		o.byHash[id] = map[string]sparql.ID{}
	}
	if _, known := o.byHash[id][string(encoded)]; !known {
		o.count, o.bytes = o.count+1, o.bytes+len(encoded)+64
	}
	o.byHash[id][string(encoded)] = own
	if o.count > maxOwn || o.bytes > maxOwnBytes {
		t, _ := readTerm(encoded)
		return &varve.Error{
			Kind: varve.Invalid, Op: "load triple store", Msg: fmt.Sprintf("more than %d terms, or %d MB of them, have the hash of another term; one of them is %.100s", maxOwn, maxOwnBytes>>20, t),
			Hint: "that many do not come about by chance: look at what is loaded, or load it into a new store, whose hashes are others",
		}
	}
	return nil
}

// readOwners reads those that a store has.
func readOwners(s *Store) (*owners, error) {
	o := &owners{}
	it, err := s.db.NewIter(&pebble.IterOptions{LowerBound: termKey(collided), UpperBound: termKey(inline | isDate)})
	if err != nil {
		return nil, err
	}
	defer it.Close()
	n := s.numbering()
	for ok := it.First(); ok; ok = it.Next() {
		encoded, err := it.ValueAndErr()
		if err == nil {
			err = o.add(n.again(encoded), encoded, sparql.ID(binary.BigEndian.Uint64(it.Key()[1:])))
		}
		if err != nil {
			return nil, err
		}
	}
	return o, it.Error()
}

// settle gives numbers of their own to terms that were met under one hash: to all but the one that the store has under it, or else the first of them.
func (l *loader) settle() error {
	next, err := nextOwn(l.s.db)
	if err != nil {
		return err
	}
	for _, terms := range l.own.byHash { // of this load, from an earlier pass or the store
		for _, own := range terms {
			next = max(next, own+1)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(l.met.byHash)) {
		holder, err := durable.Get(l.s.db, termKey(id))
		if err != nil {
			return err
		}
		for i, term := range slices.Sorted(maps.Keys(l.met.byHash[id])) {
			if holder == nil && i == 0 {
				holder = []byte(term)
			}
			if bytes.Equal(holder, []byte(term)) {
				continue
			}
			if err := l.own.add(id, []byte(term), next); err != nil {
				return err
			}
			l.fresh = append(l.fresh, ownTerm{ownKey([]byte(term)), next})
			next++
		}
	}
	return nil
}

// ownTerm is an entry of spaceOwn.
type ownTerm struct {
	key []byte
	own sparql.ID
}
