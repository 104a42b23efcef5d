package durable

import (
	"errors"
	"fmt"
	"io"
	"log/slog"

	"github.com/cockroachdb/pebble/v2"
)

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

// Fatalf ends the program: the store must not go on, for instance after a failed write to its
// log. Everything acknowledged is on disk, and opening again is the normal path.
func (l storeLog) Fatalf(format string, args ...any) {
	panic(l.name + " store: " + fmt.Sprintf(format, args...))
}
