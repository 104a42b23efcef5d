// Package lexicon knows the words of English: which parts of speech a word can be, of which base form it may be a form,
// and its lemma once its tag is known.
//
// Terms: the *base form* is that under which a dictionary has the word (go for went); a *reading* is one way a form can be
// understood (saw: past tense of see, or noun, or base form of a verb); the *lemma* is the base form that is meant.
//
// The base forms and irregular forms are those of WordNet 3.0. A form is taken apart by the rules of WordNet's Morphy: an
// ending is exchanged for another (-ies for -y), and if the result is a base form, that is a reading. Lemmas of
// pronouns, auxiliaries and other words that WordNet does not have, and forms where the rules go wrong, are learned from
// annotated text and stored beside it. An unknown word has the lemma that the rules give it without a dictionary.
//
// A gazetteer of names of persons, places, organisations and works says which names a word can be part of, and word classes
// which words it resembles.
//
// words.bin, classes.bin and names.bin are made by `make models`; ATTRIBUTION names what it was made of.
package lexicon

import (
	"bytes"
	"crypto/sha256"
	_ "embed" // the words
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"varve/language/wordlist"
)

//go:embed words.bin
var embedded []byte

//go:embed classes.bin
var embeddedClasses []byte

//go:embed names.bin
var embeddedNames []byte

// Default returns the lexicon that comes with the program; it is unpacked when first asked for.
var Default = sync.OnceValue(func() *Lexicon {
	x, err := Read(bytes.NewReader(embedded), bytes.NewReader(embeddedClasses), bytes.NewReader(embeddedNames))
	if err != nil {
		panic(err) // the file is part of the program, and tested
	}
	return x
})

// Sum returns a digest of the lexicon that comes with the program: what was made with another one is to be made again.
var Sum = sync.OnceValue(func() [32]byte {
	return sha256.Sum256(slices.Concat(embedded, embeddedClasses, embeddedNames))
})

// Parts of speech that a base form can be.
const (
	Noun = 1 << iota
	Verb
	Adjective
	Adverb
)

// Readings of a form, as bits.
const (
	NounBase = 1 << iota
	NounPlural
	VerbBase
	VerbS
	VerbIng
	VerbPast
	AdjectiveBase
	AdjectiveMore
	AdjectiveMost
	AdverbBase
	NounIrregular
	VerbIrregular
)

// Bits of the names of the gazetteer: what a name is known as.
const (
	FirstName = 1 << iota
	LastName
	PersonName
	Place
	LargePlace
	OrganisationName
	WorkName
	EventName
	OtherName
	Prefix // some longer name begins so
)

// Lexicon knows words. It does not change and is safe for concurrent use.
type Lexicon struct {
	words     map[string]uint32            // base form to parts of speech
	irregular map[string][]irregular       // form to what WordNet lists
	learned   map[string]map[string]string // tag to form to lemma
	classes   *wordlist.List
	names     *wordlist.List
}

type irregular struct {
	part byte // n, v, a, r
	base string
}

// Read reads a lexicon, the classes of words and the names. The lexicon is a word list whose keys are a base form (the value: its parts of speech), or a form, a part
// of speech of WordNet or a tag, and a base form, with zero bytes between them.
func Read(words, classes, names io.Reader) (*Lexicon, error) {
	all, err := wordlist.All(words)
	if err != nil {
		return nil, fmt.Errorf("lexicon: %w", err)
	}
	list, err := wordlist.Read(classes)
	if err != nil {
		return nil, fmt.Errorf("classes of words: %w", err)
	}
	gazetteer, err := wordlist.Read(names)
	if err != nil {
		return nil, fmt.Errorf("names: %w", err)
	}
	x := &Lexicon{classes: list, names: gazetteer, words: map[string]uint32{}, irregular: map[string][]irregular{}, learned: map[string]map[string]string{}}
	for key, value := range all {
		form, rest, forms := strings.Cut(key, "\x00")
		if !forms {
			x.words[key] = value
			continue
		}
		part, base, _ := strings.Cut(rest, "\x00")
		if len(part) == 1 && part[0] >= 'a' {
			x.irregular[form] = append(x.irregular[form], irregular{part[0], base})
			continue
		}
		if x.learned[part] == nil {
			x.learned[part] = map[string]string{}
		}
		x.learned[part][form] = base
	}
	return x, nil
}

// Class returns the class of a word in lower case: words of one class stand between the same words. 0 is an unknown
// word; from bit 16 on it tells how the word is written inside of sentences (1 always small ... 4 always with a capital).
func (x *Lexicon) Class(word string) uint32 { return x.classes.Find(word) }

// Name returns the bits of the name in lower case, its tokens separated by blanks, that has this chain.Hash. 0 is an
// unknown name.
func (x *Lexicon) Name(hash uint32) uint32 { return x.names.FindHash(hash) }

// ending is a rule of Morphy: a form with the one ending may be that of a base form with the other.
type ending struct{ from, to string }

