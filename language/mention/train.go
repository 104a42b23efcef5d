package mention

import (
	"fmt"

	"varve/language/lexicon"
	"varve/learn/chain"
)

// Example is an annotated sentence: of each token the labels it may have, one bit each (see Begin and Inside).
type Example struct {
	Sentence
	Allowed []uint64
}

// DefaultOptions are those of the model that comes with the program.
func DefaultOptions() chain.Options { return chain.Options{Passes: 8, Rate: 0.1, L2: 1, Least: 2} }

// Train makes a model of annotated sentences.
func Train(examples []Example, x *lexicon.Lexicon, o chain.Options) (*Model, error) {
	e := newExtractor(x)
	sequences := make([]chain.Sequence, len(examples))
	for i, s := range examples {
		if len(s.Words) != len(s.Allowed) || len(s.Words) != len(s.Penn) {
			return nil, fmt.Errorf("sentence %d: %d words, %d tags, %d labels", i, len(s.Words), len(s.Penn), len(s.Allowed))
		}
		sequences[i] = chain.Sequence{Features: e.sentence(s.Sentence).Clone(), Allowed: s.Allowed}
	}
	o.Forbidden = func(from, to int) bool { // the inside of a mention follows its beginning or its inside
		return to != Outside && to%2 == 0 && from != to && from != to-1
	}
	m, err := chain.Train(labelNames(), sequences, o)
	if err != nil {
		return nil, err
	}
	return newModel(m, x, caution), nil
}

// Chain returns the chain of the model, to be written.
func (m *Model) Chain() *chain.Model { return m.chain }
