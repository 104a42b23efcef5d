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

// Complete chooses one label of those that each token of a document may have: the best ones by the model, which likes names more by so
// many natural logarithms.
func (m *Model) Complete(document []Example, more float64) []Example {
	sentences := make([]Sentence, len(document))
	for i, e := range document {
		sentences[i] = e.Sentence
	}
	x, d := newExtractor(m.lexicon), m.chain.Lean(Outside, -more).NewDecoder()
	x.document(sentences)
	out := make([]Example, len(document))
	for i, e := range document {
		out[i] = Example{Sentence: e.Sentence, Allowed: make([]uint64, len(e.Words))}
		for k, label := range d.DecodeWithin(x.sentence(i, e.Sentence), e.Allowed) {
			out[i].Allowed[k] = 1 << label
		}
	}
	return out
}

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
