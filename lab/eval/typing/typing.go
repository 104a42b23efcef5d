package typing

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"varve/entity/kind"
	"varve/lab/eval"
	"varve/language/lexicon"
	"varve/language/mention"
	"varve/language/tag"
	"varve/learn/chain"
)

// Share is precision, recall and F1 of something that n names or types have.
type Share struct {
	N         int     `json:"n"`
	Precision float64 `json:"precision"`
	Recall    float64 `json:"recall"`
	F1        float64 `json:"f1"`
}

// Figures are the three measures of Ling and Weld (FIGER), and the macro measure of HYENA.
type Figures struct {
	Strict Share `json:"strict"`  // all types of a name and no other
	Macro  Share `json:"macro"`   // mean over names
	Micro  Share `json:"micro"`   // over all pairs of name and type
	ByType Share `json:"by_type"` // mean over types that a name of the set has
}

// Result is what was measured.
type Result struct {
	Taxonomy string           `json:"taxonomy"`
	N        int              `json:"n"`
	Skipped  int              `json:"skipped"` // names whose labels say nothing about types
	Types    int              `json:"types"`   // that names of the set have
	Roots    Figures          `json:"roots"`
	All      Figures          `json:"all"`
	Open     Figures          `json:"open"`  // as All, but types below those that the set says are not judged: it does not say which
	Plain    Figures          `json:"plain"` // without the classifier that says how many
	Listed   Figures          `json:"listed"`
	Depth    []Share          `json:"by_depth"`
	Met      map[string]Share `json:"by_entity"` // micro, of names that were learned from ("met") and others ("unmet")
	Prune    *Pruned          `json:"pruning,omitempty"`
}

// counts sums up one set of figures.
type counts struct {
	names, found, exact        int
	precision, recall          float64
	hits, accepted, right      int
	typeHits, typeGot, typeHas map[int]int
}

func (c *counts) add(got, want []int) {
	if c.typeHits == nil {
		c.typeHits, c.typeGot, c.typeHas = map[int]int{}, map[int]int{}, map[int]int{}
	}
	hits := 0
	for _, i := range got {
		c.typeGot[i]++
		if slices.Contains(want, i) {
			hits++
			c.typeHits[i]++
		}
	}
	for _, i := range want {
		c.typeHas[i]++
	}
	c.hits, c.accepted, c.right = c.hits+hits, c.accepted+len(got), c.right+len(want)
	if len(want) > 0 {
		c.names++
		c.recall += float64(hits) / float64(len(want))
	}
	if len(got) > 0 {
		c.found++
		c.precision += float64(hits) / float64(len(got))
	}
	if len(want) > 0 && hits == len(want) && hits == len(got) {
		c.exact++
	}
}

func share(n int, p, r float64) Share {
	s := Share{N: n, Precision: p, Recall: r}
	if p+r > 0 {
		s.F1 = 2 * p * r / (p + r)
	}
	return s
}

func ratio(a, b float64) float64 { return a / max(1, b) }

func (c *counts) micro() Share {
	return share(c.right, ratio(float64(c.hits), float64(c.accepted)), ratio(float64(c.hits), float64(c.right)))
}

func (c *counts) figures() Figures {
	f := Figures{
		Strict: share(c.names, ratio(float64(c.exact), float64(c.found)), ratio(float64(c.exact), float64(c.names))),
		Macro:  share(c.names, ratio(c.precision, float64(c.found)), ratio(c.recall, float64(c.names))),
		Micro:  c.micro(),
	}
	types := make([]int, 0, len(c.typeHas))
	for i := range c.typeHas {
		types = append(types, i)
	}
	slices.Sort(types) // sums of floats depend on their order
	var p, r float64
	for _, i := range types {
		p += ratio(float64(c.typeHits[i]), float64(c.typeGot[i]))
		r += ratio(float64(c.typeHits[i]), float64(c.typeHas[i]))
	}
	f.ByType = share(len(types), ratio(p, float64(len(types))), ratio(r, float64(len(types))))
	return f
}

