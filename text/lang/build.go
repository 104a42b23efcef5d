package lang

import (
	"math"
	"slices"
)

// maxOrder is the longest n-gram, in characters.
const maxOrder = 5

// maxLangs is the largest number of languages of a model.
const maxLangs = 128

// Builder counts the n-grams of texts whose language is known, and makes a model of them.
type Builder struct {
	langs  []string
	counts []map[string]uint32 // by language
}

// Add counts a text.
func (b *Builder) Add(lang, text string) {
	i := slices.Index(b.langs, lang)
	if i < 0 {
		i = len(b.langs)
		b.langs = append(b.langs, lang)
		b.counts = append(b.counts, map[string]uint32{})
	}
	r := reader{text: text}
	var window []rune
	add := func(c rune) {
		if window = append(window, c); len(window) > maxOrder {
			window = window[1:]
		}
		for n := 1; n <= len(window); n++ {
			b.counts[i][string(window[len(window)-n:])]++
		}
	}
	add(' ')
	r.blank = true
	for c := r.next(); c != 0; c = r.next() {
		add(c)
	}
}

// Options say how much a model keeps.
type Options struct {
	Least [maxOrder + 1]uint32 // n-grams of each order that are met less often in a language are left out
}

// DefaultOptions are those of the model that comes with the program.
func DefaultOptions() Options { return Options{Least: [maxOrder + 1]uint32{0, 1, 1, 1, 2, 2}} }

// model is what is written: weights of n-grams.
type model struct {
	langs []string
	base  []int32
	grams map[string][]weight
}

// model makes for each language an interpolated n-gram model (Witten and Bell 1991), written as a sum.
func (b *Builder) model(o Options) *model {
	m := &model{langs: slices.Sorted(slices.Values(b.langs)), grams: map[string][]weight{}}
	m.base = make([]int32, len(m.langs))
	for i, lang := range m.langs {
		b.language(m, i, b.counts[slices.Index(b.langs, lang)], o)
	}
	return m
}

// context is what is known of the characters that follow an n-gram.
type context struct {
	total float64 // occurrences
	types float64 // different characters
	kept  float64 // occurrences of those that are kept
}

// left is the share of the probability that is left to shorter contexts.
func (c context) left() float64 { return (c.total - c.kept + c.types) / (c.total + c.types) }

// anyCharacter is the probability of a character that a language was never seen to use.
const anyCharacter = 1.0 / 5000

// language adds the weights of one language.
func (b *Builder) language(m *model, lang int, counts map[string]uint32, o Options) {
	contexts := map[string]context{}
	for g, n := range counts {
		before := withoutLast(g)
		c := contexts[before]
		c.total += float64(n)
		c.types++
		if n >= o.Least[order(g)] {
			c.kept += float64(n)
		}
		contexts[before] = c
	}
	l := counter{counts, contexts, o}
	m.base[lang] = int32(math.Round(math.Log(contexts[""].left()) * scale * baseScale))
	for g, n := range counts {
		if n < o.Least[order(g)] {
			continue
		}
		w := math.Log(l.probability(g)) - math.Log(l.probability(withoutFirst(g))) - math.Log(contexts[withoutLast(g)].left())
		if c, ok := contexts[g]; ok && c.kept > 0 {
			w += math.Log(c.left())
		}
		if q := quantise(w); q != 0 {
			m.grams[g] = append(m.grams[g], weight{uint8(lang), q})
		}
	}
}

// counter is the n-gram model of one language.
type counter struct {
	counts   map[string]uint32
	contexts map[string]context
	o        Options
}

// probability is that of the last character of g after the others.
func (l counter) probability(g string) float64 {
	if g == "" {
		return anyCharacter
	}
	shorter := l.probability(withoutFirst(g))
	c, ok := l.contexts[withoutLast(g)]
	if !ok || c.kept == 0 {
		return shorter
	}
	p := c.left() * shorter
	if n := l.counts[g]; n >= l.o.Least[order(g)] {
		p += float64(n) / (c.total + c.types)
	}
	return p
}
