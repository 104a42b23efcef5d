package near

import (
	"fmt"
	"math/bits"
)

// Simhash is a 64-bit fingerprint whose Hamming distance grows with the difference of two texts.
type Simhash uint64

// Distance counts the bits in which two simhashes differ, 0 to 64.
func (s Simhash) Distance(o Simhash) int { return bits.OnesCount64(uint64(s ^ o)) }

// String gives 16 hexadecimal digits.
func (s Simhash) String() string { return fmt.Sprintf("%016x", uint64(s)) }

// votes counts, for each of the 64 bits, how many hashes have it set.
//
// Instead of 64 counters there are bit planes: plane i holds bit i of all 64 counters, and adding a hash is
// an addition with carry of 64 one-bit numbers at once. The carry dies out after about 7 planes.
//
//	planes   counters 3,1,0,2:   plane 0 = 1 1 0 0   plane 1 = 1 0 0 1
type votes struct {
	planes [40]uint64
	n      uint64
}

func (v *votes) add(h uint64) {
	v.n++
	for i := 0; h != 0 && i < len(v.planes); i++ {
		v.planes[i], h = v.planes[i]^h, v.planes[i]&h
	}
}

// result sets the bits that more than half of the hashes have.
func (v *votes) result() Simhash {
	var s Simhash
	for bit := range 64 {
		var count uint64
		for i, p := range v.planes {
			count |= (p >> bit & 1) << i
		}
		if 2*count > v.n {
			s |= 1 << bit
		}
	}
	return s
}
