package tag

import (
	"fmt"
	"io"
	"maps"
	"slices"

	"varve/language/lexicon"
	"varve/learn/chain"
)

// Example is an annotated sentence.
type Example struct {
	Words, Penn, Universal []string
}

// Options say how a model is trained.
type Options struct {
	Penn, Universal chain.Options
}

// DefaultOptions are those of the model that comes with the program.
func DefaultOptions() Options {
	return Options{
		Penn:      chain.Options{Passes: 9, Rate: 0.1, L2: 1, Least: 2},
		Universal: chain.Options{Passes: 6, Rate: 0.1, L2: 2, Least: 2},
	}
}

// Train makes a model of annotated sentences.
func Train(examples []Example, x *lexicon.Lexicon, o Options) (*Model, error) {
	pennNames, universalNames := map[string]bool{}, map[string]bool{}
	for i, e := range examples {
		if len(e.Penn) != len(e.Words) || len(e.Universal) != len(e.Words) {
			return nil, fmt.Errorf("sentence %d: %d words, %d and %d tags", i, len(e.Words), len(e.Penn), len(e.Universal))
		}
		for k := range e.Words {
			pennNames[e.Penn[k]], universalNames[e.Universal[k]] = true, true
		}
	}
	penn, universal := slices.Sorted(maps.Keys(pennNames)), slices.Sorted(maps.Keys(universalNames))
	first, second := make([]chain.Sequence, len(examples)), make([]chain.Sequence, len(examples))
	var f chain.Features
	for i, e := range examples {
		profiles := make([]*profile, len(e.Words))
		tags := make([]uint8, len(e.Words))
		for k, w := range e.Words {
			profiles[k] = newProfile(w, x)
			p, _ := slices.BinarySearch(penn, e.Penn[k])
			u, _ := slices.BinarySearch(universal, e.Universal[k])
			tags[k] = uint8(p)
			first[i].Allowed = append(first[i].Allowed, 1<<p)
			second[i].Allowed = append(second[i].Allowed, 1<<u)
		}
		f.Reset()
		pennFeatures(&f, profiles)
		first[i].Features = f.Clone()
		f.Reset()
		universalFeatures(&f, profiles, tags)
		second[i].Features = f.Clone()
	}
	p, err := chain.Train(penn, first, o.Penn)
	if err != nil {
		return nil, err
	}
	u, err := chain.Train(universal, second, o.Universal)
	if err != nil {
		return nil, err
	}
	return &Model{p, u, x}, nil
}

// Write writes the two files of a model.
func (m *Model) Write(penn, universal io.Writer) error {
	if err := m.penn.Write(penn); err != nil {
		return err
	}
	return m.universal.Write(universal)
}
