package durable

import (
	"strings"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// guardedFile is a file that was opened for writing before a failure.
type guardedFile struct {
	vfs.File
	g    *guard
	name string

	manifest *manifestSum // nil for other files
}

// write does something to the file, unless something failed before. Of a table the failure is told: it is written
// again. All else is said to have been done.
func (f *guardedFile) write(what string, do func() error) error {
	err := f.g.err()
	if err == nil {
		if err = do(); err == nil {
			return nil
		}
		err = f.g.fail(what, f.name, err)
	}
	if isTable(f.name) {
		return err
	}
	return nil
}

// Write writes at the end.
func (f *guardedFile) Write(p []byte) (n int, err error) {
	size := len(p)
	if f.manifest != nil {
		f.manifest.manifestMark = f.manifest.with(p)
	}
	if err = f.write("write", func() (err error) { n, err = f.File.Write(p); return err }); err == nil {
		n = size
	}
	return n, err
}

// WriteAt writes somewhere.
func (f *guardedFile) WriteAt(p []byte, off int64) (n int, err error) {
	err = f.write("write", func() (err error) { n, err = f.File.WriteAt(p, off); return err })
	if err == nil {
		n = len(p)
	}
	return n, err
}

// Preallocate reserves space, where the file system can.
func (f *guardedFile) Preallocate(offset, length int64) error {
	if f.g.err() != nil {
		return nil
	}
	return f.File.Preallocate(offset, length)
}

// Sync makes the file durable.
func (f *guardedFile) Sync() error { return f.sealed(f.write("sync", f.File.Sync)) }

// SyncData makes the content durable.
func (f *guardedFile) SyncData() error { return f.sealed(f.write("sync", f.File.SyncData)) }

// sealed notes a manifest that was synced.
func (f *guardedFile) sealed(err error) error {
	if err != nil || f.manifest == nil || f.g.err() != nil {
		return err
	}
	return f.write("seal", func() error { return f.g.seal.synced(f.manifest.manifestMark) })
}

// SyncTo begins to make a part durable.
func (f *guardedFile) SyncTo(length int64) (full bool, err error) {
	err = f.write("sync", func() (err error) { full, err = f.File.SyncTo(length); return err })
	return full, err
}

// Close closes the file.
func (f *guardedFile) Close() error {
	err := f.File.Close()
	return f.write("close", func() error { return err })
}

// isTable tells the files whose failures Pebble can stand: it writes them again under another name.
func isTable(name string) bool {
	return strings.HasSuffix(name, ".sst") || strings.HasSuffix(name, ".blob")
}
