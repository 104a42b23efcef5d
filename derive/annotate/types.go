package annotate

import (
	"context"
	"encoding/hex"
	"strings"

	"varve/archive/scan"
	"varve/derive"
	"varve/derive/job"
	"varve/entity/kind"
	"varve/language"
)

// TypeRow is a row of types: a name in a text and what kinds of things it is.
type TypeRow struct {
	Version
	Start      int32     `parquet:"start"` // bytes of the text
	End        int32     `parquet:"end"`
	Text       string    `parquet:"text,zstd,dict"`
	Types      []string  `parquet:"types,dict"`  // that were accepted, the general ones first: person.n.01, politician.n.01
	Labels     []string  `parquet:"labels,dict"` // what people call them
	Confidence []float32 `parquet:"confidence"`  // of each, from 0 to 1; no probability
}

// TypeFacet has the labels of the types that a text names things of.
const TypeFacet = "type"

var typeFacets = derive.FacetTable{Job: Types, Facets: []derive.Facet{{Name: TypeFacet, Title: "Kinds of things named", Kind: derive.FacetNames, Most: 100}}}

// Version of the table, beside changes of the models, which are seen.
const typesVersion = 1

// TypesJob returns the job of the table, and its facet; it needs the job of mentions beside it. Other models make all of it anew.
func TypesJob() (job.Job, derive.FacetTable) {
	sum := kind.Sum() // and of what it is made on
	return job.Job{Name: Types, Version: typesVersion, Mark: "model=" + hex.EncodeToString(sum[:8]), Scan: &job.Scan{Mapper: typesMapper(), Open: open(Types, typeRows, &typeFacets)}}, typeFacets
}

func typesMapper() *scan.Mapper {
	m := scan.Mapper{Name: Types, Needs: []string{"pages", string(language.Mentions)}}
	key := func(_ *scan.Item, s *shared) digest { return s.text }
	return textMapper(m, []language.Unit{language.Tags, language.Mentions}, key, func(ctx context.Context, s *shared) ([]kind.Typed, int, error) {
		model, err := kind.Default(kind.WordNet)
		if err != nil {
			return nil, 0, err
		}
		found, err := model.Document(ctx, &s.reading.Document)
		size := 0
		for i := range found {
			found[i].Text = strings.Clone(found[i].Text) // not all of the text is kept
			found[i].Verdict = nil                       // one number for each type there is
			size += 100 + len(found[i].Text) + 48*len(found[i].Types)
		}
		return found, size, err
	})
}

func typeRows(v Version, found []kind.Typed) (rows []TypeRow, values []derive.FacetValue) {
	for _, f := range found {
		row := TypeRow{Version: v, Start: int32(f.Start), End: int32(f.End), Text: f.Text}
		said := map[string]bool{} // two types can have one label
		for _, t := range f.Types {
			row.Types, row.Labels, row.Confidence = append(row.Types, t.Type), append(row.Labels, t.Label), append(row.Confidence, float32(t.Confidence))
			if !said[t.Label] {
				said[t.Label] = true
				values = append(values, derive.FacetValue{Facet: TypeFacet, Value: t.Label, Count: 1})
			}
		}
		rows = append(rows, row)
	}
	return rows, values
}
