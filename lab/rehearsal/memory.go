package rehearsal

import (
	"fmt"
	"io"
	"os"
	"path"
	"sort"
	"sync"

	"varve/archive/warc"
)

// memory keeps WARC files in memory.
type memory struct {
	mu    sync.Mutex
	files map[string]*file
}

func newMemory() *memory { return &memory{files: map[string]*file{}} }

// Create makes a new file.
func (m *memory) Create(name string) (warc.Handle, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.files[name] != nil {
		return nil, fmt.Errorf("create %s: %w", name, errExists)
	}
	f := &file{}
	m.files[name] = f
	return f, nil
}

// Open opens a file.
func (m *memory) Open(name string) (warc.Handle, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if f := m.files[name]; f != nil {
		return f, nil
	}
	return nil, fmt.Errorf("open %s: %w", name, os.ErrNotExist)
}

// Rename moves a file.
func (m *memory) Rename(from, to string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.files[from] == nil {
		return fmt.Errorf("rename %s: %w", from, os.ErrNotExist)
	}
	m.files[to] = m.files[from]
	delete(m.files, from)
	return nil
}

// Remove deletes a file.
func (m *memory) Remove(name string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.files, name)
	return nil
}

// List gives the names in a directory, sorted.
func (m *memory) List(dir string) ([]string, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var out []string
	for name := range m.files {
		if path.Dir(name) == path.Clean(dir) {
			out = append(out, path.Base(name))
		}
	}
	sort.Strings(out)
	return out, nil
}

// MkdirAll does nothing: directories are there.
func (m *memory) MkdirAll(string) error { return nil }

// SyncDir does nothing: there is no disk.
func (m *memory) SyncDir(string) error { return nil }

// file is one file.
type file struct {
	mu    sync.Mutex
	bytes []byte
}

func (f *file) Write(b []byte) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.bytes = append(f.bytes, b...)
	return len(b), nil
}

func (f *file) ReadAt(b []byte, off int64) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if off < 0 || off >= int64(len(f.bytes)) {
		return 0, io.EOF
	}
	n := copy(b, f.bytes[off:])
	if n < len(b) {
		return n, io.EOF
	}
	return n, nil
}

func (f *file) Close() error { return nil }

func (f *file) Size() (int64, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return int64(len(f.bytes)), nil
}

func (f *file) Truncate(size int64) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.bytes = f.bytes[:min(size, int64(len(f.bytes)))]
	return nil
}

func (f *file) Sync() error { return nil }
