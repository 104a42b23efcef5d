// Package terms measures the terms of a set of texts against a list that people made, as in ACTER (Rigouts Terryn, Hoste,
// Lefever 2020): each form that a term has in the texts, in lower case, counts by itself.
package terms

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"varve/lab/eval"
	"varve/lab/eval/corpus"
	"varve/lab/eval/cpu"
	"varve/language/mention"
	"varve/language/sentence"
	"varve/language/tag"
	"varve/language/term"
)

// Row is how well one measure ranks candidates.
type Row struct {
	Measure   string  `json:"measure"`
	Precision float64 `json:"precision"` // of the forms that are taken for terms
	Recall    float64 `json:"recall"`
	F1        float64 `json:"f1"`
	At500     float64 `json:"precision_at_500"`
	Best      float64 `json:"best_f1"` // if somebody who knows the list chose how many to take
}

// Result is the figures of a set.
type Result struct {
	Texts     int     `json:"texts"`
	Tokens    int     `json:"tokens"`
	Terms     int     `json:"terms"`  // forms in the list
	Forms     int     `json:"forms"`  // of all candidates
	Reach     float64 `json:"reach"`  // share of the list that is among them
	Tagged    bool    `json:"tagged"` // candidates are found by tags, not by shape
	Taken     int     `json:"taken"`  // forms taken for terms
	Rows      []Row   `json:"measures"`
	Speed     float64 `json:"tokens_per_cpu_second"` // counting and scoring, tags given
	Splitter  float64 `json:"splitter_tokens_per_cpu_second"`
	SpeedTags float64 `json:"tagged_tokens_per_cpu_second,omitempty"` // with tags and mentions
}

// document is a text and its sentences.
type document struct {
	text      string
	sentences [][]term.Token
}

// Measure finds the terms of the texts in DIR/acter-DOMAIN-LANG.jsonl(.gz) and compares them with the list DIR/DOMAIN_LANG_terms.tsv.
func Measure(dir, domain, lang string) (Result, error) {
	r := Result{Tagged: term.Tagged(lang)}
	list, err := readList(filepath.Join(dir, domain+"_"+lang+"_terms.tsv"))
	if err != nil {
		return r, err
	}
	var documents []document
	texts, err := readTexts(dir, "acter-"+domain+"-"+lang+".jsonl")
	if err != nil {
		return r, err
	}
	used, err := cpu.Measure(func() error {
		documents = read(texts, lang)
		return nil
	})
	if err != nil {
		return r, err
	}
	r.Texts, r.Terms = len(texts), len(list)
	for _, d := range documents {
		for _, s := range d.sentences {
			r.Tokens += len(s)
		}
	}
	if r.Tagged {
		r.SpeedTags = float64(r.Tokens) / used.CPU.Seconds()
	}
	set, err := count(documents, lang)
	if err != nil {
		return r, err
	}
	r.Taken = len(forms(set.Terms(-1, term.Combined)))
	for _, m := range term.Measures {
		n, _ := set.Len()
		all := forms(set.Terms(n, m))
		r.Forms = len(all)
		row := Row{Measure: m.String()}
		hits := 0
		for i, f := range all {
			if list[f] {
				hits++
			}
			p, c, f1 := eval.F1(hits, i+1, len(list))
			row.Best = max(row.Best, f1)
			if i+1 == 500 {
				row.At500 = p
			}
			if i+1 == r.Taken {
				row.Precision, row.Recall, row.F1 = p, c, f1
			}
		}
		r.Reach = float64(hits) / float64(max(1, len(list)))
		r.Rows = append(r.Rows, row)
	}
	rounds := 300_000/max(1, r.Tokens) + 1
	used, err = cpu.Measure(func() error {
		for range rounds {
			s, err := count(documents, lang)
			if err != nil {
				return err
			}
			s.Terms(-1, term.Combined)
		}
		return nil
	})
	if err != nil {
		return r, err
	}
	r.Speed = float64(rounds*r.Tokens) / used.CPU.Seconds()
	n := 0
	used, err = cpu.Measure(func() error {
		for range 3 * rounds {
			for _, d := range documents {
				for s := range sentence.Split(d.text) {
					n += len(s.Tokens)
				}
			}
		}
		return nil
	})
	r.Splitter = float64(n) / used.CPU.Seconds()
	return r, err
}

// row returns the figures of a measure.
func (r Result) row(m term.Measure) Row {
	i := slices.IndexFunc(r.Rows, func(row Row) bool { return row.Measure == m.String() })
	return r.Rows[i]
}

