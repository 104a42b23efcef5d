package kind

import (
	"math"
	"strings"
	"unicode"

	"varve/language/lexicon"
	"varve/language/mention"
	"varve/learn/chain"
	"varve/learn/sparse"
)

// Sizes of what is looked at.
const (
	window    = 3   // tokens on each side
	paragraph = 170 // tokens on each side: about 2,000 characters in all
	apposed   = 8   // tokens behind a name in which a noun may say what it is
	longest   = 40  // bytes of a word
)

// How much groups of features count. Those of the paragraph are many, and each says little.
const (
	valueOfName      = 1
	valueOfWindow    = 0.8
	valueOfSentence  = 0.4
	valueOfParagraph = 0.15
)

// extractor finds features. It keeps what it knows of a document.
type extractor struct {
	lexicon   *lexicon.Lexicon
	document  []mention.Sentence
	words     [][]word
	starts    []int // number of the first token of each sentence
	flat      []uint32
	out       []sparse.Feature
	paragraph map[uint32]bool
}

// word is what features need of a token.
type word struct {
	lower uint32
	tag   uint32
	class uint32
	noun  bool // a common noun
	name  bool // a proper noun
	verb  bool
	prep  bool
	plain bool // a content word
}

// read looks at a document.
func (e *extractor) read(document []mention.Sentence) {
	e.document, e.words, e.starts, e.flat = document, e.words[:0], e.starts[:0], e.flat[:0]
	for _, s := range document {
		e.starts = append(e.starts, len(e.flat))
		list := make([]word, len(s.Words))
		for i, w := range s.Words {
			lower := strings.ToLower(w[:min(len(w), longest)])
			p := s.Penn[i]
			v := word{
				lower: chain.Hash(lower), tag: chain.Hash(p), class: e.lexicon.Class(lower) & 0xffff,
				noun: p == "NN" || p == "NNS", name: strings.HasPrefix(p, "NNP"), verb: strings.HasPrefix(p, "VB"), prep: p == "IN" || p == "TO",
			}
			if v.noun { // singular and plural are one
				v.lower = chain.Hash(e.lexicon.Lemma(lower, p))
			}
			v.plain = v.noun || v.verb || strings.HasPrefix(p, "JJ")
			list[i] = v
			if v.plain {
				e.flat = append(e.flat, v.lower)
			} else {
				e.flat = append(e.flat, 0)
			}
		}
		e.words = append(e.words, list)
	}
}

// Kinds of features.
const (
	bias uint32 = 9000 + iota
	nameWord
	nameFirst
	nameLast
	nameWhole
	namePair
	namePrefix
	nameSuffix
	nameShape
	nameLength
	nameListed
	nameWordListed
	nameTags
	around
	aroundAt
	pairAt
	tripleAt
	tagAt
	tagPair
	classAt
	inSentence
	apposition
	nounBefore
	pronoun
	verbPreposition
	verbAfter
	inParagraph
	possessive
)

// border stands for what is outside of a sentence.
var border = word{lower: 1, tag: 1, class: 1}

