package cdx

import (
	"errors"
	"fmt"
	"io"
	"sync/atomic"

	"github.com/cockroachdb/pebble/v2/vfs"

	"varve/archive/cdxj"
)

// The files of a run: its number and one of these.
const (
	extData    = ".cdx.gz"
	extIdx     = ".idx"
	extFences  = ".fences"
	extFilter  = ".filter"
	extSources = ".sources"
)

var runFiles = []string{extData, extIdx, extFences, extFilter, extSources}

func runName(id uint64, ext string) string { return fmt.Sprintf("%06d%s", id, ext) }

// run is an open run. It counts who uses it and closes its files when nobody does.
type run struct {
	info    runInfo
	table   *cdxj.Table
	filter  *filter
	dropped map[string]bool
	files   []io.Closer
	users   atomic.Int32
}

// openRun opens the files of a run and checks what can be checked without reading all of it.
func openRun(fsys vfs.FS, dir string, info runInfo) (*run, error) {
	r := &run{info: info, dropped: map[string]bool{}}
	r.users.Store(1)
	for _, name := range info.Dropped {
		r.dropped[name] = true
	}
	if err := r.openFiles(fsys, dir); err != nil {
		r.close()
		return nil, fmt.Errorf("open run %d: %w", info.ID, err)
	}
	return r, nil
}

func (r *run) openFiles(fsys vfs.FS, dir string) error {
	path := func(ext string) string { return fsys.PathJoin(dir, runName(r.info.ID, ext)) }
	data, err := r.open(fsys, path(extData), r.info.Data)
	if err != nil {
		return err
	}
	idx, err := r.open(fsys, path(extIdx), r.info.Idx)
	if err != nil {
		return err
	}
	if r.info.Filter > 0 {
		f, err := r.open(fsys, path(extFilter), r.info.Filter)
		if err != nil {
			return err
		}
		r.filter = &filter{f, r.info.Filter / cellSize}
	}
	fences, err := readChecked(fsys, path(extFences), r.info.Fences)
	if err != nil {
		return err
	}
	r.table, err = cdxj.OpenTable(data, idx, fences)
	if err == nil && r.table.Lines() != r.info.Lines {
		err = fmt.Errorf("%w: %d lines, the manifest says %d", ErrDamaged, r.table.Lines(), r.info.Lines)
	}
	return err
}

// open opens a file that must have a size.
func (r *run) open(fsys vfs.FS, name string, size int64) (io.ReaderAt, error) {
	f, err := fsys.Open(name)
	if err != nil {
		return nil, err
	}
	r.files = append(r.files, f)
	info, err := f.Stat()
	if err == nil && info.Size() != size {
		err = fmt.Errorf("%w: %s has %d bytes, the manifest says %d", ErrDamaged, name, info.Size(), size)
	}
	return f, err
}

// readChecked reads a file whose SHA-256 is known.
func readChecked(fsys vfs.FS, name, want string) ([]byte, error) {
	text, err := readFile(fsys, name, maxManifest)
	if err == nil && sum(text) != want {
		err = fmt.Errorf("%w: %s is not what was written", ErrDamaged, name)
	}
	return text, err
}

// retain adds a user.
func (r *run) retain() { r.users.Add(1) }

// release takes a user away; the last one closes the files.
func (r *run) release() {
	if r.users.Add(-1) == 0 {
		r.close()
	}
}

func (r *run) close() {
	for _, f := range r.files {
		_ = f.Close() // they were only read
	}
	r.files = nil
}

// overlaps tells whether the run may have keys in [from, to); an empty to means no end.
func (r *run) overlaps(from, to string) bool {
	return r.info.Lines > 0 && r.info.Last >= from && (to == "" || r.info.First < to)
}

// mayHave tells whether the run may have a key.
func (r *run) mayHave(key string) (bool, error) {
	if r.info.Lines == 0 || key < r.info.First || key > r.info.Last {
		return false, nil
	}
	ok, err := r.filter.mayHave(key)
	if err != nil {
		err = fmt.Errorf("run %d: %w", r.info.ID, err)
	}
	return ok, err
}

// wrap says in which run a cursor failed.
func (r *run) wrap(err error) error {
	if err == nil || errors.Is(err, io.EOF) {
		return err
	}
	return fmt.Errorf("run %d: %w", r.info.ID, err)
}
