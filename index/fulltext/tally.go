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
}

// counters are zero between two uses, as many as the facet with the most names of a shard has. Who uses them takes them out and puts them back: a search
// that panics in between leaves none to the next.
type counters []uint32

func (s *spare) takeCounters(names int) (c counters) {
	if c, s.counters = s.counters, nil; len(c) < names {
		c = make(counters, names+names/4)
	}
	return c
}

// tallyOf counts the names of documents of which each has one.
func (s *spare) tallyOf(f *facet, docs []uint32) tally {
	t, counters := s.tally(f, len(f.names))
	for _, d := range docs {
		id := f.of[d]
		if counters[id] == 0 {
			t.ids = append(t.ids, id)
		}
		counters[id]++
	}
	return s.settle(t, counters)
}

// tallyOfValues counts the names of documents of which each has some. A nanosecond or two for each value.
func (s *spare) tallyOfValues(v *values, docs []uint32) tally {
	t, counters := s.tally(v, v.Names)
	width, mask, b := v.ids.width, v.ids.mask, v.ids.b
	for _, d := range docs {
		first, last := u32At(v.starts, int(d)), u32At(v.starts, int(d)+1)
		for bit := first * width; first < last; first, bit = first+1, bit+width {
			id := uint32(binary.LittleEndian.Uint64(b[bit/8:]) >> (bit % 8) & mask)
			if counters[id] == 0 {
				t.ids = append(t.ids, id)
			}
			counters[id]++
		}
	}
	if v.Names > 0 && len(v.written(0)) == 0 { // numbers of whole documents are about nothing
		if i := slices.Index(t.ids, 0); i >= 0 {
			t.ids = slices.Delete(t.ids, i, i+1)
			counters[0] = 0
		}
	}
	return s.settle(t, counters)
}

// tally returns one without counts, and counters for its names.
func (s *spare) tally(of named, names int) (t tally, _ counters) {
	if last := len(s.tallies) - 1; last >= 0 {
		t, s.tallies = s.tallies[last], s.tallies[:last]
	}
	return tally{of, names, t.ids[:0], t.counts[:0]}, s.takeCounters(names)
}

// settle takes the counts over.
func (s *spare) settle(t tally, c counters) tally {
	t.counts = slices.Grow(t.counts, len(t.ids))
	for _, id := range t.ids {
		t.counts = append(t.counts, c[id])
		c[id] = 0
	}
	s.counters = c
	return t
}

// commonest returns the names with the highest counts over all tallies, equal ones in the order of names; it is exact, and few names are looked at (Cao and Wang
// 2004, TPUT). Of p tallies:
//
//	the commonest names of each are added up; the best of these are counted in all tallies: the least of their sums is the bound b
//	a name that all together have b times is there b/p times in some tally; those that are, are added up from such tallies
//	and counted in all tallies only if b can be reached with one less than b/p from each of the others
//
// Worked example (TestCommonest): the best one of {a:5 b:4 d:1} and {b:4 c:3}. The best of each are a 5 and b 4; a is there 5 times in all, the bound. a, b and c
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
	if best := ranking(sums(tallies, most)); len(best) >= most {
		exact := s.exact(tallies, best[:most])
		bound = slices.Min(slices.Collect(maps.Values(exact)))
	}
	least := (bound + parts - 1) / parts
	type seen struct{ sum, tallies int64 }
	some := map[string]seen{}
	for _, t := range tallies {
		for i, n := range t.counts {
			if int64(n) >= least {
				name := t.of.name(int(t.ids[i]))
				x := some[name]
				some[name] = seen{x.sum + int64(n), x.tallies + 1}
			}
		}
	}
	var list []Count
	for name, x := range some {
		if x.sum+(parts-x.tallies)*(least-1) >= bound {
			list = append(list, Count{Name: name})
		}
	}
	return s.exact(tallies, list)
}

// exact counts names in all tallies.
func (s *spare) exact(tallies []tally, names []Count) map[string]int64 {
	totals := make([]int64, len(names))
	for _, t := range tallies {
		wanted := s.takeCounters(t.names) // place of the name among those wanted, plus one
		var marked []int
		for i, c := range names {
			if id := t.of.find(c.Name); id >= 0 {
				wanted[id] = uint32(i + 1)
				marked = append(marked, id)
			}
		}
		for i, id := range t.ids {
			if n := wanted[id]; n > 0 {
				totals[n-1] += int64(t.counts[i])
			}
		}
		for _, id := range marked {
			wanted[id] = 0
		}
		s.counters = wanted
	}
	out := make(map[string]int64, len(names))
	for i, c := range names {
		out[c.Name] = totals[i]
	}
	return out
}

// top returns where the commonest names of a tally are in it: as many as asked for, and those that are as common as the last of them. Counts are told apart by
// their length in bits first, so that few are sorted.
func (t *tally) top(most int) (out []int) {
	var sizes [33]int
	for _, n := range t.counts {
		sizes[bits.Len32(n)]++
	}
	size, have := 32, sizes[32]
	for have < most && size > 1 {
		size--
		have += sizes[size]
	}
	for i, n := range t.counts {
		if bits.Len32(n) >= size {
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