// features returns the features of words[from:to] of a sentence, with a norm of 1; valid until the next call.
func (e *extractor) features(number, from, to int) []sparse.Feature {
	e.out = e.out[:0]
	add := func(kind, h uint32, value float32) {
		e.out = append(e.out, sparse.Feature{Hash: chain.Mix(kind, h), Value: value})
	}
	s, words := e.document[number], e.words[number]
	at := func(i int) *word {
		if i < 0 || i >= len(words) {
			return &border
		}
		return &words[i]
	}
	add(bias, 0, 1)
	whole, tags := uint32(2166136261), uint32(0)
	for i := from; i < to; i++ {
		w := strings.ToLower(s.Words[i][:min(len(s.Words[i]), longest)])
		h := chain.Hash(w)
		add(nameWord, h, valueOfName)
		add(nameWordListed, e.lexicon.Name(h)&^lexicon.Prefix, valueOfName)
		if i > from {
			whole = chain.HashMore(whole, " ")
			add(namePair, chain.Mix(chain.Hash(strings.ToLower(s.Words[i-1])), h), valueOfName)
		}
		whole = chain.HashMore(whole, w)
		tags = chain.Mix(tags, words[i].tag)
		switch i {
		case from:
			add(nameFirst, h, valueOfName)
			add(namePrefix, chain.Hash(w[:min(len(w), 3)]), valueOfName/2.0)
		}
		if i == to-1 {
			add(nameLast, h, valueOfName)
			for k := 2; k <= 4 && k <= len(w); k++ {
				add(nameSuffix, chain.Hash(w[len(w)-k:]), valueOfName/2.0)
			}
		}
		add(nameShape, shape(s.Words[i]), valueOfName/2.0)
	}
	add(nameWhole, whole, valueOfName)
	add(nameListed, e.lexicon.Name(whole)&^lexicon.Prefix, valueOfName)
	add(nameLength, uint32(min(to-from, 6)), valueOfName)
	add(nameTags, tags, valueOfName)
	for k := 1; k <= window; k++ {
		for _, side := range [2]int{from - k, to - 1 + k} {
			w := at(side)
			place := uint32(10 + side - from)
			if side >= to {
				place = uint32(100 + side - to)
			}
			add(around, w.lower, valueOfWindow)
			add(aroundAt, chain.Mix(place, w.lower), valueOfWindow)
			if k < window {
				add(tagAt, chain.Mix(place, w.tag), valueOfWindow)
				add(classAt, chain.Mix(place, w.class), valueOfWindow)
			}
		}
	}
	l1, l2, l3, r1, r2, r3 := at(from-1), at(from-2), at(from-3), at(to), at(to+1), at(to+2)
	add(pairAt, chain.Mix(chain.Mix(1, l2.lower), l1.lower), valueOfWindow)
	add(pairAt, chain.Mix(chain.Mix(2, r1.lower), r2.lower), valueOfWindow)
	add(pairAt, chain.Mix(chain.Mix(3, l1.lower), r1.lower), valueOfWindow)
	add(tripleAt, chain.Mix(chain.Mix(chain.Mix(1, l3.lower), l2.lower), l1.lower), valueOfWindow)
	add(tripleAt, chain.Mix(chain.Mix(chain.Mix(2, r1.lower), r2.lower), r3.lower), valueOfWindow)
	add(tagPair, chain.Mix(chain.Mix(1, l2.tag), l1.tag), valueOfWindow)
	add(tagPair, chain.Mix(chain.Mix(2, r1.tag), r2.tag), valueOfWindow)
	if to < len(s.Words) && (s.Words[to] == "'s" || s.Words[to] == "’s") {
		add(possessive, 1, valueOfWindow)
	}
	for i := to; i < min(to+apposed, len(words)); i++ { // "Merkel, the German chancellor": the last noun of the first run of them
		if words[i].noun && (i+1 == len(words) || !words[i+1].noun) {
			add(apposition, words[i].lower, valueOfName)
			break
		}
	}
	for i := from - 1; i >= max(0, from-apposed); i-- {
		if words[i].noun {
			add(nounBefore, words[i].lower, valueOfWindow)
			break
		}
	}
	for i := from - 1; i > 0; i-- { // the last pair of verb and preposition before the name
		if words[i].prep && words[i-1].verb {
			add(verbPreposition, chain.Mix(words[i-1].lower, words[i].lower), valueOfWindow)
			break
		}
	}
	for i := to; i < len(words); i++ {
		if words[i].verb {
			add(verbAfter, words[i].lower, valueOfWindow)
			break
		}
	}
	for k := range 2 { // the first he or she in this sentence and in the next
		if number+k < len(e.document) {
			if p := firstPronoun(e.document[number+k].Words); p != 0 {
				add(pronoun, chain.Mix(uint32(k), p), valueOfName)
			}
		}
	}
	for i := range words {
		if words[i].plain && (i < from || i >= to) {
			add(inSentence, words[i].lower, valueOfSentence)
		}
	}
	e.addParagraph(number, from, to)
	square := 0.0
	for _, f := range e.out {
		square += float64(f.Value) * float64(f.Value)
	}
	norm := float32(1 / math.Sqrt(square))
	for i := range e.out {
		e.out[i].Value *= norm
	}
	return e.out
}

// addParagraph adds the content words around, each once.
func (e *extractor) addParagraph(number, from, to int) {
	clear(e.paragraph)
	here := e.starts[number]
	for i := max(0, here+from-paragraph); i < min(len(e.flat), here+to+paragraph); i++ {
		if h := e.flat[i]; h != 0 && (i < here+from || i >= here+to) && !e.paragraph[h] {
			e.paragraph[h] = true
			e.out = append(e.out, sparse.Feature{Hash: chain.Mix(inParagraph, h), Value: valueOfParagraph})
		}
	}
}

func firstPronoun(words []string) uint32 {
	for _, w := range words {
		switch strings.ToLower(w) {
		case "he", "his", "him":
			return 1
		case "she", "her", "hers":
			return 2
		case "it", "its":
			return 3
		case "they", "their":
			return 4
		}
	}
	return 0
}

// shape returns the shape of a word: X for capitals, x for letters, d for digits, once for those in a row.
func shape(w string) uint32 {
	h := uint32(2166136261)
	var last rune
	for _, r := range w {
		c := r
		switch {
		case unicode.IsUpper(r):
			c = 'X'
		case unicode.IsLetter(r):
			c = 'x'
		case unicode.IsDigit(r):
			c = 'd'
		}
		if c != last {
			h = (h ^ uint32(c)) * 16777619
		}
		last = c
	}
	return h
}
