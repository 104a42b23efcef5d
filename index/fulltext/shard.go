package fulltext

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"time"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/blevesearch/bleve/v2"
	"github.com/blevesearch/bleve/v2/analysis"
	"github.com/blevesearch/bleve/v2/mapping"
	"github.com/blevesearch/bleve/v2/search"
	index "github.com/blevesearch/bleve_index_api"
)

// shard is the documents of one year, open for reading.
type shard struct {
	info   shardInfo
	bleve  bleve.Index
	reader index.IndexReader
	number []uint32 // by Bleve's own number
	cols   *columns
	docs   *docsReader
}

func openShard(dir string, info shardInfo) (_ *shard, err error) {
	s := &shard{info: info}
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
	if s.docs, err = openDocs(filepath.Join(dir, info.Dir, "docs")); err != nil {
		return nil, err
	}
	if s.bleve, err = bleve.OpenUsing(filepath.Join(dir, info.Dir, "bleve"), map[string]any{"read_only": true}); err != nil {
		return nil, err
	}
	advanced, err := s.bleve.Advanced()
	if err != nil {
		return nil, err
	}
	if s.reader, err = advanced.Reader(); err != nil {
		return nil, err
	}
	s.number, err = numbers(s.reader, info.Docs)
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
	return err
}

// internal is Bleve's own number of a document.
func internal(id index.IndexInternalID) int { return int(binary.BigEndian.Uint64(id)) }

func (s *shard) analyser() analysis.Analyzer { return s.bleve.Mapping().AnalyzerNamed(analyserName) }

// allowed are the documents that fit facets and time; nil means all.
func (s *shard) allowed(q *Query) *roaring.Bitmap {
	var out *roaring.Bitmap
	and := func(b *roaring.Bitmap) {
		if out == nil {
			out = b
		} else {
			out = roaring.And(out, b)
		}
	}
	for i, name := range Facets() {
		if names := q.Filters[name]; len(names) > 0 {
			and(s.cols.facets[i].any(names))
		}
		if names := q.Without[name]; len(names) > 0 {
			and(roaring.Flip(s.cols.facets[i].any(names), 0, uint64(len(s.cols.from))))
		}
	}
	if !q.AsOf.IsZero() {
		at := q.AsOf.UnixMicro()
		and(s.cols.where(func(from, until int64) bool { return from <= at && at < until }))
	}
	if !q.From.IsZero() || !q.To.IsZero() {
		and(s.cols.where(inTime(q)))
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

// where are the documents whose validity fits.
func (c *columns) where(fits func(from, until int64) bool) *roaring.Bitmap {
	out := roaring.New()
	var run []uint32
	for d := range c.from {
		if fits(c.from[d], c.until[d]) {
			if run = append(run, uint32(d)); len(run) == 4096 {
				out.AddMany(run)
				run = run[:0]
			}
		}
	}
	out.AddMany(run)
	return out
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

// each calls fn for every document that fits, in any order.
func (s *shard) each(ctx context.Context, n Node, q *Query, fn func(doc uint32, score float64)) error {
	allowed := s.allowed(q)
	if n == nil {
		if allowed == nil {
			for d := range uint32(len(s.cols.from)) {
				fn(d, 1)
			}
			return nil
		}
		for it := allowed.Iterator(); it.HasNext(); {
			fn(it.Next(), 1)
		}
		return nil
	}
	if allowed != nil && allowed.IsEmpty() {
		return nil
	}
	return s.match(ctx, n, s.bleve.Mapping(), func(doc uint32, score float64) {
		if allowed == nil || allowed.Contains(doc) {
			fn(doc, score)
		}
	})
}

// match runs the text of a query through Bleve.
func (s *shard) match(ctx context.Context, n Node, m mapping.IndexMapping, fn func(doc uint32, score float64)) error {
	searcher, err := compile(n, s.analyser()).Searcher(ctx, s.reader, m, search.SearcherOptions{})
	if err != nil {
		return err
	}
	defer searcher.Close()
	sc := &search.SearchContext{DocumentMatchPool: search.NewDocumentMatchPool(searcher.DocumentMatchPoolSize()+8, 0), IndexReader: s.reader}
	for i := 0; ; i++ {
		if i%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		d, err := searcher.Next(sc)
		if err != nil || d == nil {
			return err
		}
		fn(s.number[internal(d.IndexInternalID)], d.Score)
		sc.DocumentMatchPool.Put(d)
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
