package fulltext

import (
	"math"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"
	segment "github.com/blevesearch/scorch_segment_api/v2"
)

// close gives the allowed documents in which words stand in a row, or within so many others in any order.
func (m *matcher) close(words []string, field string, within int) (*roaring.Bitmap, error) {
	if len(words) == 1 {
		_, b, err := m.postings(field, words[0])
		return b, err
	}
	distinct := slices.Compact(slices.Sorted(slices.Values(words)))
	lists := make([]segment.PostingsList, len(distinct))
	var both *roaring.Bitmap
	for i, w := range distinct {
		list, b, err := m.postings(field, w)
		if err != nil || b.IsEmpty() {
			return roaring.New(), err
		}
		lists[i] = list
		if both == nil {
			both = b
		} else {
			both = roaring.And(both, b)
		}
	}
	if m.allowed != nil {
		both = roaring.And(both, m.allowed)
	}
	if m.timely != nil {
		docs := slices.DeleteFunc(both.ToArray(), func(d uint32) bool { return !m.timely(d) })
		both = roaring.BitmapOf(docs...)
	}
	if both.IsEmpty() {
		return empty, nil
	}
	return m.closeIn(newPlaces(&m.weights.spare, distinct, lists, both), both, words, field, within)
}

// closeIn goes through the documents that have all words.
func (m *matcher) closeIn(r *places, both *roaring.Bitmap, words []string, field string, within int) (*roaring.Bitmap, error) {
	idf := 0.0
	for _, w := range words {
		idf += m.weights.of(field, w).weight
	}
	var found []uint32
	var scores []float64
	need := map[string]int{}
	for _, w := range words {
		need[w]++
	}
	order := make([]int, len(words)) // place of each word among the distinct ones
	for i, w := range words {
		order[i], _ = slices.BinarySearch(r.words, w)
	}
	for n, it := 0, both.Iterator(); it.HasNext(); n++ {
		d := it.Next()
		norm, err := r.read(uint64(d))
		if err != nil {
			return nil, err
		}
		times := 0
		if within == 0 {
			times = r.inRow(order)
		} else if closeTogether(r.all(), need, len(words)+within) {
			times = 1
		}
		if times > 0 {
			found, scores = append(found, d), append(scores, idf*math.Sqrt(float64(times))*norm)
		}
		if n%1024 == 0 && m.ctx.Err() != nil {
			return nil, m.ctx.Err()
		}
	}
	b := roaring.BitmapOf(found...)
	m.add(scorePart{docs: b, found: found, scores: scores})
	return b, nil
}

// places reads where words stand, document after document.
type places struct {
	words []string // distinct, sorted
	its   []segment.PostingsIterator
	at    [][]uint64 // of each word, in order
	both  []place
}

func newPlaces(spare *spare, words []string, lists []segment.PostingsList, docs *roaring.Bitmap) *places {
	r := &places{words: words, at: make([][]uint64, len(words))}
	for len(spare.places) < len(lists) {
		spare.places = append(spare.places, nil)
	}
	for i, l := range lists {
		spare.places[i] = l.Iterator(true, true, true, spare.places[i])
		r.its = append(r.its, subset(spare.places[i], docs))
	}
	return r
}

// subset makes an iterator pass over the documents that are not among docs.
func subset(it segment.PostingsIterator, docs *roaring.Bitmap) segment.PostingsIterator {
	if o, ok := it.(segment.OptimizablePostingsIterator); ok && o.ActualBitmap() != nil {
		o.ReplaceActual(docs)
	}
	return it
}

// read takes the places of the next document, which all words must have; it gives the norm of the field.
func (r *places) read(doc uint64) (norm float64, err error) {
	for i, it := range r.its {
		r.at[i] = r.at[i][:0]
		p, err := it.Next()
		if err != nil {
			return 0, err
		}
		if p == nil || p.Number() != doc {
			return 0, errPostings
		}
		for _, l := range p.Locations() {
			r.at[i] = append(r.at[i], l.Pos())
		}
		norm = p.Norm()
	}
	return norm, nil
}

// inRow counts how often the words stand in a row; order tells which word comes when.
func (r *places) inRow(order []int) (times int) {
	var next [8]int
	at := next[:0]
	for range order {
		at = append(at, 0)
	}
	for _, start := range r.at[order[0]] {
		whole := true
		for i := 1; i < len(order) && whole; i++ {
			list, want := r.at[order[i]], start+uint64(i)
			for at[i] < len(list) && list[at[i]] < want {
				at[i]++
			}
			whole = at[i] < len(list) && list[at[i]] == want
		}
		if whole {
			times++
		}
	}
	return times
}

// all gives the places of all words, for closeTogether.
func (r *places) all() []place {
	r.both = r.both[:0]
	for i, list := range r.at {
		for _, p := range list {
			r.both = append(r.both, place{r.words[i], int(p)})
		}
	}
	return r.both
}
