package frontier

import (
	"errors"
	"fmt"

	"github.com/cockroachdb/pebble/v2"
)

// Lookups counts how questions to the seen-set were answered.
type Lookups struct {
	Filter int64 `json:"filter"` // surely new, from the filter
	Recent int64 `json:"recent"` // from the table of recent keys
	Store  int64 `json:"store"`  // from the store
	Absent int64 `json:"absent"` // of Store: was not there
}

// lookup gives the seen record of a key, with state Unseen when there is none. It needs mu.
func (f *Frontier) lookup(key string, hash uint64) (seen, error) {
	if f.rebuilt && f.filter.surelyNew(hash) {
		f.lookups.Filter++
		return seen{}, nil
	}
	if rec, ok := f.recent.get(hash, key); ok {
		f.lookups.Recent++
		return rec, nil
	}
	f.lookups.Store++
	f.tx.keyBuf = seenKey(f.tx.keyBuf[:0], key)
	v, closer, err := f.db.Get(f.tx.keyBuf)
	if errors.Is(err, pebble.ErrNotFound) {
		f.lookups.Absent++
		return seen{}, nil
	}
	if err != nil {
		return seen{}, fmt.Errorf("look up %.200q: %w", key, err)
	}
	rec, err := decodeSeen(v)
	if cerr := closer.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return seen{}, fmt.Errorf("look up %.200q: %w", key, err)
	}
	f.recent.put(hash, key, rec)
	return rec, nil
}
