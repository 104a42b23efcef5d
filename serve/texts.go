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
	"varve/index/fulltext"
	"varve/serve/search"
	"varve/web/canon"
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

var _ search.Texts = (*texts)(nil)

// Text gives the text index of a collection.
func (t *texts) Text(_ context.Context, collection string) (*fulltext.Index, error) {
	col, err := t.archive.Collection(collection)
	if err != nil {
		return nil, err
	}
	dir := col.IndexDir("fulltext")
	st, err := os.Stat(filepath.Join(dir, "manifest.json"))
	if err != nil {
		return nil, &varve.Error{
			Kind: varve.Unavailable, Op: "search in " + collection, Msg: "there is no text index yet",
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

// Visible asks the access rules.
func (t *texts) Visible(ctx context.Context, collection, url string) bool {
	may, err := t.seen.may(ctx)
	return err == nil && may(collection, canon.SURT(url), t.seen.now())
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
