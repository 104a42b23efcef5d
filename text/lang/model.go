package lang

// Identifier tells in which language a text is written. It does not change and is safe for concurrent use.
type Identifier struct {
	langs   []string
	base    []int32 // weight of any character, by language
	slots   []slot  // open addressing, a power of two of them
	weights []weight
}

// slot is the place of an n-gram.
type slot struct {
	check uint32 // other bits of the hash than those that choose the slot
	at    uint32 // where its weights begin; 0 for a free slot
}

// newIdentifier makes room for a number of n-grams and weights.
func newIdentifier(langs []string, grams, weights int) *Identifier {
	size := 1
	for size*2 < grams*3 {
		size *= 2
	}
	return &Identifier{
		langs: langs, base: make([]int32, len(langs)), slots: make([]slot, size),
		weights: make([]weight, 1, 1+grams+weights), // place 0 is never used: it marks free slots
	}
}

// add puts in an n-gram that is not there yet; its weights are to be appended by the caller.
func (x *Identifier) add(h uint64, weights int) {
	mask := uint64(len(x.slots) - 1)
	i := h & mask
	for x.slots[i].at != 0 {
		i = (i + 1) & mask
	}
	x.slots[i] = slot{uint32(h >> 32), uint32(len(x.weights))}
	x.weights = append(x.weights, weight{lang: uint8(weights)}) // the list begins with its length
}

// find gives the weights of an n-gram by its hash.
func (x *Identifier) find(h uint64) []weight {
	mask := uint64(len(x.slots) - 1)
	check := uint32(h >> 32)
	for i := h & mask; ; i = (i + 1) & mask {
		s := x.slots[i]
		if s.at == 0 {
			return nil
		}
		if s.check == check {
			n := uint32(x.weights[s.at].lang)
			return x.weights[s.at+1 : s.at+1+n]
		}
	}
}

// Languages lists the languages that can be told, by ISO 639-1.
func (x *Identifier) Languages() []string { return append([]string(nil), x.langs...) }

// Bytes is the memory of the identifier.
func (x *Identifier) Bytes() int64 {
	return int64(len(x.slots))*8 + int64(cap(x.weights))*2 + int64(len(x.base))*4
}
