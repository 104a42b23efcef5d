package triplestore

import (
	"errors"
	"runtime"

	"github.com/cockroachdb/pebble/v2"
)

// Reached has f called at the stages of a load: begun, runs, tables, ingested.
func (s *Store) Reached(f func(stage string)) { s.reached = f }

// Hash has terms numbered by the lowest bits of their hash alone, so that many have one number.
func (s *Store) Hash(bits int) {
	hash := s.hash
	s.hash = func(b []byte) uint64 { return hash(b) & (1<<bits - 1) }
}

// AsBefore makes the store one of the first version.
func (s *Store) AsBefore() error {
	b := s.db.NewBatch()
	v := append([]byte{before2}, s.known().encoded()...)
	if err := errors.Join(b.Set(keyVersion, v, nil), b.Delete(keyMeta, nil)); err != nil {
		return err
	}
	if err := s.db.ApplyNoSyncWait(b, pebble.Sync); err != nil {
		return err
	}
	return s.db.Wait(b)
}

// Settle writes what is in memory, and waits for what is merged because of it.
func (s *Store) Settle() error {
	if err := s.db.Flush(); err != nil {
		return err
	}
	for s.db.Metrics().Compact.NumInProgress > 0 {
		runtime.Gosched()
	}
	return nil
}

// Merged returns how many bytes of tables were read to be merged.
func (s *Store) Merged() (n uint64) {
	m := s.db.Metrics()
	for i := range m.Levels {
		n += m.Levels[i].TableBytesRead
	}
	return n
}
