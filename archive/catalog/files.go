package catalog

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"varve"
	"varve/archive/store"
)

// Kind says what a file of a collection is.
type Kind string

// The kinds of files.
const (
	KindWARC Kind = "warc" // WARC or ARC
	KindCDX  Kind = "cdx"  // index lines of another tool, for WARC files that may not be here
)

// File is a finished file of a collection.
type File struct {
	Name    string `json:"name"` // by which index lines call it; unique in the collection
	Path    string `json:"path"` // where it lies, or would lie if it were not in a store
	Kind    Kind   `json:"kind"`
	InPlace bool   `json:"inPlace,omitempty"` // it lies outside of the archive
	Stored  bool   `json:"stored,omitempty"`  // it lies in a store, and not on the disk

	From store.Source `json:"-"` // opens it wherever it lies; nil: it can only be at Path
}

// Open opens the file wherever it lies.
func (f File) Open() (store.Object, error) { return store.Open(f.Path, f.From) }

// Stat says what the file is, wherever it lies.
func (f File) Stat() (store.Info, error) { return store.Stat(f.Path, f.From) }

// IndexDir is where an index of the collection lies: "cdx", "temporal", ...
func (c *Collection) IndexDir(name string) string { return filepath.Join(c.dir, "index", name) }

// CDXDir is where imported index lines of other tools lie.
func (c *Collection) CDXDir() string { return filepath.Join(c.dir, "cdx") }

// KindOf tells by its name what a file is; ok is false for files that are none of ours, and for WARC
// files that are still being written.
func KindOf(name string) (kind Kind, ok bool) {
	base := strings.ToLower(name)
	for _, packed := range []string{".gz", ".zst"} {
		base = strings.TrimSuffix(base, packed)
	}
	switch filepath.Ext(base) {
	case ".warc", ".arc":
		return KindWARC, true
	case ".cdx", ".cdxj":
		return KindCDX, true
	}
	return "", false
}

// Files lists the finished files of the collection by name: those in its folders, those that lie in a store and those that were
// imported in place. Whoever reads a collection asks here.
func (c *Collection) Files() ([]File, error) {
	var out []File
	for _, dir := range []string{c.WarcDir(), c.CDXDir()} {
		list, err := filesIn(dir)
		if err != nil {
			return nil, fmt.Errorf("list files of %s: %w", c.Name, err)
		}
		out = append(out, list...)
	}
	out, err := c.withObjects(out)
	if err != nil {
		return nil, err
	}
	refs, err := c.References()
	if err != nil {
		return nil, err
	}
	for _, r := range refs {
		out = append(out, File{Name: r.Name, Path: r.Path, Kind: r.Kind, InPlace: true})
	}
	slices.SortFunc(out, func(a, b File) int { return cmp.Compare(a.Name, b.Name) })
	return out, nil
}

// WARCs lists the finished WARC and ARC files of the collection by name.
func (c *Collection) WARCs() ([]File, error) {
	files, err := c.Files()
	return slices.DeleteFunc(files, func(f File) bool { return f.Kind != KindWARC }), err
}

// filesIn lists the files of a folder; none if it is not there.
func filesIn(dir string) (out []File, err error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for _, e := range entries {
		if kind, ok := KindOf(e.Name()); ok && !e.IsDir() {
			out = append(out, File{Name: e.Name(), Path: filepath.Join(dir, e.Name()), Kind: kind})
		}
	}
	return out, err
}

// Find returns the WARC file that index lines call by a name. Names come from index files of others too, so they are checked.
func (c *Collection) Find(name string) (File, error) {
	notFound := &varve.Error{
		Kind: varve.NotFound, Op: fmt.Sprintf("find file %q of collection %s", name, c.Name), Msg: "it is not there",
		Hint: "'varve import' adds WARC files to a collection",
	}
	if name == "" || name != filepath.Base(name) || strings.ContainsAny(name, "/\\\x00") || strings.HasPrefix(name, ".") {
		// A name with folders is one of another tool; only its last part can be ours.
		base := filepath.Base(filepath.ToSlash(name))
		if base == "" || base == name || strings.HasPrefix(base, ".") || strings.ContainsAny(base, "/\\\x00") {
			return File{}, notFound
		}
		name = base
	}
	f := File{Name: name, Path: filepath.Join(c.WarcDir(), name), Kind: KindWARC}
	objects, err := c.knownObjects()
	if err != nil {
		return File{}, err
	}
	if c.mayBeStored(objects) {
		f.From = &source{c, name, f.Path}
	}
	if info, err := os.Stat(f.Path); err == nil && info.Mode().IsRegular() {
		return f, nil
	}
	if _, f.Stored = objects[name]; f.Stored {
		return f, nil
	}
	refs, err := c.References()
	if err != nil {
		return File{}, err
	}
	i, ok := slices.BinarySearchFunc(refs, name, func(r Reference, n string) int { return cmp.Compare(r.Name, n) })
	if !ok {
		return File{}, notFound
	}
	return File{Name: name, Path: refs[i].Path, Kind: KindWARC, InPlace: true}, nil
}
