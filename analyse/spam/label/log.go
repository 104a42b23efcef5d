package label

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"varve/archive/journal"
)

// Log is the label file of a collection. It may not exist yet.
type Log struct{ path string }

// Open gives the log of spam labels of a collection that lies in dir.
func Open(dir string) *Log { return &Log{filepath.Join(dir, "labels", "spam.jsonl")} }

// Path is where the log lies.
func (l *Log) Path() string { return l.path }

// All reads all entries, oldest line first; none where there is no file.
func (l *Log) All() (out []Entry, err error) {
	f, err := os.Open(l.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	err = Read(f, func(e Entry) error { out = append(out, e); return nil })
	if err != nil {
		return nil, fmt.Errorf("%s: %w", l.path, err)
	}
	return out, nil
}

// Latest reads the entry in force of each host.
func (l *Log) Latest() (map[string]Entry, error) {
	all, err := l.All()
	return Latest(all), err
}

// Append adds entries and returns when they are on disk. All are checked before the first is written.
func (l *Log) Append(entries ...Entry) error {
	return l.update(func() ([]Entry, error) { return entries, nil })
}

// update adds the entries that give gives, while no other process writes. Readers do not lock: they see whole
// lines, or pass over the last.
func (l *Log) update(give func() ([]Entry, error)) error {
	return journal.Update(l.path, 0o644, func(size int64) ([]byte, error) {
		entries, err := give()
		if err != nil || len(entries) == 0 {
			return nil, err
		}
		var head []byte
		if size == 0 {
			head = appendHeader(nil)
		}
		return appendLines(head, entries)
	})
}
