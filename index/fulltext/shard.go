package fulltext

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/blevesearch/bleve/v2"
	"github.com/blevesearch/bleve/v2/analysis"
	"github.com/blevesearch/bleve/v2/index/scorch"
	index "github.com/blevesearch/bleve_index_api"
	segment "github.com/blevesearch/scorch_segment_api/v2"
)

// shard is the documents of one year, open for reading.
type shard struct {
	info   shardInfo
	bleve  bleve.Index
	reader index.IndexReader
	words  segment.Segment // of Bleve; a shard has one
	cols   *columns
	docs   *docsReader
	terms  *termsReader
	dicts  map[string]*sync.Pool // by field
	begins [2]int64              // first and last begin of a validity
	ends   int64                 // last end

	viewsMu sync.Mutex
	views   []*seenSet
}

func openShard(dir string, info shardInfo) (_ *shard, err error) {
	s := &shard{info: info, dicts: map[string]*sync.Pool{}}
	for _, f := range Fields() {
		s.dicts[f] = &sync.Pool{}
	}
	defer func() {
		if err != nil {
			err = errors.Join(fmt.Errorf("shard %s: %w", info.Dir, err), s.close())
		}
	}()
	if s.cols, err = readColumns(filepath.Join(dir, info.Dir, "columns")); err != nil {
		return nil, err
	}
	if len(s.cols.from) != info.Docs {
		return nil, fmt.Errorf("%d documents in the columns, %d in the manifest", len(s.cols.from), info.Docs)
	}
	labels, err := readLabels(dir, info)
	if err != nil {
		return nil, err
	}
	s.cols.facets = append(s.cols.facets, labels...)
	if info.Docs > 0 {
		s.begins, s.ends = [2]int64{slices.Min(s.cols.from), slices.Max(s.cols.from)}, slices.Max(s.cols.until)
	}
	if s.docs, err = openDocs(filepath.Join(dir, info.Dir, "docs")); err != nil {
		return nil, err
	}
	if s.terms, err = openTerms(filepath.Join(dir, info.Dir, "terms"), info.Docs); err != nil {
		return nil, err
	}
	words, err := bleve.OpenUsing(filepath.Join(dir, info.Dir, "bleve"), map[string]any{"read_only": true})
	if err != nil {
		return nil, err // Bleve gives an index that is not nil and cannot be closed
	}
	s.bleve = words
	advanced, err := s.bleve.Advanced()
	if err != nil {
		return nil, err
	}
	if s.reader, err = advanced.Reader(); err != nil {
		return nil, err
	}
	s.words, err = onlySegment(s.reader, info.Docs)
	return s, err
}

func (s *shard) close() error {
	var err error
	if s.reader != nil {
		err = s.reader.Close()
	}
	if s.bleve != nil {
		err = errors.Join(err, s.bleve.Close())
	}
	if s.docs != nil {
		err = errors.Join(err, s.docs.close())
	}
	if s.terms != nil {
		err = errors.Join(err, s.terms.close())
	}
	return err
}

// onlySegment gives the segment of a shard: Build makes one.
func onlySegment(r index.IndexReader, docs int) (segment.Segment, error) {
	snap, ok := r.(*scorch.IndexSnapshot)
	if !ok {
		return nil, fmt.Errorf("not an index of scorch: %T", r)
	}
	list := snap.Segments()
	if len(list) != 1 || list[0].Segment().Count() != uint64(docs) {
		return nil, fmt.Errorf("not one segment with all %d documents", docs)
	}
	return list[0].Segment(), nil
}

func (s *shard) analyser() analysis.Analyzer { return s.bleve.Mapping().AnalyzerNamed(analyserName) }

// allowed are the documents that fit the facets; nil means all.
func (s *shard) allowed(q *Query) *roaring.Bitmap {
	var out *roaring.Bitmap
	and := func(b *roaring.Bitmap) {
		if out == nil {
			out = b
		} else {
			out = roaring.And(out, b)
		}
	}
	for i, name := range shardFacets {
		if names := q.Filters[name]; len(names) > 0 {
			and(s.cols.facets[i].any(names))
		}
		if names := q.Without[name]; len(names) > 0 {
			and(roaring.Flip(s.cols.facets[i].any(names), 0, uint64(len(s.cols.from))))
		}
	}
	return out
}