var (
	plural = []ending{{"s", ""}, {"ses", "s"}, {"xes", "x"}, {"zes", "z"}, {"ches", "ch"}, {"shes", "sh"}, {"men", "man"}, {"ies", "y"}}
	thirds = []ending{{"s", ""}, {"ies", "y"}, {"es", "e"}, {"es", ""}}
	past   = []ending{{"ed", "e"}, {"ed", ""}, {"ied", "y"}}
	ing    = []ending{{"ing", "e"}, {"ing", ""}}
	more   = []ending{{"er", ""}, {"er", "e"}, {"ier", "y"}}
	most   = []ending{{"est", ""}, {"est", "e"}, {"iest", "y"}}
)

// longest is the length of the longest form that is looked at, in bytes: longer ones are no words.
const longest = 64

// Readings returns how a word in lower case can be read.
func (x *Lexicon) Readings(word string) uint32 {
	if len(word) > longest || word == "" {
		return 0
	}
	var r uint32
	part := x.words[word]
	for i, bit := range [...]uint32{NounBase, VerbBase, AdjectiveBase, AdverbBase} {
		if part&(1<<i) != 0 {
			r |= bit
		}
	}
	for _, i := range x.irregular[word] {
		switch i.part {
		case 'n':
			r |= NounIrregular
		case 'v':
			r |= VerbIrregular
		case 'a':
			r |= AdjectiveMore
			if strings.HasSuffix(word, "st") {
				r ^= AdjectiveMore | AdjectiveMost
			}
		}
	}
	var buffer [longest + 8]byte
	has := func(rules []ending, part uint32) bool {
		for _, e := range rules {
			if strings.HasSuffix(word, e.from) && len(word) > len(e.from)+1 {
				b := append(append(buffer[:0], word[:len(word)-len(e.from)]...), e.to...)
				if x.words[string(b)]&part != 0 {
					return true
				}
			}
		}
		return false
	}
	switch word[len(word)-1] {
	case 's':
		if has(plural, Noun) {
			r |= NounPlural
		}
		if has(thirds, Verb) {
			r |= VerbS
		}
	case 'n':
		if has(plural, Noun) {
			r |= NounPlural
		}
	case 'g':
		if has(ing, Verb) {
			r |= VerbIng
		}
	case 'd':
		if has(past, Verb) {
			r |= VerbPast
		}
	case 'r':
		if has(more, Adjective) {
			r |= AdjectiveMore
		}
	case 't':
		if has(most, Adjective) {
			r |= AdjectiveMost
		}
	}
	return r
}

// Lemma returns the lemma of a form that has a tag of the Penn Treebank.
func (x *Lexicon) Lemma(form, tag string) string {
	if len(form) > longest {
		return form
	}
	lower := strings.ToLower(form)
	if m := x.learned[tag]; m != nil {
		if l, ok := m[lower]; ok {
			return l
		}
	}
	switch tag {
	case "NNP", "FW", "ADD", "GW", "SYM", "LS", "NFP", "CD", "AFX":
		return form
	case "NNPS":
		if l := x.base(lower, 'n', Noun, plural); len(l) < len(form) && strings.HasPrefix(lower, l) {
			return form[:len(l)]
		}
		return form
	case "NNS":
		return x.base(lower, 'n', Noun, plural)
	case "VBZ":
		return x.base(lower, 'v', Verb, thirds)
	case "VBD", "VBN":
		return x.base(lower, 'v', Verb, past)
	case "VBG":
		return x.base(lower, 'v', Verb, ing)
	case "JJR":
		return x.base(lower, 'a', Adjective, more)
	case "JJS":
		return x.base(lower, 'a', Adjective, most)
	case "RBR":
		return x.base(lower, 'r', Adverb|Adjective, more)
	case "RBS":
		return x.base(lower, 'r', Adverb|Adjective, most)
	}
	return lower
}

// base takes a form apart: by the list of irregular forms, by a rule whose result is a word, by a rule alone.
func (x *Lexicon) base(form string, part byte, bit uint32, rules []ending) string {
	for _, i := range x.irregular[form] {
		if i.part == part {
			return i.base
		}
	}
	for _, e := range rules {
		if stem, ok := strings.CutSuffix(form, e.from); ok && len(stem) > 1 && x.words[stem+e.to]&bit != 0 {
			return stem + e.to
		}
	}
	for i := len(rules) - 1; i >= 0; i-- { // the longest ending is the last
		stem, ok := strings.CutSuffix(form, rules[i].from)
		if !ok || len(stem) < 2 {
			continue
		}
		switch {
		case rules[i].from == "s" && strings.HasSuffix(form, "ss"):
		case rules[i].to == "e" && rules[i].from != "es" && !strings.ContainsAny(stem, "aeiouy"):
		default:
			return unknown(stem, rules[i])
		}
	}
	return form
}

// unknown joins the stem of a word that is in no list with an ending: -ed and -ing hide an -e after some consonants, and a
// consonant that was doubled.
func unknown(stem string, e ending) string {
	n := len(stem)
	if e.from != "ed" && e.from != "ing" && e.from != "er" && e.from != "est" {
		return stem + e.to
	}
	switch last := stem[n-1]; {
	case n > 2 && last == stem[n-2] && !strings.ContainsRune("aeiouls", rune(last)):
		return stem[:n-1] // blogging
	case strings.ContainsRune("cgsvz", rune(last)) && !strings.HasSuffix(stem, "ss") || strings.HasSuffix(stem, "at") || strings.HasSuffix(stem, "iz"):
		return stem + "e"
	}
	return stem
}
