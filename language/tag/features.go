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
	sums          *sums  // of a word that a tagger met twice
}

// longest is the part of a word that features look at, in bytes: what is longer is no word of a language.
const longest = 100

func newProfile(word string, x *lexicon.Lexicon) *profile {
	if len(word) > longest {
		word = word[:longest] // maybe inside of a character: hashes do not mind
	}
	lower := strings.ToLower(word)
	p := &profile{word: chain.Hash(word), lower: chain.Hash(lower), readings: x.Readings(lower)}
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

// Each kind of feature has a number, which goes into its hash: these are where the numbers of a group begin.
const (
	ownKinds       = 0
	beforeKinds    = 100
	afterKinds     = 200
	pairKinds      = 300
	universalKinds = 1000
)

// own adds the features of a word by itself, and says nothing of its place.
func (w *profile) own(f *chain.Features) {
	kind := uint32(ownKinds)
	add := func(h uint32) {
		kind++
		f.Add(chain.Mix(kind, h))
	}
	add(w.word)
	add(w.lower)
	for _, h := range w.prefix {
		add(h)
	}
	for _, h := range w.suffix {
		add(h)
	}
	add(w.shape)
	add(chain.Mix(w.brief, w.suffix[2]))
	add(w.readings)
	add(chain.Mix(w.readings, w.suffix[2]))
	add(w.class)
	add(chain.Mix(w.class, w.readings))
	add(chain.Mix(w.written, w.brief))
	add(chain.Mix(w.names, w.brief))
	add(chain.Mix(w.names, w.readings))
}

// before adds the features that a word gives to the one behind it.
func (w *profile) before(f *chain.Features) {
	f.Add(chain.Mix(beforeKinds, w.lower))
	f.Add(chain.Mix(beforeKinds+1, w.suffix[2]))
	f.Add(chain.Mix(beforeKinds+2, w.class))
}

// after adds the features that a word gives to the one before it.
func (w *profile) after(f *chain.Features) {
	f.Add(chain.Mix(afterKinds, w.lower))
	f.Add(chain.Mix(afterKinds+1, w.suffix[2]))
	f.Add(chain.Mix(afterKinds+2, w.suffix[1]))
	f.Add(chain.Mix(afterKinds+3, w.class))
}

// sums are the weights of the features of a word that are the same wherever it stands.
type sums struct{ own, before, after []int32 }

// sum sums the weights of a word in a model.
func (w *profile) sum(m *chain.Model) {
	var f chain.Features
	w.own(&f)
	f.Next()
	w.before(&f)
	f.Next()
	w.after(&f)
	f.Next()
	w.sums = &sums{m.Sum(&f, 0), m.Sum(&f, 1), m.Sum(&f, 2)}
}

// pennFeatures adds the features of all words.
func pennFeatures(f *chain.Features, words []*profile) {
	at := func(i int) *profile {
		if i < 0 || i >= len(words) {
			return &edge
		}
		return words[i]
	}
	loud := loudness(words)
	quotes, helper := 0, helper{}
	for i := range words {
		w, l1, l2, r1, r2 := words[i], at(i-1), at(i-2), at(i+1), at(i+2)
		if w.sums != nil {
			f.AddSum(w.sums.own)
		} else {
			w.own(f)
		}
		if l1.sums != nil {
			f.AddSum(l1.sums.before)
		} else {
			l1.before(f)
		}
		if r1.sums != nil {
			f.AddSum(r1.sums.after)
		} else {
			r1.after(f)
		}
		kind := uint32(pairKinds)
		add := func(h uint32) {
			kind++
			f.Add(chain.Mix(kind, h))
		}
		add(l2.lower)
		add(r2.lower)
		add(chain.Mix(l1.lower, w.lower))
		add(chain.Mix(w.lower, r1.lower))
		add(chain.Mix(l1.lower, r1.lower))
		add(chain.Mix(l2.lower, l1.lower))
		add(chain.Mix(r1.lower, r2.lower))
		add(chain.Mix(w.brief, b2u(i == 0)))
		add(chain.Mix(l1.brief, w.brief))
		add(chain.Mix(w.brief, r1.brief))
		add(chain.Mix(l1.readings, w.readings))
		add(chain.Mix(w.readings, r1.readings))
		add(chain.Mix(l1.lower, w.readings))
		add(chain.Mix(w.readings, r1.lower))
		add(chain.Mix(l1.lower, w.suffix[2]))
		add(chain.Mix(l1.class, w.class))
		add(chain.Mix(w.class, r1.class))
		add(chain.Mix(chain.Mix(l1.class, w.readings), r1.class))
		add(chain.Mix(chain.Mix(l1.names, l1.brief), w.brief))
		add(chain.Mix(w.brief, chain.Mix(r1.names, r1.brief)))
		add(chain.Mix(loud, w.brief))
		add(chain.Mix(chain.Mix(loud, w.brief), w.readings))
		add(chain.Mix(chain.Mix(l1.readings, w.readings), r1.readings))
		add(chain.Mix(helper.word, w.readings))
		add(chain.Mix(chain.Mix(helper.word, w.readings), chain.Mix(l1.class, w.suffix[1])))
		helper.pass(w)
		if w.lower == quote || w.lower == apostrophe { // the second of a pair closes
			add(chain.Mix(w.lower, uint32(quotes&1)))
			quotes += int(b2u(w.lower == quote))
		}
		f.Next()
	}
}

// loudness says how much capitals mean in a sentence: 0 a few words have them, 1 most, 2 all.
func loudness(words []*profile) uint32 {
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
func universalFeatures(f *chain.Features, words []*profile, penn []uint8) {
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
		kind := uint32(universalKinds)
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

var quote, apostrophe, semicolon = chain.Hash(`"`), chain.Hash("'"), chain.Hash(";")

// helper is the word before that says most about the form of a verb: have and be ask for a participle, to and will for the base form, who for a finite one.
type helper struct {
	word uint32 // in lower case; 0 if there is none near
	far  int
}

// helperReach is how many words a helper is remembered.
const helperReach = 6

// pass moves on behind a word.
func (h *helper) pass(w *profile) {
	if h.far++; h.far >= helperReach || w.lower == semicolon {
		h.word = 0
	}
	if helpers[w.lower] {
		*h = helper{word: w.lower}
	}
}

var helpers = func() map[uint32]bool {
	m := map[uint32]bool{}
	for w := range strings.FieldsSeq("be am is are was were been being 's 're 'm 'd 'll 've have has had having do does did to will would can ca could may might must shall should let make get got gets wo gon wan who that which what") {
		m[chain.Hash(w)] = true
	}
	return m
}()
