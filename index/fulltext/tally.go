package fulltext

import (
	"cmp"
	"container/heap"
	"encoding/binary"
	"math/bits"
	"slices"
	"sort"
	"strings"
)

// named is a facet of a shard whose names have numbers.
type named interface {
	name(id int) string
	hash(id int) uint32                         // of names that differ it seldom is the same
	same(id int, other named, otherID int) bool // two names are written alike
	find(name string) int                       // -1 if it has none
	have(id int) uint32                         // documents with a name
	among(id int, docs set) uint32              // those of a set
	beginning(text string, fn func(id int))     // names that begin so, capitals apart
}

// tally is how many documents of one shard have each name of a facet, of those that a query found. Names that none has are left out, and so may be
// all names from some number on.
type tally struct {
	of     named
	ids    []uint32 // numbers of names
	counts []uint32 // of each of them
	sizes  [33]int  // how many counts have so many bits

	counted int    // the number from which on names are left out
	beyond  uint32 // how many documents can have such a name; 0: none has
	hits    set    // what was found, if names are left out
}

// found is the documents of a shard that fit a query.
type found struct {
	part  *part
	docs  set // nil: all
	count int
}

// counting is a tally under way. Counters are zero between two of them, as many as the facet with the most names of a shard has. Who counts takes them out of
// the spare and puts them back: a search that panics in between leaves none to the next.
type counting struct {
	counters []uint32 // by number of the name
	touched  []uint32 // numbers with a count; there is room for all, and one more
}

func (s *spare) counting(names int) (c counting) {
	c, s.counts = s.counts, counting{}
	if len(c.counters) < names {
		c = counting{make([]uint32, names+names/4), make([]uint32, names+names/4+1)}
	}
	return c
}

// tallyOf counts the names of documents of which each has one.
func (s *spare) tallyOf(f *facet, docs []uint32) tally {
	c, n := s.counting(len(f.names)), 0
	for _, d := range docs {
		n = c.add(f.of[d], n)
	}
	return s.settle(f, c, n)
}

// add counts a name, and returns how many names have a count. The name is put among them in any case, and stays if it is new: a branch would be foretold wrongly too often.
func (c *counting) add(id uint32, n int) int {
	before := c.counters[id]
	c.counters[id] = before + 1
	c.touched[n] = id
	return n + int((uint64(before)-1)>>63)
}

// settle makes a tally of the first n names that were counted.
func (s *spare) settle(of named, c counting, n int) tally {
	t := s.tally(of)
	t.ids = append(t.ids, c.touched[:n]...)
	for _, id := range t.ids {
		x := c.counters[id]
		t.counts = append(t.counts, x)
		t.sizes[bits.Len32(x)]++
		c.counters[id] = 0
	}
	s.counts = c
	return t
}

// tally returns an empty one.
func (s *spare) tally(of named) tally {
	t := tally{of: of}
	if last := len(s.tallies) - 1; last >= 0 {
		t.ids, t.counts = s.tallies[last].ids[:0], s.tallies[last].counts[:0]
		s.tallies = s.tallies[:last]
	}
	return t
}

func (t *tally) put(id, n uint32) {
	t.ids, t.counts = append(t.ids, id), append(t.counts, n)
	t.sizes[bits.Len32(n)]++
}

// freeTallies takes tallies back.
func (s *spare) freeTallies(list []tally) {
	for _, t := range list {
		s.tallies = append(s.tallies, tally{ids: t.ids, counts: t.counts})
	}
}

// spansOf returns the spans of the first of some documents, and the other documents. Records are seldom in the processor's cache: for many documents one after
// the other it waits for all of them at once.
func (s *spare) spansOf(v *values, docs []uint32) (spans []valueSpan, others []uint32) {
	spans = s.spans[:min(len(docs), len(s.spans))]
	for i := range spans {
		spans[i] = v.span(docs[i])
	}
	return spans, docs[len(spans):]
}

// What counting costs, in about nanoseconds: estimates, of which only the relations matter (BenchmarkCountValues shows what comes of them).
const (
	costOfRecord = 25  // most of it waiting for memory, and for what comes after the end of a list was foretold wrongly
	costOfValue  = 1.5 // in a record
	costOfPlace  = 1.3 // in the list of a name
	costOfWord   = 0.4 // in the set of a name
)

