package needle

import "bytes"

// places is the number of hash values of a block; 4 KiB of shifts stay in the first cache.
const places = 1 << 12

// block is how many bytes at the end of the window say how far it moves.
const block = 3

// maxShift is the largest shift that a byte holds.
const maxShift = 255

// Set is a set of words to look for. It is immutable and safe for concurrent use.
type Set struct {
	words []string
	short []int32 // words of less than a block, looked for one by one
	long  bool    // there are others
	m     int     // length of the shortest of the others, at most maxShift
	shift [places]uint8
	ends  [places][]int32 // words whose bytes m-2 to m hash here
}

// New makes a set. Words are found exactly as they are, letter case included.
func New(words ...string) *Set {
	s := &Set{words: words, m: maxShift}
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
			s.add(int32(i), w)
		}
	}
	return s
}

func (s *Set) add(i int32, w string) {
	var h uint32
	for end := block - 1; end < s.m; end++ {
		h = hash(w[end-2], w[end-1], w[end])
		s.shift[h] = min(s.shift[h], uint8(s.m-1-end))
	}
	s.ends[h] = append(s.ends[h], i)
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
	for end := s.m - 1; end < len(text); {
		h := hash(text[end-2], text[end-1], text[end])
		if skip := s.shift[h]; skip > 0 {
			end += int(skip)
			continue
		}
		from := end - s.m + 1
		for _, i := range s.ends[h] {
			if w := s.words[i]; len(text)-from >= len(w) && string(text[from:from+len(w)]) == w && !hit(int(i)) {
				return
			}
		}
		end++
	}
}
