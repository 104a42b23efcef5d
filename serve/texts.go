package serve

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"varve"
	"varve/archive/catalog"
	"varve/derive"
	"varve/index/fulltext"
	"varve/language/variant"
	"varve/serve/access"
	"varve/serve/search"
	"varve/web/canon"
)

// texts are the text indexes of all collections, opened when they are first asked and looked at again
// when they were built anew.
type texts struct {
	archive *catalog.Archive
	seen    seen
	engine  Engine                         // has them elsewhere; nil: they are in the archive
	private func(facet, value string) bool // values that outside readers are not told; nil: none

	// Every byte of an index is read behind its opening; one that is damaged answers no more until it was built anew by reindex.
	background context.Context
	reindex    func(ctx context.Context, collection string) error // nil: nobody builds
	work       sync.WaitGroup

	mu      sync.Mutex
	open    map[string]*openText
	damaged map[string]*damagedText
}

// damagedText is an index that is built anew.
type damagedText struct {
	cause  error
	failed error     // why it could not be built anew
	built  time.Time // when the damaged manifest was written
}

// mend closes a damaged index and builds it anew in the background. The lock is held.
func (t *texts) mend(collection string, built time.Time, cause error) error {
	d := t.damaged[collection]
	if d == nil {
		d = &damagedText{cause: cause, built: built}
		t.damaged[collection] = d
		if have := t.open[collection]; have != nil {
			delete(t.open, collection)
			d.cause = errors.Join(d.cause, have.Close())
		}
		if t.reindex == nil {
			d.failed = errors.New("nobody builds it here")
		} else {
			t.work.Go(func() {
				err := t.reindex(t.background, collection)
				t.mu.Lock()
				defer t.mu.Unlock()
				if d.failed = err; err == nil {
					delete(t.damaged, collection)
				}
			})
		}
	}
	out := &varve.Error{Kind: varve.Unavailable, Op: "search in " + collection, Err: d.cause, Hint: "it is being built anew: ask again in a while"}
	if d.failed != nil {
		out.Hint = "it could not be built anew (" + d.failed.Error() + "): varve index --collection " + collection
	}
	return out
}

// unreadable has an index built anew that is damaged or of another format; what else keeps it from being read is told. The lock is
// held.
func (t *texts) unreadable(collection string, built time.Time, err error) error {
	if errors.Is(err, fulltext.ErrDamaged) {
		return t.mend(collection, built, err)
	}
	return &varve.Error{
		Kind: varve.Unavailable, Op: "search in " + collection, Err: err,
		Hint: "the index may be sound, but this machine cannot read it: see to the rights of its files, the room and the number of open files; nothing is built anew",
	}
}

// verify reads every byte of an index that was opened, in the background.
func (t *texts) verify(collection, dir string, have *openText) {
	t.work.Go(func() {
		err := fulltext.Verify(t.background, dir)
		t.mu.Lock()
		defer t.mu.Unlock()
		if errors.Is(err, fulltext.ErrDamaged) && t.open[collection] == have {
			_ = t.mend(collection, have.built, err) // told to whoever asks next
		}
	})
}

type openText struct {
	*fulltext.Index
	built time.Time // when its manifest was written
}

