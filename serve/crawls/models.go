package crawls

import (
	"os"
	"path"
	"path/filepath"

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
	models, err := desk.Models(col.Dir(), "")
	if err != nil {
		return nil // there are none
	}
	var out []string
	for _, file := range models[:min(len(models), maxModels)] {
		if usable(file) {
			out = append(out, path.Join("collections", col.Name, filepath.Base(desk.ModelDir(col.Dir())), filepath.Base(file)))
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