// any are the documents that have one of the names.
func (f *facet) any(names []string) *roaring.Bitmap {
	var list []*roaring.Bitmap
	for _, n := range names {
		list = append(list, f.value(n))
	}
	return roaring.FastOr(list...)
}

// timely gives the condition on the validity of documents; nil if there is none.
func (c *columns) timely(q *Query) func(doc uint32) bool {
	in := inTime(q)
	at := q.AsOf.UnixMicro()
	switch span := !q.From.IsZero() || !q.To.IsZero(); {
	case q.AsOf.IsZero() && !span:
		return nil
	case q.AsOf.IsZero():
		return func(d uint32) bool { return in(c.from[d], c.until[d]) }
	case !span:
		return func(d uint32) bool { return c.from[d] <= at && at < c.until[d] }
	}
	return func(d uint32) bool { return c.from[d] <= at && at < c.until[d] && in(c.from[d], c.until[d]) }
}

// inTime compares a validity [from, until) with the span [s, e] of a query.
func inTime(q *Query) func(from, until int64) bool {
	s, e := int64(math.MinInt64), int64(math.MaxInt64)
	if !q.From.IsZero() {
		s = q.From.UnixMicro()
	}
	if !q.To.IsZero() {
		e = q.To.UnixMicro()
	}
	switch q.Relation {
	case Inside:
		return func(from, until int64) bool {
			return s <= from && (until == open && e == math.MaxInt64 || until != open && until-1 <= e)
		}
	case Contains:
		return func(from, until int64) bool { return from <= s && e < until }
	}
	return func(from, until int64) bool { return from <= e && s < until }
}

// each calls fn for every document that fits, by its place.
func (s *part) each(ctx context.Context, w *weights, n Node, q *Query, fn func(doc uint32, score float64)) error {
	allowed, timely := s.allowed(q), s.cols.timely(q)
	if n == nil {
		s.everything(allowed, timely, fn)
		return nil
	}
	if allowed != nil && allowed.IsEmpty() || !s.asked {
		return nil
	}
	m := matcher{ctx: ctx, shard: s.shard, part: s.number, weights: w, allowed: allowed, timely: timely, scored: q.Limit > 0}
	hits, err := m.match(n)
	if err != nil {
		return err
	}
	if allowed != nil {
		hits = roaring.And(hits, allowed)
	}
	docs := hits.ToArray()
	if timely != nil { // asked of what was found, not of all documents
		docs = slices.DeleteFunc(docs, func(d uint32) bool { return !timely(d) })
		hits = roaring.BitmapOf(docs...)
	}
	scores, err := m.score(hits, docs)
	for i, d := range docs {
		fn(d, scores[i])
	}
	return err
}

// everything calls fn for the documents that facets and time let through.
func (s *shard) everything(allowed *roaring.Bitmap, timely func(uint32) bool, fn func(doc uint32, score float64)) {
	if allowed == nil {
		for d := range uint32(len(s.cols.from)) {
			if timely == nil || timely(d) {
				fn(d, 1)
			}
		}
		return
	}
	for it := allowed.Iterator(); it.HasNext(); {
		if d := it.Next(); timely == nil || timely(d) {
			fn(d, 1)
		}
	}
}

// worth is the score with the links to the page.
func (s *shard) worth(doc uint32, score float64) float64 {
	return score * (1 + math.Log2(1+float64(s.cols.inlinks[doc]))/10)
}

// begin gives the start of the bucket of an instant, in microseconds.
func (b Bucket) begin(micro int64) time.Time {
	t := time.UnixMicro(micro).UTC()
	switch b {
	case ByYear:
		return time.Date(t.Year(), 1, 1, 0, 0, 0, 0, time.UTC)
	case ByMonth:
		return time.Date(t.Year(), t.Month(), 1, 0, 0, 0, 0, time.UTC)
	}
	return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC)
}
