// Package whole writes files that are there whole or not at all: whoever reads, and whatever a kill or a power cut leaves,
// finds the old content or the new one.
//
//	write into a new file beside it, sync, rename over the old one, sync the folder
//
// When a function returns without an error, the file and its name are durable. A kill can leave a file of the name
// .NAME.new-* behind, which nobody reads. Cost: two syncs a file. For files that grow there is archive/journal.
package whole

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// File makes or replaces a file with what write writes, in a folder that is there. After an error the old content is
// there.
func File(path string, perm fs.FileMode, write func(io.Writer) error) (err error) {
	dir := filepath.Dir(path)
	f, err := os.CreateTemp(dir, "."+filepath.Base(path)+".new-*")
	if err != nil {
		return err
	}
	err = write(f)
	if err = errors.Join(err, f.Chmod(perm), f.Sync(), f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return SyncDir(dir)
}

// Bytes makes or replaces a file that has this content.
func Bytes(path string, perm fs.FileMode, content []byte) error {
	return File(path, perm, func(w io.Writer) error {
		_, err := w.Write(content)
		return err
	})
}

// JSON makes or replaces a file that people may read, too: the value as JSON, indented.
func JSON(path string, perm fs.FileMode, value any) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(value); err != nil {
		return err
	}
	return Bytes(path, perm, b.Bytes())
}

// SyncDir makes what was created, renamed and removed in a folder durable.
func SyncDir(dir string) error {
	d, err := os.Open(filepath.Clean(dir))
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
