package sentences

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	uax "github.com/clipperhouse/uax29/v2/sentences"

	"varve/lab/eval/language"
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

// unspaced are languages whose sentences follow each other without a blank.
var unspaced = map[string]string{"zh": "", "ja": ""}

// Measure cuts the joined sentences of each language.
func Measure(lines []language.Line) []Score {
	texts := map[string][]string{}
	for _, l := range lines {
		if l.Kind == "sentences" {
			texts[l.Lang] = append(texts[l.Lang], strings.TrimSpace(l.Text))
		}
	}
	var scores []Score
	for _, lang := range slices.Sorted(maps.Keys(texts)) {
		list := texts[lang]
		sep, ok := unspaced[lang]
		if !ok {
			sep = " "
		}
		text, want := join(list, sep)
		s := Score{Lang: lang, Sentences: len(list)}
		s.Precision, s.Recall, s.F1 = compare(want, ours(text, lang))
		_, _, s.Plain = compare(want, plain(text))
		scores = append(scores, s)
	}
	return scores
}

// join puts sentences together and gives the places where they end.
func join(list []string, sep string) (string, map[int]bool) {
	var b strings.Builder
	ends := map[int]bool{}
	for _, s := range list {
		b.WriteString(s)
		ends[b.Len()] = true
		b.WriteString(sep)
	}
	return b.String(), ends
}

func ours(text, lang string) map[int]bool {
	ends := map[int]bool{}
	for s := range token.Sentences(text, lang) {
		ends[s.End] = true
	}
	return ends
}

func plain(text string) map[int]bool {
	ends := map[int]bool{}
	for it := uax.FromString(text); it.Next(); {
		ends[it.Start()+len(strings.TrimSpace(it.Value()))] = true
	}
	return ends
}

func compare(want, got map[int]bool) (precision, recall, f1 float64) {
	hit := 0
	for end := range got {
		if want[end] {
			hit++
		}
	}
	precision, recall = float64(hit)/float64(max(1, len(got))), float64(hit)/float64(max(1, len(want)))
	if hit > 0 {
		f1 = 2 * precision * recall / (precision + recall)
	}
	return precision, recall, f1
}

// Print writes a table.
func Print(w io.Writer, scores []Score) error {
	var b strings.Builder
	var sum Score
	fmt.Fprintf(&b, "%-5s %9s %9s %7s %7s %15s\n", "", "sentences", "precision", "recall", "F1", "F1 of UAX 29")
	for _, s := range scores {
		fmt.Fprintf(&b, "%-5s %9d %9.3f %7.3f %7.3f %15.3f\n", s.Lang, s.Sentences, s.Precision, s.Recall, s.F1, s.Plain)
		sum.Sentences += s.Sentences
		sum.Precision, sum.Recall, sum.F1, sum.Plain = sum.Precision+s.Precision, sum.Recall+s.Recall, sum.F1+s.F1, sum.Plain+s.Plain
	}
	n := float64(max(1, len(scores)))
	fmt.Fprintf(&b, "%-5s %9d %9.3f %7.3f %7.3f %15.3f\n", "mean", sum.Sentences, sum.Precision/n, sum.Recall/n, sum.F1/n, sum.Plain/n)
	_, err := io.WriteString(w, b.String())
	return err
}
