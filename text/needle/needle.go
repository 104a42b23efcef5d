package needle

import (
	"bytes"
	"strings"
)

// places is the number of hash values of a block; 4 KiB of shifts stay in the first cache.
const places = 1 << 12

// block is how many bytes at the end of the window say how far it moves.
const block = 3

// maxShift is the largest shift that a byte holds.
const maxShift = 255

// Set is a set of words to look for. It is immutable and safe for concurrent use.
type Set struct {
	words []string
	core  []int32 // where the core of each word begins
	short []int32 // words of less than a block, looked for one by one
	long  bool    // there are others
	m     int     // length of the shortest of the others, at most maxShift
	shift [places]uint8
	ends  [places][]int32 // words whose cores end with a block that hashes here
}

// New makes a set. Words are found exactly as they are, letter case included.
func New(words ...string) *Set {
	s := &Set{words: words, core: make([]int32, len(words)), m: maxShift}
	for i, w := range words {
		if len(w) < block {
			s.short = append(s.short, int32(i))
			continue
		}
		s.long, s.m = true, min(s.m, len(w))
	}
	for i := range s.shift {
		s.shift[i] = uint8(s.m - block + 1)
	}
	for i, w := range words {
		if len(w) >= block {
			s.core[i] = int32(rarest(w, s.m))
			s.add(int32(i), w[s.core[i]:][:s.m])
		}
	}
	return s
}

func (s *Set) add(i int32, core string) {
	var h uint32
	for end := block - 1; end < s.m; end++ {
		h = hash(core[end-2], core[end-1], core[end])
		s.shift[h] = min(s.shift[h], uint8(s.m-1-end))
	}
	s.ends[h] = append(s.ends[h], i)
}

// everywhere is what pages and scripts are full of.
const everywhere = ` class="post item message content title"> <div id=" <a href="https://www. .com/ .html </div></a></li><li><p></p><span style=" src="/images/ ` +
	`<script type="text/javascript"> the and ing tion ment ess ent discuss comment function(){return var this.length; location. document. ` +
	`window. .src="" = document.create Element add Event Listener( http:// rel="next" /> data-`

// rarest is where the m bytes of a word begin of which the fewest blocks are everywhere.
func rarest(w string, m int) (at int) {
	least := m
	for from := 0; from+m <= len(w); from++ {
		n := 0
		for b := from; b+block <= from+m; b++ {
			if strings.Contains(everywhere, w[b:b+block]) {
				n++
			}
		}
		if n < least {
			at, least = from, n
		}
	}
	return at
}

func hash(a, b, c byte) uint32 { return (uint32(a)<<7 ^ uint32(b)<<4 ^ uint32(c)) & (places - 1) }

// Find calls hit with the number of each word that is in the text, once for each place where it is; of words of
// less than three bytes once in all. It ends when hit says that there is nothing more to look for.
func (s *Set) Find(text []byte, hit func(word int) (more bool)) {
	for _, i := range s.short {
		if bytes.Contains(text, []byte(s.words[i])) && !hit(int(i)) {
			return
		}
	}
	if !s.long {
		return
	}
	far := s.m - block + 1
	for end := s.m - 1; end < len(text); {
		// Four looks that do not wait for each other: most of a text allows the longest step each time.
		for end+3*far < len(text) && int(s.at(text, end)) == far && int(s.at(text, end+far)) == far &&
			int(s.at(text, end+2*far)) == far && int(s.at(text, end+3*far)) == far {
			end += 4 * far
		}
		if end >= len(text) {
			return
		}
		h := hash(text[end-2], text[end-1], text[end])
		if skip := s.shift[h]; skip > 0 {
			end += int(skip)
			continue
		}
		for _, i := range s.ends[h] {
			from, w := end-s.m+1-int(s.core[i]), s.words[i]
			if from >= 0 && len(text)-from >= len(w) && string(text[from:from+len(w)]) == w && !hit(int(i)) {
				return
			}
		}
		end++
	}
}

// at is how far the window may move that ends with a byte of the text.
func (s *Set) at(text []byte, end int) uint8 {
	return s.shift[hash(text[end-2], text[end-1], text[end])]
}
