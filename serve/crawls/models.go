package crawls

import (
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"varve/archive/catalog"
	"varve/learn"
	"varve/spam/desk"
	"varve/spam/filter"
)

// maxModels bounds the models that are looked at, newest first.
const maxModels = 8

// Models lists the spam models of a collection that a crawl can use, newest first, as definitions name them: by their
// path from the archive's folder.
func Models(col *catalog.Collection) []string {
	dir := desk.ModelDir(col.Dir())
	list, err := os.ReadDir(dir)
	if err != nil {
		return nil // there are none
	}
	var names []string
	for _, e := range list {
		if strings.HasSuffix(e.Name(), ".model") && e.Type().IsRegular() {
			names = append(names, e.Name())
		}
	}
	slices.Reverse(names) // they have their time in their names
	var out []string
	for _, name := range names[:min(len(names), maxModels)] {
		if usable(filepath.Join(dir, name)) {
			out = append(out, path.Join("collections", col.Name, filepath.Base(dir), name))
		}
	}
	return out
}

// usable tells whether a crawl can work with a model: it may need no more than what a crawl sees.
func usable(file string) bool {
	f, err := os.Open(file)
	if err != nil {
		return false
	}
	defer f.Close()
	m, err := learn.ReadModel(f)
	if err != nil {
		return false
	}
	_, err = filter.New(m)
	return err == nil
}
