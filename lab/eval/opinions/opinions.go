// Package opinions measures how opinions of sentences agree with what people say: the correlation (Pearson's r) of scores with mean ratings.
package opinions

import (
	"fmt"
	"html"
	"io"
	"math"
	"strconv"
	"strings"

	"varve/lab/eval"
	"varve/lab/eval/corpus"
	"varve/lab/eval/cpu"
	"varve/language/opinion"
	"varve/language/sentence"
)

// Result is the figures of a set.
type Result struct {
	Sentences int     `json:"sentences"`
	Pearson   float64 `json:"pearson"`         // of the scores of the model, which has words and lexicon
	Words     float64 `json:"words,omitempty"` // of a model that has words alone; 0 if there is none
	Rule      float64 `json:"rule"`            // of VADER's lexicon and rule
	Plain     float64 `json:"plain"`           // of the mean valence of words
	Silent    int     `json:"silent"`          // sentences that have no word with a valence
	Sign      float64 `json:"sign"`            // share of sentences rated beyond +-0.125 whose score has the right sign
	Speed     float64 `json:"tokens_per_cpu_second"`
	Splitter  float64 `json:"splitter_tokens_per_cpu_second"`
}

// Read reads rated texts: id, mean rating from -4 to 4 and text in columns, with a header.
func Read(file string) ([]opinion.Example, error) {
	var out []opinion.Example
	err := corpus.Lines(file, func(n int, line string) error {
		c := strings.SplitN(line, "\t", 3)
		if n == 1 && len(c) == 3 && c[1] == "mean_rating" || line == "" {
			return nil
		}
		if len(c) < 3 {
			return fmt.Errorf("%.40q is no id, rating and text with tabs between them", line)
		}
		rating, err := strconv.ParseFloat(c[1], 64)
		if err != nil || math.Abs(rating) > 4 {
			return fmt.Errorf("the rating %.20q is no number from -4 to 4", c[1])
		}
		out = append(out, opinion.Example{Tokens: Tokens(html.UnescapeString(c[2])), Rating: rating / 4})
		return nil
	})
	return out, err
}

// Tokens cuts a text.
func Tokens(text string) []opinion.Token {
	var out []opinion.Token
	for s := range sentence.Split(text) {
		for _, t := range s.Tokens {
			out = append(out, opinion.Token(t))
		}
	}
	return out
}

// Measure scores the texts of a file by a model and, unless it is nil, by one that looks at words alone.
func Measure(file string, m, words *opinion.Model) (Result, error) {
	var r Result
	examples, err := Read(file)
	if err != nil {
		return r, err
	}
	if len(examples) < 2 {
		return r, fmt.Errorf("%s: %d rated texts, at least 2 are needed", file, len(examples))
	}
	var ratings, scores, alone, rule, plain []float64
	reader := m.NewReader()
	judged, right := 0, 0
	for _, e := range examples {
		score := reader.Score(e.Tokens, opinion.Both)
		ratings, scores = append(ratings, e.Rating), append(scores, score)
		rule, plain = append(rule, m.Lexicon().Rule(e.Tokens)), append(plain, m.Lexicon().Plain(e.Tokens))
		if _, _, ok := reader.Sentence(e.Tokens, nil); !ok {
			r.Silent++
		}
		if math.Abs(e.Rating) > 0.125 {
			judged++
			if e.Rating*score > 0 {
				right++
			}
		}
	}
	if words != nil {
		w := words.NewReader()
		for _, e := range examples {
			alone = append(alone, w.Score(e.Tokens, opinion.Words))
		}
		r.Words = Pearson(ratings, alone)
	}
	r.Sentences, r.Sign = len(examples), float64(right)/float64(max(1, judged))
	r.Pearson, r.Rule, r.Plain = Pearson(ratings, scores), Pearson(ratings, rule), Pearson(ratings, plain)
	return r, r.speed(examples, reader)
}

// speed measures reader and splitter in the same run.
func (r *Result) speed(examples []opinion.Example, reader *opinion.Reader) error {
	tokens := 0
	var text strings.Builder
	for _, e := range examples {
		tokens += len(e.Tokens)
		for _, t := range e.Tokens {
			text.WriteString(t.Text)
			text.WriteByte(' ')
		}
		text.WriteString("\n\n")
	}
	rounds := 200_000/max(1, tokens) + 1
	used, err := cpu.Measure(func() error {
		for range rounds {
			for _, e := range examples {
				reader.Sentence(e.Tokens, nil)
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	r.Speed = float64(rounds*tokens) / used.CPU.Seconds()
	n := 0
	used, err = cpu.Measure(func() error {
		for range 3 * rounds {
			for s := range sentence.Split(text.String()) {
				n += len(s.Tokens)
			}
		}
		return nil
	})
	r.Splitter = float64(n) / used.CPU.Seconds()
	return err
}

// pearson returns the correlation of two rows of numbers; 0 if one of them is the same throughout.
func Pearson(a, b []float64) float64 {
	var meanA, meanB float64
	for i := range a {
		meanA += a[i] / float64(len(a))
		meanB += b[i] / float64(len(b))
	}
	var ab, aa, bb float64
	for i := range a {
		x, y := a[i]-meanA, b[i]-meanB
		ab, aa, bb = ab+x*y, aa+x*x, bb+y*y
	}
	if aa == 0 || bb == 0 {
		return 0
	}
	return ab / math.Sqrt(aa*bb)
}

// Summary implements eval.Report.
func (r Result) Summary() eval.Summary { return eval.Rated(r.Sentences, r.Pearson) }

// Baseline implements eval.Compared.
func (r Result) Baseline() (way string, figure float64) { return "VADER's lexicon and rule", r.Rule }

// Print writes the figures.
func (r Result) Print(w io.Writer) error {
	words := ""
	if r.Words != 0 {
		words = fmt.Sprintf("model, words alone        %8.3f\n", r.Words)
	}
	_, err := fmt.Fprintf(w, `sentences                 %8d   (%d without a word that has a valence)
correlation with ratings:
mean valence of words     %8.3f
VADER's rule              %8.3f
%smodel, words and lexicon  %8.3f   (right sign of those rated beyond +-0.5 of 4: %.3f)
tokens per CPU-s          %8.0f   (sentence splitter in the same run: %.0f)
`, r.Sentences, r.Silent, r.Plain, r.Rule, words, r.Pearson, r.Sign, r.Speed, r.Splitter)
	return err
}
