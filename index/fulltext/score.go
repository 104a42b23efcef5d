package fulltext

import (
	"errors"
	"math"

	"github.com/RoaringBitmap/roaring/v2"
	segment "github.com/blevesearch/scorch_segment_api/v2"
)

// boosts are what a word is worth by where it stands.
var boosts = map[string]float64{"title": 3, "anchor": 2, "url": 1.5, "text": 1}

var errPostings = errors.New("the postings of a word do not fit its documents: the index is damaged")

// scorePart is what one part of a query gives to the scores of documents: by how often a word is there,
// as found before, or the same for all.
type scorePart struct {
	docs   *roaring.Bitmap
	list   segment.PostingsList
	weight float64
	found  []uint32
	scores []float64
	even   float64
}

func (m *matcher) add(p scorePart) {
	if m.scored && m.silent == 0 {
		m.parts = append(m.parts, p)
	}
}

// even gives every document the same.
func (m *matcher) even(score float64) { m.add(scorePart{even: score}) }

// score sums up what the parts give to the documents that fit.
func (m *matcher) score(hits *roaring.Bitmap, docs []uint32) ([]float64, error) {
	out := make([]float64, len(docs))
	for _, p := range m.parts {
		switch {
		case p.list != nil:
			if err := m.scoreWord(p, hits, docs, out); err != nil {
				return out, err
			}
		case p.found != nil:
			merge(docs, p.found, func(i, j int) { out[i] += p.scores[j] })
		case p.docs != nil:
			merge(docs, roaring.And(p.docs, hits).ToArray(), func(i, _ int) { out[i] += p.even })
		default:
			for i := range out {
				out[i] += p.even
			}
		}
	}
	return out, nil
}

// merge calls fn for what is in both sorted lists.
func merge(docs, found []uint32, fn func(i, j int)) {
	i := 0
	for j, d := range found {
		for i < len(docs) && docs[i] < d {
			i++
		}
		if i < len(docs) && docs[i] == d {
			fn(i, j)
		}
	}
}

// scoreWord adds the score of a word: its weight times the root of how often it is there, by the root of the length.
func (m *matcher) scoreWord(p scorePart, hits *roaring.Bitmap, docs []uint32, out []float64) error {
	wanted := p.docs
	if p.docs != hits {
		if wanted = roaring.And(p.docs, hits); wanted.IsEmpty() {
			return nil
		}
	}
	it := p.list.Iterator(true, true, false, m.weights.spare.score)
	m.weights.spare.score = it
	if wanted != p.docs && wanted.GetCardinality() < p.docs.GetCardinality() {
		it = subset(it, wanted)
	}
	for i, n := 0, 0; ; n++ {
		x, err := it.Next()
		if err != nil || x == nil {
			return err
		}
		for i < len(docs) && uint64(docs[i]) < x.Number() {
			i++
		}
		if i < len(docs) && uint64(docs[i]) == x.Number() {
			out[i] += p.weight * math.Sqrt(float64(x.Frequency())) * x.Norm()
		}
		if n%4096 == 0 && m.ctx.Err() != nil {
			return m.ctx.Err()
		}
	}
}
