package scope

import "math/bits"

// hashes is a set of hashes. A map of a million takes 40 MB and twice that while it grows; this takes 10 to 15 bytes a
// hash: tables without pointers, a part at a time growing by half.
type hashes struct {
	parts [256]struct {
		slots []uint64 // 0: free
		used  int
	}
	n int
}

// add puts a hash into the set.
func (s *hashes) add(h uint64) {
	h = max(h, 1)
	p := &s.parts[h>>56]
	if 5*(p.used+1) > 4*len(p.slots) {
		old := p.slots
		p.slots = make([]uint64, max(8, len(old)*3/2))
		for _, o := range old {
			if o != 0 {
				p.slots[slotOf(p.slots, o)] = o
			}
		}
	}
	if at := slotOf(p.slots, h); p.slots[at] == 0 {
		p.slots[at] = h
		p.used++
		s.n++
	}
}

// has reports whether a hash is in the set.
func (s *hashes) has(h uint64) bool {
	h = max(h, 1)
	slots := s.parts[h>>56].slots
	return len(slots) > 0 && slots[slotOf(slots, h)] == h
}

// slotOf finds the place of a hash, or the free one where it belongs.
func slotOf(slots []uint64, h uint64) int {
	hi, _ := bits.Mul64(h<<8, uint64(len(slots)))
	at := int(hi)
	for slots[at] != 0 && slots[at] != h {
		if at++; at == len(slots) {
			at = 0
		}
	}
	return at
}
