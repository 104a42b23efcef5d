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
}

// ReferencesFile is the list of files that were imported in place.
func (c *Collection) ReferencesFile() string { return filepath.Join(c.dir, referencesFile) }

// References lists the files that were imported in place, by name.
func (c *Collection) References() ([]Reference, error) {
	c.refs.mu.Lock()
	defer c.refs.mu.Unlock()
	info, err := os.Stat(c.ReferencesFile())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err == nil && info.Size() == c.refs.size && info.ModTime().Equal(c.refs.time) {
		return c.refs.list, nil
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
	if err != nil {
		return nil, fmt.Errorf("references of collection %s: %w", c.Name, err)
	}
	c.refs.size, c.refs.time, c.refs.list = int64(len(text)), info.ModTime(), list
	return list, nil
}

// parseReferences reads the list. A last line that is not whole is a torn write and does not count.
func parseReferences(text []byte) ([]Reference, error) {
	head, rest, ok := bytes.Cut(text, []byte("\n"))
	if !ok {
		return nil, nil // torn before the first reference
	}
	var format struct {
		Format  string `json:"format"`
		Version int    `json:"version"`
	}
	if err := json.Unmarshal(head, &format); err != nil || format.Format != "varve-references" || format.Version != 1 {
		return nil, fmt.Errorf("line 1: not the start of a list of version 1: %.80q", head)
	}
	byName := map[string]Reference{}
	for n := 2; len(rest) > 0; n++ {
		line, after, whole := bytes.Cut(rest, []byte("\n"))
		if !whole && !json.Valid(line) {
			break
		}
		rest = after
		var r Reference
		if err := json.Unmarshal(line, &r); err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		if r.Name == "" || r.Path == "" || r.Kind != KindWARC && r.Kind != KindCDX {
			return nil, fmt.Errorf("line %d: name, path or kind is missing: %.80q", n, line)
		}
		byName[r.Name] = r
	}
	out := make([]Reference, 0, len(byName))
	for _, r := range byName {
		if !r.Gone {
			out = append(out, r)
		}
	}
	slices.SortFunc(out, func(a, b Reference) int { return cmp.Compare(a.Name, b.Name) })
	return out, nil
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
