package evidence

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"varve/archive/store"
)

// Source is a file of records.
type Source struct {
	Path string
	Side int          // 0 or 1: compare tells captures of two sides apart
	From store.Source // opens it where it may not lie on the disk; nil: it does
}

// extensions are the ends of names of files that a directory is searched for.
var extensions = []string{".warc", ".warc.gz", ".warc.zst", ".arc", ".arc.gz"}

// Sources gives the files of a path: itself, or all WARC and ARC files below a directory, sorted. A
// file that a crawl still writes (.open) is not among them.
func Sources(path string, side int) ([]Source, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return []Source{{Path: path, Side: side}}, nil
	}
	var out []Source
	err = filepath.WalkDir(path, func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && isRecords(name) {
			out = append(out, Source{Path: name, Side: side})
		}
		return err
	})
	if err == nil && len(out) == 0 {
		err = fmt.Errorf("%s: no WARC or ARC file in it: %w", path, fs.ErrNotExist)
	}
	return out, err
}

func isRecords(name string) bool {
	name = strings.ToLower(name)
	return slices.ContainsFunc(extensions, func(e string) bool { return strings.HasSuffix(name, e) })
}
