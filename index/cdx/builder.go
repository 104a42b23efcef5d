package cdx

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/cockroachdb/pebble/v2/vfs"

	"varve/archive/warc"
)

// Config says how an index is built. Zero fields have defaults.
type Config struct {
	FS         vfs.FS // of the index; the machine's if nil
	SortDir    string // for the runs of the external sort; the folder of the index if empty
	SortMemory int    // bytes of lines held in memory; default 64 MiB
	Workers    int    // that scan a file; default 1
	BatchLines int64  // lines after which a run is written and committed; default 2 million
	NoMerge    bool   // do not merge in the background

	OnFinding  func(warc.Finding)           // what is wrong with WARC files
	OnProblem  func(string)                 // what was wrong with the index and is mended
	OnProgress func(file string, n, of int) // before each file
}

func (c Config) withDefaults(dir string) Config {
	if c.FS == nil {
		c.FS = vfs.Default
	}
	if c.SortDir == "" {
		c.SortDir = dir
	}
	if c.SortMemory <= 0 {
		c.SortMemory = 64 << 20
	}
	c.Workers = max(1, c.Workers)
	if c.BatchLines <= 0 {
		c.BatchLines = 2_000_000
	}
	return c
}

// Builder writes an index. There must be one at a time: the lock of the collection sees to it. Its
// methods may be called from several goroutines.
type Builder struct {
	cfg  Config
	dir  string
	name string // of its manifest

	mu      sync.Mutex // the manifest
	man     *manifest
	sources map[uint64][]Source // by run

	adding sync.Mutex                      // one batch at a time
	reads  func(file string, offset int64) // told where in a WARC file each capture lies that is read; nil for nobody
	wake   chan struct{}
	stop   context.CancelFunc
	wg     sync.WaitGroup
	failed error // of a merge; guarded by mu
}

// NewBuilder opens the index in a directory for writing, made if it is not there. Runs that fail
// their checks are dropped, so that the next Refresh reads their sources again, and what a kill left
// behind is removed. The caller must call Close.
func NewBuilder(dir string, cfg Config) (*Builder, error) {
	b := newBuilder(dir, manifestName, cfg.withDefaults(dir))
	if err := makeDir(b.cfg.FS, dir); err != nil {
		return nil, fmt.Errorf("open index for writing: %w", err)
	}
	if err := b.recover(); err != nil {
		return nil, fmt.Errorf("open index %s for writing: %w", dir, err)
	}
	b.startMerging()
	return b, nil
}

func newBuilder(dir, name string, cfg Config) *Builder {
	return &Builder{cfg: cfg, dir: dir, name: name, sources: map[uint64][]Source{}, wake: make(chan struct{}, 1)}
}

// startMerging merges in the background until stop is called.
func (b *Builder) startMerging() {
	ctx, stop := context.WithCancel(context.Background())
	b.stop = stop
	if !b.cfg.NoMerge {
		b.wg.Go(func() { b.mergeLoop(ctx) })
		b.nudge()
	}
}

// makeDir makes the folder of an index and that above it, durably: a manifest in a folder whose name
// is lost is lost, too.
func makeDir(fsys vfs.FS, dir string) error {
	if err := fsys.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	above := fsys.PathDir(dir)
	return errors.Join(syncDir(fsys, above), syncDir(fsys, fsys.PathDir(above)))
}

// recover reads the manifest and keeps the runs that are sound.
func (b *Builder) recover() error {
	names, err := b.cfg.FS.List(b.dir)
	if err != nil {
		return err
	}
	b.man, err = readManifest(b.cfg.FS, b.dir, b.name)
	switch {
	case errors.Is(err, ErrDamaged), errors.Is(err, ErrVersion):
		b.problem("%v: the index is built anew", err)
		b.man = newManifest()
	case err != nil:
		return err
	}
	for _, n := range names { // a number is never used twice, also if the manifest is lost
		if id, _, ok := runOf(n); ok && id >= b.man.Next {
			b.man.Next = id + 1
		}
	}
	kept := b.man.Runs[:0]
	for _, info := range b.man.Runs {
		if err := b.checkRun(info); err != nil {
			b.problem("%v: its files are indexed again", err)
			continue
		}
		kept = append(kept, info)
	}
	lost := len(kept) < len(b.man.Runs)
	b.man.Runs = kept
	if lost || err != nil {
		if err := b.commitLocked(true); err != nil {
			return err
		}
	}
	if b.name == manifestName {
		b.sweep(names)
	}
	return nil
}

