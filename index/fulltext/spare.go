package fulltext

import (
	segment "github.com/blevesearch/scorch_segment_api/v2"
)

// spare are iterators of Bleve, sets and buffers of a search that are used again and again.
type spare struct {
	bitmaps, score segment.PostingsIterator // each reads one list at a time
	places         []segment.PostingsIterator
	lists          []segment.PostingsList
	used           int // of the lists
	sets           []set
	before         [][]uint32 // of ordered sets
	all, both      []uint32
	hits           []uint32
	scores         []float64
	found          []foundBuffer // of phrases
	tallies        []tally
	counts         counting
	sums           sums
	spans          [64]valueSpan
	listed         []uint32 // documents whose values are counted
	few            []uint64 // a table of their values; empty between two searches
}

// foundBuffer holds the documents with a phrase, and what that gives to their scores.
type foundBuffer struct {
	docs   []uint32
	scores []float64
}

// buffer gives one for n documents.
func (s *spare) buffer(n int) (b foundBuffer) {
	if last := len(s.found) - 1; last >= 0 {
		b, s.found = s.found[last], s.found[:last]
	}
	if cap(b.docs) < n {
		b = foundBuffer{make([]uint32, 0, n+n/4), make([]float64, 0, n+n/4)}
	}
	return foundBuffer{b.docs[:0], b.scores[:0]}
}

// zeros gives so many scores of zero.
func (s *spare) zeros(n int) []float64 {
	if cap(s.scores) < n {
		s.scores = make([]float64, n+n/4)
	}
	s.scores = s.scores[:n]
	clear(s.scores)
	return s.scores
}

// set gives a set without documents, for n of them.
func (s *spare) set(n int) set {
	words := (n + 63) / 64
	if last := len(s.sets) - 1; last >= 0 {
		out := s.sets[last]
		s.sets = s.sets[:last]
		if cap(out) >= words {
			clear(out[:words])
			return out[:words]
		}
	}
	return make(set, words)
}

// free takes sets back.
func (s *spare) free(sets ...set) { s.sets = append(s.sets, sets...) }

// ordered counts the documents of a set.
func (s *spare) ordered(from set) ordered {
	var buf []uint32
	if last := len(s.before) - 1; last >= 0 {
		buf, s.before = s.before[last], s.before[:last]
	}
	return newOrdered(from, buf)
}

// freeOrdered takes a set and its counts back.
func (s *spare) freeOrdered(o ordered) {
	s.sets, s.before = append(s.sets, o.set), append(s.before, o.before)
}

// list gives a list that may be overwritten; nil if there is none left.
func (s *spare) list() segment.PostingsList {
	if s.used < len(s.lists) {
		return s.lists[s.used]
	}
	return nil
}

// keep takes note of a list that was made or overwritten; it is in use until the search ends.
func (s *spare) keep(l segment.PostingsList) {
	if s.used < len(s.lists) {
		s.lists[s.used] = l
	} else {
		s.lists = append(s.lists, l)
	}
	s.used++
}

// largeSpare is how many numbers a buffer may hold that is kept for the next search.
const largeSpare = 1 << 20

// rest makes it fit for the next search: what belongs to segments that may be closed until then is dropped, and large buffers are.
func (s *spare) rest() *spare {
	next := &spare{}
	if cap(s.all)+cap(s.both)+cap(s.hits)+cap(s.scores)+cap(s.listed) <= largeSpare {
		next.all, next.both, next.hits, next.scores, next.listed = s.all, s.both, s.hits, s.scores, s.listed
	}
	size := 0
	for _, b := range s.sets {
		size += cap(b)
	}
	if size <= largeSpare {
		next.sets, next.before = s.sets, s.before
	}
	size = 0
	for _, b := range s.found {
		size += cap(b.docs) + cap(b.scores)
	}
	if size <= largeSpare {
		next.found = s.found
	}
	size = 0
	for _, t := range s.tallies {
		size += cap(t.counts) + cap(t.ids)
	}
	if size <= largeSpare {
		next.tallies = s.tallies
	}
	if next.few = s.few; len(s.counts.counters) <= largeSpare {
		next.counts = s.counts
	}
	if cap(s.sums.list)+cap(s.sums.in) <= largeSpare {
		next.sums = sums{list: s.sums.list, slots: s.sums.slots, in: s.sums.in}
	}
	return next
}
