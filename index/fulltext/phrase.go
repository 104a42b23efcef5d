package fulltext

import (
	"cmp"
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
	if len(words) == 2 && within == 0 {
		if ok, err := m.paired(words, field, out); ok || err != nil {
			return err
		}
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
	row := words
	if within > 0 {
		row = nil
	}
	sets, docs, err := m.candidates(lists, row, field)
	defer func() { m.spare.free(sets...) }()
	if err != nil || len(docs) == 0 {
		return err
	}
	r, err := m.newPlaces(field, words, distinct, lists, sets, docs)
	if err != nil {
		return err
	}
	defer r.free(m.spare)
	return m.closeIn(r, docs, words, field, within, out)
}

// candidates are the documents that have all words, and the pairs of common words of those that must stand in a row, and may count. It gives the
// set of each word, too.
func (m *matcher) candidates(lists []postings, row []string, field string) (sets []set, docs []uint32, err error) {
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
	if len(row) > 1 {
		if err := m.narrow(row, field, all); err != nil {
			return sets, nil, err
		}
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
	var found foundBuffer
	counts := m.scored && m.silent == 0
	if counts {
		found = m.spare.buffer(len(docs))
	}
	for n, d := range docs {
		times, err := r.times(d, len(words), within)
		if err != nil {
			return err
		}
		if times > 0 {
			out.put(d)
			if counts {
				found.docs, found.scores = append(found.docs, d), append(found.scores, idf*math.Sqrt(float64(times))*r.of[0].norm(d))
			}
		}
		if n%1024 == 0 && m.ctx.Err() != nil {
			return m.ctx.Err()
		}
	}
	if counts {
		m.add(scorePart{found: found})
	}
	return nil
}

// times tells how often the words stand in a row in a document; if they may stand apart, 1 if they do so closely enough.
func (r *places) times(doc uint32, words, within int) (int, error) {
	if within == 0 {
		return r.inRow(doc)
	}
	for i, w := range r.of {
		var err error
		if r.at[i], err = w.read(doc, r.at[i][:0]); err != nil {
			return 0, err
		}
	}
	if r.near(words + within) {
		return 1, nil
	}
	return 0, nil
}

// whereabouts tells where a word stands in some documents, which are asked for in their order.
type whereabouts interface {
	read(doc uint32, buf []uint32) ([]uint32, error)
	norm(doc uint32) float64 // of the last one
}

// places reads where words stand, document after document.
type places struct {
	words   []string // distinct, sorted
	of      []whereabouts
	offsets [][]uint32 // of each word, where it stands in the phrase
	order   []int      // the words, rarest first
	at      [][]uint32 // of each word, in order
	starts  []uint32   // where the words that were read stand as they should
	first   []int      // of near
}

// newPlaces prepares to read where words stand in documents that have all of them.
func (m *matcher) newPlaces(field string, phrase, words []string, lists []postings, sets []set, docs []uint32) (*places, error) {
	r := &places{words: words, at: make([][]uint32, len(words)), offsets: make([][]uint32, len(words)), first: make([]int, len(words))}
	for offset, w := range phrase {
		i, _ := slices.BinarySearch(words, w)
		r.offsets[i] = append(r.offsets[i], uint32(offset))
	}
	for i := range words {
		r.order = append(r.order, i)
	}
	slices.SortFunc(r.order, func(a, b int) int { return cmp.Compare(lists[a].docs.GetCardinality(), lists[b].docs.GetCardinality()) })
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

// inRow counts how often the words stand in a row in a document. It reads the rarest word first, and ends as soon as no place is left where the phrase
// may begin.
func (r *places) inRow(doc uint32) (times int, err error) {
	begun := false
	for _, i := range r.order {
		if r.at[i], err = r.of[i].read(doc, r.at[i][:0]); err != nil {
			return 0, err
		}
		for _, offset := range r.offsets[i] {
			if begun {
				r.starts = follow(r.starts, r.at[i], offset)
			} else {
				r.starts, begun = begin(r.starts[:0], r.at[i], offset), true
			}
			if len(r.starts) == 0 {
				return 0, nil
			}
		}
	}
	return len(r.starts), nil
}

// begin gives where a phrase may begin that has a word at an offset.
func begin(starts, at []uint32, offset uint32) []uint32 {
	for _, p := range at {
		if p > offset {
			starts = append(starts, p-offset)
		}
	}
	return starts
}

// follow keeps the beginnings behind which a word stands at an offset.
func follow(starts, at []uint32, offset uint32) []uint32 {
	out := starts[:0]
	n := 0
	for _, s := range starts {
		for n < len(at) && at[n] < s+offset {
			n++
		}
		if n == len(at) {
			break
		}
		if at[n] == s+offset {
			out = append(out, s)
		}
	}
	return out
}

// near tells whether all words, each as often as needed, stand in a window of so many words. first is of each word the first place in the window under way;
// the window begins at the least of them, and that one moves on.
func (r *places) near(window int) bool {
	clear(r.first)
	for {
		least, end := -1, uint32(0)
		for i, at := range r.at {
			last := r.first[i] + len(r.offsets[i]) - 1
			if last >= len(at) {
				return false
			}
			end = max(end, at[last])
			if least < 0 || at[r.first[i]] < r.at[least][r.first[least]] {
				least = i
			}
		}
		if int(end-r.at[least][r.first[least]]) < window {
			return true
		}
		r.first[least]++
	}
}
