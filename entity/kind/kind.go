package kind

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	_ "embed" // the models
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"varve/language/lexicon"
	"varve/language/mention"
	"varve/learn/chain"
	"varve/learn/sparse"
)

//go:embed wordnet.txt
var wordnetTypes string

//go:embed wordnet.bin
var wordnetModel []byte

//go:embed wordnet-count.bin
var wordnetCount []byte

//go:embed figer.txt
var figerTypes string

//go:embed figer.bin
var figerModel []byte

//go:embed figer-count.bin
var figerCount []byte

// Names of the taxonomies that come with the program.
const (
	WordNet = "wordnet"
	FIGER   = "figer"
)

// Names returns the names of the taxonomies that come with the program.
func Names() []string { return []string{WordNet, FIGER} }

var wordnet = sync.OnceValue(func() *Model { return embedded(WordNet, wordnetTypes, wordnetModel, wordnetCount) })

var figer = sync.OnceValue(func() *Model { return embedded(FIGER, figerTypes, figerModel, figerCount) })

func embedded(name, types string, model, count []byte) *Model {
	t, err := ReadTaxonomy(name, strings.NewReader(types))
	if err == nil {
		var m *Model
		if m, err = Read(t, model, count, lexicon.Default()); err == nil {
			return m
		}
	}
	panic(err) // the files are part of the program, and tested
}

// Default returns the model of a taxonomy that comes with the program, WordNet for ""; it is unpacked when first asked for.
func Default(name string) (*Model, error) {
	switch name {
	case "", WordNet:
		return wordnet(), nil
	case FIGER:
		return figer(), nil
	}
	return nil, fmt.Errorf("there is no taxonomy %q: %s", name, strings.Join(Names(), ", "))
}

// Sum returns a digest of the models that come with the program, with what they are made on: what was made with others is to be made again.
var Sum = sync.OnceValue(func() [32]byte {
	below := mention.Sum()
	return sha256.Sum256(slices.Concat(below[:], []byte(wordnetTypes), wordnetModel, wordnetCount, []byte(figerTypes), figerModel, figerCount))
})

// Model knows the types of a taxonomy. It does not change and is safe for concurrent use.
type Model struct {
	taxonomy *Taxonomy
	types    *sparse.Model
	count    *sparse.Model // how many types to accept; nil: all above the threshold
	lexicon  *lexicon.Lexicon
}

// Read reads a model from its files; without the second all types above the threshold are accepted.
func Read(t *Taxonomy, types, count []byte, x *lexicon.Lexicon) (*Model, error) {
	m := &Model{taxonomy: t, lexicon: x}
	var err error
	if m.types, err = sparse.Read(bytes.NewReader(types)); err != nil {
		return nil, fmt.Errorf("types of %s: %w", t.Name, err)
	}
	if !slices.Equal(m.types.Classes(), classes(t)) {
		return nil, fmt.Errorf("types of %s: the model knows other types than the taxonomy: make both with 'make models'", t.Name)
	}
	if len(count) > 0 {
		if m.count, err = sparse.Read(bytes.NewReader(count)); err != nil {
			return nil, fmt.Errorf("number of types of %s: %w", t.Name, err)
		}
		if len(m.count.Classes()) != mostAccepted+1 {
			return nil, fmt.Errorf("number of types of %s: the model has %d classes, want %d", t.Name, len(m.count.Classes()), mostAccepted+1)
		}
	}
	return m, nil
}

// Untrained returns a model that knows nothing yet, for the features of what it is to learn from.
func Untrained(t *Taxonomy, x *lexicon.Lexicon) (*Model, error) {
	nothing, err := sparse.Train(classes(t), nil, sparse.Options{})
	return &Model{taxonomy: t, types: nothing, lexicon: x}, err
}

func classes(t *Taxonomy) []string {
	var out []string
	for _, one := range t.Types {
		out = append(out, one.Name)
	}
	return out
}

// Taxonomy returns the types.
func (m *Model) Taxonomy() *Taxonomy { return m.taxonomy }

// Plain returns the model without the classifier that says how many types to accept.
func (m *Model) Plain() *Model {
	return &Model{taxonomy: m.taxonomy, types: m.types, lexicon: m.lexicon}
}

// Files returns the two files of the model; the second is nil if it has no count.
func (m *Model) Files() (types, count []byte, err error) {
	var a, b bytes.Buffer
	if err = m.types.Write(&a); err == nil && m.count != nil {
		err = m.count.Write(&b)
	}
	return a.Bytes(), b.Bytes(), err
}

// State is what was found about a type.
type State uint8

// States of types.
const (
	Untested State = iota
	Rejected
	Accepted
)

// String returns the word for a state.
func (s State) String() string { return [...]string{"untested", "rejected", "accepted"}[s] }

// Verdict is what was found about a name, type by type.
type Verdict struct {
	States []State
	Reach  []float32 // of tested types: the least score on the best way down; of others -Inf
	Scores []float32 // of all types, tested or not
}

