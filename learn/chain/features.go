package chain

import "slices"

// Features are the features of a sequence, position by position. The zero value is an empty sequence.
type Features struct {
	hashes []uint32
	sums   [][]int32
	ends   []end
}

// end is where the features of a position end.
type end struct{ hashes, sums int }

// Add appends a feature to the position that is being filled.
func (f *Features) Add(hash uint32) { f.hashes = append(f.hashes, hash) }

// AddSum appends features whose weights were summed before by the model that is to decode the sequence (Model.Sum): those of a frequent word are the same
// wherever it stands. Nothing can be learned from them.
func (f *Features) AddSum(sum []int32) { f.sums = append(f.sums, sum) }

// Next ends a position.
func (f *Features) Next() { f.ends = append(f.ends, end{len(f.hashes), len(f.sums)}) }

// Len returns the number of positions that are complete.
func (f *Features) Len() int { return len(f.ends) }

// Reset makes the sequence empty and keeps its memory.
func (f *Features) Reset() { f.hashes, f.sums, f.ends = f.hashes[:0], f.sums[:0], f.ends[:0] }

// At returns the features of a position, without those that are summed.
func (f *Features) At(t int) []uint32 { return f.hashes[f.begin(t).hashes:f.ends[t].hashes] }

// sumsAt returns the sums of a position.
func (f *Features) sumsAt(t int) [][]int32 { return f.sums[f.begin(t).sums:f.ends[t].sums] }

// begin returns where the features of a position begin.
func (f *Features) begin(t int) end {
	if t == 0 {
		return end{}
	}
	return f.ends[t-1]
}

// Clone returns a copy that shares nothing but sums.
func (f *Features) Clone() Features {
	return Features{slices.Clone(f.hashes), slices.Clone(f.sums), slices.Clone(f.ends)}
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
