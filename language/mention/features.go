package mention

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"varve/language/lexicon"
	"varve/learn/chain"
)

// mostWords is the longest name of the gazetteer that is looked for, in tokens.
const mostWords = 6

// longest is the part of a word that features look at, in bytes.
const longest = 100

// view is what features say about a token. Everything is a hash.
type view struct {
	word, lower, shape, brief uint32
	prefix, suffix            [4]uint32
	tag, class, written       uint32
	names                     uint32 // bits of the longest name of the gazetteer around it, and where in it the token stands
	own                       uint32 // bits of the token by itself
	capital                   bool
}

var border = view{word: 1, lower: 1, shape: 1, brief: 1, tag: 1}

// extractor makes features.
type extractor struct {
	lexicon  *lexicon.Lexicon
	seen     map[uint32]evidence // words of the document, by the hash of their lower case
	views    []view
	lowers   []string
	features chain.Features
}

func newExtractor(x *lexicon.Lexicon) extractor {
	return extractor{lexicon: x, seen: map[uint32]evidence{}}
}

// evidence is what a document shows about a word in all its places: how it is written where that means something, and what stands around it where
// it has a capital. Ratinov and Roth (2009) call it context aggregation.
type evidence struct {
	large, small bool // inside of a sentence that is not written in capitals
	count        uint8
	places       [3]place
}

// place is a place of a word with a capital.
type place struct {
	sentence, token int32
	left, right     uint32 // the words around, in lower case
}

// keptWords is the size up to which the map of a document's words is kept for the next.
const keptWords = 1 << 13

// document reads the sentences whose features are asked for next.
func (e *extractor) document(sentences []Sentence) {
	if len(e.seen) > keptWords {
		e.seen = map[uint32]evidence{}
	}
	clear(e.seen)
	for k, s := range sentences {
		loud := shouting(s.Words)
		before := border.lower
		for i, word := range s.Words {
			h := hashLower(word)
			v := e.seen[h]
			big := capital(word)
			if i > 0 && !loud {
				v.large, v.small = v.large || big, v.small || !big
			}
			if big && int(v.count) < len(v.places) {
				after := border.lower
				if i+1 < len(s.Words) {
					after = hashLower(s.Words[i+1])
				}
				v.places[v.count] = place{int32(k), int32(i), before, after}
				v.count++
			}
			e.seen[h] = v
			before = h
		}
	}
}

// hashLower returns the hash of the part of a word in lower case that features look at.
func hashLower(word string) uint32 {
	return chain.Hash(strings.ToLower(word[:min(len(word), longest)]))
}

// sentence returns the features of a sentence of the document, valid until the next call.
func (e *extractor) sentence(number int, s Sentence) *chain.Features {
	e.look(s)
	e.gazetteer()
	loud := b2u(shouting(s.Words))
	f := &e.features
	f.Reset()
	at := func(i int) *view {
		if i < 0 || i >= len(e.views) {
			return &border
		}
		return &e.views[i]
	}
	for i := range e.views {
		w, l1, l2, r1, r2 := &e.views[i], at(i-1), at(i-2), at(i+1), at(i+2)
		kind := uint32(5000)
		add := func(h uint32) {
			kind++
			f.Add(chain.Mix(kind, h))
		}
		add(0)
		add(w.word)
		add(w.lower)
		add(l1.lower)
		add(r1.lower)
		add(l2.lower)
		add(r2.lower)
		add(chain.Mix(l1.lower, w.lower))
		add(chain.Mix(w.lower, r1.lower))
		add(chain.Mix(l1.lower, w.brief))
		add(chain.Mix(r1.lower, w.brief))
		for k := range w.prefix {
			add(w.prefix[k])
			add(w.suffix[k])
		}
		add(w.shape)
		add(chain.Mix(w.brief, loud))
		add(chain.Mix(chain.Mix(l1.brief, w.brief), r1.brief))
		add(chain.Mix(w.brief, b2u(i == 0)))
		add(chain.Mix(chain.Mix(w.written, b2u(w.capital)), b2u(i == 0)))
		add(chain.Mix(w.tag, b2u(w.capital)))
		add(chain.Mix(l1.tag, w.tag))
		add(chain.Mix(w.tag, r1.tag))
		add(chain.Mix(chain.Mix(l1.tag, w.tag), r1.tag))
		add(w.class)
		add(chain.Mix(w.class, b2u(w.capital)))
		add(l1.class)
		add(r1.class)
		add(l2.class)
		add(r2.class)
		add(chain.Mix(l1.class, w.class))
		add(chain.Mix(w.class, r1.class))
		add(chain.Mix(l1.class, w.brief))
		add(chain.Mix(w.brief, r1.class))
		add(chain.Mix(w.names, b2u(w.capital)))
		add(chain.Mix(w.names, w.tag))
		add(chain.Mix(w.own, b2u(w.capital)))
		add(chain.Mix(w.own, chain.Mix(l1.own, r1.own)))
		add(chain.Mix(l1.names, w.brief))
		add(chain.Mix(r1.names, w.brief))
		add(chain.Mix(l1.own, w.brief))
		add(chain.Mix(r1.own, w.brief))
		v := e.seen[w.lower]
		written := b2u(v.large)*2 + b2u(v.small)
		add(chain.Mix(written, chain.Mix(b2u(w.capital), b2u(i == 0))))
		add(chain.Mix(written, chain.Mix(w.brief, w.written)))
		for _, p := range v.places[:v.count] {
			if w.capital && (int(p.sentence) != number || int(p.token) != i) {
				f.Add(chain.Mix(kind+1, p.left))
				f.Add(chain.Mix(kind+2, p.right))
			}
		}
		f.Next()
	}
	return f
}