// Accepted returns the types that were accepted, parents before children.
func (v *Verdict) Accepted() []int {
	var out []int
	for i, s := range v.States {
		if s == Accepted {
			out = append(out, i)
		}
	}
	return out
}

// Confidence returns how sure a tested type is, from 0 to 1: a logistic function of its reach, which is no probability.
func (v *Verdict) Confidence(i int) float64 { return 1 / (1 + math.Exp(-3*float64(v.Reach[i]))) }

// Threshold is the score above which a type is accepted.
const Threshold = 0

// lenient is how far below the threshold the best root may be if no root is above it: most names are things of some root.
const lenient = 0.4

// Typer says of what types names are. It keeps buffers and is not for concurrent use.
type Typer struct {
	m      *Model
	e      extractor
	scores []float32
}

// NewTyper returns a typer.
func (m *Model) NewTyper() *Typer {
	return &Typer{m: m, e: extractor{lexicon: m.lexicon, paragraph: map[uint32]bool{}}}
}

// Read takes the document whose names are asked for.
func (t *Typer) Read(document []mention.Sentence) { t.e.read(document) }

// Types returns what is found about the name in words[from:to] of a sentence of the document.
func (t *Typer) Types(sentence, from, to int) *Verdict {
	return t.AtLeast(sentence, from, to, Threshold)
}

// AtLeast is Types with another threshold. A low one is for what must not be lost: candidates whose types are all rejected then are hardly meant.
func (t *Typer) AtLeast(sentence, from, to int, threshold float32) *Verdict {
	t.scores = t.m.types.Scores(t.e.features(sentence, from, to), t.scores)
	return t.m.verdict(t.scores, threshold)
}

// Features returns the features of a name, to learn from.
func (t *Typer) Features(sentence, from, to int) []sparse.Feature {
	return slices.Clone(t.e.features(sentence, from, to))
}

func (m *Model) verdict(scores []float32, threshold float32) *Verdict {
	v := m.taxonomy.descend(scores, threshold)
	if m.count == nil || threshold != Threshold {
		return v
	}
	accepted := v.Accepted()
	if len(accepted) == 0 {
		return v
	}
	counts := m.count.Scores(countFeatures(m.taxonomy, v), nil)
	keep := slices.Index(counts, slices.Max(counts))
	m.taxonomy.farthest(v, accepted)
	for _, i := range accepted[min(keep, len(accepted)):] {
		v.States[i] = Rejected
	}
	return v
}

// farthest sorts types by reach; what is above comes before what is below.
func (t *Taxonomy) farthest(v *Verdict, types []int) {
	slices.SortFunc(types, func(a, b int) int { return cmp.Or(cmp.Compare(v.Reach[b], v.Reach[a]), a-b) })
}

// descend tests types from the roots down.
func (t *Taxonomy) descend(scores []float32, threshold float32) *Verdict {
	v := &Verdict{States: make([]State, len(t.Types)), Reach: make([]float32, len(t.Types)), Scores: slices.Clone(scores)}
	first := t.Roots[0]
	for _, r := range t.Roots {
		if scores[r] > scores[first] {
			first = r
		}
	}
	for i := range t.Types { // parents come before children
		best := float32(math.Inf(-1))
		if len(t.parents[i]) == 0 {
			best = float32(math.Inf(1))
		}
		for _, p := range t.parents[i] {
			if v.States[p] == Accepted {
				best = max(best, v.Reach[p])
			}
		}
		v.Reach[i] = best
		if math.IsInf(float64(best), -1) {
			continue
		}
		v.Reach[i] = min(best, scores[i])
		v.States[i] = Rejected
		if scores[i] > threshold || i == first && scores[i] > threshold-lenient {
			v.States[i] = Accepted
		}
	}
	return v
}

// mostAccepted is the largest number of types that the count knows.
const mostAccepted = 14

// countFeatures returns what the number of types is told by: the reaches of the best types in steps, and the depth and root of the best ones.
func countFeatures(t *Taxonomy, v *Verdict) []sparse.Feature {
	var tested []int
	for i, s := range v.States {
		if s != Untested {
			tested = append(tested, i)
		}
	}
	t.farthest(v, tested)
	var out []sparse.Feature
	add := func(kind, h uint32) { out = append(out, sparse.Feature{Hash: chain.Mix(kind, h), Value: 0.2}) }
	above := 0
	for rank, i := range tested[:min(len(tested), mostAccepted+2)] {
		step := uint32(min(max((v.Reach[i]+1.5)*8, 0), 24))
		add(8000, chain.Mix(uint32(rank), step))
		add(8001, chain.Mix(uint32(i), step/2))
		if v.States[i] == Accepted {
			above++
			add(8002, uint32(i))
		}
	}
	add(8003, uint32(min(above, mostAccepted+2)))
	return out
}
