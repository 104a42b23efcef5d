package history

import (
	"fmt"
	"iter"

	"github.com/cockroachdb/pebble/v2"

	"varve/archive/durable"
)

// Lookup gives what is known of a frontier key.
func (s *Store) Lookup(key string) (Entry, bool, error) {
	if err := s.enter(); err != nil {
		return Entry{}, false, err
	}
	defer s.pending.Done()
	return s.entry(key)
}

func (s *Store) entry(key string) (Entry, bool, error) {
	v, err := durable.Get(s.db, entryKey(key))
	if err != nil || v == nil {
		return Entry{}, false, err
	}
	e, err := decodeEntry(key, v)
	if err != nil {
		return Entry{}, false, fmt.Errorf("history of %.200q: %w", key, err)
	}
	return e, true, nil
}

// ByDigest gives the first record with that payload. Only whole answers with status 2xx are found,
// and only by the digests that Config.Index names.
func (s *Store) ByDigest(d Digest) (Reference, bool, error) {
	if err := s.enter(); err != nil {
		return Reference{}, false, err
	}
	defer s.pending.Done()
	return s.reference(digestKey(d))
}

func (s *Store) reference(key []byte) (Reference, bool, error) {
	v, err := durable.Get(s.db, key)
	if err != nil || v == nil {
		return Reference{}, false, err
	}
	ref, err := decodeReference(v)
	return ref, err == nil, err
}

func decodeReference(v []byte) (Reference, error) {
	r := durable.NewReader(v)
	ref := readReference(&r, "")
	return ref, r.Done("history reference")
}

// Entries gives all entries whose key begins with prefix, in the order of keys, as they were when
// the loop began. After an error the loop ends.
func (s *Store) Entries(prefix string) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		err := s.scan(entryKey(prefix), func(k, v []byte) (bool, error) {
			e, err := decodeEntry(string(k[1:]), v)
			if err != nil {
				return false, fmt.Errorf("history of %.200q: %w", k[1:], err)
			}
			return yield(e, nil), nil
		})
		if err != nil {
			yield(Entry{}, err)
		}
	}
}

// Original is a payload and the first record that holds it.
type Original struct {
	Digest    Digest
	Reference Reference
}

// Originals gives the first record of every payload that is known by the digest of that name, in
// the order of digests, as they were when the loop began. After an error the loop ends.
func (s *Store) Originals(name string) iter.Seq2[Original, error] {
	return func(yield func(Original, error) bool) {
		prefix := digestKey(Digest{Name: name})
		err := s.scan(prefix, func(k, v []byte) (bool, error) {
			d := Digest{Name: name, Sum: string(k[len(prefix):])}
			ref, err := decodeReference(v)
			if err != nil {
				return false, fmt.Errorf("history of %v: %w", d, err)
			}
			return yield(Original{d, ref}, nil), nil
		})
		if err != nil {
			yield(Original{}, err)
		}
	}
}

// scan passes all keys with a prefix to fn until it tells false.
func (s *Store) scan(prefix []byte, fn func(k, v []byte) (bool, error)) error {
	if err := s.enter(); err != nil {
		return err
	}
	defer s.pending.Done()
	lower, upper := durable.Bounds(prefix)
	it, err := s.db.NewIter(&pebble.IterOptions{LowerBound: lower, UpperBound: upper})
	if err != nil {
		return fmt.Errorf("read history: %w", err)
	}
	defer it.Close()
	for ok := it.First(); ok; ok = it.Next() {
		more, err := fn(it.Key(), it.Value())
		if err != nil || !more {
			return err
		}
	}
	return it.Error()
}
