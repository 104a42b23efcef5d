package fulltext

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"sync"

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
	times  box                   // first and last begin and end of a validity

	mostLinked float64 // what the links to a page do to its score, at most

	frequent *frequentReader
	pairs    *pairsReader // nil of an index of version 4
	facets   *facetsFile  // with many values a document

	viewsMu sync.Mutex
	views   []*seenSet
}

func openShard(dir string, info shardInfo) (_ *shard, err error) {
	s := &shard{info: info, dicts: map[string]*sync.Pool{}}
	for _, f := range fields {
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
		s.mostLinked = linkedBy(slices.Max(s.cols.inlinks))
		s.times.from = [2]int64{slices.Min(s.cols.from), slices.Max(s.cols.from)}
		s.times.until = [2]int64{slices.Min(s.cols.until), slices.Max(s.cols.until)}
	}
	if s.docs, err = openDocs(filepath.Join(dir, info.Dir, "docs")); err != nil {
		return nil, err
	}
	if s.terms, err = openTerms(filepath.Join(dir, info.Dir, "terms"), info.Docs); err != nil {
		return nil, err
	}
	if s.frequent, err = openFrequent(filepath.Join(dir, info.Dir, "frequent"), info.Docs); err != nil {
		return nil, err
	}
	if info.Pairs {
		if s.pairs, err = openPairs(filepath.Join(dir, info.Dir, "pairs"), info.Docs); err != nil {
			return nil, err
		}
	}
	if s.facets, err = openFacets(dir, info); err != nil {
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
	if s.frequent != nil {
		err = errors.Join(err, s.frequent.close())
	}
	if s.pairs != nil {
		err = errors.Join(err, s.pairs.close())
	}
	return errors.Join(err, s.facets.close())
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
	for name, names := range q.Filters {
		if name != collectionFacet && len(names) > 0 {
			and(s.any(name, names))
		}
	}
	for name, names := range q.Without {
		if name != collectionFacet && len(names) > 0 {
			and(roaring.Flip(s.any(name, names), 0, uint64(len(s.cols.from))))
		}
	}
	return out
}

// any are the documents that have one of the names of a facet, exactly so written.
func (s *shard) any(name string, names []string) *roaring.Bitmap {
	if i := slices.Index(shardFacets, name); i >= 0 {
		return s.cols.facets[i].any(names)
	}
	out := roaring.New()
	if v := s.facets.find(name); v != nil {
		for _, n := range names {
			if id := v.find(n); id >= 0 {
				for i := u32At(v.firsts, id); i < u32At(v.firsts, id+1); i++ {
					out.Add(v.places.at(i))
				}
			}
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

// each calls fn for the documents that fit, as a set and by their places, with their scores; nil scores are 1.
func (s *part) each(ctx context.Context, w *weights, n Node, q *Query, fn func(in set, docs []uint32, scores []float64)) error {
	allowed := s.allowed(q)
	if !s.asked || allowed != nil && allowed.IsEmpty() {
		return nil
	}
	m := matcher{ctx: ctx, shard: s.shard, part: s.number, source: s.source, weights: w, spare: w.spare, time: s.time, scored: q.Limit > 0}
	hits := w.spare.set(s.info.Docs)
	if allowed == nil {
		hits.flip(s.info.Docs)
	} else if err := m.include(hits, allowed); err != nil {
		return err
	}
	if s.mixed != nil && n != nil {
		m.mixed = w.spare.set(s.info.Docs)
		defer w.spare.free(m.mixed)
		if err := m.include(m.mixed, s.mixed.places); err != nil {
			return err
		}
	}
	if n != nil {
		if allowed != nil {
			m.allowed = hits
		}
		found, err := m.match(n)
		if err != nil {
			return err
		}
		hits.and(found)
		w.spare.free(found)
	}
	docs := s.cols.fitting(s.time, hits.list(w.spare.hits)) // time is asked of what was found, not of all documents
	w.spare.hits = docs
	if s.time != nil {
		clear(hits)
		for _, d := range docs {
			hits.put(d)
		}
	}
	if n == nil || !m.scored {
		fn(hits, docs, nil)
		w.spare.free(hits)
		return nil
	}
	in := w.spare.ordered(hits)
	scores, err := m.score(&in, docs)
	m.free()
	fn(hits, docs, scores)
	w.spare.freeOrdered(in)
	return err
}

// worth is the score with the links to the page, if all of them may be counted.
func (s *part) worth(doc uint32, score float64) float64 {
	if s.mixed != nil && s.mixed.places.Contains(doc) {
		return score
	}
	if n := s.cols.inlinks[doc]; int(n) < len(linked) {
		return score * linked[n]
	}
	return score * linkedBy(s.cols.inlinks[doc])
}

// linked is what the score of a document is multiplied by, for the few links that most have.
var linked = func() (out [256]float64) {
	for i := range out {
		out[i] = linkedBy(uint32(i))
	}
	return out
}()

func linkedBy(n uint32) float64 { return 1 + math.Log2(1+float64(n))/10 }
