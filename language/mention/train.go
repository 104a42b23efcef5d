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
func DefaultOptions() chain.Options { return chain.Options{Passes: 6, Rate: 0.1, L2: 4, Least: 2} }

// Train makes a model of annotated documents.
func Train(documents [][]Example, x *lexicon.Lexicon, o chain.Options) (*Model, error) {
	e := newExtractor(x)
	var sequences []chain.Sequence
	for i, examples := range documents {
		sentences := make([]Sentence, len(examples))
		for k, s := range examples {
			if len(s.Words) != len(s.Allowed) || len(s.Words) != len(s.Penn) {
				return nil, fmt.Errorf("document %d, sentence %d: %d words, %d tags, %d labels", i, k, len(s.Words), len(s.Penn), len(s.Allowed))
			}
			sentences[k] = s.Sentence
		}
		e.document(sentences)
		for k, s := range examples {
			sequences = append(sequences, chain.Sequence{Features: e.sentence(k, s.Sentence).Clone(), Allowed: s.Allowed})
		}
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
