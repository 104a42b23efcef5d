package fulltext

import (
	"cmp"
	"container/heap"
	"encoding/binary"
	"math"
	"math/bits"
	"slices"
	"sort"
	"strings"
)

// named is names that have numbers.
type named interface {
	name(id int) string
	hash(id int) uint32                         // of names that differ it seldom is the same
	same(id int, other named, otherID int) bool // two names are written alike
}

// listed is a facet of a shard, which lists the documents of names.
type listed interface {
	named
	find(name string) int                   // -1 if it has none
	have(id int) uint32                     // documents with a name
	among(id int, docs set) uint32          // those of a set
	beginning(text string, fn func(id int)) // names that begin so, capitals apart
}

// tally is how many documents of a shard, or of an index, have each name of a facet, of those that a query found. Names that none has are left out, and so may be
// names that few have.
type tally struct {
	of     named
	ids    []uint32 // numbers of names
	counts []uint32 // of each of them
	sizes  [33]int  // how many counts have so many bits

	beyond uint32                  // how many documents can have a name that was left out; 0: none has
	left   func(name string) int64 // counts such a name
}

// found is the documents of a shard that fit a query.
type found struct {
	part  *part
	docs  set // nil: all
	count int
}

// counting is a tally under way. Counters are zero between two of them. Who counts takes them out of
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

// valueSpan is where the values of a document are: bits of packed numbers.
type valueSpan struct {
	from, to int
	touched  uint64
}

// eachSpan calls fn with the spans of documents of a shard, some at a time. Their values are seldom in the processor's cache: touched for many documents one after
// the other, it waits for all of them at once.
func (s *spare) eachSpan(l *recordList, docs []uint32, fn func([]valueSpan)) {
	width, b := l.values.width, l.values.b
	for len(docs) > 0 {
		spans := s.spans[:min(len(docs), len(s.spans))]
		for i := range spans {
			x := &spans[i]
			from, to := l.span(docs[i])
			x.from, x.to = from*width, to*width
			x.touched = binary.LittleEndian.Uint64(b[x.from/8:])
		}
		fn(spans)
		docs = docs[len(spans):]
	}
}

// count adds up the first names that documents have, as many as there are counters; by is 1, or -1 for documents that were counted and should not be.
func (s *spare) count(l *recordList, docs, counters []uint32, by uint32) {
	width, mask, b := l.values.width, l.values.mask, l.values.b
	s.eachSpan(l, docs, func(spans []valueSpan) {
		for i := range spans {
			for bit, end := spans[i].from, spans[i].to; bit < end; bit += width {
				id := binary.LittleEndian.Uint64(b[bit/8:]) >> (bit % 8) & mask
				if id >= uint64(len(counters)) {
					break
				}
				counters[id] += by
			}
		}
	})
}

// hitsOf is what was found of an index.
type hitsOf struct {
	*ordinals
	found []found
	count int
}

// share is the part of all documents that was found.
func (h *hitsOf) share() float64 { return float64(h.count) / float64(max(h.docs, 1)) }

// facetAsked is a facet that is counted: names as far as so many documents of the index have them.
type facetAsked struct {
	facet int // -1: the index has none of that name
	least uint32
}

// tallyValues counts the names of some facets in one pass over the documents that were found; over those that were not, if they are fewer. Names that fewer documents than least have, of all or of
// those that were found, are left out; so are names of a single document if enough others are there.
func (s *spare) tallyValues(h *hitsOf, asked []facetAsked, enough int) []tally {
	out := make([]tally, len(asked))
	var of [1 << 8]uint16 // place in asked of each facet, plus one
	names, least := 0, uint32(math.MaxUint32)
	for i, a := range asked {
		if out[i] = s.tally(h.ordinals); a.facet < 0 {
			continue
		}
		out[i].left = func(name string) int64 { return h.named(h.Facets[a.facet].Name, name) }
		of[a.facet], least = uint16(i+1), min(least, a.least)
		if n := h.often(a.facet, a.least); n > 0 {
			names = max(names, int(h.lists[a.facet].at(n-1))+1)
		}
	}
	if least == 1 && s.tallyFew(h, &of, out, enough) {
		return out
	}
	c := s.counting(names)
	counters := c.counters[:names]
	if 2*h.count > h.docs {
		s.countOthers(h, counters)
	} else {
		for _, f := range h.found {
			s.count(&h.documents[f.part.place], s.documentsOf(f), counters, 1)
		}
	}
	for id, n := range counters {
		if n >= least {
			if i := of[h.facets[id]]; i > 0 && n >= asked[i-1].least {
				out[i-1].put(uint32(id), n)
			}
		}
	}
	clear(counters)
	s.counts = c
	for i, a := range asked {
		out[i].beyond = max(a.least, 1) - 1
	}
	return out
}

