// Package prose writes texts that look like language: sentences and paragraphs over a seeded
// vocabulary whose word frequencies follow Zipf's law.
//
// A text is named by a number and always the same for it:
//
//	sentence(name):  stream of dice named name
//	                 5 to 18 words, each by one draw: topic word with probability 10/64, else by rank
//	                 a capital at the start, a comma here and there, a full stop
//
// A topic is a number from 1; it owns sixty words of middle rank, so texts of one topic are alike.
// Topic 0 is no topic. A sentence of about 120 bytes costs about 0.3 µs and no allocation.
package prose

import (
	"unicode"
	"unicode/utf8"

	"varve/websim/dice"
)

// Sentence appends the sentence named name.
func (l *Lexicon) Sentence(dst []byte, name uint64, topic int) []byte {
	s := wordStream{h: name}
	n := 5 + int(s.next()%14)
	for i := range n {
		bits := s.next()
		if i > 0 {
			dst = append(dst, ' ')
		}
		at := len(dst)
		dst = append(dst, l.word(bits, topic)...)
		if i == 0 {
			dst = capital(dst, at)
		} else if i < n-1 && bits>>20&15 == 0 {
			dst = append(dst, ',')
		}
	}
	return append(dst, '.')
}

// Sentences is the number of sentences in the paragraph named name.
func Sentences(name uint64) int { return 3 + dice.Below(dice.Mix(name, 1), 4) }

// Title appends three to six words that begin with a capital.
func (l *Lexicon) Title(dst []byte, name uint64, topic int) []byte {
	s := wordStream{h: dice.Mix(name, 2)}
	n := 3 + int(s.next()%4)
	at := len(dst)
	for i := range n {
		if i > 0 {
			dst = append(dst, ' ')
		}
		dst = append(dst, l.rare(s.next(), topic)...)
	}
	return capital(dst, at)
}

// Slug appends two rare words joined by a hyphen, in ASCII, fit for a path.
func (l *Lexicon) Slug(dst []byte, name uint64, topic int) []byte {
	s := wordStream{h: dice.Mix(name, 3)}
	dst = ASCII(dst, l.rare(s.next(), topic))
	dst = append(dst, '-')
	return ASCII(dst, l.rare(s.next(), topic))
}

// rare is a word that is not among the most frequent.
func (l *Lexicon) rare(bits uint32, topic int) string {
	if topic > 0 && bits>>30 == 0 {
		return l.word(bits&(1<<26-1), topic)
	}
	first := topicBegin / 2
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

// capital makes the letter at position at a capital one.
func capital(dst []byte, at int) []byte {
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
