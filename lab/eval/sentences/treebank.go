package sentences

import (
	"fmt"
	"io"
	"path/filepath"

	uax "github.com/clipperhouse/uax29/v2/sentences"

	"varve/lab/eval/corpus"
	"varve/lab/eval/cpu"
	"varve/language/sentence"
)

// Treebank is the figures of a text whose sentences and words were cut by people.
type Treebank struct {
	Set       string  `json:"set"`
	Sentences int     `json:"n"`
	F1        float64 `json:"f1"`
	Precision float64 `json:"precision"`
	Recall    float64 `json:"recall"`
	Plain     float64 `json:"plain_f1"`  // of the rules of Unicode alone
	Tokens    float64 `json:"tokens_f1"` // of words; beginning and end must both be right
	Speed     float64 `json:"tokens_per_cpu_second"`
}

type span struct{ start, end int }

// MeasureTreebank cuts the documents of a file in CoNLL-U, whose paragraphs are separated by empty lines. A sentence is
// right if it begins and ends where the annotated one does.
func MeasureTreebank(file string) (Treebank, error) {
	documents, err := corpus.ReadConllu(file)
	if err != nil {
		return Treebank{}, err
	}
	r := Treebank{Set: corpus.SetName(filepath.Base(file))}
	var right, found, plainRight, plainFound, wordsRight, words, tokens int
	for _, d := range documents {
		gold, goldWords := map[span]bool{}, map[span]bool{}
		for _, s := range d.Sentences {
			gold[span{s.Start, s.End}] = true
			for _, w := range s.Words {
				goldWords[span{w.Start, w.End}] = true
			}
		}
		r.Sentences += len(gold)
		words += len(goldWords)
		for s := range sentence.Split(d.Text) {
			found++
			if gold[span{s.Start, s.End}] {
				right++
			}
			tokens += len(s.Tokens)
			for _, t := range s.Tokens {
				if goldWords[span{t.Start, t.End}] {
					wordsRight++
				}
			}
		}
		for it := uax.FromString(d.Text); it.Next(); {
			start, end := corpus.Trim(d.Text, it.Start(), it.End())
			if start == end {
				continue
			}
			plainFound++
			if gold[span{start, end}] {
				plainRight++
			}
		}
	}
	r.Precision, r.Recall, r.F1 = corpus.F1(right, found, r.Sentences)
	_, _, r.Plain = corpus.F1(plainRight, plainFound, r.Sentences)
	_, _, r.Tokens = corpus.F1(wordsRight, tokens, words)
	count := 0
	used, err := cpu.Measure(func() error {
		for count == 0 || count < 300_000 {
			for _, d := range documents {
				for s := range sentence.Split(d.Text) {
					count += len(s.Tokens)
				}
			}
			if count == 0 {
				return fmt.Errorf("%s has no sentences", file)
			}
		}
		return nil
	})
	r.Speed = float64(count) / used.CPU.Seconds()
	return r, err
}

// Print writes the figures.
func (r Treebank) Print(w io.Writer) error {
	_, err := fmt.Fprintf(w, "%-10s %9s %9s %7s %7s %13s %10s %14s\n%-10s %9d %9.3f %7.3f %7.3f %13.3f %10.3f %14.0f\n",
		"set", "sentences", "precision", "recall", "F1", "F1 of UAX 29", "tokens F1", "tokens/CPU-s",
		r.Set, r.Sentences, r.Precision, r.Recall, r.F1, r.Plain, r.Tokens, r.Speed)
	return err
}
