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

// versionIndexes are the temporal indexes, opened when first asked, and again when they were built
// anew.
type versionIndexes struct {
	archive *catalog.Archive

	mu   sync.Mutex
	open map[string]*temporal.Index
	old  []*temporal.Index // replaced while queries may still read them; closed at the end
}

// of gives the temporal index of a collection that was built from that state of the captures, or
// the newest there is.
func (x *versionIndexes) of(collection string, source uint64) (*temporal.Index, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	have := x.open[collection]
	if have != nil && have.Stats().Source == source {
		return have, nil
	}
	col, err := x.archive.Collection(collection)
	if err != nil {
		return nil, err
	}
	ix, err := temporal.Open(col.IndexDir("temporal"))
	if err != nil {
		return nil, &varve.Error{Kind: varve.Unavailable, Op: "open the versions of " + collection, Err: err, Hint: "'varve index --collection " + collection + "' builds them"}
	}
	if have != nil {
		if ix.Stats().Source == have.Stats().Source {
			return have, ix.Close()
		}
		x.old = append(x.old, have)
	}
	x.open[collection] = ix
	return ix, nil
}

func (x *versionIndexes) close() error {
	x.mu.Lock()
	defer x.mu.Unlock()
	var all []error
	for _, ix := range x.open {
		all = append(all, ix.Close())
	}
	for _, ix := range x.old {
		all = append(all, ix.Close())
	}
	return errors.Join(all...)
}

// versionsOf answers questions about the versions of a collection. The temporal index knows no
// access rules, so where they withhold something from the visitor it is not asked.
func (p *parts) versionsOf(w http.ResponseWriter, r *http.Request) {
	h := versions.Handler{Open: func(r *http.Request) (*temporal.Index, error) {
		name := r.PathValue("collection")
		if err := withheld(r.Context(), p.rules, name, "ask for versions of ", "ask for single addresses: .../versions?url="); err != nil {
			return nil, err
		}
		ix, err := p.indexes.of(name)
		if err != nil {
			return nil, err
		}
		stats, err := ix.Stats()
		if err != nil {
			return nil, err
		}
		return p.versions.of(name, stats.Content)
	}}
	h.ServeHTTP(w, r)
}
