package frontier

import (
	"errors"
	"fmt"
	"strings"

	"github.com/cockroachdb/pebble/v2"

	"varve/archive/durable"
)

// Step is what became of a URL in the queue.
type Step uint8

// The steps that a watcher is told of.
const (
	Entered  Step = iota // queued for the first time, or raised to another band
	Left                 // done, dropped, or raised to another band
	Rescored             // still there, and worth more or less
)

// Watcher is told of every URL that enters the queue or leaves it for good, in the order of the commits. One
// that changes its band leaves and enters; small changes of scores are not told. It is called while the commit is built and before it is durable, so it must be quick
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

// Notes gives the notes that were kept by name; where prefixes are given, those whose names begin with one of them.
func (f *Frontier) Notes(prefixes ...string) (map[string][]byte, error) {
	if len(prefixes) == 0 {
		prefixes = []string{""}
	}
	out := map[string][]byte{}
	for _, p := range prefixes {
		err := f.EachNote(p, func(name string, note []byte) error {
			out[name] = append([]byte(nil), note...)
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// EachNote goes through the notes whose names begin with a prefix, in order, as they were when it began. The note is the
// callee's until it returns; it may call the frontier.
func (f *Frontier) EachNote(prefix string, each func(name string, note []byte) error) error {
	if err := f.enter(); err != nil {
		return err
	}
	defer f.leave()
	lower, upper := durable.Bounds(noteKey(nil, prefix))
	it, err := f.db.NewIter(&pebble.IterOptions{LowerBound: lower, UpperBound: upper})
	if err != nil {
		return fmt.Errorf("read notes: %w", err)
	}
	for ok := it.First(); ok && err == nil; ok = it.Next() {
		err = each(strings.Clone(string(it.Key()[1:])), it.Value())
	}
	return errors.Join(err, it.Error(), it.Close())
}

// NoteOf gives one note that was kept by name, or nil.
func (f *Frontier) NoteOf(name string) ([]byte, error) {
	if err := f.enter(); err != nil {
		return nil, err
	}
	defer f.leave()
	return durable.Get(f.db, noteKey(nil, name))
}
