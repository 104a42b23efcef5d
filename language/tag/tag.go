// Package tag gives words their parts of speech, in the tags of the Penn Treebank and of Universal Dependencies, and
// their lemmas. English only.
//
// Two chains (varve/learn/chain) work one after the other: the first finds the Penn tags from the words, their endings,
// their shapes and their readings in the lexicon; the second finds the universal tags from words and Penn tags, which
// leave little open (is "that" a determiner or a pronoun, "have" an auxiliary or a verb). Lemmas follow from word and
// Penn tag (varve/language/lexicon).
//
// Words are as in the English Web Treebank: "don't" is "do" and "n't", hyphens stand alone; varve/language/sentence cuts
// them so. penn.bin and universal.bin are made by `make models`; docs/models/tags.md has the figures.
package tag

import (
	"bytes"
	"crypto/sha256"
	_ "embed" // the models
	"fmt"
	"slices"
	"strings"
	"sync"

	"varve/language/lexicon"
	"varve/learn/chain"
)

//go:embed penn.bin
var embeddedPenn []byte

//go:embed universal.bin
var embeddedUniversal []byte

// Model has the two chains and the lexicon. It does not change and is safe for concurrent use.
type Model struct {
	penn, universal *chain.Model
	lexicon         *lexicon.Lexicon
}

// Default returns the model that comes with the program; it is unpacked when first asked for.
var Default = sync.OnceValue(func() *Model {
	m, err := Read(embeddedPenn, embeddedUniversal, lexicon.Default())
	if err != nil {
		panic(err) // the files are part of the program, and tested
	}
	return m
})

// Sum returns a digest of the model that comes with the program, with what it is made on: what was made with another one is to be made again.
var Sum = sync.OnceValue(func() [32]byte {
	below := lexicon.Sum()
	return sha256.Sum256(slices.Concat(below[:], embeddedPenn, embeddedUniversal))
})

// Read reads a model from its two files.
func Read(penn, universal []byte, x *lexicon.Lexicon) (*Model, error) {
	p, err := chain.Read(bytes.NewReader(penn))
	if err != nil {
		return nil, fmt.Errorf("tags of the Penn Treebank: %w", err)
	}
	u, err := chain.Read(bytes.NewReader(universal))
	if err != nil {
		return nil, fmt.Errorf("universal tags: %w", err)
	}
	return &Model{p, u, x}, nil
}

// Tag is what a word is.
type Tag struct {
	Penn      string
	Universal string
	Lemma     string
}

// Tagger gives tags. It keeps buffers and is not for concurrent use.
type Tagger struct {
	m               *Model
	penn, universal *chain.Decoder
	features        chain.Features
	profiles        []*profile
	known           map[string]*profile
	tags            []Tag
}

// NewTagger returns a tagger.
func (m *Model) NewTagger() *Tagger {
	return &Tagger{m: m, penn: m.penn.NewDecoder(), universal: m.universal.NewDecoder(), known: map[string]*profile{}}
}

// remembered is how many words a tagger knows by heart; few words make up most of a text.
const remembered = 1 << 13

// Tag returns the tags of the words of a sentence. The slice is valid until the next call.
func (t *Tagger) Tag(words []string) []Tag {
	t.profiles = t.profiles[:0]
	for _, w := range words {
		p, ok := t.known[w]
		switch {
		case !ok:
			p = newProfile(w, t.m.lexicon)
			if len(t.known) >= remembered {
				clear(t.known)
			}
			if len(w) <= longest {
				t.known[w] = p
			}
		case p.sums == nil: // most words of a text stand there once
			p.sum(t.m.penn)
		}
		t.profiles = append(t.profiles, p)
	}
	t.features.Reset()
	pennFeatures(&t.features, t.profiles)
	penn := t.penn.Decode(&t.features)
	t.features.Reset()
	universalFeatures(&t.features, t.profiles, penn)
	universal := t.universal.Decode(&t.features)
	t.tags = t.tags[:0]
	for i, w := range words {
		p := t.m.penn.Label(penn[i])
		t.tags = append(t.tags, Tag{p, t.m.universal.Label(universal[i]), t.m.lexicon.Lemma(w, p)})
	}
	return t.tags
}

// Probability returns the probability of the Penn tag of a word of the sentence tagged last, as the model has it. The first call after Tag costs
// about as much as Tag.
func (t *Tagger) Probability(word int) float64 { return t.penn.Probability(word, word+1) }

// Known reports whether a word is in the lexicon, by itself or as a form.
func (m *Model) Known(word string) bool {
	return m.lexicon.Readings(strings.ToLower(word)) != 0 || m.lexicon.Class(strings.ToLower(word)) != 0
}
