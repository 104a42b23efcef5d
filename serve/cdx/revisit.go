package cdx

import (
	"context"
	"iter"

	"varve/archive/cdxj"
	"varve/index/cdx"
	"varve/web/canon"
)

// resolver finds the records that revisits refer to.
type resolver struct {
	ctx context.Context
	ix  Index
}

// rows adds the original to each row that is a revisit and has one in the index.
func (s resolver) rows(in iter.Seq2[row, error]) iter.Seq2[row, error] {
	return func(yield func(row, error) bool) {
		var last *cdxj.Record // most revisits of a URL have the same original
		for r, err := range in {
			r.asked = true
			if err == nil && r.IsRevisit() {
				if last == nil || last.Key != r.Key || !cdxj.SameDigest(last.Digest, r.Digest) || last.Timestamp > r.Timestamp {
					last = s.original(&r)
				}
				r.orig = last
			}
			if !yield(r, err) {
				return
			}
		}
	}
}

// original looks where the revisit says, then for the nearest earlier capture with its digest.
func (s resolver) original(r *row) *cdxj.Record {
	uri, elsewhere := r.Get("refersUrl")
	if date, ok := r.Get("refersDate"); ok && elsewhere {
		q := cdx.Query{Key: canon.SURT(uri), From: date, To: date}
		if o := s.first(q, r.Digest); o != nil {
			return o
		}
	}
	return s.first(cdx.Query{Key: r.Key, To: r.Timestamp, Reverse: true}, r.Digest)
}

// first gives the first capture of a query that has a payload, and that digest if it is known.
func (s resolver) first(q cdx.Query, digest string) *cdxj.Record {
	q.Limit = 1
	q.Keep = func(o *cdxj.Record) bool {
		return !o.IsRevisit() && (digest == "" || digest == "-" || cdxj.SameDigest(o.Digest, digest))
	}
	for o, err := range s.ix.Query(s.ctx, q) {
		if err == nil {
			return &o
		}
	}
	return nil
}
