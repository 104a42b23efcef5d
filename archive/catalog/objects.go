package catalog

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"varve"
	"varve/archive/journal"
	"varve/archive/store"
)

// Finished WARC files may lie in a store beyond the machine (archive/store). Which ones do is told by objects.jsonl: a line that
// names the format, then one object a line, appended and synced; the last line about a name counts. So a collection can be listed
// without asking the store. docs/formats/objects.md draws it.
const (
	objectsFile   = "objects.jsonl"
	objectsFormat = `{"format":"varve-objects","version":1}`
	maxObjects    = 1 << 30
)

// Did is what happened to an object.
type Did string

// What happens to objects.
const (
	DidStore  Did = "stored"   // the store has it, and its digest is right
	DidRecall Did = "recalled" // it lies on the disk again; the object is to be deleted
	DidDelete Did = "deleted"  // the object is gone from the store
)

// Object is a file of a collection that lies, or lay, in a store.
type Object struct {
	Time    time.Time `json:"time"`
	Did     Did       `json:"did"`
	Name    string    `json:"name"` // of the file
	Key     string    `json:"key"`
	Size    int64     `json:"size"`
	SHA256  string    `json:"sha256"`
	Changed time.Time `json:"changed"` // of the file, so that indexes know it again
	Store   string    `json:"store"`   // where, for people
}

// Info says what the store has.
func (o *Object) Info() store.Info {
	return store.Info{Key: o.Key, Size: o.Size, SHA256: o.SHA256, Changed: o.Changed}
}

// objectCache keeps what was read of the list, until the file is another one.
type objectCache struct {
	mu       sync.Mutex
	size     int64
	time     time.Time
	stored   map[string]Object // that a store has
	recalled map[string]Object // that are still to be deleted from it
	lost     error
}

// ObjectsFile is the list of files that lie in a store.
func (c *Collection) ObjectsFile() string { return filepath.Join(c.dir, objectsFile) }

// ObjectKey is the key of a WARC file of the collection in a store.
func (c *Collection) ObjectKey(name string) string { return "collections/" + c.Name + "/warc/" + name }

// Objects returns what a store has of the collection, by file name.
func (c *Collection) Objects() (map[string]Object, error) {
	known, err := c.knownObjects()
	return maps.Clone(known), err
}

// Recalled returns the objects that lie on the disk again and are still to be deleted from the store, by file name.
func (c *Collection) Recalled() (map[string]Object, error) {
	c.objects.mu.Lock()
	defer c.objects.mu.Unlock()
	err := c.readObjects()
	return maps.Clone(c.objects.recalled), err
}

// UnreadObjects names the lines of the list that cannot be read; nil if there are none. 'varve archive rescan' makes up for them.
func (c *Collection) UnreadObjects() error {
	c.objects.mu.Lock()
	defer c.objects.mu.Unlock()
	if err := c.readObjects(); err != nil {
		return err
	}
	return c.objects.lost
}

// knownObjects is Objects for readers: the map is not to be changed.
func (c *Collection) knownObjects() (map[string]Object, error) {
	c.objects.mu.Lock()
	defer c.objects.mu.Unlock()
	err := c.readObjects()
	return c.objects.stored, err
}

// readObjects reads the list if it changed. The lock of the cache is held.
func (c *Collection) readObjects() error {
	o := &c.objects
	info, err := os.Stat(c.ObjectsFile())
	if errors.Is(err, fs.ErrNotExist) {
		o.size, o.time, o.stored, o.recalled, o.lost = 0, time.Time{}, nil, nil, nil
		return nil
	}
	if err == nil && info.Size() == o.size && info.ModTime().Equal(o.time) {
		return nil
	}
	if err == nil && info.Size() > maxObjects {
		err = fmt.Errorf("larger than %d bytes", maxObjects)
	}
	var text []byte
	if err == nil {
		text, err = os.ReadFile(c.ObjectsFile())
	}
	var stored, recalled map[string]Object
	if err == nil {
		stored, recalled, err = parseObjects(text)
	}
	lost, err := journal.Lost(err)
	if err != nil {
		return fmt.Errorf("objects of collection %s: %w", c.Name, err)
	}
	o.size, o.time, o.stored, o.recalled, o.lost = int64(len(text)), info.ModTime(), stored, recalled, lost.Err()
	return nil
}