// tallyOfValues counts the names of documents of which each has some, as far as so many documents of the shard have them. docs are the documents of h, if they are at most half of all.
//
// If all were found, it is known how many have a name. Else what is cheapest: to ask for each name which of its documents were found, or to go through the records of those that
// were found, or through those of the others.
func (s *spare) tallyOfValues(v *values, h found, docs []uint32, least uint32) tally {
	k := v.often(least)
	if least == 1 && h.count < v.counted/8 && h.docs != nil && 2*h.count <= v.docs {
		return s.tallyOfAll(v, docs)
	}
	t := s.tally(v)
	sets, listed := min(k, v.set), u32At(v.firsts, k)
	byName := costOfWord*float64(sets*len(h.docs)) + costOfPlace*float64(listed-u32At(v.firsts, sets))
	byRecord := float64(min(h.count, v.docs-h.count)) * (costOfRecord + costOfValue*float64(listed)/float64(v.docs))
	switch {
	case h.docs == nil:
		for id := range k {
			t.put(uint32(id), v.have(id))
		}
	case byName < byRecord:
		for id := range k {
			if n := v.among(id, h.docs); n > 0 {
				t.put(uint32(id), n)
			}
		}
	case 2*h.count > v.docs:
		others := s.set(v.docs)
		copy(others, h.docs)
		others.flip(v.docs)
		s.missed = others.list(s.missed)
		s.free(others)
		c := s.counting(k)
		s.count(v, s.missed, c.counters[:k])
		for id, x := range c.counters[:k] {
			if n := v.have(id) - x; n > 0 {
				t.put(uint32(id), n)
			}
		}
		clear(c.counters[:k])
		s.counts = c
	default:
		c := s.counting(k)
		s.count(v, docs, c.counters[:k])
		for id, n := range c.counters[:k] {
			if n > 0 {
				t.put(uint32(id), n)
			}
		}
		clear(c.counters[:k])
		s.counts = c
	}
	if t.counted = k; k < v.counted {
		t.beyond, t.hits = min(v.have(k), uint32(h.count)), h.docs
	}
	return t
}

// count adds up the first names that documents have, as many as there are counters.
func (s *spare) count(v *values, docs, counters []uint32) {
	width, mask, b := v.width, uint64(1)<<v.width-1, v.records
	var spans []valueSpan
	for len(docs) > 0 && len(counters) > 0 {
		spans, docs = s.spansOf(v, docs)
		for _, x := range spans {
			for ; x.n > 0; x.n-- {
				id := binary.LittleEndian.Uint64(b[x.bit/8:]) >> (x.bit % 8) & mask
				if id >= uint64(len(counters)) {
					break
				}
				counters[id]++
				x.bit += width
			}
		}
	}
}

// tallyOfAll counts all names of few documents.
func (s *spare) tallyOfAll(v *values, docs []uint32) tally {
	c, n := s.counting(v.Names), 0
	width, mask, b := v.width, uint64(1)<<v.width-1, v.records
	var spans []valueSpan
	for len(docs) > 0 {
		spans, docs = s.spansOf(v, docs)
		for _, x := range spans {
			for ; x.n > 0; x.n-- {
				n = c.add(uint32(binary.LittleEndian.Uint64(b[x.bit/8:])>>(x.bit%8)&mask), n)
				x.bit += width
			}
		}
	}
	return s.settle(v, c, n)
}

// tallyOfPrefix counts the names that begin so.
func (s *spare) tallyOfPrefix(of named, h found, text string) tally {
	t := s.tally(of)
	of.beginning(text, func(id int) {
		n := uint32(0)
		if h.docs == nil {
			n = of.have(id)
		} else {
			n = of.among(id, h.docs)
		}
		if n > 0 {
			t.put(uint32(id), n)
		}
	})
	return t
}

// sum is how often a name is there in some tallies.
type sum struct {
	n     int64
	hash  uint32
	tally uint32 // in which it was met first
	id    uint32 // there
}

