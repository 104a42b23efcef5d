package serve

import (
	"errors"
	"os"
	"sync"
	"time"

	"varve/archive/catalog"
	"varve/derive/annotate"
	"varve/entity/base"
)

// linkers are the bases of entities, opened when they are first asked, and again when they were built anew. One that was replaced is closed when the last
// who reads it is done.
type linkers struct {
	archive string
	catalog *catalog.Archive

	mu   sync.Mutex
	open map[string]*lentLinker // by path
	lost error                  // of bases that could not be closed
}

// lentLinker is a base with its readers. The linkers count as one as long as it is the newest.
type lentLinker struct {
	*annotate.Linker
	built time.Time
	size  int64
	users int
}

// Linker lends the base that counts for a collection, or that of the archive if none is named, until the function is called.
func (x *linkers) Linker(collection string) (l *annotate.Linker, giveBack func(), err error) {
	path := base.InArchive(x.archive)
	if collection != "" {
		col, err := x.catalog.Collection(collection)
		if err != nil {
			return nil, nil, err
		}
		path = base.OfCollection(col.Dir())
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	have := x.open[path]
	st, err := os.Stat(path)
	if have == nil || err != nil || !st.ModTime().Equal(have.built) || st.Size() != have.size {
		if have != nil {
			x.leave(have)
			delete(x.open, path)
		}
		l, err := annotate.OpenLinker(path) // says what is wrong, also where there is none
		if err != nil {
			return nil, nil, err
		}
		have = &lentLinker{Linker: l, users: 1}
		if st != nil {
			have.built, have.size = st.ModTime(), st.Size()
		}
		x.open[path] = have
	}
	have.users++
	var once sync.Once
	return have.Linker, func() {
		once.Do(func() {
			x.mu.Lock()
			defer x.mu.Unlock()
			x.leave(have)
		})
	}, nil
}

// leave closes a base with its last user. The lock is held.
func (x *linkers) leave(l *lentLinker) {
	if l.users--; l.users == 0 {
		x.lost = errors.Join(x.lost, l.Close())
	}
}

// close closes the bases that nobody reads; the others are closed by who reads them last.
func (x *linkers) close() error {
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, l := range x.open {
		x.leave(l)
	}
	clear(x.open)
	return x.lost
}