// look fills the views but for the names.
func (e *extractor) look(s Sentence) {
	e.views, e.lowers = e.views[:0], e.lowers[:0]
	for i, word := range s.Words {
		if len(word) > longest {
			word = word[:longest]
		}
		lower := strings.ToLower(word)
		class := e.lexicon.Class(lower)
		v := view{word: chain.Hash(word), lower: chain.Hash(lower), tag: chain.Hash(s.Penn[i]), class: class & 0xffff, written: class >> 16}
		v.own = e.lexicon.Name(v.lower) &^ lexicon.Prefix
		at, from := 0, len(lower)
		for k := range v.prefix {
			if at < len(lower) {
				_, n := utf8.DecodeRuneInString(lower[at:])
				at += n
				v.prefix[k] = chain.Hash(lower[:at])
			}
			if from > 0 {
				_, n := utf8.DecodeLastRuneInString(lower[:from])
				from -= n
				v.suffix[k] = chain.Hash(lower[from:])
			}
		}
		v.shape, v.brief, v.capital = shapes(word)
		e.views = append(e.views, v)
		e.lowers = append(e.lowers, lower)
	}
}

// shapes returns the hashes of the shape of a word: X for capitals, x for letters, d for digits, other signs as they
// are; in the first up to four alike in a row, in the second one.
func shapes(word string) (long, short uint32, capital bool) {
	long, short = 2166136261, 2166136261
	var last rune
	run := 0
	for i, r := range word {
		c := r
		switch {
		case unicode.IsUpper(r):
			c = 'X'
			capital = capital || i == 0
		case unicode.IsLetter(r):
			c = 'x'
		case unicode.IsDigit(r):
			c = 'd'
		}
		if c != last {
			short = (short ^ uint32(c)) * 16777619
			run = 0
		}
		if last, run = c, run+1; run <= 4 {
			long = (long ^ uint32(c)) * 16777619
		}
	}
	return long, short, capital
}

// gazetteer marks the longest names of two tokens and more, from the left.
func (e *extractor) gazetteer() {
	for i := 0; i < len(e.views); i++ {
		h := e.views[i].lower
		end, bits := i, uint32(0)
		for j, v := i, e.lexicon.Name(h); v&lexicon.Prefix != 0 && j+1 < len(e.views) && j-i+1 < mostWords; {
			j++
			h = chain.HashMore(chain.HashMore(h, " "), e.lowers[j])
			if v = e.lexicon.Name(h); v&^lexicon.Prefix != 0 {
				end, bits = j, v&^lexicon.Prefix
			}
		}
		if end == i {
			continue
		}
		for k := i; k <= end; k++ {
			place := uint32(2)
			if k == i {
				place = 1
			} else if k == end {
				place = 3
			}
			e.views[k].names = bits | place<<16
		}
		i = end
	}
}

func b2u(b bool) uint32 {
	if b {
		return 1
	}
	return 0
}