// Tally sums up names.
type Tally struct {
	taxonomy                        *kind.Taxonomy
	roots, all, open, plain, listed counts
	depth                           []counts
	met                             map[string]*counts
	skipped                         int
	lexicon                         *lexicon.Lexicon
	prune                           *pruning
}

// NewTally returns an empty tally.
func NewTally(t *kind.Taxonomy, x *lexicon.Lexicon) *Tally {
	return &Tally{taxonomy: t, lexicon: x, depth: make([]counts, t.Levels()), met: map[string]*counts{"met": {}, "unmet": {}}}
}

// Gold returns the types that labels mean, with all above them; false if they say nothing. A label that the map does not have may be a type itself.
func Gold(t *kind.Taxonomy, m Map, labels []string) ([]int, bool) {
	var out []int
	known := false
	for _, l := range labels {
		meaning, ok := m[l]
		if !ok {
			meaning = Meaning{Types: []string{l}}
		}
		if meaning.Unknown {
			continue
		}
		found := len(meaning.Types) == 0
		for _, name := range meaning.Types {
			if i, ok := t.Find(name); ok {
				out, found = append(out, i), true
			}
		}
		known = known || found
	}
	return t.Closed(out), known
}

// Words returns the form under which a name is the same name.
func Words(words []string) string { return strings.ToLower(strings.Join(words, " ")) }

// Add counts the names of a document. met says whether a name was learned from.
func (t *Tally) Add(d Document, m Map, typer, plain *kind.Typer, tagger *tag.Tagger, marks []Mark, met func(string) bool) {
	var tagged []mention.Sentence
	for _, words := range d.Sentences {
		tagged = append(tagged, mention.Tagged(tagger, words))
	}
	typer.Read(tagged)
	plain.Read(tagged)
	for _, k := range marks {
		gold, ok := Gold(t.taxonomy, m, k.Labels)
		if !ok {
			t.skipped++
			continue
		}
		name := Words(d.Sentences[k.Sentence][k.From:k.To])
		got := typer.Types(k.Sentence, k.From, k.To).Accepted()
		without := plain.Types(k.Sentence, k.From, k.To)
		t.all.add(got, gold)
		t.plain.add(without.Accepted(), gold)
		t.roots.add(t.at(got, 0), t.at(gold, 0))
		t.open.add(t.judged(got, gold), gold)
		t.listed.add(t.gazetteer(name), gold)
		for depth := range t.depth {
			t.depth[depth].add(t.at(got, depth), t.at(gold, depth))
		}
		group := "unmet"
		if met(name) {
			group = "met"
		}
		t.met[group].add(got, gold)
		if t.prune != nil {
			t.prune.add(t.taxonomy, without, d.Sentences[k.Sentence][k.From:k.To], gold)
		}
	}
}

// at returns the types of a depth.
func (t *Tally) at(types []int, depth int) (out []int) {
	for _, i := range types {
		if t.taxonomy.Depth(i) == depth {
			out = append(out, i)
		}
	}
	return out
}

// judged returns types without those below the deepest ones that the set says.
func (t *Tally) judged(got, gold []int) (out []int) {
	for _, i := range got {
		below := slices.ContainsFunc(gold, func(g int) bool {
			leaf := !slices.ContainsFunc(t.taxonomy.Children(g), func(c int) bool { return slices.Contains(gold, c) })
			return leaf && i != g && slices.Contains(t.taxonomy.Above(i), g)
		})
		if !below {
			out = append(out, i)
		}
	}
	return out
}

// listedAs are the types by which somebody goes who has a list of names and learns nothing.
var listedAs = []struct {
	bits           uint32
	wordnet, figer string
}{
	{lexicon.LargePlace, "location.n.01", "/location"},
	{lexicon.PersonName | lexicon.FirstName | lexicon.LastName, "person.n.01", "/person"},
	{lexicon.Place, "location.n.01", "/location"},
	{lexicon.OrganisationName, "organization.n.01", "/organization"},
	{lexicon.WorkName, "artifact.n.01", "/art/film"},
	{lexicon.EventName, "event.n.01", "/event"},
}