// sums adds up the counts of names over tallies: a hash table of names, which are read only where hashes are the same.
type sums struct {
	tallies []tally
	list    []sum
	slots   []uint32 // places in the list plus one, by hash; a power of two
	in      []uint64 // of each of the list a bit for each tally that has it
	words   int      // of in, for one name
}

func (s *sums) reset(tallies []tally) {
	if s.tallies, s.words = tallies, (len(tallies)+63)/64; len(s.slots) == 0 || len(s.slots) > 1<<16 {
		s.slots = make([]uint32, 256)
	}
	s.list, s.in = s.list[:0], s.in[:0]
	clear(s.slots)
}

// slot returns where a name of a tally is, or would be.
func (s *sums) slot(tally int, id, hash uint32) *uint32 {
	for i := int(hash); ; i++ {
		at := &s.slots[i&(len(s.slots)-1)]
		if *at == 0 {
			return at
		}
		if x := &s.list[*at-1]; x.hash == hash && s.tallies[tally].of.same(int(id), s.tallies[x.tally].of, int(x.id)) {
			return at
		}
	}
}

// add counts a name of a tally.
func (s *sums) add(tally int, id, n uint32) {
	hash := s.tallies[tally].of.hash(int(id))
	at := s.slot(tally, id, hash)
	if *at == 0 {
		s.list = append(s.list, sum{hash: hash, tally: uint32(tally), id: id})
		for range s.words {
			s.in = append(s.in, 0)
		}
		*at = uint32(len(s.list))
	}
	s.count(int(*at-1), tally, n)
	if 2*len(s.list) > len(s.slots) {
		s.rehash(4 * len(s.slots))
	}
}

// addTo counts a name of a tally if it is there.
func (s *sums) addTo(tally int, id, n uint32) {
	if at := s.slot(tally, id, s.tallies[tally].of.hash(int(id))); *at > 0 {
		s.count(int(*at-1), tally, n)
	}
}

func (s *sums) count(place, tally int, n uint32) {
	s.list[place].n += int64(n)
	s.in[place*s.words+tally/64] |= 1 << (tally % 64)
}

// has reports whether a name was added of a tally.
func (s *sums) has(place, tally int) bool {
	return s.in[place*s.words+tally/64]>>(tally%64)&1 != 0
}

func (s *sums) rehash(slots int) {
	s.slots = make([]uint32, slots)
	for i, x := range s.list {
		at := int(x.hash)
		for s.slots[at&(slots-1)] != 0 {
			at++
		}
		s.slots[at&(slots-1)] = uint32(i + 1)
	}
}

// keep leaves names out that cannot reach a sum if they have at most so many in each of the tallies that were not added.
func (s *sums) keep(bound int64, most func(tally int) int64) {
	n := 0
	for i, x := range s.list {
		could := x.n
		for p := range s.tallies {
			if !s.has(i, p) {
				could += most(p)
			}
		}
		if could >= bound {
			s.list[n] = x
			copy(s.in[n*s.words:(n+1)*s.words], s.in[i*s.words:])
			n++
		}
	}
	s.list, s.in = s.list[:n], s.in[:n*s.words]
	s.rehash(len(s.slots))
}

// reached returns the highest sum that so many names reach; 0 if there are fewer.
func (s *sums) reached(most int) int64 {
	if len(s.list) < most {
		return 0
	}
	var best highest
	for _, x := range s.list {
		if len(best) < most {
			heap.Push(&best, x.n)
		} else if x.n > best[0] {
			best[0] = x.n
			heap.Fix(&best, 0)
		}
	}
	return best[0]
}

// highest is a heap of sums, the least first.
type highest []int64

func (h highest) Len() int           { return len(h) }
func (h highest) Less(i, j int) bool { return h[i] < h[j] }
func (h highest) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *highest) Push(x any)        { *h = append(*h, x.(int64)) }
func (h *highest) Pop() any          { last := len(*h) - 1; x := (*h)[last]; *h = (*h)[:last]; return x }

// fewNames is how many are added up rather than chosen among.
const fewNames = 2048

