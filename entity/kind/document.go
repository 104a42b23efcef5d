package kind

import (
	"context"
	"slices"

	"varve/language"
	"varve/language/mention"
)

// Judged is a type that a name was tested for.
type Judged struct {
	Type       string  `json:"type"`
	Label      string  `json:"label"`
	Confidence float64 `json:"confidence"` // from 0 to 1; no probability
}

// Typed is a name in a text and its types.
type Typed struct {
	Text     string   `json:"text"`
	Start    int      `json:"start"` // bytes of the text
	End      int      `json:"end"`
	Types    []Judged `json:"types"`              // that were accepted, the general ones first
	Rejected []Judged `json:"rejected,omitempty"` // that were tested and rejected, if they were asked for
	Verdict  *Verdict `json:"-"`
}

// Document returns the types of the names of an analysed text, which has the units tags and mentions.
func (m *Model) Document(ctx context.Context, d *language.Document) ([]Typed, error) {
	tagged := make([]mention.Sentence, len(d.Sentences))
	for i, s := range d.Sentences {
		for _, t := range s.Tokens {
			tagged[i].Words, tagged[i].Penn = append(tagged[i].Words, t.Text), append(tagged[i].Penn, t.Penn)
		}
	}
	typer := m.NewTyper()
	typer.Read(tagged)
	out := make([]Typed, 0, len(d.Mentions))
	number := 0
	for _, name := range d.Mentions { // in the order of the text
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for number < len(d.Sentences) && d.Sentences[number].End < name.End {
			number++
		}
		if number == len(d.Sentences) {
			break
		}
		tokens := d.Sentences[number].Tokens
		from := slices.IndexFunc(tokens, func(t language.Token) bool { return t.Start >= name.Start })
		to := from
		for from >= 0 && to < len(tokens) && tokens[to].End <= name.End {
			to++
		}
		if from < 0 || from == to {
			continue
		}
		v := typer.Types(number, from, to)
		one := Typed{Text: name.Text, Start: name.Start, End: name.End, Types: []Judged{}, Verdict: v}
		for _, i := range v.Accepted() {
			one.Types = append(one.Types, m.judged(v, i))
		}
		out = append(out, one)
	}
	return out, nil
}

func (m *Model) judged(v *Verdict, i int) Judged {
	t := m.taxonomy.Types[i]
	return Judged{t.Name, t.Label, v.Confidence(i)}
}

// RejectedOf returns the types that a name was tested for in vain.
func (m *Model) RejectedOf(v *Verdict) []Judged {
	out := []Judged{}
	for i, s := range v.States {
		if s == Rejected {
			out = append(out, m.judged(v, i))
		}
	}
	return out
}

// Leaves returns the labels of the most special types of a verdict: those accepted that have none below them accepted.
func (m *Model) Leaves(v *Verdict) []string {
	out := []string{}
	for _, i := range v.Accepted() {
		if !slices.ContainsFunc(m.taxonomy.children[i], func(c int) bool { return v.States[c] == Accepted }) {
			out = append(out, m.taxonomy.Types[i].Label)
		}
	}
	return out
}