// countOthers counts as many names as there are counters: those of all documents, less those of documents that were not found.
func (s *spare) countOthers(h *hitsOf, counters []uint32) {
	for id := range counters {
		counters[id] = h.have(id)
	}
	for i := range h.documents {
		others := s.set(h.Shards[i].Docs)
		if at := slices.IndexFunc(h.found, func(f found) bool { return f.part.place == i }); at >= 0 {
			if h.found[at].docs == nil {
				s.free(others)
				continue
			}
			copy(others, h.found[at].docs)
		}
		others.flip(h.Shards[i].Docs)
		s.listed = others.list(s.listed)
		s.free(others)
		s.count(&h.documents[i], s.listed, counters, ^uint32(0))
	}
}

// mostFew is up to how many values are counted in a table of their own, which the processor's cache holds, and not by counters of all names.
const mostFew = 1 << 14

// tallyFew counts all names of documents with few values; it reports whether they are few. Names of a single document are left out if enough others are there: most names are
// such, and to look up the facet of each would cost more than counting it did.
func (s *spare) tallyFew(h *hitsOf, of *[1 << 8]uint16, out []tally, enough int) bool {
	values := 0
	for _, f := range h.found {
		l := &h.documents[f.part.place]
		for _, d := range s.documentsOf(f) {
			from, to := l.span(d)
			values += to - from
		}
		if values > mostFew {
			return false
		}
	}
	shift := 31 - bits.Len32(uint32(values)) // twice as many slots, and up to four times
	whole := s.few
	if s.few = nil; len(whole) < 1<<(32-shift) { // as with counting
		whole = make([]uint64, 1<<(32-shift))
	}
	table := whole[:1<<(32-shift)] // ordinal + 1, and its count in the lower half
	for _, f := range h.found {
		l := &h.documents[f.part.place]
		width, mask, b := l.values.width, l.values.mask, l.values.b
		s.eachSpan(l, s.documentsOf(f), func(spans []valueSpan) {
			for i := range spans {
				for bit, end := spans[i].from, spans[i].to; bit < end; bit += width {
					id := binary.LittleEndian.Uint64(b[bit/8:])>>(bit%8)&mask + 1
					at := uint32(id) * 2654435769 >> shift
					for table[at] != 0 && table[at]>>32 != id {
						at = (at + 1) & uint32(len(table)-1)
					}
					table[at] = id<<32 | uint64(uint32(table[at])+1)
				}
			}
		})
	}
	put := func(x uint64) {
		if i := of[h.facets[x>>32-1]]; i > 0 {
			out[i-1].put(uint32(x>>32-1), uint32(x))
		}
	}
	for _, x := range table {
		if uint32(x) > 1 {
			put(x)
		}
	}
	if slices.ContainsFunc(out, func(t tally) bool { return len(t.ids) < enough }) {
		for _, x := range table {
			if uint32(x) == 1 {
				put(x)
			}
		}
	} else {
		for i := range out {
			out[i].beyond = 1
		}
	}
	clear(table)
	s.few = whole
	return true
}

// documentsOf lists what was found in a shard.
func (s *spare) documentsOf(f found) []uint32 {
	if f.docs != nil {
		s.listed = f.docs.list(s.listed)
		return s.listed
	}
	all := s.set(f.part.info.Docs)
	all.flip(f.part.info.Docs)
	s.listed = all.list(s.listed)
	s.free(all)
	return s.listed
}

// named returns how many documents that were found have a name of a facet.
func (h *hitsOf) named(facet, name string) (n int64) {
	for _, f := range h.found {
		if v := f.part.facets.find(facet); v != nil {
			n += int64(f.among(v, v.find(name)))
		}
	}
	return n
}

// among returns how many documents that were found have a name.
func (f *found) among(of listed, id int) uint32 {
	switch {
	case id < 0:
		return 0
	case f.docs == nil:
		return of.have(id)
	}
	return of.among(id, f.docs)
}

// tallyOfPrefix counts the names that begin so.
func (s *spare) tallyOfPrefix(of listed, h found, text string) tally {
	t := s.tally(of)
	of.beginning(text, func(id int) {
		if n := h.among(of, id); n > 0 {
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
	if len(tallies) == 1 {
		return tallies[0].commonest(most)
	}
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
				x.n += t.left(s.tallies[x.tally].of.name(int(x.id)))
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

// commonest is that of one tally.
func (t *tally) commonest(most int) (_ []Count, bound int64, ok bool) {
	if top := t.top(most); len(top) == most {
		bound = math.MaxInt64
		for _, i := range top {
			bound = min(bound, int64(t.counts[i]))
		}
	}
	if t.beyond > 0 && bound <= int64(t.beyond) {
		return nil, bound, false
	}
	out := make([]Count, 0, most)
	for i, n := range t.counts {
		if int64(n) >= bound {
			out = append(out, Count{t.of.name(int(t.ids[i])), int64(n)})
		}
	}
	slices.SortFunc(out, compareCounts)
	return out[:min(len(out), most)], bound, true
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
