package sentences

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	uax "github.com/clipperhouse/uax29/v2/sentences"

	"varve/lab/eval"
	"varve/text/token"
)

// Score is the figures of one language.
type Score struct {
	Lang      string  `json:"lang"`
	Sentences int     `json:"sentences"`
	Precision float64 `json:"precision"`
	Recall    float64 `json:"recall"`
	F1        float64 `json:"f1"`
	Plain     float64 `json:"plain_f1"` // of the rules of Unicode alone
}

// Scores is one row for each language.
type Scores []Score

// tally counts sentences that were found, that are there, and that are both.
type tally struct{ hits, found, wanted int }

func (n *tally) add(want, got []Span) {
	there := map[Span]bool{}
	for _, s := range want {
		there[s] = true
	}
	for _, s := range got {
		if there[s] {
			n.hits++
		}
	}
	n.found, n.wanted = n.found+len(got), n.wanted+len(want)
}

func (n tally) f1() (precision, recall, f1 float64) { return eval.F1(n.hits, n.found, n.wanted) }

// Measure cuts the texts. A sentence is found when both its ends are, as in the shared tasks of CoNLL.
func Measure(texts []Text) Scores {
	own, plain := map[string]*tally{}, map[string]*tally{}
	for _, t := range texts {
		if own[t.Lang] == nil {
			own[t.Lang], plain[t.Lang] = &tally{}, &tally{}
		}
		own[t.Lang].add(t.Sentences, cut(t))
		plain[t.Lang].add(t.Sentences, cutPlain(t))
	}
	var scores Scores
	for _, lang := range slices.Sorted(maps.Keys(own)) {
		s := Score{Lang: lang, Sentences: own[lang].wanted}
		s.Precision, s.Recall, s.F1 = own[lang].f1()
		_, _, s.Plain = plain[lang].f1()
		scores = append(scores, s)
	}
	return scores
}

func cut(t Text) (list []Span) {
	for s := range token.Sentences(t.Text, t.Lang) {
		list = append(list, Span{s.Start, s.End})
	}
	return list
}

func cutPlain(t Text) (list []Span) {
	for it := uax.FromString(t.Text); it.Next(); {
		piece := it.Value()
		start := it.Start() + len(piece) - len(strings.TrimLeft(piece, " \t\r\n"))
		if piece = strings.TrimSpace(piece); piece != "" {
			list = append(list, Span{start, start + len(piece)})
		}
	}
	return list
}

// mean is that over languages.
func (scores Scores) mean() Score {
	m := Score{Lang: "mean"}
	n := float64(max(1, len(scores)))
	for _, s := range scores {
		m.Sentences += s.Sentences
		m.Precision, m.Recall, m.F1, m.Plain = m.Precision+s.Precision/n, m.Recall+s.Recall/n, m.F1+s.F1/n, m.Plain+s.Plain/n
	}
	return m
}

// Summary is the mean over languages.
func (scores Scores) Summary() eval.Summary {
	m := scores.mean()
	return eval.Found(m.Sentences, m.Precision, m.Recall, m.F1)
}

// Baseline implements eval.Compared.
func (scores Scores) Baseline() (way string, figure float64) {
	return "boundaries of Unicode (UAX 29)", scores.mean().Plain
}

// Print writes a table.
func (scores Scores) Print(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%-5s %9s %9s %7s %7s %15s\n", "", "sentences", "precision", "recall", "F1", "F1 of UAX 29")
	for _, s := range append(slices.Clone(scores), scores.mean()) {
		fmt.Fprintf(&b, "%-5s %9d %9.3f %7.3f %7.3f %15.3f\n", s.Lang, s.Sentences, s.Precision, s.Recall, s.F1, s.Plain)
	}
	_, err := io.WriteString(w, b.String())
	return err
}
