package fulltext

import (
	"cmp"
	"encoding/binary"
	"math/bits"
	"slices"
	"strings"
)

// named is a facet of a shard whose names have places.
type named interface {
	name(id int) string
	find(name string) int // -1 if it has none
}

// tally is how many documents of one shard have each name of a facet.
type tally struct {
	of      named
	counts  []uint32 // by place of the name
	touched []uint32 // places with a count
}

// count adds one to a place.
func (t *tally) count(id uint32) {
	if t.counts[id] == 0 {
		t.touched = append(t.touched, id)
	}
	t.counts[id]++
}

// tallyOf counts the names of documents: of one name each, or of many.
func (s *spare) tallyOf(f *facet, docs []uint32) tally {
	t := s.tally(f, len(f.names))
	for _, d := range docs {
		t.count(f.of[d])
	}
	return t
}

func (s *spare) tallyOfValues(v *values, docs []uint32) tally {
	t := s.tally(v, v.Names)
	for _, d := range docs {
		first, last := u32At(v.starts, int(d)), u32At(v.starts, int(d)+1)
		bit := first * v.ids.width
		for range last - first {
			id := uint32(binary.LittleEndian.Uint64(v.ids.b[bit/8:]) >> (bit % 8) & v.ids.mask)
			bit += v.ids.width
			if t.counts[id] == 0 {
				t.touched = append(t.touched, id)
			}
			t.counts[id]++
		}
	}
	if v.Names > 0 && v.name(0) == "" { // numbers of whole documents are about nothing
		t.counts[0] = 0
	}
	return t
}

// tally returns one without counts.
func (s *spare) tally(of named, names int) (t tally) {
	if last := len(s.tallies) - 1; last >= 0 {
		t, s.tallies = s.tallies[last], s.tallies[:last]
	}
	if cap(t.counts) < names {
		t.counts = make([]uint32, names+names/4)
	}
	t.of, t.counts = of, t.counts[:names]
	return t
}

// freeTally takes one back, without counts.
func (s *spare) freeTally(t tally) {
	for _, id := range t.touched {
		t.counts[id] = 0
	}
	t.of, t.touched = nil, t.touched[:0]
	s.tallies = append(s.tallies, t)
}

// commonest returns the names with the highest counts over all tallies, equal ones in the order of names; it is exact.
//
// A name that all tallies together have n times is there n/p times in one of p. So: the best of each tally give a bound, the sum that the last
// of the best has at least; whatever one tally has less than a p-th of it in every tally cannot be among the best (Cao and Wang 2004, TPUT). The
// few that are left are looked up in all tallies.
//
// Worked example (TestCommonest): the best one of {a:5 b:4} and {b:4 c:3}. The best of each: a 5, b 4; the bound is 5. a, b and c have 2.5 somewhere:
// a 5, b 8, c 3. With {a:5 b:4 d:1} d is never looked up.
func commonest(tallies []tally, most int) []Count {
	bound := int64(1)
	if len(tallies) > 1 {
		sums := map[string]int64{}
		for _, t := range tallies {
			for _, id := range t.top(most) {
				sums[t.of.name(int(id))] += int64(t.counts[id])
			}
		}
		if len(sums) >= most {
			list := make([]int64, 0, len(sums))
			for _, n := range sums {
				list = append(list, n)
			}
			slices.SortFunc(list, func(a, b int64) int { return cmp.Compare(b, a) })
			bound = list[most-1]
		}
	}
	least := max(1, uint32(min(bound/int64(max(len(tallies), 1)), 1<<31))) // a p-th, rounded down: some more are looked up
	totals := map[string]int64{}
	if len(tallies) == 1 {
		for _, id := range tallies[0].top(most) {
			totals[tallies[0].of.name(int(id))] = int64(tallies[0].counts[id])
		}
	} else {
		for _, t := range tallies {
			for _, id := range t.touched {
				if t.counts[id] >= least {
					totals[t.of.name(int(id))] = 0
				}
			}
		}
		for name := range totals {
			for _, t := range tallies {
				if id := t.of.find(name); id >= 0 {
					totals[name] += int64(t.counts[id])
				}
			}
		}
	}
	out := make([]Count, 0, len(totals))
	for name, n := range totals {
		out = append(out, Count{name, n})
	}
	slices.SortFunc(out, compareCounts)
	return out[:min(len(out), most)]
}

// compareCounts puts the highest first, and equal ones in the order of names.
func compareCounts(a, b Count) int {
	return cmp.Or(cmp.Compare(b.Count, a.Count), strings.Compare(a.Name, b.Name))
}

// top returns the places of at least the most commonest names: all that have as many as the last of them. Counts are sorted by their bits
// first, so that few are compared.
func (t *tally) top(most int) []uint32 {
	if len(t.touched) <= most {
		return slices.DeleteFunc(slices.Clone(t.touched), func(id uint32) bool { return t.counts[id] == 0 })
	}
	var sizes [33]int
	for _, id := range t.touched {
		sizes[bits.Len32(t.counts[id])]++
	}
	size, have := 32, 0
	for ; size > 1; size-- {
		if have += sizes[size]; have >= most {
			break
		}
	}
	var out []uint32
	for _, id := range t.touched {
		if n := t.counts[id]; n > 0 && bits.Len32(n) >= size {
			out = append(out, id)
		}
	}
	if len(out) <= most {
		return out
	}
	slices.SortFunc(out, func(a, b uint32) int { return cmp.Compare(t.counts[b], t.counts[a]) })
	last := most
	for last < len(out) && t.counts[out[last]] == t.counts[out[most-1]] {
		last++
	}
	return out[:last]
}
