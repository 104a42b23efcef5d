package cdx

import (
	"errors"
	"fmt"
	"io/fs"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// Index is an index open for reading. It is safe for concurrent use, takes no lock, and sees what a
// Builder commits from the next query on.
type Index struct {
	fsys vfs.FS
	dir  string

	mu    sync.Mutex
	cur   *snapshot
	stamp stamp
	gone  bool
}

// stamp tells whether the manifest is another one.
type stamp struct {
	size int64
	time time.Time
}

// snapshot is the runs of one manifest.
type snapshot struct {
	format     int
	generation uint64
	content    uint64
	runs       []*run
	users      atomic.Int32
}

// Open opens the index in a directory. One that was not built yet is empty, and is seen once it is.
func Open(dir string) (*Index, error) { return OpenIn(vfs.Default, dir) }

// OpenIn is Open in a file system.
func OpenIn(fsys vfs.FS, dir string) (*Index, error) {
	ix := &Index{fsys: fsys, dir: dir, cur: &snapshot{format: FormatVersion}}
	ix.cur.users.Store(1)
	if err := ix.refresh(); err != nil {
		return nil, fmt.Errorf("open index %s: %w", dir, err)
	}
	return ix, nil
}

// Close ends the use of the index; queries under way go on to their end.
func (ix *Index) Close() error {
	ix.mu.Lock()
	defer ix.mu.Unlock()
	if !ix.gone {
		ix.gone = true
		ix.cur.release()
	}
	return nil
}

// acquire gives the newest snapshot, to be released by the caller.
func (ix *Index) acquire() (*snapshot, error) {
	ix.mu.Lock()
	defer ix.mu.Unlock()
	if ix.gone {
		return nil, errors.New("index is closed")
	}
	if err := ix.refresh(); err != nil {
		return nil, fmt.Errorf("index %s: %w", ix.dir, err)
	}
	ix.cur.users.Add(1)
	return ix.cur, nil
}

// refreshTries is how often a manifest is read again because a merge removed runs of it meanwhile.
const refreshTries = 20

// refresh makes the newest manifest current, if it is another than before.
func (ix *Index) refresh() (err error) {
	for range refreshTries {
		info, statErr := ix.fsys.Stat(ix.fsys.PathJoin(ix.dir, manifestName))
		if errors.Is(statErr, fs.ErrNotExist) {
			return nil
		}
		if statErr != nil {
			return statErr
		}
		now := stamp{info.Size(), info.ModTime()}
		if now == ix.stamp {
			return nil
		}
		var next *snapshot
		if next, err = ix.load(); err == nil {
			ix.cur.release()
			ix.cur, ix.stamp = next, now
			return nil
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return fmt.Errorf("%w: files that the manifest names are missing: %w", ErrDamaged, err)
}

// load opens the runs of the manifest, taking over those that are open.
func (ix *Index) load() (*snapshot, error) {
	m, err := readManifest(ix.fsys, ix.dir, manifestName)
	if err != nil {
		return nil, err
	}
	s := &snapshot{format: m.Version, generation: m.Generation, content: m.Content}
	s.users.Store(1)
	for _, info := range m.Runs {
		r := ix.cur.find(info)
		if r != nil {
			r.retain()
		} else if r, err = openRun(ix.fsys, ix.dir, info); err != nil {
			s.release()
			return nil, err
		}
		s.runs = append(s.runs, r)
	}
	return s, nil
}

// find gives an open run that is as the manifest has it.
func (s *snapshot) find(info runInfo) *run {
	for _, r := range s.runs {
		if r.info.ID == info.ID && r.info.Fences == info.Fences && len(r.info.Dropped) == len(info.Dropped) {
			return r
		}
	}
	return nil
}

// release takes a user away; the last one frees the runs.
func (s *snapshot) release() {
	if s.users.Add(-1) > 0 {
		return
	}
	for _, r := range s.runs {
		r.release()
	}
}

// Stats is what an index consists of.
type Stats struct {
	Format     int    `json:"format"`     // FormatVersion, or the one before it
	Generation uint64 `json:"generation"` // 0: it was never built
	Content    uint64 `json:"content"`    // the generation that last changed what a query finds
	Lines      int64  `json:"lines"`      // captures, those of dropped sources included
	Blocks     int64  `json:"blocks"`
	Runs       int    `json:"runs"`
	Bytes      int64  `json:"bytes"` // on disk
	Reads      int64  `json:"reads"` // blocks read since the runs were opened
}

// Stats tells the size of the index as it is now.
func (ix *Index) Stats() (Stats, error) {
	s, err := ix.acquire()
	if err != nil {
		return Stats{}, err
	}
	defer s.release()
	out := Stats{Format: s.format, Generation: s.generation, Content: s.content, Runs: len(s.runs)}
	for _, r := range s.runs {
		out.Lines += r.info.Lines
		out.Blocks += r.table.Blocks()
		out.Bytes += r.info.Data + r.info.Idx + r.info.Filter
		out.Reads += r.table.Reads()
	}
	return out, nil
}
