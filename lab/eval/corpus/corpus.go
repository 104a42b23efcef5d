// Package corpus reads the annotated texts that the units of language/ learn from and are measured on: treebanks in
// CoNLL-U as documents, labels in BIO columns, entity links as JSON lines, and WordNet. README.md beside the data says what
// may feed a shipped model.
package corpus

import (
	"bufio"
	"fmt"
	"strings"

	"varve/lab/eval"
	"varve/lab/eval/conllu"
)

// Document is a text with its sentences. Paragraphs are separated by an empty line.
type Document struct {
	Text      string
	Sentences []conllu.Sentence
}

// Lines calls fn for each line of a file, numbered from 1.
func Lines(file string, fn func(n int, line string) error) error {
	f, err := eval.Open(file, "")
	if err != nil {
		return err
	}
	defer f.Close()
	s := bufio.NewScanner(f)
	s.Buffer(nil, 64<<20)
	for n := 1; s.Scan(); n++ {
		if err := fn(n, strings.TrimSuffix(s.Text(), "\r")); err != nil {
			return fmt.Errorf("%s, line %d: %w", file, n, err)
		}
	}
	if err := s.Err(); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return nil
}

// ReadTreebank reads the documents of a file in CoNLL-U.
func ReadTreebank(file string) ([]Document, error) {
	f, err := eval.Open(file, "")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var out []Document
	var text strings.Builder
	end := func() {
		if len(out) > 0 {
			out[len(out)-1].Text = text.String()
		}
		text.Reset()
	}
	err = conllu.Read(f, func(s conllu.Sentence) error {
		if s.NewDoc || len(out) == 0 {
			end()
			out = append(out, Document{})
		}
		d := &out[len(out)-1]
		switch n := len(d.Sentences); {
		case n > 0 && s.NewPar:
			text.WriteString("\n\n")
		case n > 0 && !d.Sentences[n-1].Glued:
			text.WriteByte(' ')
		}
		text.WriteString(s.Text)
		d.Sentences = append(d.Sentences, s)
		return nil
	})
	end()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%s: no sentences", file)
	}
	return out, nil
}
