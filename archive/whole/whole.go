// Package whole writes files that are there whole or not at all: whoever reads, and whatever a kill or a power cut leaves,
// finds the old content or the new one.
//
//	write into a new file beside it, sync, rename over the old one, sync the folder
//
// When a function returns without an error, the file and its name are durable. A kill can leave a file of the name
// .NAME.new behind, which nobody reads and the next writer of NAME writes over. Cost: two syncs a file. For files that grow there is
// archive/journal, for temporary ones Folder and Scratch.
package whole

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// File makes or replaces a file with what write writes, in a folder that is there. After an error the old content is
// there.
func File(path string, perm fs.FileMode, write func(io.Writer) error) (err error) {
	dir := filepath.Dir(path)
	f, err := begin(dir, "."+filepath.Base(path)+".new")
	if err != nil {
		return err
	}
	err = write(f)
	if err = errors.Join(err, f.Chmod(perm), f.Sync()); err == nil {
		err = os.Rename(f.Name(), path) // while it is locked: who waits for the name finds that it is another file now
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()), f.Close())
	}
	return errors.Join(f.Close(), SyncDir(dir))
}

// begin opens the new file, empty and for us alone: it is locked until it is closed, so what a killed process left can be told from what
// another one writes now.
func begin(dir, name string) (*os.File, error) {
	for {
		f, err := os.OpenFile(filepath.Join(dir, name), os.O_CREATE|os.O_RDWR, 0o600)
		if err != nil {
			return nil, err
		}
		if syscall.Flock(int(f.Fd()), syscall.LOCK_EX) != nil { // some file systems have no locks
			_ = f.Close() // nothing was written
			return os.CreateTemp(dir, name+"-*")
		}
		ours, err := f.Stat()
		there, gone := os.Stat(f.Name())
		if err == nil && gone == nil && os.SameFile(ours, there) {
			if err = f.Truncate(0); err == nil {
				return f, nil
			}
		}
		if err = errors.Join(err, f.Close()); err != nil {
			return nil, err
		}
	}
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
