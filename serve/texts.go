package serve

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"time"

	"varve"
	"varve/archive/catalog"
	"varve/derive"
	"varve/index/fulltext"
	"varve/serve/access"
	"varve/serve/search"
)

// texts are the text indexes of all collections, opened when they are first asked and looked at again
// when they were built anew.
type texts struct {
	archive *catalog.Archive
	seen    seen

	mu   sync.Mutex
	open map[string]*openText
}

type openText struct {
	*fulltext.Index
	built time.Time // when its manifest was written
}

var (
	_ search.Texts   = (*texts)(nil)
	_ search.Inlinks = (*texts)(nil)
)

// Sources gives text indexes as the visitor may see them.
func (t *texts) Sources(ctx context.Context, collections ...string) ([]fulltext.Source, error) {
	named := len(collections) > 0
	if !named {
		all, err := t.archive.Collections()
		if err != nil {
			return nil, &varve.Error{Kind: varve.Unavailable, Op: "list collections", Err: err}
		}
		for _, c := range all {
			collections = append(collections, c.Name)
		}
	}
	var out []fulltext.Source
	for _, name := range collections {
		ix, err := t.text(name)
		if !named && varve.KindOf(err) == varve.NotFound {
			continue // it has no text index yet
		}
		if err != nil {
			return nil, err
		}
		view, err := t.view(ctx, name)
		if err != nil {
			return nil, err
		}
		out = append(out, fulltext.Source{Name: name, Index: ix, View: view})
	}
	return out, nil
}

// viewKey tells apart what visitors may see: rules ask for no more than this.
type viewKey struct {
	rules         *access.RuleSet
	curator, room bool
	hour          int64
}

// view gives what the visitor may see of a collection; nil if that is everything. Embargoes end at the full hour, so that a
// view lasts for a while.
func (t *texts) view(ctx context.Context, collection string) (*fulltext.View, error) {
	set, err := t.seen.rules.InForce()
	if err != nil {
		return nil, err
	}
	if some, _ := set.Touches(collection); !some {
		return nil, nil
	}
	who, now := access.From(ctx), t.seen.now().Truncate(time.Hour)
	return &fulltext.View{
		Key: viewKey{set, who.Can(access.Curator), who.ReadingRoom, now.Unix()},
		May: func(surt string, first time.Time) bool { return set.Check(who, collection, surt, first, now).Allowed },
	}, nil
}

// text gives the text index of a collection.
func (t *texts) text(collection string) (*fulltext.Index, error) {
	col, err := t.archive.Collection(collection)
	if err != nil {
		return nil, err
	}
	dir := col.IndexDir("fulltext")
	st, err := os.Stat(filepath.Join(dir, "manifest.json"))
	if err != nil {
		return nil, &varve.Error{
			Kind: varve.NotFound, Op: "search in " + collection, Msg: "there is no text index yet",
			Hint: "varve derive --collection " + collection + " && varve index --collection " + collection,
		}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	have := t.open[collection]
	switch {
	case have == nil:
		ix, err := fulltext.Open(dir)
		if err != nil {
			return nil, &varve.Error{Kind: varve.Unavailable, Op: "open the text index of " + collection, Err: err, Hint: "varve index --rebuild --collection " + collection}
		}
		have = &openText{ix, st.ModTime()}
		t.open[collection] = have
	case !have.built.Equal(st.ModTime()):
		if err := have.Refresh(); err != nil {
			return nil, &varve.Error{Kind: varve.Unavailable, Op: "open the text index of " + collection, Err: err}
		}
		have.built = st.ModTime()
	}
	return have.Index, nil
}

// Inlinks gives the pages that link to one; none if the table was not made yet.
func (t *texts) Inlinks(_ context.Context, collection, surt string, most int) ([]derive.Inlink, error) {
	col, err := t.archive.Collection(collection)
	if err != nil {
		return nil, err
	}
	list, err := derive.InlinksOf(filepath.Join(col.Dir(), "derived", "inlinks.parquet"), surt, most)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	return list, err
}

func (t *texts) close() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	var err error
	for _, ix := range t.open {
		err = errors.Join(err, ix.Close())
	}
	t.open = nil
	return err
}
