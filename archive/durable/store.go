package durable

import (
	"errors"
	"fmt"
	"io"
	"log/slog"

	"github.com/cockroachdb/pebble/v2"
)

// Store is a Pebble store that survives its disk: when a write fails, Err tells, commits are not acknowledged any
// more, and the process goes on. Opening it again is the remedy.
type Store struct {
	*pebble.DB
	guard *guard
}

// Open opens the store in dir, or makes a new one there. A store that is not what was acknowledged gives ErrDamaged: see seal.
func Open(dir string, o *pebble.Options) (_ *Store, err error) {
	disk := o.FS
	s := &Store{guard: newGuard(disk)}
	if s.guard.seal, err = openSeal(disk, dir); err != nil {
		return nil, err
	}
	o.FS = s.guard
	o.EventListener = &pebble.EventListener{DataCorruption: func(info pebble.DataCorruptionInfo) {
		_ = s.guard.fail("read", info.Path, info.Details)
	}}
	if s.DB, err = openPebble(dir, o); err != nil {
		return nil, errors.Join(err, s.guard.err(), s.guard.seal.close())
	}
	if err = s.Err(); err == nil {
		err = s.guard.seal.opened(s.DB)
	}
	if err == nil {
		err = s.guard.seal.create(disk, dir)
	}
	if err != nil {
		return nil, errors.Join(err, s.DB.Close(), s.guard.seal.close())
	}
	s.guard.opened.Store(true)
	return s, nil
}

// openPebble gives an error for bytes that make Pebble panic while it reads them.
func openPebble(dir string, o *pebble.Options) (db *pebble.DB, err error) {
	defer func() {
		if p := recover(); p != nil {
			db, err = nil, fmt.Errorf("%w: %v", ErrDamaged, p)
		}
	}()
	db, err = pebble.Open(dir, o)
	if errors.Is(err, pebble.ErrCorruption) {
		err = fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	return db, err
}

// Err gives the first failure of the disk: nothing that was committed after it is durable.
func (s *Store) Err() error { return s.guard.err() }

// ApplyNoSyncWait applies a batch; Wait tells when it is durable.
func (s *Store) ApplyNoSyncWait(b *pebble.Batch, o *pebble.WriteOptions) error {
	return s.guard.seal.apply(s.DB, b, o)
}

// Wait returns when a batch that was applied with ApplyNoSyncWait is durable.
func (s *Store) Wait(b *pebble.Batch) error {
	if err := b.SyncWait(); err != nil {
		return err
	}
	if err := s.Err(); err != nil {
		return err
	}
	if err := s.guard.seal.acknowledged(b); err != nil {
		return s.guard.fail("write", sealName, err)
	}
	return nil
}

// Close closes the store; an error tells that not all of it is on disk.
func (s *Store) Close() error {
	err := errors.Join(s.DB.Close(), s.guard.seal.close())
	if failed := s.Err(); failed != nil {
		return failed
	}
	return err
}

// Get reads a copy of a value from a store or a snapshot of it; nil means that there is none.
func Get(r pebble.Reader, key []byte) ([]byte, error) {
	v, closer, err := r.Get(key)
	if errors.Is(err, pebble.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read store: %w", err)
	}
	out := append([]byte{}, v...)
	return out, closer.Close()
}

// Bounds gives the half-open range of all keys that begin with prefix, which must not be empty.
func Bounds(prefix []byte) (lower, upper []byte) {
	upper = append([]byte(nil), prefix...)
	for i := len(upper) - 1; i >= 0; i-- {
		if upper[i]++; upper[i] != 0 {
			return prefix, upper[:i+1]
		}
	}
	return prefix, nil
}

// Logger passes errors of a store on to log, named name, and its chatter not. A nil log drops all.
func Logger(log *slog.Logger, name string) pebble.Logger {
	if log == nil {
		log = slog.New(slog.NewTextHandler(io.Discard, nil))
	}
	return storeLog{log: log, name: name}
}

type storeLog struct {
	log  *slog.Logger
	name string
}

// Infof drops the running commentary of the store.
func (storeLog) Infof(string, ...any) {}

// Errorf logs a failure that the store will try to get over, such as a full disk.
func (l storeLog) Errorf(format string, args ...any) {
	l.log.Error(l.name+" store", slog.String("error", fmt.Sprintf(format, args...)))
}

// Fatalf ends the program: the store found itself in a state that cannot be. (A disk that fails does not lead here:
// the guard sees to that.) Everything acknowledged is on disk, and opening again is the normal path.
func (l storeLog) Fatalf(format string, args ...any) {
	panic(l.name + " store: " + fmt.Sprintf(format, args...))
}
