package frontier

import (
	"errors"
	"fmt"
	"strings"

	"github.com/cockroachdb/pebble/v2"
)

// Step is what became of a URL in the queue.
type Step uint8

// The steps that a watcher is told of.
const (
	Entered Step = iota // queued for the first time, or raised to another band
	Left                // done, dropped, or raised to another band
)

// Watcher is told of every URL that enters the queue or leaves it for good, in the order of the commits. One
// that changes its band leaves and enters. It is called while the commit is built and before it is durable, so it must be quick
// and must not call the frontier. The item is its own to read until it returns.
type Watcher func(s Step, it *Item)

// Watch sets the watcher. It is called before the first URL is added or taken.
func (f *Frontier) Watch(w Watcher) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.watcher = w
}

func (t *tx) tell(s Step, h *host, it *Item) {
	if t.f.watcher == nil {
		return
	}
	told := *it
	told.Host, told.Domain = h.name, h.domain
	t.f.watcher(s, &told)
}

// setNotes keeps notes by name; an empty one is deleted.
func (t *tx) setNotes(notes map[string][]byte) error {
	for name, note := range notes {
		t.keyBuf = noteKey(t.keyBuf[:0], name)
		var err error
		if len(note) == 0 {
			err = t.batch.Delete(t.keyBuf, nil)
		} else {
			err = t.batch.Set(t.keyBuf, note, nil)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func noteKey(b []byte, name string) []byte { return append(append(b, spaceNote), name...) }

// Notes gives the notes that were kept by name.
func (f *Frontier) Notes() (map[string][]byte, error) {
	if err := f.enter(); err != nil {
		return nil, err
	}
	defer f.leave()
	lower, upper := spaceBounds(spaceNote)
	it, err := f.db.NewIter(&pebble.IterOptions{LowerBound: lower, UpperBound: upper})
	if err != nil {
		return nil, fmt.Errorf("read notes: %w", err)
	}
	out := map[string][]byte{}
	for ok := it.First(); ok; ok = it.Next() {
		out[strings.Clone(string(it.Key()[1:]))] = append([]byte(nil), it.Value()...)
	}
	return out, errors.Join(it.Error(), it.Close())
}
