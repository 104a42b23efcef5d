package holdings

import (
	"context"
	"errors"
	"io"
	"path/filepath"
	"time"

	"varve"
	"varve/archive/catalog"
	"varve/archive/cdxj"
	"varve/archive/warc"
)

// Files reads contents from the WARC files of an archive.
type Files struct {
	archive *catalog.Archive
	index   Index
}

// NewFiles makes a reader of contents. The index leads from revisits to their originals.
func NewFiles(archive *catalog.Archive, index Index) *Files { return &Files{archive, index} }

var _ Contents = (*Files)(nil)

// Content gives the content of a capture; that of a revisit is the content of its original.
func (f *Files) Content(ctx context.Context, collection string, c IndexedCapture, limit int64) (*Content, error) {
	col, err := f.archive.Collection(collection)
	if err != nil {
		return nil, err
	}
	if c.Revisit {
		original, err := f.Original(ctx, collection, c)
		if err != nil {
			return nil, err
		}
		c = original
	}
	file, err := col.Find(c.File)
	if err != nil {
		return nil, err
	}
	out, err := readContent(file, c, limit)
	if err != nil {
		return nil, contentError(c, err)
	}
	if out.MIME == "" {
		out.MIME = c.MIME
	}
	return out, nil
}

func contentError(c IndexedCapture, err error) error {
	op := "read " + c.URL
	if !c.Time.IsZero() {
		op += " of " + c.Time.UTC().Format(time.RFC3339)
	}
	return &varve.Error{
		Kind: varve.Unavailable, Op: op, Err: err,
		Hint: "'varve warc check' tells whether the file is whole",
	}
}

// Original finds the record that holds what a revisit refers to: the latest one before it with
// the same key and digest, else any with that digest among the captures of the URL.
func (f *Files) Original(ctx context.Context, collection string, c IndexedCapture) (IndexedCapture, error) {
	var best IndexedCapture
	for o, err := range f.index.Captures(ctx, Query{Collection: collection, URL: c.URL}) {
		if err != nil {
			return IndexedCapture{}, err
		}
		if o.Revisit || !cdxj.SameDigest(o.Digest, c.Digest) {
			continue
		}
		if best.Key == "" || !o.Time.After(c.Time) {
			best = o
		}
	}
	if best.Key != "" {
		return best, nil
	}
	return f.referred(ctx, collection, c)
}

// referred follows what the revisit record itself says: another URL at another time.
func (f *Files) referred(ctx context.Context, collection string, c IndexedCapture) (IndexedCapture, error) {
	col, err := f.archive.Collection(collection)
	if err != nil {
		return IndexedCapture{}, err
	}
	file, err := col.Find(c.File)
	if err != nil {
		return IndexedCapture{}, err
	}
	var uri string
	var date time.Time
	err = WithRecord(file, warc.PlaceOf(c.Capture), func(rec *warc.Record) error {
		uri = rec.Header.Get(warc.FieldRefersToURI)
		date, err = warc.ParseDate(rec.Header.Get(warc.FieldRefersToDate))
		return err
	})
	if err != nil {
		return IndexedCapture{}, contentError(c, err)
	}
	for o, err := range f.index.Captures(ctx, Query{Collection: collection, URL: uri, From: date.Truncate(time.Second), To: date.Add(time.Second)}) {
		if err != nil {
			return IndexedCapture{}, err
		}
		if !o.Revisit {
			return o, nil
		}
	}
	return IndexedCapture{}, &varve.Error{
		Kind: varve.NotFound, Op: "read " + c.URL, Msg: "the record says that nothing changed since an earlier capture, which is not in this collection",
	}
}

func readContent(file catalog.File, c IndexedCapture, limit int64) (*Content, error) {
	var out *Content
	err := WithRecord(file, warc.PlaceOf(c.Capture), func(rec *warc.Record) error {
		mime := rec.Header.Get("Content-Type")
		if rec.IsHTTP() {
			h, err := rec.HTTP()
			if err != nil {
				return err
			}
			mime = h.Header.Get("Content-Type")
			return take(h.Content, mime, limit, &out)
		}
		return take(rec.Content, mime, limit, &out)
	})
	return out, err
}

// take reads at most limit bytes; what a broken coding gave until it broke is kept.
func take(open func() (io.ReadCloser, error), mime string, limit int64, out **Content) error {
	r, err := open()
	if err != nil {
		return err
	}
	defer r.Close()
	b, err := io.ReadAll(io.LimitReader(r, limit+1))
	if err != nil && len(b) == 0 {
		return err
	}
	c := &Content{MIME: mime, Body: b, Truncated: err != nil}
	if int64(len(b)) > limit {
		c.Body, c.Truncated = b[:limit], true
	}
	*out = c
	return nil
}

// WithRecord opens the record of a file that a place means.
func WithRecord(from catalog.File, at warc.Place, do func(*warc.Record) error) (err error) {
	file, err := warc.OpenFrom(from.Path, from.From)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	rec, r, err := file.Record(at, warc.Options{Name: filepath.Base(from.Path), Policy: warc.Silent()})
	if err != nil {
		return err
	}
	defer r.Close()
	return do(rec)
}
