package annotate

import (
	"strings"

	"varve/derive"
	"varve/language"
)

// PhraseRow is a row of phrases: a noun, noun phrase or name in a text, in its order.
type PhraseRow struct {
	Version
	Sentence int32  `parquet:"sentence,delta"`
	Start    int32  `parquet:"start,delta"` // bytes of the text
	End      int32  `parquet:"end,delta"`
	Key      string `parquet:"key,zstd,dict"`  // its lemmas
	Name     string `parquet:"name,zstd,dict"` // as it is written, if it is a name
	Listed   bool   `parquet:"listed"`         // it goes on with the list that the phrase before it is in
}

func phrasesOf(r *language.Reading) ([]language.Phrase, int) {
	out := make([]language.Phrase, len(r.Phrases))
	size := 0
	for i, p := range r.Phrases {
		if p.Name {
			p.Text = strings.Clone(strings.Join(strings.Fields(p.Text), " "))
		} else {
			p.Text = "" // not all of the text is kept
		}
		out[i] = p
		size += 80 + len(p.Text) + len(p.Key)
	}
	return out, size
}

func phraseRows(v Version, found []language.Phrase) (rows []PhraseRow, _ []derive.FacetValue) {
	for _, p := range found {
		rows = append(rows, PhraseRow{v, int32(p.Sentence), int32(p.Start), int32(p.End), p.Key, p.Text, p.Listed})
	}
	return rows, nil
}
