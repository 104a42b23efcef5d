// Package prose writes texts that look like language: sentences and paragraphs over a seeded
// vocabulary whose word frequencies follow Zipf's law.
//
// A text is named by a number and always the same for it:
//
//	sentence(name):  stream of dice named name
//	                 4 to 13 draws, each of a word, or of a phrase with probability 9/32;
//	                 a word is one of the topic with probability 10/64, else drawn by rank
//	                 a capital at the start, a comma here and there, a full stop
//
// A Voice makes texts alike and different: a topic owns sixty words of middle rank; a text keeps to
// about a hundred of the rarer words, so that it repeats itself, and compresses, as texts do. A sentence of about 120 bytes costs about 0.3 µs and no allocation.
package prose

import (
	"unicode"
	"unicode/utf8"

	"varve/lab/websim/dice"
)

// Sentence appends the sentence named name.
func (l *Lexicon) Sentence(dst []byte, name uint64, v Voice) []byte {
	s := wordStream{h: name}
	n := 4 + int(s.next()%10)
	for i := range n {
		bits := s.next()
		if i > 0 {
			dst = append(dst, ' ')
		}
		at := len(dst)
		if which := bits >> tableBits & 31; which < 9 {
			dst = l.phrase(dst, which, bits>>27, v)
		} else {
			dst = append(dst, l.word(bits, v)...)
		}
		if i == 0 {
			dst = Capital(dst, at)
		} else if i < n-1 && bits>>20&15 == 0 {
			dst = append(dst, ',')
		}
	}
	return append(dst, '.')
}

// phrase appends three or four words that stand together again and again: one of sixteen of the
// text's own, or one of 128 that all texts share.
func (l *Lexicon) phrase(dst []byte, which, bits uint32, v Voice) []byte {
	s := wordStream{h: uint64(which&3)<<5 | uint64(bits)}
	if which < 5 && v.Text != 0 {
		s.h = v.Text + uint64(bits&15)<<8
	} else {
		v = Voice{}
	}
	for i := range 3 + int(s.next()&1) {
		if i > 0 {
			dst = append(dst, ' ')
		}
		dst = append(dst, l.word(s.next(), v)...)
	}
	return dst
}

// Sentences is the number of sentences in the paragraph named name.
func Sentences(name uint64) int { return 3 + dice.Below(dice.Mix(name, 1), 4) }

// Title appends three to six words that begin with a capital.
func (l *Lexicon) Title(dst []byte, name uint64, v Voice) []byte {
	s := wordStream{h: dice.Mix(name, 2)}
	n := 3 + int(s.next()%4)
	at := len(dst)
	for i := range n {
		if i > 0 {
			dst = append(dst, ' ')
		}
		if bits := s.next(); i%2 == 0 {
			dst = append(dst, l.rare(bits, v)...)
		} else {
			dst = append(dst, l.word(bits, v)...)
		}
	}
	return Capital(dst, at)
}

// Slug appends two rare words joined by a hyphen, in ASCII, fit for a path.
func (l *Lexicon) Slug(dst []byte, name uint64, v Voice) []byte {
	s := wordStream{h: dice.Mix(name, 3)}
	dst = ASCII(dst, l.rare(s.next(), v))
	dst = append(dst, '-')
	return ASCII(dst, l.rare(s.next(), v))
}

// rare is a word that is not among the most frequent.
func (l *Lexicon) rare(bits uint32, v Voice) string {
	if v.Topic > 0 && bits>>30 == 0 {
		return l.word(bits&(1<<26-1), v)
	}
	first := common
	return l.words[first+int(uint64(bits)*uint64(len(l.words)-first)>>32)]
}

// ASCII appends s with the letters of our languages spelt in ASCII.
func ASCII(dst []byte, s string) []byte {
	for _, r := range s {
		switch r {
		case 'ä':
			dst = append(dst, "ae"...)
		case 'ö':
			dst = append(dst, "oe"...)
		case 'ü':
			dst = append(dst, "ue"...)
		case 'ß':
			dst = append(dst, "ss"...)
		case 'é', 'è':
			dst = append(dst, 'e')
		default:
			if r < utf8.RuneSelf {
				dst = append(dst, byte(r))
			}
		}
	}
	return dst
}

// Capital makes the letter at position at a capital one.
func Capital(dst []byte, at int) []byte {
	r, n := utf8.DecodeRune(dst[at:])
	up := unicode.ToUpper(r)
	if utf8.RuneLen(up) == n {
		utf8.EncodeRune(dst[at:], up)
	}
	return dst
}

// wordStream is a bare SplitMix-like sequence of 32-bit draws: lighter than a dice.Stream, since
// each word takes one.
type wordStream struct{ h uint64 }

func (s *wordStream) next() uint32 {
	s.h += 0x9e3779b97f4a7c15
	z := (s.h ^ (s.h >> 30)) * 0xbf58476d1ce4e5b9
	z = (z ^ (z >> 27)) * 0x94d049bb133111eb
	return uint32((z ^ (z >> 31)) >> 32)
}
