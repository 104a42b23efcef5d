package lang

// Identifier tells in which language a text is written. It does not change and is safe for concurrent use.
type Identifier struct {
	langs    []string
	base     []int32 // weight of any character, by language
	alphabet []rune  // characters of n-grams, sorted; a character is called by its place
	nodes    []node
	weights  []weight
}

// node is an n-gram. The first one is empty, then come those of one character, of two, and so on: the children of a node are what it becomes with one
// more character before it, and stand together, sorted by that character. So all that belongs to a node ends where that of the next one
// begins; the last node is there for that alone.
type node struct {
	children, weights uint32
	char              uint16 // the first one
}

// child finds what an n-gram becomes with a character before it: 0 if that is not there.
func (x *Identifier) child(n uint32, c uint16) uint32 {
	from, to := x.nodes[n].children, x.nodes[n+1].children
	for to-from > 8 {
		if mid := from + (to-from)/2; x.nodes[mid].char <= c {
			from = mid
		} else {
			to = mid
		}
	}
	for ; from < to; from++ {
		if x.nodes[from].char == c {
			return from
		}
	}
	return 0
}

// of gives the weights of an n-gram.
func (x *Identifier) of(n uint32) []weight { return x.weights[x.nodes[n].weights:x.nodes[n+1].weights] }

// Languages lists the languages that can be told, by ISO 639-1.
func (x *Identifier) Languages() []string { return append([]string(nil), x.langs...) }

// Bytes is the memory of the identifier.
func (x *Identifier) Bytes() int64 {
	return int64(len(x.nodes))*12 + int64(len(x.weights))*2 + int64(len(x.base)+len(x.alphabet))*4
}
