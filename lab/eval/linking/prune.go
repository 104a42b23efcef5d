package linking

import (
	"slices"

	"varve/entity"
	"varve/entity/base"
	"varve/entity/kind"
	"varve/entity/link"
	"varve/lab/eval/typing"
	"varve/language"
	"varve/language/mention"
)

// Threshold is the reach of a candidate's types below which it is left out: HYENA's (seed 004, 3.4).
const Threshold = -1.0

// Pruned is how many candidates were left out by their types, of names with two candidates or more.
type Pruned struct {
	Candidates int `json:"candidates"`
	Out        int `json:"out"`
	Meant      int `json:"meant"` // names of which one of the candidates is what is meant
	Lost       int `json:"lost"`  // of these, it was left out
}

// pruning leaves out candidates by their types.
type pruning struct {
	Pruned
	typer    *kind.Typer
	taxonomy *kind.Taxonomy
}

func newPruning() (*pruning, error) {
	m, err := kind.Default(kind.WordNet)
	if err != nil {
		return nil, err
	}
	return &pruning{typer: m.NewTyper(), taxonomy: m.Taxonomy()}, nil
}

// fits returns whether candidates fit mentions of a document. What has no types, and names in no sentence, always fit.
func (p *pruning) fits(d *language.Document) func(link.Mention, *entity.Entity) bool {
	tagged := make([]mention.Sentence, len(d.Sentences))
	for i, s := range d.Sentences {
		for _, t := range s.Tokens {
			tagged[i].Words, tagged[i].Penn = append(tagged[i].Words, t.Text), append(tagged[i].Penn, t.Penn)
		}
	}
	p.typer.Read(tagged)
	scores := map[link.Mention][]float32{}
	return func(m link.Mention, e *entity.Entity) bool {
		types := typing.TypesOf(p.taxonomy, e.Kinds)
		if len(types) == 0 {
			return true
		}
		known, ok := scores[m]
		if !ok {
			if at, from, to, ok := place(d, m); ok {
				known = slices.Clone(p.typer.Types(at, from, to).Scores)
			}
			scores[m] = known
		}
		return known == nil || p.taxonomy.Reach(known, types) >= Threshold
	}
}

// place returns the sentence and the words of a mention.
func place(d *language.Document, m link.Mention) (sentence, from, to int, ok bool) {
	sentence = slices.IndexFunc(d.Sentences, func(s language.Sentence) bool { return s.Start <= m.Start && m.End <= s.End })
	if sentence < 0 {
		return 0, 0, 0, false
	}
	tokens := d.Sentences[sentence].Tokens
	from = slices.IndexFunc(tokens, func(t language.Token) bool { return t.Start >= m.Start })
	for to = from; from >= 0 && to < len(tokens) && tokens[to].End <= m.End; {
		to++
	}
	return sentence, from, to, from >= 0 && from < to
}

// count adds the mentions of a document.
func (p *pruning) count(b *base.Base, text string, mentions []link.Mention, fits func(link.Mention, *entity.Entity) bool, meant func(link.Mention) string) error {
	for _, m := range mentions {
		list, err := b.Candidates(text[m.Start:m.End])
		if err != nil {
			return err
		}
		if len(list) < 2 {
			continue
		}
		for _, c := range list {
			e, err := b.Entity(c.Entity)
			if err != nil {
				return err
			}
			out, is := !fits(m, e), meant(m) == e.ID
			p.Candidates++
			p.Out += one01(out)
			p.Meant += one01(is)
			p.Lost += one01(out && is)
		}
	}
	return nil
}
