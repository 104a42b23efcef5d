package rdf

import (
	"encoding/binary"
	"hash/fnv"
	"maps"
	"slices"
)

// Isomorphic reports whether two sets of quads say the same: whether some renaming of blank nodes makes them equal.
//
//	colour all blank nodes alike; then again and again by the quads they stand in, until nothing divides further
//	equal colours in both sets: take a class of several, pair one of its nodes with each of the other set's in turn
//	every class has one node: that is the renaming; it must make the sets equal
//
// Colours divide nearly all graphs that people write at once; the search is exponential in the worst case (large
// graphs of blank nodes that are all alike), which nothing of ours depends on: it is for tests.
func Isomorphic(a, b []Quad) bool {
	a, b = distinct(a), distinct(b)
	return len(a) == len(b) && isomorphic(a, b, map[string]uint64{}, map[string]uint64{}, 1)
}

func distinct(quads []Quad) []Quad {
	set := make(map[Quad]struct{}, len(quads))
	for _, q := range quads {
		set[q] = struct{}{}
	}
	return slices.Collect(maps.Keys(set))
}

func (q Quad) terms() [4]Term { return [4]Term{q.Subject, q.Predicate, q.Object, q.Graph} }

func isomorphic(a, b []Quad, fixedA, fixedB map[string]uint64, next uint64) bool {
	coloursA, coloursB := colour(a, fixedA), colour(b, fixedB)
	classesA, classesB := classes(coloursA), classes(coloursB)
	if len(classesA) != len(classesB) {
		return false
	}
	var open uint64
	for _, c := range slices.Sorted(maps.Keys(classesA)) {
		if len(classesA[c]) != len(classesB[c]) {
			return false
		}
		if len(classesA[c]) > 1 && (open == 0 || len(classesA[c]) < len(classesA[open])) {
			open = c
		}
	}
	if open == 0 {
		names := map[string]string{}
		for c, nodes := range classesA {
			names[nodes[0]] = classesB[c][0]
		}
		return equalUnder(a, b, names)
	}
	mine := maps.Clone(fixedA)
	mine[classesA[open][0]] = next
	for _, node := range classesB[open] {
		theirs := maps.Clone(fixedB)
		theirs[node] = next
		if isomorphic(a, b, mine, theirs, next+1) {
			return true
		}
	}
	return false
}

// equalUnder reports whether a is b after renaming.
func equalUnder(a, b []Quad, names map[string]string) bool {
	set := make(map[Quad]struct{}, len(b))
	for _, q := range b {
		set[q] = struct{}{}
	}
	for _, q := range a {
		for _, t := range []*Term{&q.Subject, &q.Predicate, &q.Object, &q.Graph} {
			if t.Kind == Blank {
				t.Value = names[t.Value]
			}
		}
		if _, ok := set[q]; !ok {
			return false
		}
	}
	return true
}

func classes(colours map[string]uint64) map[uint64][]string {
	all := map[uint64][]string{}
	for _, node := range slices.Sorted(maps.Keys(colours)) {
		all[colours[node]] = append(all[colours[node]], node)
	}
	return all
}

// colour divides the blank nodes of quads by where they stand.
func colour(quads []Quad, fixed map[string]uint64) map[string]uint64 {
	colours := map[string]uint64{}
	for _, q := range quads {
		for _, t := range q.terms() {
			if t.Kind == Blank {
				colours[t.Value] = fixed[t.Value]
			}
		}
	}
	for kinds := 0; ; {
		sums := map[string]uint64{}
		for _, q := range quads {
			for place, t := range q.terms() {
				if t.Kind == Blank {
					sums[t.Value] += view(q, place, colours) // a sum does not mind the order
				}
			}
		}
		seen := map[uint64]bool{}
		for node, sum := range sums {
			sums[node] = mix(colours[node], sum)
			seen[sums[node]] = true
		}
		colours = sums
		if len(seen) == kinds || len(seen) == len(colours) {
			return colours
		}
		kinds = len(seen)
	}
}

// view returns what a quad looks like from the node in one place of it.
func view(q Quad, place int, colours map[string]uint64) uint64 {
	h := fnv.New64a()
	terms := q.terms()
	self := terms[place]
	for i, t := range terms {
		switch {
		case t == self && t.Kind == Blank:
			h.Write([]byte{0, byte(i)})
		case t.Kind == Blank:
			h.Write(binary.BigEndian.AppendUint64([]byte{1}, colours[t.Value]))
		default:
			h.Write(appendTerm([]byte{2}, t))
		}
	}
	return mix(h.Sum64(), uint64(place))
}

func mix(a, b uint64) uint64 {
	h := fnv.New64a()
	h.Write(binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(nil, a), b))
	return h.Sum64()
}
