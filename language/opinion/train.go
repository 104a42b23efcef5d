package opinion

import (
	"math"

	"varve/learn/chain"
)

// Example is a sentence and how people rate it, from -1 to 1.
type Example struct {
	Tokens []Token
	Rating float64
}

// DefaultOptions are those of the model that comes with the program.
func DefaultOptions() chain.Options { return chain.Options{Passes: 10, Rate: 0.05, L2: 10, Least: 3} }

// Train makes a model of rated sentences that looks at some sources.
func Train(examples []Example, l *Lexicon, s Sources, o chain.Options) (*Model, error) {
	sequences := make([]chain.Sequence, len(examples))
	e := newExtractor(l)
	for i, x := range examples {
		e.read(x.Tokens)
		e.features.Reset()
		e.add(0, len(e.words), s)
		sequences[i] = chain.Sequence{Features: e.features.Clone(), Allowed: []uint64{1 << step(x.Rating)}}
	}
	c, err := chain.Train(labelNames(), sequences, o)
	if err != nil {
		return nil, err
	}
	return &Model{c, l}, nil
}

// step returns the number of the step next to a rating.
func step(rating float64) int {
	best := 0
	for i, s := range steps {
		if math.Abs(rating-s) < math.Abs(rating-steps[best]) {
			best = i
		}
	}
	return best
}
