package annotate

import (
	"varve/derive"
	"varve/language"
)

// QualityRow is a row of quality: how well a text can be read.
type QualityRow struct {
	Version
	Words      int32   `parquet:"words"`      // that begin with a small letter
	Recognised int32   `parquet:"recognised"` // of them, that the dictionary has
	Share      float32 `parquet:"share"`      // 1 of a text without words
}

// qualityFacets find what was scanned badly: quality:<0.8.
var qualityFacets = derive.FacetTable{Job: string(language.Quality), Facets: []derive.Facet{
	{Name: "quality", Title: "Quality of text", Kind: derive.FacetNumbers, Most: 1},
}}

func qualityOf(r *language.Reading) (language.Readable, int) { return *r.Quality, 24 }

// fewWords is how many words a text needs for its share to say something.
const fewWords = 20

func qualityRows(v Version, q language.Readable) (rows []QualityRow, values []derive.FacetValue) {
	if q.Words >= fewWords {
		values = []derive.FacetValue{{Facet: "quality", Number: q.Share, Count: 1}}
	}
	return []QualityRow{{v, int32(q.Words), int32(q.Recognised), float32(q.Share)}}, values
}
