package fulltext

import (
	"math"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"
)

// close adds the allowed documents in which words stand in a row, or within so many others in any order.
func (m *matcher) close(words []string, field string, within int, out set) error {
	if len(words) == 1 {
		p, err := m.postings(field, words[0])
		if err != nil {
			return err
		}
		return m.include(out, p.docs)
	}
	distinct := slices.Compact(slices.Sorted(slices.Values(words)))
	lists := make([]postings, len(distinct))
	for i, w := range distinct {
		p, err := m.postings(field, w)
		if err != nil || p.docs.IsEmpty() {
			return err
		}
		lists[i] = p
	}
	sets, docs, err := m.candidates(lists)
	defer func() { m.spare.free(sets...) }()
	if err != nil || len(docs) == 0 {
		return err
	}
	r, err := m.newPlaces(field, distinct, lists, sets, docs)
	if err != nil {
		return err
	}
	defer r.free(m.spare)
	return m.closeIn(r, docs, words, field, within, out)
}

// candidates are the documents that have all words and may count. It gives the set of each word, too.
func (m *matcher) candidates(lists []postings) (sets []set, docs []uint32, err error) {
	all := m.spare.set(m.docs())
	defer m.spare.free(all)
	for i, l := range lists {
		s := m.spare.set(m.docs())
		sets = append(sets, s)
		if err := m.include(s, l.docs); err != nil {
			return sets, nil, err
		}
		if i == 0 {
			all.or(s)
		} else {
			all.and(s)
		}
	}
	if m.allowed != nil {
		all.and(m.allowed)
	}
	m.spare.both = m.shard.cols.fitting(m.time, all.list(m.spare.both))
	return sets, m.spare.both, nil
}

// closeIn goes through the documents that have all words.
func (m *matcher) closeIn(r *places, docs []uint32, words []string, field string, within int, out set) error {
	idf := 0.0
	for _, w := range words {
		idf += m.weights.of(field, w).weight
	}
	need := map[string]int{}
	order := make([]int, len(words)) // place of each word among the distinct ones
	for i, w := range words {
		need[w]++
		order[i], _ = slices.BinarySearch(r.words, w)
	}
	found, scores := make([]uint32, 0, len(docs)), make([]float64, 0, len(docs))
	for n, d := range docs {
		if err := r.read(d); err != nil {
			return err
		}
		times := 0
		if within == 0 {
			times = r.inRow(order)
		} else if closeTogether(r.all(), need, len(words)+within) {
			times = 1
		}
		if times > 0 {
			out.put(d)
			if m.scored && m.silent == 0 {
				found, scores = append(found, d), append(scores, idf*math.Sqrt(float64(times))*r.of[0].norm(d))
			}
		}
		if n%1024 == 0 && m.ctx.Err() != nil {
			return m.ctx.Err()
		}
	}
	if len(found) > 0 {
		m.add(scorePart{found: found, scores: scores})
	}
	return nil
}

// whereabouts tells where a word stands in some documents, which are asked for one after the other.
type whereabouts interface {
	read(doc uint32, buf []uint32) ([]uint32, error)
	norm(doc uint32) float64 // of the last one
}

// places reads where words stand, document after document.
type places struct {
	words []string // distinct, sorted
	of    []whereabouts
	at    [][]uint32 // of each word, in order
	both  []place
}

// newPlaces prepares to read where words stand in documents that have all of them.
func (m *matcher) newPlaces(field string, words []string, lists []postings, sets []set, docs []uint32) (*places, error) {
	r := &places{words: words, at: make([][]uint32, len(words))}
	for len(m.spare.places) < len(lists) {
		m.spare.places = append(m.spare.places, nil)
	}
	var wanted *roaring.Bitmap
	for i, l := range lists {
		f, err := m.shard.often(field, words[i], l)
		if err != nil {
			return nil, err
		}
		if f != nil {
			r.of = append(r.of, &packedPlaces{placesOf{frequent: f}, m.spare.ordered(sets[i])})
			continue
		}
		if wanted == nil {
			wanted = roaring.BitmapOf(docs...)
		}
		m.spare.places[i] = l.list.Iterator(true, true, true, m.spare.places[i])
		r.of = append(r.of, &blevePlaces{it: subset(m.spare.places[i], wanted)})
	}
	return r, nil
}

// free gives back what newPlaces took.
func (r *places) free(s *spare) {
	for _, w := range r.of {
		if p, ok := w.(*packedPlaces); ok {
			s.before = append(s.before, p.docs.before)
		}
	}
}

// read takes the places in a document, which all words must have.
func (r *places) read(doc uint32) (err error) {
	for i, w := range r.of {
		if r.at[i], err = w.read(doc, r.at[i][:0]); err != nil {
			return err
		}
	}
	return nil
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
			list, want := r.at[order[i]], start+uint32(i)
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
