package serve

import (
	"errors"
	"net/http"
	"sync"

	"varve"
	"varve/archive/catalog"
	"varve/index/temporal"
	"varve/serve/versions"
)

// versionIndexes are the temporal indexes, opened when first asked, and again when they were built anew. One that was
// replaced is closed when the last who reads it is done.
type versionIndexes struct {
	archive *catalog.Archive

	mu   sync.Mutex
	open map[string]*lentIndex
	lost error // of indexes that could not be closed
}

// lentIndex is an index with its readers. The versionIndexes count as one as long as it is the newest.
type lentIndex struct {
	*temporal.Index
	users int
}

// of lends the temporal index of a collection that was built from that state of the captures by the rule of today, or the newest there is,
// until the function is called.
func (x *versionIndexes) of(collection string, source uint64) (ix *temporal.Index, giveBack func(), err error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	have := x.open[collection]
	if have == nil || have.Stats().Source != source || have.Stats().Rule != temporal.Rule {
		if have, err = x.newest(collection, have); err != nil {
			return nil, nil, err
		}
	}
	have.users++
	var once sync.Once
	return have.Index, func() {
		once.Do(func() {
			x.mu.Lock()
			defer x.mu.Unlock()
			x.leave(have)
		})
	}, nil
}

// newest opens the index as it is on disk, unless it is the one that is open. The lock is held.
func (x *versionIndexes) newest(collection string, have *lentIndex) (*lentIndex, error) {
	col, err := x.archive.Collection(collection)
	if err != nil {
		return nil, err
	}
	ix, err := temporal.Open(col.IndexDir("temporal"))
	if err != nil {
		return nil, &varve.Error{Kind: varve.Unavailable, Op: "open the versions of " + collection, Err: err, Hint: "'varve index --collection " + collection + "' builds them"}
	}
	if have != nil {
		if ix.Stats() == have.Stats() {
			return have, ix.Close()
		}
		x.leave(have)
	}
	x.open[collection] = &lentIndex{ix, 1}
	return x.open[collection], nil
}

// leave closes an index with its last user. The lock is held.
func (x *versionIndexes) leave(ix *lentIndex) {
	if ix.users--; ix.users == 0 {
		x.lost = errors.Join(x.lost, ix.Close())
	}
}

// close closes the indexes that nobody reads; the others are closed by who reads them last.
func (x *versionIndexes) close() error {
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, ix := range x.open {
		x.leave(ix)
	}
	clear(x.open)
	return x.lost
}

// versionsOf answers questions about the versions of a collection. The temporal index knows no
// access rules, so where they withhold something from the visitor it is not asked.
func (p *parts) versionsOf(w http.ResponseWriter, r *http.Request) {
	h := versions.Handler{Open: func(r *http.Request) (*temporal.Index, func(), error) {
		name := r.PathValue("collection")
		if err := withheld(r.Context(), p.rules, name, "ask for versions of ", "ask for single addresses: .../versions?url="); err != nil {
			return nil, nil, err
		}
		ix, err := p.indexes.of(r.Context(), name)
		if err != nil {
			return nil, nil, err
		}
		stats, err := ix.Stats()
		if err != nil {
			return nil, nil, err
		}
		return p.versions.of(name, stats.Content)
	}}
	h.ServeHTTP(w, r)
}
