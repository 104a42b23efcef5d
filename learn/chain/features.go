package chain

// Features are the features of a sequence, position by position. The zero value is an empty sequence.
type Features struct {
	hashes []uint32
	ends   []int // where the features of each position end
}

// Add appends a feature to the position that is being filled.
func (f *Features) Add(hash uint32) { f.hashes = append(f.hashes, hash) }

// Next ends a position.
func (f *Features) Next() { f.ends = append(f.ends, len(f.hashes)) }

// Len returns the number of positions that are complete.
func (f *Features) Len() int { return len(f.ends) }

// Reset makes the sequence empty and keeps its memory.
func (f *Features) Reset() { f.hashes, f.ends = f.hashes[:0], f.ends[:0] }

// At returns the features of a position.
func (f *Features) At(t int) []uint32 {
	from := 0
	if t > 0 {
		from = f.ends[t-1]
	}
	return f.hashes[from:f.ends[t]]
}

// Clone returns a copy that shares nothing.
func (f *Features) Clone() Features {
	return Features{append([]uint32(nil), f.hashes...), append([]int(nil), f.ends...)}
}

// Hash returns the hash of a string (FNV-1a).
func Hash(s string) uint32 { return HashMore(2166136261, s) }

// HashMore returns the hash of a string that goes on with s, given the hash of its beginning.
func HashMore(h uint32, s string) uint32 {
	for i := range len(s) {
		h = (h ^ uint32(s[i])) * 16777619
	}
	return h
}

// Mix joins two hashes, in this order, to one whose bits depend on all bits of both.
func Mix(a, b uint32) uint32 {
	x := uint64(a)<<32 | uint64(b)
	x ^= x >> 31
	x *= 0x9e3779b97f4a7c15
	x ^= x >> 29
	x *= 0xbf58476d1ce4e5b9
	return uint32(x >> 32)
}
