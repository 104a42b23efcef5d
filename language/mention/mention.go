// Package mention finds the names of persons, places, organisations, groups, events, works and products in English text.
//
// Terms: a *mention* is a run of tokens that names one thing; its *type* says what kind of thing.
//
// A chain (varve/learn/chain) with the labels O, B-PER, I-PER, ... looks at words, shapes, endings, Penn tags, word classes
// and the names of the gazetteer around each token, and at what the document shows about its word elsewhere: whether it is written with a capital inside
// of sentences, and between which words. The sets that it learns from do not mark the same types: where one says
// organisation, both ORG and GROUP are allowed. Then the document is made consistent, for a name means
// one thing in a text, and what stands before a name is none of its own:
//
//	titles    a word of the dictionary that is a person directly before another ("Chancellor Angela Merkel") is a title
//	count     for each name (its words, in lower case): the types of its mentions, each weighed by its confidence
//	type      a mention that is less sure than the type most of its namesakes have takes that type
//	parts     a last name alone ("Merkel") after a person of two words or more ("Angela Merkel") is a person
//	missed    a name met with confidence elsewhere in the text, written with a capital and not marked, is marked
//
// model.bin is made by `make models`; docs/models/mentions.md has the figures.
package mention

import (
	"bytes"
	"context"
	"crypto/sha256"
	_ "embed" // the model
	"fmt"
	"slices"
	"strings"
	"sync"

	"varve/language/lexicon"
	"varve/language/tag"
	"varve/learn/chain"
)

//go:embed model.bin
var embeddedModel []byte

// Type is the kind of thing that is named.
type Type string

// The types. Of organisations, Organisation is companies and institutions, Group teams, bands, parties and the like.
const (
	Person       Type = "PER"
	Location     Type = "LOC"
	Organisation Type = "ORG"
	Group        Type = "GROUP"
	Event        Type = "EVENT"
	Work         Type = "WORK"
	Product      Type = "PRODUCT"
)

// Types are all types, in the order of their labels.
var Types = []Type{Person, Location, Organisation, Group, Event, Work, Product}

// Outside, Begin and Inside are the numbers of labels: outside of any mention, at its beginning, inside of it.
const Outside = 0

// Begin returns the label of the first token of a mention of Types[i].
func Begin(i int) int { return 1 + 2*i }

// Inside returns the label of the other tokens of a mention of Types[i].
func Inside(i int) int { return 2 + 2*i }

// LabelName returns the name of a label: O, B-PER, I-PER and so on.
func LabelName(label int) string {
	switch {
	case label == Outside:
		return "O"
	case label%2 == 1:
		return "B-" + string(Types[label/2])
	}
	return "I-" + string(Types[label/2-1])
}

// labelNames are the labels by number.
func labelNames() []string {
	names := make([]string, 1+2*len(Types))
	for i := range names {
		names[i] = LabelName(i)
	}
	return names
}

// Sentence is a sentence with its tags.
type Sentence struct {
	Words []string
	Penn  []string
}

// Mention is a name and where it stands.
type Mention struct {
	Sentence   int // number of the sentence in the document
	From, To   int // tokens
	Type       Type
	Confidence float64 // probability that these tokens are a mention of this type, as the model has it
}

// caution is how much less the chain likes to leave a token outside, in natural logarithms. Labels of the highest probability
// leave out more names than they invent, for most tokens are none; F1 is best where both are about as many.
const caution = 0.3

// Model has the chain and the lexicon. It does not change and is safe for concurrent use.
type Model struct {
	chain   *chain.Model // as it was trained
	leaning *chain.Model // with caution
	lexicon *lexicon.Lexicon
}

// Default returns the model that comes with the program; it is unpacked when first asked for.
var Default = sync.OnceValue(func() *Model {
	m, err := Read(embeddedModel, lexicon.Default())
	if err != nil {
		panic(err) // the file is part of the program, and tested
	}
	return m
})

// Sum returns a digest of the model that comes with the program, with its caution and what it is made on: what was made with another one is to be made again.
var Sum = sync.OnceValue(func() [32]byte {
	below := tag.Sum()
	return sha256.Sum256(fmt.Appendf(slices.Concat(below[:], embeddedModel), "%v", caution))
})

// Read reads a model from its file.
func Read(file []byte, x *lexicon.Lexicon) (*Model, error) {
	c, err := chain.Read(bytes.NewReader(file))
	if err != nil {
		return nil, fmt.Errorf("mentions: %w", err)
	}
	if !slices.Equal(c.Labels(), labelNames()) {
		return nil, fmt.Errorf("mentions: the labels of the model are %q, want %q", c.Labels(), labelNames())
	}
	return newModel(c, x, caution), nil
}

func newModel(c *chain.Model, x *lexicon.Lexicon, caution float64) *Model {
	return &Model{c, c.Lean(Outside, -caution), x}
}

// Cautious returns the model with another caution than its own.
func (m *Model) Cautious(caution float64) *Model { return newModel(m.chain, m.lexicon, caution) }

// Finder finds mentions. It keeps buffers and is not for concurrent use.
type Finder struct {
	m        *Model
	decoder  *chain.Decoder
	features extractor
}

// NewFinder returns a finder.
func (m *Model) NewFinder() *Finder {
	return &Finder{m: m, decoder: m.leaning.NewDecoder(), features: newExtractor(m.lexicon)}
}

// Find returns the mentions of a document, in the order of the text.
func (f *Finder) Find(document []Sentence) []Mention {
	return consistent(document, f.Alone(document))
}

// FindContext is Find that ends early when the context does.
func (f *Finder) FindContext(ctx context.Context, document []Sentence) ([]Mention, error) {
	var found []Mention
	f.features.document(document)
	for i, s := range document {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		found = f.sentence(found, i, s)
	}
	return consistent(document, found), nil
}

// Alone returns the mentions of a document as the model finds them, sentence by sentence.
func (f *Finder) Alone(document []Sentence) []Mention {
	var found []Mention
	f.features.document(document)
	for i, s := range document {
		found = f.sentence(found, i, s)
	}
	return found
}

func (f *Finder) sentence(found []Mention, number int, s Sentence) []Mention {
	labels := f.decoder.Decode(f.features.sentence(number, s))
	for i := 0; i < len(labels); i++ {
		if labels[i] == Outside {
			continue
		}
		kind := (int(labels[i]) - 1) / 2
		end := i + 1
		for end < len(labels) && int(labels[end]) == Inside(kind) {
			end++
		}
		if !f.title(s, labels, i, end) {
			found = append(found, Mention{number, i, end, Types[kind], f.decoder.Probability(i, end)})
		}
		i = end - 1
	}
	return found
}

// title reports whether words[from:to], a person to the model, is a word of the dictionary directly before another person: Chancellor Angela Merkel.
func (f *Finder) title(s Sentence, labels []uint8, from, to int) bool {
	person := Begin(slices.Index(Types, Person))
	return to == from+1 && to < len(labels) && int(labels[from]) == person && int(labels[to]) == person && f.m.lexicon.Readings(strings.ToLower(s.Words[from]))&lexicon.NounBase != 0
}

// Tagged tags the words of a sentence for Find.
func Tagged(t *tag.Tagger, words []string) Sentence {
	s := Sentence{Words: words}
	for _, g := range t.Tag(words) {
		s.Penn = append(s.Penn, g.Penn)
	}
	return s
}

// name returns the words of a mention in lower case.
func name(words []string) string { return strings.ToLower(strings.Join(words, " ")) }
