package sentences

import (
	"fmt"
	"strings"

	"varve/lab/eval"
	"varve/lab/eval/conllu"
	"varve/lab/eval/lid"
)

// Text is a text whose sentences are known.
type Text struct {
	Lang      string
	Text      string
	Sentences []Span
}

// Span is a sentence by its bytes.
type Span struct{ Start, End int }

// Load reads a set: a file of CoNLL-U (FILE.conllu or FILE.conllu.gz), whose documents are texts with paragraphs, or labelled lines as in lid.Load, of
// which the sentences of each language make one text. lang is the language of the first kind, which does not tell it.
func Load(path, lang string) ([]Text, error) {
	if name := strings.TrimSuffix(path, ".gz"); strings.HasSuffix(name, ".conllu") {
		return loadTreebank(path, lang)
	}
	lines, err := lid.Load(path)
	if err != nil {
		return nil, err
	}
	return Join(lines), nil
}

func loadTreebank(path, lang string) ([]Text, error) {
	r, err := eval.Open(path, "")
	if err != nil {
		return nil, err
	}
	defer r.Close()
	var texts []Text
	var b strings.Builder
	glued := true
	end := func() {
		if b.Len() > 0 {
			texts[len(texts)-1].Text = b.String()
		}
		b.Reset()
		glued = true
	}
	err = conllu.Read(r, func(s conllu.Sentence) error {
		if s.NewDoc || len(texts) == 0 {
			end()
			texts = append(texts, Text{Lang: lang})
		}
		switch {
		case b.Len() > 0 && s.NewPar:
			b.WriteString("\n\n")
		case !glued:
			b.WriteByte(' ')
		}
		t := &texts[len(texts)-1]
		start := b.Len()
		b.WriteString(s.Text)
		t.Sentences = append(t.Sentences, Span{start, b.Len()})
		glued = s.Glued
		return nil
	})
	end()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if len(texts) == 0 {
		return nil, fmt.Errorf("%s: no sentences", path)
	}
	return texts, nil
}

// unspaced are languages whose sentences follow each other without a blank.
var unspaced = map[string]bool{"zh": true, "ja": true}

// Join puts the sentences of each language together, one text for each.
func Join(lines []lid.Line) []Text {
	var texts []Text
	at := map[string]int{}
	parts := map[string]*strings.Builder{}
	for _, l := range lines {
		if l.Kind != "sentences" {
			continue
		}
		i, ok := at[l.Lang]
		if !ok {
			i = len(texts)
			at[l.Lang], parts[l.Lang] = i, &strings.Builder{}
			texts = append(texts, Text{Lang: l.Lang})
		}
		b := parts[l.Lang]
		if b.Len() > 0 && !unspaced[l.Lang] {
			b.WriteByte(' ')
		}
		start := b.Len()
		b.WriteString(strings.TrimSpace(l.Text))
		texts[i].Sentences = append(texts[i].Sentences, Span{start, b.Len()})
	}
	for i := range texts {
		texts[i].Text = parts[texts[i].Lang].String()
	}
	return texts
}
