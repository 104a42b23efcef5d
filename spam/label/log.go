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

// All reads all entries, oldest line first; none where there is no file. Lines that are no entries are passed over: Unread names them.
func (l *Log) All() ([]Entry, error) {
	out, bad, err := l.read()
	if bad != nil {
		return out, nil
	}
	return out, err
}

// Unread names the lines of the log that are no entries; nil if all are. They do not count, and hide nothing else.
func (l *Log) Unread() error {
	_, bad, err := l.read()
	if bad != nil {
		return fmt.Errorf("%s: %w", l.path, bad)
	}
	return err
}

func (l *Log) read() (out []Entry, bad *journal.BadLines, err error) {
	f, err := os.Open(l.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	err = Read(f, func(e Entry) error { out = append(out, e); return nil })
	if errors.As(err, &bad) {
		return out, bad, nil
	}
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", l.path, err)
	}
	return out, nil, nil
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
