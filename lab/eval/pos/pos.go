// Package pos measures tags and lemmas on the words of a treebank in CoNLL-U, and how well its text is cut into words.
package pos

import (
	"fmt"
	"io"
	"strings"

	"varve/lab/eval"
	"varve/lab/eval/corpus"
	"varve/lab/eval/cpu"
	"varve/language/sentence"
	"varve/language/tag"
)

// Result is the figures of a treebank.
type Result struct {
	Words     int     `json:"words"`
	Penn      float64 `json:"penn"`      // share of words with the right tag of the Penn Treebank
	Universal float64 `json:"universal"` // with the right universal tag
	Lemma     float64 `json:"lemma"`     // with the right lemma, by the tag that was found
	Unknown   float64 `json:"unknown"`   // with the right Penn tag, of the words that no list has
	Frequent  float64 `json:"baseline"`  // with the right Penn tag, if each word has its most frequent one of the same file
	Tokens    float64 `json:"tokens_f1"` // of words found in the text
	Speed     float64 `json:"tokens_per_cpu_second"`
	Splitter  float64 `json:"splitter_tokens_per_cpu_second"` // of the sentence splitter in the same run
}

// Measure tags the words of a file.
func Measure(file string, m *tag.Model) (Result, error) {
	var r Result
	documents, err := corpus.ReadTreebank(file)
	if err != nil {
		return r, err
	}
	t := m.NewTagger()
	var penn, universal, lemma, unknown, unknownRight int
	var sentences [][]string
	var cut, cutRight int
	frequent := map[string]map[string]int{}
	for _, d := range documents {
		for _, s := range d.Sentences {
			words := make([]string, len(s.Words))
			for i, w := range s.Words {
				words[i] = w.Form
				if frequent[w.Form] == nil {
					frequent[w.Form] = map[string]int{}
				}
				frequent[w.Form][w.XPOS]++
			}
			sentences = append(sentences, words)
			for i, g := range t.Tag(words) {
				w := s.Words[i]
				penn += one(g.Penn == w.XPOS)
				universal += one(g.Universal == w.UPOS)
				lemma += one(g.Lemma == w.Lemma)
				if !m.Known(w.Form) {
					unknown++
					unknownRight += one(g.Penn == w.XPOS)
				}
			}
			r.Words += len(words)
			places := places(s.Text, words)
			for _, k := range sentence.AppendTokens(nil, s.Text, 0, len(s.Text)) {
				cut++
				cutRight += one(places[[2]int{k.Start, k.End}])
			}
		}
	}
	var common int
	for _, tags := range frequent {
		most := 0
		for _, n := range tags {
			most = max(most, n)
		}
		common += most
	}
	share := func(n, of int) float64 { return float64(n) / float64(max(1, of)) }
	r.Penn, r.Universal, r.Lemma, r.Unknown = share(penn, r.Words), share(universal, r.Words), share(lemma, r.Words), share(unknownRight, unknown)
	r.Frequent = share(common, r.Words)
	_, _, r.Tokens = eval.F1(cutRight, cut, r.Words)
	rounds := 100_000/r.Words + 1
	used, err := cpu.Measure(func() error {
		for range rounds {
			for _, words := range sentences {
				t.Tag(words)
			}
		}
		return nil
	})
	if err != nil {
		return r, err
	}
	r.Speed = float64(rounds*r.Words) / used.CPU.Seconds()
	count := 0
	used, err = cpu.Measure(func() error {
		for range 3 * rounds {
			for _, d := range documents {
				for s := range sentence.Split(d.Text) {
					count += len(s.Tokens)
				}
			}
		}
		return nil
	})
	r.Splitter = float64(count) / used.CPU.Seconds()
	return r, err
}

// places returns where the words of a sentence stand in its text; one that is not written as such stands nowhere.
func places(text string, words []string) map[[2]int]bool {
	out := map[[2]int]bool{}
	at := 0
	for _, w := range words {
		if i := strings.Index(text[at:], w); i >= 0 {
			out[[2]int{at + i, at + i + len(w)}] = true
			at += i + len(w)
		}
	}
	return out
}

func one(b bool) int {
	if b {
		return 1
	}
	return 0
}

// Summary implements eval.Report: Penn tags.
func (r Result) Summary() eval.Summary { return eval.Answered(r.Words, r.Penn) }

// Baseline implements eval.Compared. It knows the answers of the file, which no tagger does.
func (r Result) Baseline() (way string, figure float64) {
	return "each word's most frequent tag in the same file", r.Frequent
}

// Print writes the figures.
func (r Result) Print(w io.Writer) error {
	_, err := fmt.Fprintf(w, `words                     %8d
Penn tags                 %8.4f   (of words that no list has %.4f; each word's most frequent tag in this file %.4f)
universal tags            %8.4f
lemmas                    %8.4f
words found in the text   %8.4f   F1
tokens per CPU-s          %8.0f   (sentence splitter in the same run: %.0f)
`, r.Words, r.Penn, r.Unknown, r.Frequent, r.Universal, r.Lemma, r.Tokens, r.Speed, r.Splitter)
	return err
}