// checkRun opens a run and reads its sources.
func (b *Builder) checkRun(info runInfo) error {
	r, err := openRun(b.cfg.FS, b.dir, info)
	if err != nil {
		return err
	}
	r.release()
	text, err := readChecked(b.cfg.FS, b.cfg.FS.PathJoin(b.dir, runName(info.ID, extSources)), info.Sources)
	if err != nil {
		return fmt.Errorf("run %d: %w", info.ID, err)
	}
	list, err := decodeSources(text)
	b.sources[info.ID] = list
	return err
}

// runOf reads the name of a file of a run.
func runOf(name string) (id uint64, ext string, ok bool) {
	i := strings.IndexByte(name, '.')
	if i < 0 || !slices.Contains(runFiles, name[i:]) {
		return 0, "", false
	}
	id, err := strconv.ParseUint(name[:i], 10, 62)
	return id, name[i:], err == nil
}

// sweep removes files that no manifest names: of runs, of sorts and of manifests. What was made to replace an older format stays.
func (b *Builder) sweep(names []string) {
	used := b.man.Runs
	older := b.man.Version < FormatVersion
	if older {
		if next, err := readManifest(b.cfg.FS, b.dir, besideName); err == nil && next.Version == FormatVersion {
			used = append(slices.Clone(used), next.Runs...)
		}
	}
	for _, n := range names {
		id, _, isRun := runOf(n)
		live := slices.ContainsFunc(used, func(r runInfo) bool { return r.ID == id })
		left := strings.HasPrefix(n, "sort-") || n == manifestName+".new" || n == besideName+".new" || n == besideName && !older
		if isRun && !live || left {
			_ = b.cfg.FS.Remove(b.cfg.FS.PathJoin(b.dir, n)) // it is tried again next time
		}
	}
}

func (b *Builder) problem(format string, args ...any) {
	if b.cfg.OnProblem != nil {
		b.cfg.OnProblem(fmt.Sprintf(format, args...))
	}
}

// commitLocked makes the manifest of b.man the truth. b.mu is held, or nobody else is there yet.
// changed tells a change of what queries find from a merge.
func (b *Builder) commitLocked(changed bool) error {
	b.man.Generation++
	if changed {
		b.man.Content = b.man.Generation
	}
	if err := syncDir(b.cfg.FS, b.dir); err != nil { // the names of the runs, before what names them
		return err
	}
	return writeManifest(b.cfg.FS, b.dir, b.name, b.man)
}

// newID reserves the number of a run.
func (b *Builder) newID() uint64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.man.Next++
	return b.man.Next - 1
}

// commitRun adds a run to the index.
func (b *Builder) commitRun(info runInfo, sources []Source) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.man.Runs = append(b.man.Runs, info)
	if err := b.commitLocked(true); err != nil {
		b.man.Runs = b.man.Runs[:len(b.man.Runs)-1]
		return err
	}
	b.sources[info.ID] = sources
	b.nudge()
	return nil
}

// Sources lists the files whose lines are in the index, by name.
func (b *Builder) Sources() []Source {
	b.mu.Lock()
	defer b.mu.Unlock()
	var out []Source
	for _, info := range b.man.Runs {
		for _, s := range b.sources[info.ID] {
			if !slices.Contains(info.Dropped, s.Name) {
				out = append(out, s)
			}
		}
	}
	slices.SortFunc(out, func(a, c Source) int { return strings.Compare(a.Name, c.Name) })
	return out
}

// Close ends the merging. A merge under way is given up and done anew another time.
func (b *Builder) Close() error {
	b.stop()
	b.wg.Wait()
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.failed
}

// Remove deletes an index, so that the next Builder makes all of it anew.
func Remove(fsys vfs.FS, dir string) error {
	if fsys == nil {
		fsys = vfs.Default
	}
	err := fsys.RemoveAll(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
