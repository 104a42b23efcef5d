// Package crashfs is a file system in memory for tests that lose power: what was not synced is
// gone, or half there, after a crash.
//
// Model. A file has bytes and a durable length. Sync makes the bytes durable. A name (created,
// renamed, removed) is durable once a directory is synced. Crash keeps the durable state, and
// of the rest whatever a real disk might keep: for each file a random part of the unsynced tail,
// maybe followed by zeros or rubbish (blocks that were allocated but not written), and of the
// unsynced changes of names the first few, since file systems journal them in order.
//
// CutAfter makes the file system refuse everything after a number of operations, so that a test
// can cut the power at each moment in turn.
package crashfs

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math/rand/v2"
	"path"
	"slices"
	"sync"

	"varve/archive/warc"
)

// ErrPower is returned by every operation after the cut.
var ErrPower = errors.New("power is off")

// FS is the file system. It is safe for concurrent use.
type FS struct {
	mu      sync.Mutex
	names   map[string]*data // as processes see them
	durable map[string]*data // as a crash would surely find them
	journal []change         // changes of names since the last sync
	ops     int
	cut     int // refuse from this operation on; 0 for never
}

// change is one step of the name journal: a rename has two names and is one step.
type change func(map[string]*data)

type data struct {
	bytes  []byte
	synced int
}

var _ warc.FS = (*FS)(nil)

// New makes an empty file system.
func New() *FS { return &FS{names: map[string]*data{}, durable: map[string]*data{}} }

// CutAfter turns the power off after n more operations (writes, syncs, creations, ...).
func (f *FS) CutAfter(n int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.cut = f.ops + n
}

// Ops tells how many operations there were.
func (f *FS) Ops() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.ops
}

// step counts an operation; the lock is held.
func (f *FS) step() error {
	if f.cut > 0 && f.ops >= f.cut {
		return ErrPower
	}
	f.ops++
	return nil
}

// Crash gives what is left after the power came back. The old file system is dead.
func (f *FS) Crash(rng *rand.Rand) *FS {
	f.mu.Lock()
	defer f.mu.Unlock()
	after := New()
	names := maps.Clone(f.durable)
	for _, c := range f.journal[:rng.IntN(len(f.journal)+1)] {
		c(names)
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		survivor := names[name].survive(rng)
		after.names[name], after.durable[name] = survivor, survivor
	}
	f.cut, f.ops = 1, 1
	return after
}

// do makes a change of names visible and notes it; the lock is held.
func (f *FS) do(c change) {
	c(f.names)
	f.journal = append(f.journal, c)
}

// survive gives what a crash leaves of a file.
func (d *data) survive(rng *rand.Rand) *data {
	tail := d.bytes[d.synced:]
	kept := rng.IntN(len(tail) + 1)
	out := slices.Clone(d.bytes[:d.synced+kept])
	switch rng.IntN(4) {
	case 0:
		out = append(out, make([]byte, len(tail)-kept)...)
	case 1:
		for range len(tail) - kept {
			out = append(out, byte(rng.Uint32()))
		}
	}
	return &data{bytes: out, synced: len(out)}
}

// Create makes a new file; it fails if there is one.
func (f *FS) Create(name string) (warc.Handle, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.step(); err != nil {
		return nil, err
	}
	if f.names[name] != nil {
		return nil, &fs.PathError{Op: "create", Path: name, Err: fs.ErrExist}
	}
	d := &data{}
	f.do(func(names map[string]*data) { names[name] = d })
	return &handle{f, d}, nil
}

// Open opens an existing file.
func (f *FS) Open(name string) (warc.Handle, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.step(); err != nil {
		return nil, err
	}
	d := f.names[name]
	if d == nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return &handle{f, d}, nil
}

// Rename moves a file.
func (f *FS) Rename(from, to string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.step(); err != nil {
		return err
	}
	if f.names[from] == nil || f.names[to] != nil {
		return fmt.Errorf("rename %s to %s: %w", from, to, fs.ErrInvalid)
	}
	f.do(func(names map[string]*data) {
		names[to] = names[from]
		delete(names, from)
	})
	return nil
}

// Remove deletes a file.
func (f *FS) Remove(name string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.step(); err != nil {
		return err
	}
	f.do(func(names map[string]*data) { delete(names, name) })
	return nil
}

// MkdirAll does nothing: directories are there.
func (f *FS) MkdirAll(string) error { return nil }

// List gives the base names in a directory, sorted.
func (f *FS) List(dir string) ([]string, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.step(); err != nil {
		return nil, err
	}
	var out []string
	for name := range f.names {
		if path.Dir(name) == path.Clean(dir) {
			out = append(out, path.Base(name))
		}
	}
	slices.Sort(out)
	return out, nil
}

// SyncDir makes all changes of names durable.
func (f *FS) SyncDir(string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.step(); err != nil {
		return err
	}
	f.durable = maps.Clone(f.names)
	f.journal = nil
	return nil
}

type handle struct {
	fs *FS
	d  *data
}

func (h *handle) Write(p []byte) (int, error) {
	h.fs.mu.Lock()
	defer h.fs.mu.Unlock()
	if err := h.fs.step(); err != nil {
		n := len(p) / 2 // the cut comes in the middle of a write
		h.d.bytes = append(h.d.bytes, p[:n]...)
		return n, err
	}
	h.d.bytes = append(h.d.bytes, p...)
	return len(p), nil
}

func (h *handle) ReadAt(p []byte, off int64) (int, error) {
	h.fs.mu.Lock()
	defer h.fs.mu.Unlock()
	if off >= int64(len(h.d.bytes)) {
		return 0, io.EOF
	}
	n := copy(p, h.d.bytes[off:])
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

func (h *handle) Size() (int64, error) {
	h.fs.mu.Lock()
	defer h.fs.mu.Unlock()
	return int64(len(h.d.bytes)), nil
}

func (h *handle) Truncate(size int64) error {
	h.fs.mu.Lock()
	defer h.fs.mu.Unlock()
	if err := h.fs.step(); err != nil {
		return err
	}
	h.d.bytes = h.d.bytes[:size]
	h.d.synced = min(h.d.synced, int(size))
	return nil
}

func (h *handle) Sync() error {
	h.fs.mu.Lock()
	defer h.fs.mu.Unlock()
	if err := h.fs.step(); err != nil {
		return err
	}
	h.d.synced = len(h.d.bytes)
	return nil
}

func (h *handle) Close() error { return nil }
