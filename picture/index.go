package picture

import "slices"

// Bounds within which pictures are the same. They were chosen on pictures of npm packages, and are measured on others (docs/algorithms/pictures.md).
const (
	SameDistance = 12   // bits of the nearest two of their hashes, at most
	SameLikeness = 0.70 // at least
	SameApart    = 0.75 // at most, of cut-outs
)

// Same reports whether two prints are of the same picture.
func Same(p, o *Print) bool {
	if p == nil || o == nil || Nearest(p, o) > SameDistance {
		return false
	}
	likeness, apart := compare(p, o)
	return likeness >= SameLikeness && apart <= SameApart
}

// Nearest returns the bits in which the nearest two hashes of two prints differ.
func Nearest(p, o *Print) int {
	best := hashBits
	for _, a := range p.Hashes {
		for _, b := range o.Hashes {
			best = min(best, Distance(a, b))
		}
	}
	return best
}

const (
	bands    = 4
	bandBits = hashBits / bands
)

// Index finds prints that are of the same picture, without comparing all pairs. Each hash is entered under four bands of 16 of its bits. Two hashes
// that differ in at most 7 bits differ in at most one in some band: who looks under each band of a hash as it is, and with each
// one bit changed (68 places), finds all of them, and most of those that differ in 8 to SameDistance bits. With n prints
// a lookup compares about 0.3 n hashes and lays about 0.0009 n prints, where all pairs of windows would be 196 n hashes.
//
// It is not for concurrent use.
type Index struct {
	prints []*Print
	places [bands][1 << bandBits][]uint32 // numbers of hashes: that of the print times Windows, and that of the window

	Compared int64 // hashes that were compared
	Laid     int64 // pairs of prints that were laid upon each other

	marks []uint32 // when a print was last a candidate
	round uint32
}

// NewIndex returns an empty index.
func NewIndex() *Index { return &Index{} }

// Len returns how many prints there are.
func (x *Index) Len() int { return len(x.prints) }

// Add adds a print; its number is that of prints that were there before.
func (x *Index) Add(p *Print) int {
	id := len(x.prints)
	x.prints, x.marks = append(x.prints, p), append(x.marks, 0)
	for w, h := range p.Hashes {
		if slices.Contains(p.Hashes[:w], h) {
			continue
		}
		for b := range bands {
			at := &x.places[b][uint16(h>>(b*bandBits))]
			*at = append(*at, uint32(id*Windows+w))
		}
	}
	return id
}

// Match is a print that is of the same picture.
type Match struct {
	ID       int
	Likeness float64
}

// Find returns the prints that are of the same picture as p, the most alike first.
func (x *Index) Find(p *Print) (out []Match) {
	for _, id := range x.near(p) {
		x.Laid++
		if l, apart := compare(p, x.prints[id]); l >= SameLikeness && apart <= SameApart {
			out = append(out, Match{id, l})
		}
	}
	slices.SortStableFunc(out, func(a, b Match) int {
		switch {
		case a.Likeness > b.Likeness:
			return -1
		case a.Likeness < b.Likeness:
			return 1
		}
		return a.ID - b.ID
	})
	return out
}

// near returns the prints of which a hash is within SameDistance of one of p, in the order in which they were added.
func (x *Index) near(p *Print) (out []int) {
	x.round++
	for w, h := range p.Hashes {
		if slices.Contains(p.Hashes[:w], h) {
			continue
		}
		for b := range bands {
			band := uint16(h >> (b * bandBits))
			out = x.look(b, band, h, out)
			for bit := range bandBits {
				out = x.look(b, band^1<<bit, h, out)
			}
		}
	}
	slices.Sort(out)
	return out
}

// look adds the prints of one place that are near.
func (x *Index) look(b int, band uint16, h uint64, out []int) []int {
	for _, n := range x.places[b][band] {
		id := int(n / Windows)
		if x.marks[id] == x.round {
			continue
		}
		x.Compared++
		if Distance(h, x.prints[id].Hashes[n%Windows]) <= SameDistance {
			x.marks[id] = x.round
			out = append(out, id)
		}
	}
	return out
}
