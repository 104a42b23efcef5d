package annotate

import (
	"strings"

	"varve/derive"
	"varve/language"
)

// TermRow is a row of terms: a word or phrase that a text is about, once for each of its places.
type TermRow struct {
	Version
	Start int32   `parquet:"start"` // bytes of the text
	End   int32   `parquet:"end"`
	Text  string  `parquet:"text,zstd,dict"` // as it is mostly written
	Key   string  `parquet:"key,zstd,dict"`  // its lemmas
	Count int32   `parquet:"count"`
	Score float32 `parquet:"score"` // the higher the more it is of this text; no probability
}

// termFacets are what searches are narrowed by.
var termFacets = derive.FacetTable{Job: string(language.Terms), Facets: []derive.Facet{
	{Name: "term", Title: "Terms", Kind: derive.FacetNames, Most: 15},
}}

func termsOf(r *language.Reading) (out []language.Term, size int) {
	for _, t := range r.Terms {
		t.Text, t.Key = strings.Clone(t.Text), strings.Clone(t.Key)
		out = append(out, t)
		size += 100 + len(t.Text) + len(t.Key) + 16*len(t.Places)
	}
	return out, size
}

// termRows makes a row for each place, and a value for each term: by its key, so that forms of one term are one value. The best come first, and count most.
func termRows(v Version, found []language.Term) (rows []TermRow, values []derive.FacetValue) {
	for i, t := range found {
		for _, p := range t.Places {
			rows = append(rows, TermRow{v, int32(p[0]), int32(p[1]), t.Text, t.Key, int32(t.Count), float32(t.Score)})
		}
		values = append(values, derive.FacetValue{Facet: "term", Value: t.Key, Count: int32(len(found) - i)})
	}
	return rows, values
}
