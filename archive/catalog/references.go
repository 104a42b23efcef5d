package catalog

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"varve"
	"varve/archive/journal"
)

// A collection may have files that lie elsewhere: 10 TB are not copied to be imported. The list of
// them is references.jsonl: a line that names the format, then one object a line, appended and
// synced; a later line about a name replaces an earlier one. docs/formats/references.md draws it.
const (
	referencesFile   = "references.jsonl"
	referencesFormat = `{"format":"varve-references","version":1}`
	maxReferences    = 1 << 30
)

// Reference is a file that was imported in place.
type Reference struct {
	Name  string    `json:"name"`
	Path  string    `json:"path"`
	Kind  Kind      `json:"kind"`
	Size  int64     `json:"size"`
	Added time.Time `json:"added"`
	Gone  bool      `json:"gone,omitempty"` // it does not belong to the collection any more
}

// referenceCache keeps what was read of the list, until the file is another one.
type referenceCache struct {
	mu   sync.Mutex
	size int64
	time time.Time
	list []Reference
	lost error // lines that cannot be read
}

// ReferencesFile is the list of files that were imported in place.
func (c *Collection) ReferencesFile() string { return filepath.Join(c.dir, referencesFile) }

// References lists the files that were imported in place, by name: those whose lines can be read. UnreadReferences tells of the
// others.
func (c *Collection) References() ([]Reference, error) {
	c.refs.mu.Lock()
	defer c.refs.mu.Unlock()
	if err := c.readReferences(); err != nil {
		return nil, err
	}
	return c.refs.list, nil
}

// UnreadReferences names the lines of the list that cannot be read; nil if there are none. The files they tell of are missing
// in the collection until the lines are mended; nothing else is.
func (c *Collection) UnreadReferences() error {
	c.refs.mu.Lock()
	defer c.refs.mu.Unlock()
	if err := c.readReferences(); err != nil {
		return err
	}
	return c.refs.lost
}

// readReferences reads the list if it changed. The lock of the cache is held.
func (c *Collection) readReferences() error {
	info, err := os.Stat(c.ReferencesFile())
	if errors.Is(err, fs.ErrNotExist) {
		c.refs.size, c.refs.time, c.refs.list, c.refs.lost = 0, time.Time{}, nil, nil
		return nil
	}
	if err == nil && info.Size() == c.refs.size && info.ModTime().Equal(c.refs.time) {
		return nil
	}
	if err == nil && info.Size() > maxReferences {
		err = fmt.Errorf("larger than %d bytes", maxReferences)
	}
	var text []byte
	if err == nil {
		text, err = os.ReadFile(c.ReferencesFile())
	}
	var list []Reference
	if err == nil {
		list, err = parseReferences(text)
	}
	lost, err := journal.Lost(err)
	if err != nil {
		return fmt.Errorf("references of collection %s: %w", c.Name, err)
	}
	c.refs.size, c.refs.time, c.refs.list, c.refs.lost = int64(len(text)), info.ModTime(), list, lost.Err()
	return nil
}

// parseReferences reads the list. Lines that cannot be read are named by a *journal.BadLines beside the others; a last line that is
// not whole is a torn write and does not count. A list of another version is not read.
func parseReferences(text []byte) ([]Reference, error) {
	type line struct {
		Format  string `json:"format"`
		Version int    `json:"version"`
		Reference
	}
	byName := map[string]Reference{}
	begun := false
	var other error
	lost := journal.EachOf(bytes.NewReader(text), referencesFile, func(l line) error {
		r := l.Reference
		switch {
		case !begun && l.Format == "varve-references":
			begun = true
			if l.Version != 1 {
				other = fmt.Errorf("it is of version %d, and this program reads version 1", l.Version)
			}
			return nil
		case !begun:
			begun = true
			if r.Name == "" {
				return errors.New("not the start of a list")
			}
		}
		if r.Name == "" || r.Path == "" || r.Kind != KindWARC && r.Kind != KindCDX {
			return errors.New("name, path or kind is missing")
		}
		byName[r.Name] = r
		return nil
	})
	if other != nil {
		return nil, other
	}
	out := make([]Reference, 0, len(byName))
	for _, r := range byName {
		if !r.Gone {
			out = append(out, r)
		}
	}
	slices.SortFunc(out, func(a, b Reference) int { return cmp.Compare(a.Name, b.Name) })
	return out, lost
}

// AddReferences appends to the list of files that lie elsewhere and returns when it is durable. The
// caller holds the lock of the collection.
func (c *Collection) AddReferences(refs ...Reference) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	for _, r := range refs {
		if !filepath.IsAbs(r.Path) || r.Name != filepath.Base(r.Name) {
			return &varve.Error{Kind: varve.Invalid, Op: "refer to " + r.Path, Msg: "the path must be absolute and the name a plain file name"}
		}
		if err := enc.Encode(r); err != nil {
			return fmt.Errorf("refer to %s: %w", r.Path, err)
		}
	}
	return journal.Update(c.ReferencesFile(), 0o644, func(size int64) ([]byte, error) {
		if size == 0 {
			return append([]byte(referencesFormat+"\n"), b.Bytes()...), nil
		}
		return b.Bytes(), nil
	})
}
