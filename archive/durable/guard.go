package durable

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"sync/atomic"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// guard is a file system under a store that a failing disk stops instead of killing the process. Pebble has no way
// back when its log or its manifest cannot be written: it panics, on goroutines of its own, and takes every other
// crawl of the process along. So it is not told:
//
//	the first write that fails (disk full, folder deleted, fault of the disk) is noted: Store.Err
//	from then on the disk is left as it is, as after a power cut: nothing is written, renamed or removed
//	what Pebble goes on to write is kept in memory until it is closed, and promised to nobody
//
// That is sound because a promise is made only by Store.Wait and Store.Close, which look at the note after the log was
// synced; and a write that was not done is noted before Pebble hears that it was.
type guard struct {
	base   vfs.FS
	memory *vfs.MemFS // files made after the failure
	failed atomic.Pointer[error]
	opened atomic.Bool // the store is open: a file that is not there is a failure
	seal   *seal
}

func newGuard(base vfs.FS) *guard { return &guard{base: base, memory: vfs.NewMem()} }

// err gives the first failure.
func (g *guard) err() error {
	if p := g.failed.Load(); p != nil {
		return *p
	}
	return nil
}

// fail notes a failure, and gives the first one. It hides that a file does not exist: Pebble would panic.
func (g *guard) fail(what, name string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("%s %s: it is gone; was its folder deleted or moved?", what, name)
	} else {
		err = fmt.Errorf("%s %s: %w", what, name, err)
	}
	g.failed.CompareAndSwap(nil, &err)
	return g.err()
}

// made makes a file in memory.
func (g *guard) made(name string, category vfs.DiskWriteCategory) (vfs.File, error) {
	if err := g.memory.MkdirAll(g.memory.PathDir(name), 0o755); err != nil {
		return nil, err
	}
	return g.memory.Create(name, category)
}

func (g *guard) inMemory(name string) bool {
	_, err := g.memory.Stat(name)
	return err == nil
}

// change does something to names on the disk, or in memory after a failure.
func (g *guard) change(what, name string, onDisk, inMemory func() error) error {
	if g.err() == nil {
		err := onDisk()
		if err == nil || what == "remove" && errors.Is(err, fs.ErrNotExist) {
			return err
		}
		_ = g.fail(what, name, err)
	}
	if g.inMemory(name) {
		return inMemory()
	}
	return nil
}

func (g *guard) create(what, name string, category vfs.DiskWriteCategory, onDisk func() (vfs.File, error)) (vfs.File, error) {
	if g.err() == nil {
		f, err := onDisk()
		if err == nil {
			file := &guardedFile{File: f, g: g, name: name}
			if number, ok := manifestNumber(g.base.PathBase(name)); ok {
				file.manifest = newManifestSum(number)
			}
			return file, nil
		}
		_ = g.fail(what, name, err)
	}
	return g.made(name, category)
}

// Create makes a file.
func (g *guard) Create(name string, category vfs.DiskWriteCategory) (vfs.File, error) {
	return g.create("create", name, category, func() (vfs.File, error) { return g.base.Create(name, category) })
}

// ReuseForWrite makes a file of an old one.
func (g *guard) ReuseForWrite(oldname, newname string, category vfs.DiskWriteCategory) (vfs.File, error) {
	return g.create("reuse", newname, category, func() (vfs.File, error) { return g.base.ReuseForWrite(oldname, newname, category) })
}

// OpenReadWrite opens a file for both.
func (g *guard) OpenReadWrite(name string, category vfs.DiskWriteCategory, opts ...vfs.OpenOption) (vfs.File, error) {
	return g.create("open", name, category, func() (vfs.File, error) { return g.base.OpenReadWrite(name, category, opts...) })
}

// Open opens a file for reading.
func (g *guard) Open(name string, opts ...vfs.OpenOption) (vfs.File, error) {
	if g.err() != nil && g.inMemory(name) {
		return g.memory.Open(name, opts...)
	}
	f, err := g.base.Open(name, opts...)
	if err != nil && g.opened.Load() {
		return nil, g.fail("open", name, err)
	}
	return f, err
}

// OpenDir opens a folder to be synced.
func (g *guard) OpenDir(name string) (vfs.File, error) {
	f, err := g.base.OpenDir(name)
	if err == nil {
		return &guardedFile{File: f, g: g, name: name}, nil
	}
	if g.err() == nil && !g.opened.Load() {
		return nil, err
	}
	_ = g.fail("open", name, err)
	if err := g.memory.MkdirAll(name, 0o755); err != nil {
		return nil, err
	}
	return g.memory.OpenDir(name)
}

// Link makes a second name.
func (g *guard) Link(oldname, newname string) error {
	return g.change("link", oldname, func() error { return g.base.Link(oldname, newname) }, func() error { return g.memory.Link(oldname, newname) })
}

// Remove removes a file.
func (g *guard) Remove(name string) error {
	return g.change("remove", name, func() error { return g.base.Remove(name) }, func() error { return g.memory.Remove(name) })
}

// RemoveAll removes a folder.
func (g *guard) RemoveAll(name string) error {
	return g.change("remove", name, func() error { return g.base.RemoveAll(name) }, func() error { return g.memory.RemoveAll(name) })
}

// Rename renames a file.
func (g *guard) Rename(oldname, newname string) error {
	return g.change("rename", oldname, func() error { return g.base.Rename(oldname, newname) }, func() error { return g.memory.Rename(oldname, newname) })
}

// MkdirAll makes folders; one that cannot be made is an error of opening.
func (g *guard) MkdirAll(dir string, perm os.FileMode) error {
	if g.err() != nil {
		return g.memory.MkdirAll(dir, perm)
	}
	return g.base.MkdirAll(dir, perm)
}

// Lock locks a file.
func (g *guard) Lock(name string) (io.Closer, error) { return g.base.Lock(name) }

// List lists a folder.
func (g *guard) List(dir string) ([]string, error) { return g.base.List(dir) }

// Stat describes a file.
func (g *guard) Stat(name string) (vfs.FileInfo, error) {
	if g.err() != nil && g.inMemory(name) {
		return g.memory.Stat(name)
	}
	return g.base.Stat(name)
}

// PathBase gives the last element of a path.
func (g *guard) PathBase(path string) string { return g.base.PathBase(path) }

// PathJoin joins elements of a path.
func (g *guard) PathJoin(elem ...string) string { return g.base.PathJoin(elem...) }

// PathDir gives the folder of a path.
func (g *guard) PathDir(path string) string { return g.base.PathDir(path) }

// GetDiskUsage tells how full the disk is.
func (g *guard) GetDiskUsage(path string) (vfs.DiskUsage, error) { return g.base.GetDiskUsage(path) }

// Unwrap gives the file system below.
func (g *guard) Unwrap() vfs.FS { return g.base }
