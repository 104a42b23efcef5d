package fixity

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"varve/archive/catalog"
	"varve/archive/store"
)

// Object is a file that is kept.
type Object struct {
	File  string // as in the ledger
	Path  string // where it lies
	Grows bool   // a journal: new lines are no change
	Size  int64
	From  store.Source // opens it where it may not lie on the disk; nil: it does
}

// ledgerName is the ledger in the folder of a collection.
const ledgerName = "fixity.jsonl"

// LedgerFile is where the ledger of a collection lies.
func LedgerFile(col *catalog.Collection) string { return filepath.Join(col.Dir(), ledgerName) }

// ManifestFile is where its manifest lies.
func ManifestFile(col *catalog.Collection) string {
	return filepath.Join(col.Dir(), "manifest-sha256.txt")
}

// Objects lists the files of a collection that are kept: all finished WARC, ARC and CDX files, wherever they lie,
// and the journals of its curators.
func Objects(col *catalog.Collection) ([]Object, error) {
	files, err := col.Files()
	if err != nil {
		return nil, err
	}
	var out []Object
	for _, f := range files {
		o := Object{File: f.Path, Path: f.Path, From: f.From}
		if rel, err := filepath.Rel(col.Dir(), f.Path); err == nil && !f.InPlace {
			o.File = filepath.ToSlash(rel)
		}
		out = append(out, o)
	}
	labels, err := filepath.Glob(filepath.Join(col.Dir(), "labels", "*.jsonl"))
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(col.ReferencesFile()); err == nil {
		labels = append(labels, col.ReferencesFile())
	}
	for _, path := range labels {
		rel, err := filepath.Rel(col.Dir(), path)
		if err != nil {
			return nil, err
		}
		out = append(out, Object{File: filepath.ToSlash(rel), Path: path, Grows: true})
	}
	for i := range out {
		if info, err := store.Stat(out[i].Path, out[i].From); err == nil {
			out[i].Size = info.Size
		}
	}
	return out, nil
}

// pathOf tells where a file of the ledger would lie. Paths that lead out of the collection are only taken when absolute:
// those are files imported in place, or were. They are opened only as long as the list of those names them (outside): a
// ledger that was forged does not lead an audit to other files of the machine.
func pathOf(col *catalog.Collection, file string) (string, error) {
	if filepath.IsAbs(file) {
		return file, nil
	}
	if !fs.ValidPath(file) || strings.Contains(file, `\`) {
		return "", &fs.PathError{Op: "open", Path: file, Err: fs.ErrInvalid}
	}
	return filepath.Join(col.Dir(), filepath.FromSlash(file)), nil
}

// outside reports whether a file of the ledger lies outside of the collection and is not, or not any more, imported in place.
func outside(file string, objects []Object) bool {
	return filepath.IsAbs(file) && !slices.ContainsFunc(objects, func(o Object) bool { return o.File == file })
}

// sourceOf is how a file of the ledger is opened that is one of the objects.
func sourceOf(file string, objects []Object) store.Source {
	for _, o := range objects {
		if o.File == file {
			return o.From
		}
	}
	return nil
}
