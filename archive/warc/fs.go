package warc

import (
	"errors"
	"io"
	"io/fs"
	"os"

	"varve/archive/whole"
)

// FS is what a Writer needs of a file system. Tests hand in one that loses what was not synced.
type FS interface {
	Create(name string) (Handle, error) // must not exist
	Open(name string) (Handle, error)   // for reading and truncating
	Rename(from, to string) error
	Remove(name string) error
	List(dir string) ([]string, error) // base names, sorted
	MkdirAll(dir string) error
	SyncDir(dir string) error
}

// Handle is an open file of an FS. Write appends.
type Handle interface {
	io.Writer
	io.ReaderAt
	io.Closer
	Size() (int64, error)
	Truncate(size int64) error
	Sync() error
}

// Disk is the file system of the machine.
type Disk struct{}

var _ FS = Disk{}

// Create makes a new file; it fails if there is one.
func (Disk) Create(name string) (Handle, error) {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL|os.O_APPEND, 0o644)
	if err != nil {
		return nil, err
	}
	return diskFile{f}, nil
}

// Open opens an existing file.
func (Disk) Open(name string) (Handle, error) {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_APPEND, 0)
	if err != nil {
		return nil, err
	}
	return diskFile{f}, nil
}

// Rename moves a file; it does not replace another.
func (Disk) Rename(from, to string) error {
	if _, err := os.Lstat(to); err == nil {
		return &fs.PathError{Op: "rename", Path: to, Err: fs.ErrExist}
	}
	return os.Rename(from, to)
}

// Remove deletes a file.
func (Disk) Remove(name string) error { return os.Remove(name) }

// MkdirAll makes a directory and its parents.
func (Disk) MkdirAll(dir string) error { return os.MkdirAll(dir, 0o755) }

// List gives the names in a directory, sorted; none if it is not there.
func (Disk) List(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	names := make([]string, 0, len(entries))
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names, err
}

// SyncDir makes creations and renames in a directory durable.
func (Disk) SyncDir(dir string) error { return whole.SyncDir(dir) }

type diskFile struct{ *os.File }

func (f diskFile) Size() (int64, error) {
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}
