package tag

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"varve/language/lexicon"
	"varve/learn/chain"
)

// profile is what the features say about a word by itself. Everything is a hash.
type profile struct {
	word, lower   uint32
	prefix        [3]uint32 // of 1 to 3 characters, lower case
	suffix        [5]uint32 // of 1 to 5 characters, lower case
	shape, brief  uint32    // Xxxx-dd; Xx-d
	readings      uint32
	class         uint32
	written       uint32
	names         uint32 // bits of the gazetteer
	capital, mark bool   // begins with a capital; has no letter or digit
}

// longest is the part of a word that features look at, in bytes: what is longer is no word of a language.
const longest = 100

func newProfile(word string, x *lexicon.Lexicon) profile {
	if len(word) > longest {
		word = word[:longest] // maybe inside of a character: hashes do not mind
	}
	lower := strings.ToLower(word)
	p := profile{word: chain.Hash(word), lower: chain.Hash(lower), readings: x.Readings(lower)}
	class := x.Class(lower)
	p.names = x.Name(p.lower)
	p.class, p.written = class&0xffff, class>>16
	at := 0
	for i := range p.prefix {
		if at < len(lower) {
			_, n := utf8.DecodeRuneInString(lower[at:])
			at += n
			p.prefix[i] = chain.Hash(lower[:at])
		}
	}
	at = len(lower)
	for i := range p.suffix {
		if at > 0 {
			_, n := utf8.DecodeLastRuneInString(lower[:at])
			at -= n
			p.suffix[i] = chain.Hash(lower[at:])
		}
	}
	// The shape: X for capitals, x for letters, d for digits, the sign itself for others; at most four alike in a row.
	long, short := uint32(2166136261), uint32(2166136261)
	var last rune
	run := 0
	p.mark = true
	for i, r := range word {
		c := r
		switch {
		case unicode.IsUpper(r):
			c = 'X'
			p.capital = p.capital || i == 0
		case unicode.IsLetter(r):
			c = 'x'
		case unicode.IsDigit(r):
			c = 'd'
		}
		p.mark = p.mark && c == r && r != 'X' && r != 'x' && r != 'd'
		if c != last {
			short = (short ^ uint32(c)) * 16777619
			run = 0
		}
		if last, run = c, run+1; run <= 4 {
			long = (long ^ uint32(c)) * 16777619
		}
	}
	p.shape, p.brief = long, short
	return p
}

// edge stands before the first and after the last word.
var edge = profile{word: 1, lower: 1, shape: 1, brief: 1, prefix: [3]uint32{1, 1, 1}, suffix: [5]uint32{1, 1, 1, 1, 1}}

// pennFeatures adds the features of all words. Each kind of feature has a number, which goes into its hash.
func pennFeatures(f *chain.Features, words []profile) {
	at := func(i int) *profile {
		if i < 0 || i >= len(words) {
			return &edge
		}
		return &words[i]
	}
	loud := loudness(words)
	for i := range words {
		w, l1, l2, r1, r2 := &words[i], at(i-1), at(i-2), at(i+1), at(i+2)
		kind := uint32(0)
		add := func(h uint32) {
			kind++
			f.Add(chain.Mix(kind, h))
		}
		add(w.word)
		add(w.lower)
		add(l1.lower)
		add(r1.lower)
		add(l2.lower)
		add(r2.lower)
		add(chain.Mix(l1.lower, w.lower))
		add(chain.Mix(w.lower, r1.lower))
		add(chain.Mix(l1.lower, r1.lower))
		add(chain.Mix(l2.lower, l1.lower))
		add(chain.Mix(r1.lower, r2.lower))
		for _, h := range w.prefix {
			add(h)
		}
		for _, h := range w.suffix {
			add(h)
		}
		add(w.shape)
		add(chain.Mix(w.brief, w.suffix[2]))
		add(chain.Mix(w.brief, b2u(i == 0)))
		add(chain.Mix(l1.brief, w.brief))
		add(chain.Mix(w.brief, r1.brief))
		add(l1.suffix[2])
		add(r1.suffix[2])
		add(r1.suffix[1])
		add(w.readings)
		add(chain.Mix(l1.readings, w.readings))
		add(chain.Mix(w.readings, r1.readings))
		add(chain.Mix(w.readings, w.suffix[2]))
		add(chain.Mix(l1.lower, w.readings))
		add(chain.Mix(w.readings, r1.lower))
		add(chain.Mix(l1.lower, w.suffix[2]))
		add(w.class)
		add(chain.Mix(w.class, w.readings))
		add(l1.class)
		add(r1.class)
		add(chain.Mix(l1.class, w.class))
		add(chain.Mix(w.class, r1.class))
		add(chain.Mix(chain.Mix(l1.class, w.readings), r1.class))
		add(chain.Mix(w.written, w.brief))
		add(chain.Mix(w.names, w.brief))
		add(chain.Mix(w.names, w.readings))
		add(chain.Mix(chain.Mix(l1.names, l1.brief), w.brief))
		add(chain.Mix(w.brief, chain.Mix(r1.names, r1.brief)))
		add(chain.Mix(loud, w.brief))
		add(chain.Mix(chain.Mix(loud, w.brief), w.readings))
		add(chain.Mix(chain.Mix(l1.readings, w.readings), r1.readings))
		f.Next()
	}
}

// loudness says how much capitals mean in a sentence: 0 a few words have them, 1 most, 2 all.
func loudness(words []profile) uint32 {
	capitals, others := 0, 0
	for i := range words {
		if words[i].capital {
			capitals++
		} else if !words[i].mark {
			others++
		}
	}
	switch {
	case others == 0 && capitals > 1:
		return 2
	case capitals > others && capitals > 2:
		return 1
	}
	return 0
}

func b2u(b bool) uint32 {
	if b {
		return 1
	}
	return 0
}

// universalFeatures adds those of the second step, in which the tags of the Penn Treebank are known.
func universalFeatures(f *chain.Features, words []profile, penn []uint8) {
	for i := range words {
		tag := func(j int) uint32 {
			if j < 0 || j >= len(penn) {
				return 255
			}
			return uint32(penn[j])
		}
		low := func(j int) uint32 {
			if j < 0 || j >= len(words) {
				return 1
			}
			return words[j].lower
		}
		own := chain.Mix(tag(i), low(i))
		kind := uint32(1000)
		add := func(h uint32) {
			kind++
			f.Add(chain.Mix(kind, h))
		}
		add(tag(i))
		add(own)
		add(chain.Mix(tag(i), words[i].suffix[2]))
		add(chain.Mix(own, tag(i+1)))
		add(chain.Mix(own, tag(i-1)))
		add(chain.Mix(own, chain.Mix(tag(i+1), tag(i+2))))
		add(chain.Mix(own, chain.Mix(tag(i-1), tag(i+1))))
		add(chain.Mix(own, low(i+1)))
		add(chain.Mix(own, low(i-1)))
		add(chain.Mix(chain.Mix(tag(i), tag(i+1)), chain.Mix(tag(i+2), tag(i+3))))
		add(chain.Mix(chain.Mix(tag(i), tag(i-1)), tag(i-2)))
		f.Next()
	}
}