// gazetteer returns the root that the list of names has a name, its first or its last word as, else that of persons.
func (t *Tally) gazetteer(name string) []int {
	words := strings.Fields(name)
	for _, part := range []string{name, words[0], words[len(words)-1]} {
		bits := t.lexicon.Name(chain.Hash(part))
		for _, l := range listedAs {
			if bits&l.bits != 0 {
				return t.root(l.wordnet, l.figer)
			}
		}
	}
	return t.root("person.n.01", "/person")
}

func (t *Tally) root(names ...string) []int {
	for _, n := range names {
		if i, ok := t.taxonomy.Find(n); ok {
			return t.taxonomy.Above(i)
		}
	}
	return nil
}

// Result returns the figures.
func (t *Tally) Result() Result {
	r := Result{
		Taxonomy: t.taxonomy.Name, N: t.all.names, Skipped: t.skipped, Types: len(t.all.typeHas), Roots: t.roots.figures(), All: t.all.figures(), Open: t.open.figures(), Plain: t.plain.figures(),
		Listed: t.listed.figures(), Met: map[string]Share{},
	}
	for i := range t.depth {
		r.Depth = append(r.Depth, t.depth[i].micro())
	}
	for group, c := range t.met {
		s := c.micro()
		s.N = c.names
		r.Met[group] = s
	}
	if t.prune != nil {
		r.Prune = t.prune.result()
	}
	return r
}

// Measure types the marked names of a file with a given model.
func Measure(file string, m Map, model *kind.Model, tags *tag.Model, b Names) (Result, error) {
	documents, err := Read(file)
	if err != nil {
		return Result{}, err
	}
	tally := NewTally(model.Taxonomy(), lexicon.Default())
	if b != nil {
		tally.Prune(b)
	}
	typer, plain, tagger := model.NewTyper(), model.Plain().NewTyper(), tags.NewTagger()
	for _, d := range documents {
		tally.Add(d, m, typer, plain, tagger, d.Marks, func(string) bool { return false })
	}
	r := tally.Result()
	if r.N == 0 {
		return r, fmt.Errorf("no label of %s means a type of %s: --map says what labels mean", file, model.Taxonomy().Name)
	}
	r.Met = nil // what the model that comes with the program has met is not kept
	return r, nil
}

// Summary implements eval.Report.
func (r Result) Summary() eval.Summary {
	return eval.Found(r.N, r.All.Micro.Precision, r.All.Micro.Recall, r.All.Micro.F1)
}

// Baseline implements eval.Compared.
func (r Result) Baseline() (way string, figure float64) {
	return "the root that the gazetteer has the name under", r.Listed.Micro.F1
}

// Print writes tables.
func (r Result) Print(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%d names of %d types of %s; %d labels say nothing of types\n\n", r.N, r.Types, r.Taxonomy, r.Skipped)
	row := func(what string, s Share) {
		fmt.Fprintf(&b, "%-34s %8d %9.3f %7.3f %7.3f\n", what, s.N, s.Precision, s.Recall, s.F1)
	}
	fmt.Fprintf(&b, "%-34s %8s %9s %7s %7s\n", "", "n", "precision", "recall", "F1")
	for _, t := range []struct {
		what string
		f    Figures
	}{
		{"roots", r.Roots}, {"all types", r.All}, {"all, below the set's not judged", r.Open}, {"all, without the count", r.Plain}, {"gazetteer alone, all types", r.Listed},
	} {
		row(t.what+", strict", t.f.Strict)
		row("  macro", t.f.Macro)
		row("  micro", t.f.Micro)
		row("  macro by type", t.f.ByType)
	}
	for depth, s := range r.Depth {
		if s.N > 0 {
			row(fmt.Sprintf("depth %d, micro", depth), s)
		}
	}
	for _, group := range []string{"met", "unmet"} {
		if s, ok := r.Met[group]; ok {
			row("names "+group+" in learning, micro", s)
		}
	}
	if r.Prune != nil {
		r.Prune.print(&b)
	}
	_, err := io.WriteString(w, b.String())
	return err
}
