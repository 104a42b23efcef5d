package serve

import (
	"context"
	"errors"
	"iter"
	"sync"
	"time"

	"varve"
	"varve/archive/catalog"
	"varve/archive/cdxj"
	"varve/index/cdx"
	"varve/index/fulltext"
	"varve/serve/access"
	"varve/serve/holdings"
	"varve/serve/replay"
	"varve/web/canon"
)

// Engine has the indexes of collections elsewhere than in the archive. A collection that it has nothing of is a varve.NotFound.
type Engine interface {
	Text(ctx context.Context, collection string) (fulltext.Text, error)
	Captures(ctx context.Context, collection string) (cdx.Captures, error)
}

// indexes are the capture indexes of all collections, opened when they are first asked.
type indexes struct {
	archive *catalog.Archive
	engine  Engine // nil: they are in the archive

	mu   sync.Mutex
	open map[string]*cdx.Index
}

func newIndexes(archive *catalog.Archive, engine Engine) *indexes {
	return &indexes{archive: archive, engine: engine, open: map[string]*cdx.Index{}}
}

// of gives the index of a collection. One that was not built yet is empty.
func (x *indexes) of(ctx context.Context, collection string) (cdx.Captures, error) {
	col, err := x.archive.Collection(collection)
	if err != nil {
		return nil, err
	}
	if x.engine != nil {
		if !col.Exists() {
			return nil, noCollection(collection)
		}
		return x.engine.Captures(ctx, collection)
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if ix := x.open[collection]; ix != nil {
		return ix, nil
	}
	if !col.Exists() {
		return nil, noCollection(collection)
	}
	ix, err := cdx.Open(col.IndexDir("cdx"))
	if err != nil {
		return nil, &varve.Error{
			Kind: varve.Unavailable, Op: "open the index of " + collection, Err: err,
			Hint: "it can be built anew from the WARC files: varve index --collection " + collection,
		}
	}
	x.open[collection] = ix
	return ix, nil
}

func noCollection(name string) error {
	return &varve.Error{Kind: varve.NotFound, Op: "open collection " + name, Msg: "there is no such collection"}
}

func (x *indexes) close() error {
	x.mu.Lock()
	defer x.mu.Unlock()
	var all []error
	for _, ix := range x.open {
		all = append(all, ix.Close())
	}
	clear(x.open)
	return errors.Join(all...)
}

// seen is the indexes as a visitor may see them: captures that rules withhold are not there.
type seen struct {
	*indexes
	rules *access.Decisions // nil: none
	now   func() time.Time
}

var (
	_ holdings.Index = seen{}
	_ replay.Index   = visible{}
)

// may gives a function that tells whether the visitor of a context may know of a capture.
func (s seen) may(ctx context.Context) (func(collection, key string, at time.Time) bool, error) {
	if s.rules == nil {
		return func(string, string, time.Time) bool { return true }, nil
	}
	set, err := s.rules.InForce()
	if err != nil {
		return nil, err
	}
	who, now := access.From(ctx), s.now()
	if set.Empty() && who.Only == nil {
		return func(string, string, time.Time) bool { return true }, nil
	}
	return func(collection, key string, at time.Time) bool {
		return set.Check(who, collection, key, at, now).Allowed
	}, nil
}

// Captures gives what holdings ask for.
func (s seen) Captures(ctx context.Context, q holdings.Query) iter.Seq2[holdings.IndexedCapture, error] {
	from, to, keep, err := q.Keys()
	if err != nil {
		return func(yield func(holdings.IndexedCapture, error) bool) { yield(holdings.IndexedCapture{}, err) }
	}
	ask := cdx.Query{Keys: cdx.Range{From: from, To: to}, Keep: func(r *cdxj.Record) bool { return keep(r.Key) }}
	if q.URL != "" && (q.Match == "" || q.Match == canon.MatchExact) {
		ask = cdx.Query{URL: q.URL, Match: canon.MatchExact} // found by filters, without a scan
	}
	if !q.From.IsZero() {
		ask.From = cdxj.Timestamp(q.From)
	}
	if !q.To.IsZero() {
		ask.To = cdxj.Timestamp(q.To)
	}
	if q.After != "" {
		ask.After = q.After + "!" // behind all lines of that key: '!' comes after the space
	}
	return func(yield func(holdings.IndexedCapture, error) bool) {
		n := 0
		for c, err := range s.records(ctx, q.Collection, ask) {
			if err == nil && q.Limit > 0 && n >= q.Limit {
				return
			}
			n++
			if !yield(c, err) || err != nil {
				return
			}
		}
	}
}

// Size gives the number of all captures of a collection, whoever may see them, and the state of its index.
func (s seen) Size(collection string) (captures int64, state uint64, err error) {
	ix, err := s.of(context.Background(), collection)
	if err != nil {
		return 0, 0, err
	}
	st, err := ix.Stats()
	return st.Lines, st.Content, err
}

// records asks the index of a collection. Lines that cannot be read are left out: one broken line
// must not hide the rest.
func (s seen) records(ctx context.Context, collection string, q cdx.Query) iter.Seq2[holdings.IndexedCapture, error] {
	return func(yield func(holdings.IndexedCapture, error) bool) {
		ix, err := s.of(ctx, collection)
		var may func(collection, key string, at time.Time) bool
		if err == nil {
			may, err = s.may(ctx)
		}
		if err != nil {
			yield(holdings.IndexedCapture{}, err)
			return
		}
		for r, err := range ix.Query(ctx, q) {
			if err != nil && r.Key == "" {
				yield(holdings.IndexedCapture{}, indexError(ctx, collection, err))
				return
			}
			c, bad := captureOf(&r)
			if err != nil || bad != nil || !may(collection, c.Key, c.Time) {
				continue
			}
			if !yield(c, nil) {
				return
			}
		}
	}
}

func indexError(ctx context.Context, collection string, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if varve.KindOf(err) != varve.Internal {
		return err // it says what to do
	}
	return &varve.Error{Kind: varve.Unavailable, Op: "read the index of " + collection, Err: err, Hint: "varve index --collection " + collection + " builds it anew"}
}

func captureOf(r *cdxj.Record) (holdings.IndexedCapture, error) {
	c, err := r.Capture()
	out := holdings.IndexedCapture{Key: r.Key, Revisit: r.IsRevisit(), Capture: c}
	out.Redirect, _ = r.Get("redirect")
	out.NotModified, _ = r.Get("notModified")
	return out, err
}

// visible is the indexes as replay asks them.
type visible struct{ seen }

// Closest gives the captures of a key nearest to an instant.
func (v visible) Closest(ctx context.Context, collection, key string, at time.Time, limit int) ([]replay.Found, error) {
	ix, err := v.of(ctx, collection)
	if err != nil {
		return nil, err
	}
	may, err := v.may(ctx)
	if err != nil {
		return nil, err
	}
	var out []replay.Found
	for r, err := range ix.Nearest(ctx, cdx.Query{Key: key}, at) {
		if err != nil && r.Key == "" {
			return nil, indexError(ctx, collection, err)
		}
		c, bad := captureOf(&r)
		if err != nil || bad != nil || !may(collection, c.Key, c.Time) {
			continue
		}
		out = append(out, replay.Found{Capture: c.Capture, Key: c.Key})
		if len(out) == limit {
			break
		}
	}
	return out, nil
}

// Captures gives the captures that replay asks for.
func (v visible) Captures(ctx context.Context, collection string, q replay.Query) iter.Seq2[replay.Found, error] {
	ask := cdx.Query{Key: q.Key}
	if q.Prefix {
		ask = cdx.Query{Keys: cdx.Range{From: q.Key, To: after(q.Key)}}
	}
	if !q.From.IsZero() {
		ask.From = cdxj.Timestamp(q.From)
	}
	if !q.To.IsZero() {
		ask.To = cdxj.Timestamp(q.To)
	}
	return func(yield func(replay.Found, error) bool) {
		n := 0
		for c, err := range v.records(ctx, collection, ask) {
			if q.Limit > 0 && n >= q.Limit {
				return
			}
			n++
			if !yield(replay.Found{Capture: c.Capture, Key: c.Key}, err) || err != nil {
				return
			}
		}
	}
}

// after is the first text that does not begin with a prefix; "" if there is none.
func after(prefix string) string {
	b := []byte(prefix)
	for i := len(b) - 1; i >= 0; i-- {
		if b[i] < 0xff {
			b[i]++
			return string(b[:i+1])
		}
	}
	return ""
}
