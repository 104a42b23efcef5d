package fulltext

import (
	"errors"
	"slices"
	"sync"
)

// Index answers queries. It is safe for concurrent use.
type Index struct {
	dir    string
	mu     sync.RWMutex
	shards []*shard
	spares sync.Pool // of searches that ended

	ordinals *ordinals // nil: there are no facets of analyses

	mixedMu sync.Mutex
	mixes   []mixedSet // the newest last
}

// spare gives what a search may use, and takes it back.
func (ix *Index) spare() (_ *spare, done func()) {
	s, ok := ix.spares.Get().(*spare)
	if !ok {
		s = &spare{}
	}
	return s, func() { ix.spares.Put(s.rest()) }
}

// Open opens the index in a folder. Without one it has no documents. What is damaged, or of another format, is an ErrDamaged;
// 'varve index' builds that anew.
func Open(dir string) (*Index, error) {
	ix := &Index{dir: dir}
	return ix, ix.Refresh()
}

// Refresh opens what was built since. Shards that did not change stay open.
func (ix *Index) Refresh() error {
	m, err := readManifest(ix.dir)
	if err != nil {
		return damage(err)
	}
	ix.mu.Lock()
	defer ix.mu.Unlock()
	var next []*shard
	drop := func(err error) error { // what was opened is closed again
		for _, n := range next {
			if !slices.Contains(ix.shards, n) {
				err = errors.Join(err, n.close())
			}
		}
		return damage(err)
	}
	for _, info := range m.Shards {
		i := slices.IndexFunc(ix.shards, func(s *shard) bool { return s.info == info })
		if i >= 0 {
			next = append(next, ix.shards[i])
			continue
		}
		s, err := openShard(ix.dir, info)
		if err != nil {
			return drop(err)
		}
		next = append(next, s)
	}
	ordinals, err := openOrdinals(ix.dir, m)
	if err != nil {
		return drop(err)
	}
	if err := ordinals.bind(next); err != nil {
		return drop(errors.Join(err, ordinals.close()))
	}
	err = ix.ordinals.close()
	for _, s := range ix.shards {
		if !slices.Contains(next, s) {
			err = errors.Join(err, s.close())
		}
	}
	ix.shards, ix.ordinals = next, ordinals
	ix.mixedMu.Lock()
	ix.mixes = nil
	ix.mixedMu.Unlock()
	return err
}

// Close closes the index.
func (ix *Index) Close() error {
	ix.mu.Lock()
	defer ix.mu.Unlock()
	err := ix.ordinals.close()
	for _, s := range ix.shards {
		err = errors.Join(err, s.close())
	}
	ix.shards, ix.ordinals = nil, nil
	return err
}

// Docs is the number of documents.
func (ix *Index) Docs() int64 {
	ix.mu.RLock()
	defer ix.mu.RUnlock()
	var n int64
	for _, s := range ix.shards {
		n += int64(s.info.Docs)
	}
	return n
}