// parseObjects reads the list. Lines that cannot be read are named by a *journal.BadLines beside the others. A list of another
// version is not read.
func parseObjects(text []byte) (stored, recalled map[string]Object, err error) {
	type line struct {
		Format  string `json:"format"`
		Version int    `json:"version"`
		Object
	}
	stored, recalled = map[string]Object{}, map[string]Object{}
	var other error
	lost := journal.EachOf(bytes.NewReader(text), objectsFile, func(l line) error {
		o := l.Object
		switch {
		case l.Format != "":
			if l.Format != "varve-objects" || l.Version != 1 {
				other = fmt.Errorf("it is %.40q of version %d, and this program reads version 1 of \"varve-objects\"", l.Format, l.Version)
			}
			return nil
		case o.Name == "" || o.Name != filepath.Base(o.Name) || strings.HasPrefix(o.Name, ".") || o.Size < 0 || len(o.SHA256) != 64:
			return errors.New("name, size or digest is missing")
		case store.CheckKey(o.Key) != nil:
			return store.CheckKey(o.Key)
		}
		delete(stored, o.Name)
		delete(recalled, o.Name)
		switch o.Did {
		case DidStore:
			stored[o.Name] = o
		case DidRecall:
			recalled[o.Name] = o
		case DidDelete:
		default:
			return fmt.Errorf("%.40q is nothing that happens to objects", o.Did)
		}
		return nil
	})
	if other != nil {
		return nil, nil, other
	}
	return stored, recalled, lost
}

// NoteObjects appends to the list and returns when it is durable.
func (c *Collection) NoteObjects(list ...Object) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	for _, o := range list {
		if err := enc.Encode(o); err != nil {
			return fmt.Errorf("note object %s: %w", o.Name, err)
		}
	}
	return journal.Update(c.ObjectsFile(), 0o644, func(size int64) ([]byte, error) {
		if size == 0 {
			return append([]byte(objectsFormat+"\n"), b.Bytes()...), nil
		}
		return b.Bytes(), nil
	})
}

// mayBeStored reports whether files of the collection can lie in a store.
func (c *Collection) mayBeStored(objects map[string]Object) bool {
	return c.opener != nil || len(objects) > 0
}

// withObjects adds the files that lie only in a store to those on the disk, and lets all of them be opened wherever they lie: one
// on the disk may be removed from there by another process once the store has it.
func (c *Collection) withObjects(files []File) ([]File, error) {
	objects, err := c.knownObjects()
	if err != nil || !c.mayBeStored(objects) {
		return files, err
	}
	here := map[string]bool{}
	for i := range files {
		if f := &files[i]; f.Kind == KindWARC {
			here[f.Name] = true
			f.From = &source{c, f.Name, f.Path}
		}
	}
	for name := range objects {
		if kind, ok := KindOf(name); ok && !here[name] {
			path := filepath.Join(c.WarcDir(), name)
			files = append(files, File{Name: name, Path: path, Kind: kind, Stored: true, From: &source{c, name, path}})
		}
	}
	return files, nil
}

// source opens a WARC file of a collection: on the disk if it is there, else in the store.
type source struct {
	col        *Collection
	name, path string
}

// Open opens the file.
func (s *source) Open() (store.Object, error) {
	o, err := store.Open(s.path, nil)
	if !errors.Is(err, fs.ErrNotExist) {
		return o, err
	}
	known, ok, listErr := s.object()
	switch {
	case listErr != nil:
		return nil, listErr
	case !ok:
		return nil, err
	case s.col.opener == nil:
		return nil, &varve.Error{
			Kind: varve.Unavailable, Op: "open " + s.name, Msg: "it lies in a store, and varve.toml of the archive does not say how that is reached",
			Hint: "objects.jsonl of the collection tells which store; 'varve archive status' tells more",
		}
	}
	o, err = s.col.opener.OpenKnown(known.Info())
	if err != nil {
		return nil, fmt.Errorf("open %s in the store: %w", s.name, err)
	}
	return o, nil
}

// Stat says what the file is; of an object, what it was when it was put.
func (s *source) Stat() (store.Info, error) {
	info, err := store.Stat(s.path, nil)
	if !errors.Is(err, fs.ErrNotExist) {
		return info, err
	}
	known, ok, listErr := s.object()
	if listErr != nil {
		return info, listErr
	}
	if !ok {
		return info, err
	}
	return known.Info(), nil
}

func (s *source) object() (Object, bool, error) {
	objects, err := s.col.knownObjects()
	o, ok := objects[s.name]
	return o, ok, err
}
