package models

import (
	"varve/lab/eval/corpus"
	"varve/language/tag"
)

// Examples turns annotated text into sentences to train the tagger on.
func Examples(documents []corpus.Document) []tag.Example {
	var out []tag.Example
	for _, d := range documents {
		for _, s := range d.Sentences {
			var e tag.Example
			for _, w := range s.Words {
				e.Words, e.Penn, e.Universal = append(e.Words, w.Form), append(e.Penn, w.XPOS), append(e.Universal, w.UPOS)
			}
			out = append(out, e)
		}
	}
	return out
}
