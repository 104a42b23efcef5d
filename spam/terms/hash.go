package terms

// Hash is the hash of a word in lower case (FNV-1a, finished by a mixer so that all bits are good).
func Hash(word string) uint64 {
	h := uint64(0xcbf29ce484222325)
	for i := range len(word) {
		h = (h ^ uint64(word[i])) * 0x100000001b3
	}
	return Mix(h)
}

// Mix spreads the bits of a number over all places (the finish of splitmix64); it is one-to-one.
func Mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// Trigram is the hash of three words in a row.
func Trigram(a, b, c uint64) uint64 { return Mix(Mix(Mix(a)+b) + c) }
