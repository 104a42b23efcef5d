package clean

import (
	"fmt"
	"strings"
)

// Relations is a set of the thirteen relations that two intervals can have (Allen 1983). Intervals hold their begin and not their end.
type Relations uint16

// The relations of an interval f to an interval g.
const (
	Before       Relations = 1 << iota // f ends before g begins, with time between them
	Meets                              // f ends when g begins
	Overlaps                           // f begins first, and ends inside of g
	Starts                             // they begin together, and f ends first
	During                             // f lies inside of g
	Finishes                           // they end together, and f begins later
	Equals                             // they are the same
	After                              // the others are the first six of g to f
	MetBy                              //
	OverlappedBy                       //
	StartedBy                          //
	Contains                           //
	FinishedBy                         //

	Disjoint = Before | Meets | After | MetBy             // they have no time in common
	Within   = Starts | During | Finishes | Equals        // f has no time that g has not
	Around   = StartedBy | Contains | FinishedBy | Equals // g has no time that f has not
)

// names are the words for sets of relations.
var names = []struct {
	name string
	set  Relations
}{
	{"before", Before},
	{"meets", Meets},
	{"overlaps", Overlaps},
	{"starts", Starts},
	{"during", During},
	{"finishes", Finishes},
	{"equals", Equals},
	{"after", After},
	{"met-by", MetBy},
	{"overlapped-by", OverlappedBy},
	{"started-by", StartedBy},
	{"contains", Contains},
	{"finished-by", FinishedBy},
	{"disjoint", Disjoint},
	{"within", Within},
	{"around", Around},
	{"not-after", Before | Meets},
}

// ParseRelations reads names of relations with commas between them: before,meets.
func ParseRelations(s string) (set Relations, err error) {
words:
	for word := range strings.SplitSeq(s, ",") {
		var known []string
		for _, n := range names {
			if n.name == word {
				set |= n.set
				continue words
			}
			known = append(known, n.name)
		}
		return 0, fmt.Errorf("%q is no relation of intervals: they are %s", word, strings.Join(known, ", "))
	}
	return set, nil
}

// apart reports whether the relations say only that one interval ends before the other begins, or when it does.
func (r Relations) apart() bool {
	return r&^Disjoint == 0 && r&(Before|Meets) != Before && r&(Before|Meets) != Meets && r&(After|MetBy) != After && r&(After|MetBy) != MetBy
}

// Points of two intervals.
const (
	beginF = iota
	endF
	beginG
	endG
)

// less says that point a and a gap are not after point b.
type less struct {
	a, b int32
	gap  int32
}

// meanings are what relations say of the four points, the widest sets first. Inverse relations are those of g to f.
var meanings = []struct {
	set Relations
	say []less
}{
	{Before | Meets, []less{{endF, beginG, 0}}},
	{Within, []less{{beginG, beginF, 0}, {endF, endG, 0}}},
	{Before, []less{{endF, beginG, 1}}},
	{Meets, []less{{endF, beginG, 0}, {beginG, endF, 0}}},
	{Overlaps, []less{{beginF, beginG, 1}, {beginG, endF, 1}, {endF, endG, 1}}},
	{Starts, []less{{beginF, beginG, 0}, {beginG, beginF, 0}, {endF, endG, 1}}},
	{During, []less{{beginG, beginF, 1}, {endF, endG, 1}}},
	{Finishes, []less{{endF, endG, 0}, {endG, endF, 0}, {beginG, beginF, 1}}},
	{Equals, []less{{beginF, beginG, 0}, {beginG, beginF, 0}, {endF, endG, 0}, {endG, endF, 0}}},
}

// inverse returns the relations of g to f.
func (r Relations) inverse() Relations {
	return r&Equals | r&(Equals-1)<<7 | r>>7
}

// alternatives returns what the relations say: one of these lists of comparisons holds. One that stands for several relations comes instead of them.
func (r Relations) alternatives() (out [][]less) {
	swap := [...]int32{beginG, endG, beginF, endF}
	left := r
	for _, m := range meanings {
		if r&m.set == m.set && left&m.set != 0 {
			out = append(out, m.say)
			left &^= m.set
		}
		if i := m.set.inverse(); r&i == i && left&i != 0 {
			var say []less
			for _, l := range m.say {
				say = append(say, less{swap[l.a], swap[l.b], l.gap})
			}
			out = append(out, say)
			left &^= i
		}
	}
	return out
}
