package near

import (
	"unicode"
	"unicode/utf8"
)

// Tokens calls yield with a stable 64-bit hash of each token of the text, in order, for those who count
// words rather than compare texts. It allocates nothing.
func Tokens[T string | []byte](text T, yield func(hash uint64)) {
	tokens(text, func(h uint64, _, _ int) { yield(h) })
}

// Places does as Tokens, and says where each token lies: text[from:to].
func Places[T string | []byte](text T, yield func(hash uint64, from, to int)) { tokens(text, yield) }

// tokens calls yield with a hash of each token of the text and its place, in order. A token is a run of letters, marks
// and digits in lower case; ideographs, kana and Thai letters, which are written without blanks, stand alone.
func tokens[T string | []byte](text T, yield func(hash uint64, from, to int)) {
	h, open := uint64(hashSeed), false
	from := 0 // behind what is between tokens
	at := 0   // where the rune begins that is looked at
	for i := 0; i < len(text); {
		at = i
		c := text[i]
		if c < utf8.RuneSelf {
			i++
			if l := asciiLower[c]; l != 0 {
				h, open = (h^uint64(l))*hashPrime, true
				continue
			}
		} else {
			r, n := decode(text[i:])
			i += n
			kind, low := look(r)
			switch kind {
			case inWord:
				h, open = hashRune(h, low), true
				continue
			case alone:
				if open {
					yield(mix(h), from, at)
				}
				yield(mix(hashRune(hashSeed, r)), at, i)
				h, open, from = hashSeed, false, i
				continue
			}
		}
		if open {
			yield(mix(h), from, at)
			h, open = hashSeed, false
		}
		from = i
	}
	if open {
		yield(mix(h), from, len(text))
	}
}

// decode reads the rune at the beginning of the text; two octets, as in most alphabets, by the short way.
func decode[T string | []byte](text T) (rune, int) {
	if len(text) > 1 && text[0] >= 0xc2 && text[0] < 0xe0 && text[1]&0xc0 == 0x80 {
		return rune(text[0]&0x1f)<<6 | rune(text[1]&0x3f), 2
	}
	var room [utf8.UTFMax]byte
	n := copy(room[:], text)
	return utf8.DecodeRune(room[:n])
}

// class says what a rune does in a text.
type class uint8

const (
	between class = iota
	inWord
	alone
)

func classOf(r rune) class {
	switch {
	case !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r):
		return between
	case r >= 0x0e00 && r < 0x0f00, // Thai, Lao
		r >= 0x3040 && r < 0x3100,                              // kana
		r >= 0x3400 && r < 0xa000,                              // ideographs
		r >= 0xf900 && r < 0xfb00, r >= 0x20000 && r < 0x32000: // and more of them
		return alone
	}
	return inWord
}

// look gives the class of a rune and its lower case. The first 2048 runes hold most alphabets, and are in a table.
func look(r rune) (class, rune) {
	if r < rune(len(alphabets)) {
		a := alphabets[r]
		return a.class, rune(a.lower)
	}
	return classOf(r), unicode.ToLower(r)
}

var alphabets = func() (t [0x800]struct {
	lower uint16
	class class
},
) {
	for r := range t {
		t[r].class = classOf(rune(r))
		if low := unicode.ToLower(rune(r)); low < 1<<16 {
			t[r].lower = uint16(low)
		}
	}
	return t
}()

// asciiLower maps letters and digits to their lower case, everything else to 0.
var asciiLower = func() (t [utf8.RuneSelf]byte) {
	for c := byte('0'); c <= '9'; c++ {
		t[c] = c
	}
	for c := byte('a'); c <= 'z'; c++ {
		t[c], t[c-'a'+'A'] = c, c
	}
	return t
}()

const (
	hashSeed  = 14695981039346656037
	hashPrime = 1099511628211
)

func hashRune(h uint64, r rune) uint64 {
	for r >= 0x80 {
		h = (h ^ uint64(r&0x7f|0x80)) * hashPrime
		r >>= 7
	}
	return (h ^ uint64(r)) * hashPrime
}

// mix spreads the bits (the finaliser of splitmix64).
func mix(h uint64) uint64 {
	h ^= h >> 30
	h *= 0xbf58476d1ce4e5b9
	h ^= h >> 27
	h *= 0x94d049bb133111eb
	return h ^ h>>31
}
