package cdx

import (
	"context"
	"time"

	"varve/archive/cdxj"
	"varve/archive/warc"
)

// Originals looks the originals of revisits up for warc.Resolve. The index is sorted by key, so it
// knows captures by address and date and by key and digest. Digests, if not nil, finds a payload
// whatever its address; archive/history can do that.
func (ix *Index) Originals(ctx context.Context, digests func(digest string) (warc.Ref, bool)) warc.Originals {
	return originals{ctx, ix, digests}
}

type originals struct {
	ctx     context.Context
	ix      *Index
	digests func(string) (warc.Ref, bool)
}

var _ warc.Originals = originals{}

// ByID finds nothing: the index has no record ids.
func (originals) ByID(string) (warc.Ref, bool) { return warc.Ref{}, false }

// ByDigest asks the function that was handed in.
func (o originals) ByDigest(digest string) (warc.Ref, bool) {
	if o.digests == nil {
		return warc.Ref{}, false
	}
	return o.digests(digest)
}

// ByURIDate finds the capture of a URI at an instant, to the second. A capture of the very address
// comes before one that only has the same key.
func (o originals) ByURIDate(uri string, date time.Time) (found warc.Ref, ok bool) {
	ts := cdxj.Timestamp(date)
	q := Query{URL: uri, Match: "exact", From: ts, To: ts}
	for r, err := range o.ix.Query(o.ctx, q) {
		if err != nil || r.IsRevisit() {
			continue
		}
		if r.URL == uri {
			return refOf(&r), true
		}
		if !ok {
			found, ok = refOf(&r), true
		}
	}
	return found, ok
}

// ByKeyDigest finds the nearest capture at or before an instant with that key and payload.
func (o originals) ByKeyDigest(key, digest string, at time.Time) (warc.Ref, bool) {
	q := Query{Key: key, To: cdxj.Timestamp(at), Reverse: true, Limit: 1, Keep: func(r *cdxj.Record) bool {
		return !r.IsRevisit() && cdxj.SameDigest(r.Digest, digest)
	}}
	for r, err := range o.ix.Query(o.ctx, q) {
		if err == nil {
			return refOf(&r), true
		}
	}
	return warc.Ref{}, false
}

func refOf(r *cdxj.Record) warc.Ref {
	date, _ := r.Time() // the zero time says that it is not known
	return warc.Ref{URI: r.URL, Key: r.Key, Date: date, Digest: r.Digest, File: r.Filename, Offset: r.Offset, Inner: r.Inner()}
}