// commonest returns the names with the highest counts over all tallies, equal ones in the order of names; it is exact, and few names are looked at (Cao and Wang
// 2004, TPUT). Of p tallies:
//
//	the commonest names of each are added up: the least of the best sums is the bound b
//	a name that all together have b times is there b/p times in some tally; those that are, are added up
//	and completed from the other tallies; from those that left them out only if b can be reached with what such names may have
//
// If b is no more than what names can have that were left out everywhere, it is not enough, and only the bound is returned.
//
// Worked example (TestCommonest): the best one of {a:5 b:4 d:1} and {b:4 c:3}. The best of each are a 5 and b 4; 5 is the bound. a, b and c
// are there 3 times in some tally. With 2 from the other one c could reach 5: it is completed, too. It is b, with 8; d was never looked at.
func (s *spare) commonest(tallies []tally, most int) (_ []Count, bound int64, ok bool) {
	sums := &s.sums
	sums.reset(tallies)
	touched, beyond := 0, int64(0)
	for _, t := range tallies {
		touched += len(t.ids)
		beyond += int64(t.beyond)
	}
	if touched > fewNames || beyond > 0 {
		for p := range tallies {
			t := &tallies[p]
			for _, i := range t.top(2 * most) { // so that those of all are among them in most
				sums.add(p, t.ids[i], t.counts[i])
			}
		}
		if bound = sums.reached(most); beyond > 0 && bound <= beyond {
			return nil, bound, false
		}
		sums.reset(tallies)
	}
	least := leastOf(tallies, bound)
	for p := range tallies {
		t := &tallies[p]
		for i, n := range t.counts {
			if n >= least {
				sums.add(p, t.ids[i], n)
			}
		}
	}
	if least > 1 {
		sums.keep(bound, func(p int) int64 { return int64(max(least-1, tallies[p].beyond)) })
		for p := range tallies {
			t := &tallies[p]
			for i, n := range t.counts {
				if n < least {
					sums.addTo(p, t.ids[i], n)
				}
			}
		}
	}
	if beyond > 0 {
		sums.keep(sums.reached(most), func(p int) int64 { return int64(tallies[p].beyond) })
		sums.complete()
	}
	return sums.ranking(most), bound, true
}

// leastOf returns a count that a name which reaches the bound has in some tally, the greatest such; 1 without a bound.
func leastOf(tallies []tally, bound int64) uint32 {
	if bound == 0 {
		return 1
	}
	return 1 + uint32(sort.Search(int(bound)/len(tallies)+1, func(n int) bool {
		sum := int64(0)
		for _, t := range tallies {
			sum += max(int64(n)+1, int64(t.beyond))
		}
		return sum >= bound
	}))
}

// complete counts names in the tallies that left them out.
func (s *sums) complete() {
	for i := range s.list {
		x := &s.list[i]
		for p := range s.tallies {
			if t := &s.tallies[p]; t.beyond > 0 && !s.has(i, p) {
				if id := t.of.find(s.tallies[x.tally].of.name(int(x.id))); id >= t.counted && t.hits == nil {
					x.n += int64(t.of.have(id))
				} else if id >= t.counted {
					x.n += int64(t.of.among(id, t.hits))
				}
			}
		}
	}
}

// ranking returns the names with the highest sums.
func (s *sums) ranking(most int) []Count {
	least := s.reached(most)
	out := make([]Count, 0, min(most, len(s.list)))
	for _, x := range s.list {
		if x.n >= least {
			out = append(out, Count{s.tallies[x.tally].of.name(int(x.id)), x.n})
		}
	}
	slices.SortFunc(out, compareCounts)
	return out[:min(len(out), most)]
}

// compareCounts puts the highest first, and equal ones in the order of names.
func compareCounts(a, b Count) int {
	return cmp.Or(cmp.Compare(b.Count, a.Count), strings.Compare(a.Name, b.Name))
}

// top returns where the commonest names of a tally are in it, as many as asked for. Counts are told apart by their length in bits first, so that few are sorted.
func (t *tally) top(most int) (out []int) {
	size, have := 32, t.sizes[32]
	for have < most && size > 1 {
		size--
		have += t.sizes[size]
	}
	out = make([]int, 0, have)
	for i, n := range t.counts {
		if n >= 1<<(size-1) {
			out = append(out, i)
		}
	}
	if len(out) <= most {
		return out
	}
	slices.SortFunc(out, func(a, b int) int { return cmp.Compare(t.counts[b], t.counts[a]) })
	return out[:most]
}