// Baseline implements eval.Compared.
func (r Result) Baseline() (way string, figure float64) {
	return "the same candidates by frequency", r.row(term.Frequency).F1
}

// Summary implements eval.Report.
func (r Result) Summary() eval.Summary {
	row := r.row(term.Combined)
	return eval.Found(r.Terms, row.Precision, row.Recall, row.F1)
}

// Print writes the figures.
func (r Result) Print(w io.Writer) error {
	how := "by shape: no tagger for this language"
	if r.Tagged {
		how = "by tags"
	}
	fmt.Fprintf(w, "texts %d, tokens %d, terms in the list %d; candidates %s: %d forms, %.3f of the list among them; the best %d are taken\n\n", r.Texts, r.Tokens, r.Terms, how, r.Forms, r.Reach, r.Taken)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "measure\tprecision\trecall\tF1\tprecision at 500\tbest F1\t")
	for _, row := range r.Rows {
		fmt.Fprintf(t, "%s\t%.3f\t%.3f\t%.3f\t%.3f\t%.3f\t\n", row.Measure, row.Precision, row.Recall, row.F1, row.At500, row.Best)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "\ntokens per CPU-s: %.0f (sentence splitter in the same run: %.0f)\n", r.Speed, r.Splitter)
	return err
}

func readList(file string) (map[string]bool, error) {
	list := map[string]bool{}
	err := corpus.Lines(file, func(_ int, line string) error {
		if name, _, ok := strings.Cut(line, "\t"); ok {
			list[strings.ToLower(name)] = true
		} else if line != "" {
			return fmt.Errorf("%.40q is no term and class with a tab between them", line)
		}
		return nil
	})
	return list, err
}

func readTexts(dir, name string) ([]string, error) {
	var texts []string
	file := filepath.Join(dir, name)
	if matches, _ := filepath.Glob(file + "*"); len(matches) > 0 {
		file = matches[0]
	}
	err := corpus.Lines(file, func(_ int, line string) error {
		var v struct{ Text string }
		if err := json.Unmarshal([]byte(line), &v); err != nil {
			return err
		}
		texts = append(texts, v.Text)
		return nil
	})
	return texts, err
}

// read cuts texts into sentences and, in English, tags words and finds names.
func read(texts []string, lang string) []document {
	out := make([]document, len(texts))
	var tagger *tag.Tagger
	var finder *mention.Finder
	if term.Tagged(lang) {
		tagger, finder = tag.Default().NewTagger(), mention.Default().NewFinder()
	}
	for i, text := range texts {
		out[i].text = text
		var tagged []mention.Sentence
		for s := range sentence.SplitIn(text, lang) {
			tokens := make([]term.Token, len(s.Tokens))
			words := make([]string, len(s.Tokens))
			for k, t := range s.Tokens {
				tokens[k] = term.Token{Text: t.Text, Start: t.Start, End: t.End}
				words[k] = t.Text
			}
			if tagger != nil {
				m := mention.Sentence{Words: words}
				for k, g := range tagger.Tag(words) {
					tokens[k].Penn, tokens[k].Lemma = g.Penn, g.Lemma
					m.Penn = append(m.Penn, g.Penn)
				}
				tagged = append(tagged, m)
			}
			out[i].sentences = append(out[i].sentences, tokens)
		}
		if finder != nil {
			for _, m := range finder.Find(tagged) {
				for k := m.From; k < m.To; k++ {
					out[i].sentences[m.Sentence][k].Name = true
				}
			}
		}
	}
	return out
}

func count(documents []document, lang string) (*term.Set, error) {
	set, err := term.New(lang, term.Options{})
	if err != nil {
		return nil, err
	}
	for i, d := range documents {
		if i > 0 {
			set.NextDocument()
		}
		for _, s := range d.sentences {
			set.Add(d.text, s)
		}
	}
	return set, nil
}

// forms returns the forms of terms in lower case, each once, those of the first term first.
func forms(found []term.Term) []string {
	seen := map[string]bool{}
	var out []string
	for _, t := range found {
		own := map[string]bool{}
		for _, f := range t.Forms {
			own[strings.ToLower(f.Text)] = true
		}
		for _, f := range slices.Sorted(maps.Keys(own)) {
			if !seen[f] {
				seen[f] = true
				out = append(out, f)
			}
		}
	}
	return out
}
