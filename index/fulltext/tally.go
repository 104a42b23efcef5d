package fulltext

import (
	"cmp"
	"encoding/binary"
	"maps"
	"math/bits"
	"slices"
	"strings"
)

// named is a facet of a shard whose names have places.
type named interface {
	name(id int) string
	find(name string) int // -1 if it has none
}

// tally is how many documents of one shard have each name of a facet; names that none has are left out.
type tally struct {
	of     named
	names  int      // that there are
	ids    []uint32 // places of names
	counts []uint32 // of each of them
	sizes  [33]int  // how many counts have so many bits
}

// counting is a tally under way. Counters are zero between two of them, as many as the facet with the most names of a shard has. Who counts takes them out of
// the spare and puts them back: a search that panics in between leaves none to the next.
type counting struct {
	counters []uint32 // by place of the name
	touched  []uint32 // places with a count; there is room for all, and one more
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
	return s.settle(f, len(f.names), c, n)
}

// add counts a name, and returns how many names have a count. The name is put among them in any case, and stays if it is new: a branch would be foretold wrongly too often.
func (c *counting) add(id uint32, n int) int {
	before := c.counters[id]
	c.counters[id] = before + 1
	c.touched[n] = id
	return n + int((uint64(before)-1)>>63)
}

// tallyOfValues counts the names of documents of which each has some: a nanosecond or two for each value that is in the processor's cache. Those that are not
// are asked for first, for many documents one after the other: so the processor waits for all of them at once.
func (s *spare) tallyOfValues(v *values, docs []uint32) tally {
	c, n := s.counting(v.Names), 0
	width, mask, b := v.ids.width, v.ids.mask, v.ids.b
	var spans [64]struct{ first, last int }
	for some := range slices.Chunk(docs, len(spans)) {
		for i, d := range some {
			spans[i].first, spans[i].last = v.span(d)
		}
		warm := byte(0)
		for i := range some {
			warm += b[spans[i].first*width/8]
		}
		s.warm += warm
		for _, x := range spans[:len(some)] {
			for bit := x.first * width; x.first < x.last; x.first, bit = x.first+1, bit+width {
				n = c.add(uint32(binary.LittleEndian.Uint64(b[bit/8:])>>(bit%8)&mask), n)
			}
		}
	}
	if v.Names > 0 && len(v.written(0)) == 0 && c.counters[0] > 0 { // numbers of whole documents are about nothing
		i := slices.Index(c.touched[:n], 0)
		n--
		c.touched[i], c.counters[0] = c.touched[n], 0
	}
	return s.settle(v, v.Names, c, n)
}

// settle makes a tally of the first n names that were counted.
func (s *spare) settle(of named, names int, c counting, n int) (t tally) {
	if last := len(s.tallies) - 1; last >= 0 {
		t, s.tallies = s.tallies[last], s.tallies[:last]
	}
	t = tally{of: of, names: names, ids: append(t.ids[:0], c.touched[:n]...), counts: slices.Grow(t.counts[:0], n)[:n]}
	for i, id := range t.ids {
		x := c.counters[id]
		t.counts[i] = x
		t.sizes[bits.Len32(x)]++
		c.counters[id] = 0
	}
	s.counts = c
	return t
}

// commonest returns the names with the highest counts over all tallies, equal ones in the order of names; it is exact, and few names are looked at (Cao and Wang
// 2004, TPUT). Of p tallies:
//
//	the commonest names of each are added up: the least of the best sums is the bound b
//	a name that all together have b times is there b/p times in some tally; those that are, are added up from such tallies
//	and counted in all tallies only if b can be reached with one less than b/p from each of the others
//
// Worked example (TestCommonest): the best one of {a:5 b:4 d:1} and {b:4 c:3}. The best of each are a 5 and b 4; 5 is the bound. a, b and c
// are there 3 times in some tally; with 2 from the other one c could reach 5: it is counted, too. It is b, with 8; d was never looked at.
func (s *spare) commonest(tallies []tally, most int) []Count {
	touched := 0
	for _, t := range tallies {
		touched += len(t.ids)
	}
	var totals map[string]int64
	switch {
	case len(tallies) == 1:
		totals = sums(tallies, most)
	case touched <= fewNames:
		totals = sums(tallies, touched)
	default:
		totals = s.candidates(tallies, most)
	}
	out := ranking(totals)
	return out[:min(len(out), most)]
}

// fewNames is how many are added up rather than chosen among.
const fewNames = 2048

func ranking(totals map[string]int64) []Count {
	out := make([]Count, 0, len(totals))
	for name, n := range totals {
		out = append(out, Count{name, n})
	}
	slices.SortFunc(out, compareCounts)
	return out
}

// compareCounts puts the highest first, and equal ones in the order of names.
func compareCounts(a, b Count) int {
	return cmp.Or(cmp.Compare(b.Count, a.Count), strings.Compare(a.Name, b.Name))
}

// sums adds up the counts of the commonest names of each tally.
func sums(tallies []tally, most int) map[string]int64 {
	out := map[string]int64{}
	for _, t := range tallies {
		for _, i := range t.top(most) {
			out[t.of.name(int(t.ids[i]))] += int64(t.counts[i])
		}
	}
	return out
}

// candidates returns the names that may be among the commonest, with their counts over all tallies.
func (s *spare) candidates(tallies []tally, most int) map[string]int64 {
	bound, parts := int64(1), int64(len(tallies))
	if best := slices.Sorted(maps.Values(sums(tallies, most))); len(best) >= most {
		bound = best[len(best)-most]
	}
	least := (bound + parts - 1) / parts
	type seen struct {
		sum, tallies int64
		in           uint64 // those of the first 64 tallies that were added
	}
	some := map[string]seen{}
	for p, t := range tallies {
		for i, n := range t.counts {
			if int64(n) >= least {
				name := t.of.name(int(t.ids[i]))
				x := some[name]
				some[name] = seen{x.sum + int64(n), x.tallies + 1, x.in | 1<<p}
			}
		}
	}
	maps.DeleteFunc(some, func(_ string, x seen) bool { return x.sum+(parts-x.tallies)*(least-1) < bound })
	out := make(map[string]int64, len(some))
	for name, x := range some {
		out[name] = x.sum
	}
	for p, t := range tallies { // what each has less often than that
		rest := map[uint32]string{}
		wanted := s.set(t.names)
		for name, x := range some {
			if p < 64 && x.in&(1<<p) != 0 {
				continue
			}
			if id := t.of.find(name); id >= 0 {
				wanted.put(uint32(id))
				rest[uint32(id)] = name
			}
		}
		for i, id := range t.ids {
			if len(rest) > 0 && wanted.has(id) && (p < 64 || int64(t.counts[i]) < least) { // few are
				out[rest[id]] += int64(t.counts[i])
			}
		}
		s.free(wanted)
	}
	return out
}

// top returns where the commonest names of a tally are in it: as many as asked for, and those that are as common as the last of them. Counts are told apart by
// their length in bits first, so that few are sorted.
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
	last := most
	for last < len(out) && t.counts[out[last]] == t.counts[out[most-1]] {
		last++
	}
	return out[:last]
}