var (
	_ search.Texts     = (*texts)(nil)
	_ search.Spellings = (*texts)(nil)
	_ search.Inlinks   = (*texts)(nil)
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
		ix, err := t.text(ctx, name)
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

// Spellings reads the words that collections wrote otherwise at another time.
func (t *texts) Spellings(_ context.Context, collections ...string) ([]variant.Pair, error) {
	return search.ReadSpellings(t.archive, collections)
}

// viewKey tells apart what visitors may see of a collection: rules ask for no more than this.
type viewKey struct {
	rules         *access.RuleSet
	curator, room bool
	reads         bool      // the collection at all: a ticket may be for others
	span          [2]int64  // of captures that the role counts for; zero: all
	hour          int64     // 0: no rule ends by itself
	links         time.Time // when the table of links was made
}

// Hides returns which values of facets are not told to whoever asks.
func (t *texts) Hides(ctx context.Context) func(facet, value string) bool {
	if !access.From(ctx).Outside() {
		return nil
	}
	return t.private
}

// view gives what the visitor may see of a collection; nil if that is everything. Embargoes end at the full hour, so that a
// view lasts for a while.
func (t *texts) view(ctx context.Context, collection string) (*fulltext.View, error) {
	set, err := t.seen.rules.InForce()
	if err != nil {
		return nil, err
	}
	who := access.From(ctx)
	if !set.Withholds(who, collection) {
		return nil, nil
	}
	col, err := t.archive.Collection(collection)
	if err != nil {
		return nil, err
	}
	now := t.seen.now().Truncate(time.Hour)
	key := viewKey{rules: set, curator: who.Can(access.Curator), room: who.ReadingRoom, reads: who.Only == nil || slices.Contains(who.Only, collection)}
	if !who.Till.IsZero() {
		key.span = [2]int64{who.From.UnixNano(), who.Till.UnixNano()}
	}
	if set.Passing() {
		key.hour = now.Unix()
	}
	table := inlinksTable(col)
	if st, err := os.Stat(table); err == nil {
		key.links = st.ModTime()
	}
	may := func(l *derive.Inlink) bool {
		return set.Always(who, collection, canon.SURT(l.Source), l.First, l.Last, now)
	}
	return &fulltext.View{
		Key:   key,
		May:   func(surt string, first time.Time) bool { return set.Check(who, collection, surt, first, now).Allowed },
		Mixed: func() func(string) bool { return mixedTargets(table, may) },
		Links: func(surt string) (string, int32, error) { return visibleLinks(table, surt, may) },
	}, nil
}

func inlinksTable(col *catalog.Collection) string {
	return filepath.Join(col.Dir(), "derived", "inlinks.parquet")
}

// mixedTargets tells the pages to which a page links that may not be seen; without a table that tells, all are such.
func mixedTargets(table string, may func(*derive.Inlink) bool) func(surt string) bool {
	mixed := map[string]bool{}
	err := derive.EachTarget(table, func(l *derive.Inlink) bool { return !may(l) }, func(surt string, some, all bool) {
		if some || !all {
			mixed[surt] = true
		}
	})
	return func(surt string) bool { return err != nil || mixed[surt] }
}

// visibleLinks gives what the links to a page call it that may be seen, the earliest first, and how many pages they are on.
func visibleLinks(table, surt string, may func(*derive.Inlink) bool) (anchors string, n int32, err error) {
	list, err := derive.InlinksOf(table, surt, mostLinks)
	if errors.Is(err, os.ErrNotExist) {
		return "", 0, nil
	}
	var names []string
	for i := range list {
		if !may(&list[i]) {
			continue
		}
		n++
		if a := list[i].Anchor; a != "" && !slices.Contains(names, a) && len(names) < mostNames {
			names = append(names, a)
		}
	}
	return strings.Join(names, "\n"), n, err
}

// What is read of the links to a page.
const (
	mostLinks = 1000
	mostNames = 30
)

// text gives the text index of a collection.
func (t *texts) text(ctx context.Context, collection string) (fulltext.Text, error) {
	col, err := t.archive.Collection(collection)
	if err != nil {
		return nil, err
	}
	if t.engine != nil {
		return t.engine.Text(ctx, collection)
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
	if d := t.damaged[collection]; d != nil {
		if d.failed == nil || d.built.Equal(st.ModTime()) {
			return nil, t.mend(collection, d.built, d.cause)
		}
		delete(t.damaged, collection) // somebody built it
	}
	have := t.open[collection]
	switch {
	case have == nil:
		ix, err := fulltext.Open(dir)
		if err != nil {
			return nil, t.unreadable(collection, st.ModTime(), err)
		}
		have = &openText{ix, st.ModTime()}
		t.open[collection] = have
		t.verify(collection, dir, have)
	case !have.built.Equal(st.ModTime()):
		if err := have.Refresh(); err != nil {
			return nil, t.unreadable(collection, st.ModTime(), err)
		}
		have.built = st.ModTime()
		t.verify(collection, dir, have)
	}
	return have.Index, nil
}

// Inlinks gives the pages that link to one, as far as the visitor may see them and it; none if the table was not made yet.
func (t *texts) Inlinks(ctx context.Context, collection, surt string, most int) ([]derive.Inlink, error) {
	col, err := t.archive.Collection(collection)
	if err != nil {
		return nil, err
	}
	set, err := t.seen.rules.InForce()
	if err != nil {
		return nil, err
	}
	who, now := access.From(ctx), t.seen.now()
	withheld := set.Withholds(who, collection)
	ask := most
	if withheld {
		ask = mostLinks
	}
	list, err := derive.InlinksOf(inlinksTable(col), surt, ask)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if withheld {
		list = slices.DeleteFunc(list, func(l derive.Inlink) bool {
			return !set.Always(who, collection, canon.SURT(l.Source), l.First, l.Last, now)
		})
	}
	return list[:min(len(list), most)], err
}

// close waits for what runs in the background, whose context has ended.
func (t *texts) close() error {
	t.work.Wait()
	t.mu.Lock()
	defer t.mu.Unlock()
	var err error
	for _, ix := range t.open {
		err = errors.Join(err, ix.Close())
	}
	t.open = nil
	return err
}
