package fulltext

import (
	"math/bits"

	"github.com/RoaringBitmap/roaring/v2"
)

// set is documents of a shard, one bit for each. Words of middling frequency are lists of numbers in Bleve, and lists are merged number by number
// with a branch that nobody can foretell; here 64 documents are one operation, and setting the bits costs about a nanosecond a document.
type set []uint64

func (s set) has(d uint32) bool { return s[d/64]&(1<<(d%64)) != 0 }

func (s set) put(d uint32) { s[d/64] |= 1 << (d % 64) }

func (s set) or(t set) {
	for i, w := range t {
		s[i] |= w
	}
}

func (s set) and(t set) {
	for i, w := range t {
		s[i] &= w
	}
}

func (s set) andNot(t set) {
	for i, w := range t {
		s[i] &^= w
	}
}

// flip makes it the other ones of n documents.
func (s set) flip(n int) {
	for i := range s {
		s[i] = ^s[i]
	}
	if n%64 != 0 {
		s[len(s)-1] &= 1<<(n%64) - 1
	}
}

func (s set) count() (n int) {
	for _, w := range s {
		n += bits.OnesCount64(w)
	}
	return n
}

// list gives the documents in order, in a buffer if they fit there.
func (s set) list(buf []uint32) []uint32 {
	n := s.count()
	if cap(buf) < n {
		buf = make([]uint32, n+n/4)
	}
	buf = buf[:n]
	at := 0
	for i, w := range s {
		for ; w != 0; w &= w - 1 {
			buf[at] = uint32(64*i + bits.TrailingZeros64(w))
			at++
		}
	}
	return buf
}

// arrayMost is how many documents a bitmap may have to be kept as lists of numbers in any case.
const arrayMost = 4096

// add puts the documents of a bitmap in; other is a set without documents, and has none afterwards.
func (s set) add(b *roaring.Bitmap, other set) error {
	if b.IsEmpty() {
		return nil
	}
	if int(b.Maximum()/64) >= len(s) {
		return errPostings
	}
	if b.GetCardinality() <= arrayMost {
		b.WriteDenseTo(s)
		return nil
	}
	b.WriteDenseTo(other) // which overwrites
	s.or(other)
	clear(other)
	return nil
}

// ordered is a set that knows how many of its documents come before one.
type ordered struct {
	set
	before []uint32 // each 64 documents
}

func newOrdered(s set, buf []uint32) ordered {
	if cap(buf) < len(s) {
		buf = make([]uint32, len(s))
	}
	o := ordered{s, buf[:len(s)]}
	n := uint32(0)
	for i, w := range s {
		o.before[i] = n
		n += uint32(bits.OnesCount64(w))
	}
	return o
}

// rank is how many documents come before one that is there.
func (o *ordered) rank(d uint32) int {
	return int(o.before[d/64]) + bits.OnesCount64(o.set[d/64]&(1<<(d%64)-1))
}
