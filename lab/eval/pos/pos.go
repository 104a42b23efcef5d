// Package pos measures tags and lemmas on the words of a treebank in CoNLL-U.
package pos

import (
	"fmt"
	"io"
	"path/filepath"

	"varve/lab/eval/corpus"
	"varve/lab/eval/cpu"
	"varve/language/sentence"
	"varve/language/tag"
)

// Result is the figures of a treebank.
type Result struct {
	Set       string  `json:"set"`
	N         int     `json:"n"`         // words
	Accuracy  float64 `json:"accuracy"`  // Penn tags
	Universal float64 `json:"universal"` // universal tags
	Lemma     float64 `json:"lemma"`     // lemmas, case not counted, by the tags that were found
	Unknown   float64 `json:"unknown"`   // Penn tags of words that are in no lexicon
	Speed     float64 `json:"tokens_per_cpu_second"`
	Splitter  float64 `json:"splitter_tokens_per_cpu_second"` // of the sentence splitter in the same run
}

// Measure tags the words of a file.
func Measure(file string, m *tag.Model) (Result, error) {
	documents, err := corpus.ReadConllu(file)
	if err != nil {
		return Result{}, err
	}
	r := Result{Set: corpus.SetName(filepath.Base(file))}
	t := m.NewTagger()
	var penn, universal, lemma, unknown, unknownRight int
	var sentences [][]string
	for _, d := range documents {
		for _, s := range d.Sentences {
			words := make([]string, len(s.Words))
			for i, w := range s.Words {
				words[i] = w.Form
			}
			sentences = append(sentences, words)
			for i, g := range t.Tag(words) {
				w := s.Words[i]
				r.N++
				penn += one(g.Penn == w.Penn)
				universal += one(g.Universal == w.Universal)
				lemma += one(g.Lemma == w.Lemma)
				if !m.Known(w.Form) {
					unknown++
					unknownRight += one(g.Penn == w.Penn)
				}
			}
		}
	}
	if r.N == 0 {
		return r, fmt.Errorf("%s has no words", file)
	}
	share := func(n, of int) float64 { return float64(n) / float64(max(1, of)) }
	r.Accuracy, r.Universal, r.Lemma, r.Unknown = share(penn, r.N), share(universal, r.N), share(lemma, r.N), share(unknownRight, unknown)
	rounds := 100_000/r.N + 1
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
	r.Speed = float64(rounds*r.N) / used.CPU.Seconds()
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

func one(b bool) int {
	if b {
		return 1
	}
	return 0
}

// Print writes the figures.
func (r Result) Print(w io.Writer) error {
	_, err := fmt.Fprintf(w, "%-10s %8s %7s %10s %7s %8s %13s %15s\n%-10s %8d %7.4f %10.4f %7.4f %8.4f %13.0f %15.0f\n",
		"set", "words", "Penn", "universal", "lemmas", "unknown", "tokens/CPU-s", "splitter's", r.Set, r.N, r.Accuracy, r.Universal, r.Lemma, r.Unknown, r.Speed, r.Splitter)
	return err
}
