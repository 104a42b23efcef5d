package temporal

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"sync"

	"varve/archive/cdxj"
	"varve/index/renew"
)

// Index is an index open for reading, safe for concurrent use. It takes no lock; what is built later
// is seen by who opens it then (Stale tells).
type Index struct {
	dir   string
	man   manifest
	files []*os.File
	table *cdxj.Table
	trees map[string]*tree

	mu     sync.RWMutex // closing waits for questions under way: their memory is mapped
	closed bool
}

// ErrNotBuilt is returned by Open where no index was built yet.
var ErrNotBuilt = errors.New("no temporal index: 'varve index' builds it")

// Open opens the index in a directory.
func Open(dir string) (ix *Index, err error) {
	for range 20 { // a build may remove the folder between reading its name and opening it
		ix, err = openOnce(dir)
		if err == nil || !errors.Is(err, fs.ErrNotExist) || errors.Is(err, ErrNotBuilt) {
			break
		}
	}
	if err != nil {
		return nil, fmt.Errorf("open temporal index %s: %w", dir, err)
	}
	return ix, nil
}

func openOnce(dir string) (*Index, error) {
	man, err := readManifest(dir)
	if err != nil {
		return nil, err
	}
	ix := &Index{dir: dir, man: man, trees: map[string]*tree{}}
	if err := ix.open(filepath.Join(dir, man.Folder)); err != nil {
		return nil, errors.Join(err, ix.Close())
	}
	return ix, nil
}

func readManifest(dir string) (m manifest, err error) {
	text, err := os.ReadFile(filepath.Join(dir, manifestName))
	if errors.Is(err, fs.ErrNotExist) {
		return m, ErrNotBuilt
	}
	if err != nil {
		return m, err
	}
	body, rest, _ := bytes.Cut(text, []byte("\n"))
	if string(rest) != fmt.Sprintf("sha256:%x\n", sha256.Sum256(body)) {
		return m, fmt.Errorf("%w: the checksum of the manifest does not fit", ErrDamaged)
	}
	if err := json.Unmarshal(body, &m); err != nil {
		return m, fmt.Errorf("%w: manifest: %w", ErrDamaged, err)
	}
	if m.Format != formatName {
		return m, fmt.Errorf("it is of %q, want %s: %w", m.Format, formatName, ErrVersion)
	}
	if err := renew.Reads(m.Version, FormatVersion); err != nil {
		return m, err
	}
	if m.Folder == "" || m.Folder != filepath.Base(m.Folder) || m.Block < 1 {
		return m, fmt.Errorf("%w: manifest: folder %q, block %d", ErrDamaged, m.Folder, m.Block)
	}
	return m, nil
}

func (ix *Index) open(folder string) error {
	for _, name := range []string{dataName, idxName} {
		f, err := os.Open(filepath.Join(folder, name))
		if err != nil {
			return err
		}
		ix.files = append(ix.files, f)
	}
	fences, err := os.ReadFile(filepath.Join(folder, fencesName))
	if err != nil {
		return err
	}
	if fmt.Sprintf("sha256:%x", sha256.Sum256(fences)) != ix.man.Fences {
		return fmt.Errorf("%w: %s is not what was written", ErrDamaged, fencesName)
	}
	if ix.table, err = cdxj.OpenTable(ix.files[0], ix.files[1], fences); err != nil {
		return err
	}
	for _, name := range treeNames {
		t, err := openTree(filepath.Join(folder, name))
		if err != nil {
			return err
		}
		ix.trees[name] = t
	}
	return nil
}

// Close frees the files, after the questions under way.
func (ix *Index) Close() error {
	ix.mu.Lock()
	defer ix.mu.Unlock()
	if ix.closed {
		return nil
	}
	ix.closed = true
	var all error
	for _, f := range ix.files {
		all = errors.Join(all, f.Close())
	}
	for _, t := range ix.trees {
		all = errors.Join(all, t.file.close())
	}
	return all
}

// Stats is what an index consists of.
type Stats struct {
	Source   uint64 `json:"source"` // state (Content) of the CDX index it was built from
	Versions int64  `json:"versions"`
	Pages    int64  `json:"pages"`
	Rule     int    `json:"rule"` // by which it was built; see Rule
}

// Stats tells the size of the index.
func (ix *Index) Stats() Stats {
	return Stats{ix.man.Source, ix.man.Versions, ix.man.Pages, max(1, ix.man.Rule)}
}

// Stale tells whether another build has replaced this one.
func (ix *Index) Stale() bool {
	m, err := readManifest(ix.dir)
	return err == nil && m.Folder != ix.man.Folder
}

// Check reads all of the index.
func (ix *Index) Check() error {
	return ix.guarded(func() error {
		n := int64(0)
		for line, err := range ix.table.Range("", "") {
			if err == nil {
				_, err = parseVersion(string(line))
			}
			if err != nil {
				return err
			}
			n++
		}
		if n != ix.man.Versions {
			return fmt.Errorf("%w: %d versions, the manifest says %d", ErrDamaged, n, ix.man.Versions)
		}
		for _, t := range ix.trees {
			if err := t.file.checkAll(); err != nil {
				return err
			}
		}
		return nil
	})
}

// guarded runs f while the files are open. A mapped file that somebody cut gives an error in place
// of a crash.
func (ix *Index) guarded(f func() error) (err error) {
	ix.mu.RLock()
	defer ix.mu.RUnlock()
	if ix.closed {
		return errors.New("temporal index is closed")
	}
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if r := recover(); r != nil {
			fault, ok := r.(interface{ Addr() uintptr })
			if !ok || fault.Addr() < 1<<16 { // a mistake of ours, not of the file
				panic(r)
			}
			err = fmt.Errorf("%w: a file was cut while it was in use (fault at %#x)", ErrDamaged, fault.Addr())
		}
	}()
	return f()
}
