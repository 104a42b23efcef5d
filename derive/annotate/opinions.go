package annotate

import (
	"strings"

	"varve/derive"
	"varve/language"
)

// OpinionRow is a row of opinions: what a sentence says in all, or of one of the names in it.
type OpinionRow struct {
	Version
	Start      int32   `parquet:"start"` // bytes of the text: the sentence, or the name
	End        int32   `parquet:"end"`
	About      string  `parquet:"about,zstd,dict"` // the name, in full where the text has it; empty for the sentence
	Score      float32 `parquet:"score"`           // from -1, against, to 1, in favour
	Confidence float32 `parquet:"confidence"`
	Quoted     bool    `parquet:"quoted"`
	Holder     string  `parquet:"holder,zstd,dict"` // of what is quoted, if it is known
}

// opinionFacets are what searches are narrowed by: opinion:<-0.3 about:"Angela Merkel".
var opinionFacets = derive.FacetTable{Job: string(language.Opinions), Facets: []derive.Facet{
	{Name: "opinion", Title: "Opinion", Kind: derive.FacetNumbers, Most: 20},
}}

// opinionsOf returns the opinions of a text; a last name alone counts for the person, as it does among the names.
func opinionsOf(r *language.Reading) (out []language.Opinion, size int) {
	full := FullNames(r.Mentions)
	person := map[int]bool{} // places
	for _, m := range r.Mentions {
		person[m.Start] = facetOf(m.Type) == "person"
	}
	for _, o := range r.Opinions {
		o.Holder = strings.Clone(o.Holder)
		about := make([]language.Target, len(o.About))
		for i, t := range o.About {
			if name := full[value(t.Text)]; name != "" && person[t.Start] {
				t.Text = name
			}
			t.Text = strings.Clone(t.Text)
			about[i] = t
			size += 60 + len(t.Text)
		}
		o.About = about
		out = append(out, o)
		size += 100 + len(o.Holder)
	}
	return out, size
}

// opinionRows makes a row for each sentence that judges, and for each name in it. The opinion of a text is the mean of its sentences by their
// confidence, that about a name the mean of the clauses that it stands in.
func opinionRows(v Version, found []language.Opinion) (rows []OpinionRow, values []derive.FacetValue) {
	type sum struct {
		score, weight float64
		count         int32
	}
	sums := map[string]*sum{}
	var order []string
	add := func(about string, score, confidence float64) {
		s := sums[about]
		if s == nil {
			s = &sum{}
			sums[about] = s
			order = append(order, about)
		}
		s.score += score * confidence
		s.weight += confidence
		s.count++
	}
	for _, o := range found {
		rows = append(rows, OpinionRow{v, int32(o.Start), int32(o.End), "", float32(o.Score), float32(o.Confidence), o.Quoted, o.Holder})
		add("", o.Score, o.Confidence)
		for _, t := range o.About {
			name := value(t.Text)
			rows = append(rows, OpinionRow{v, int32(t.Start), int32(t.End), name, float32(t.Score), float32(t.Confidence), o.Quoted, o.Holder})
			add(name, t.Score, t.Confidence)
		}
	}
	for _, about := range order {
		if s := sums[about]; s.weight > 0 {
			count := s.count
			if about == "" {
				count = 1 << 20 // that of the whole is always kept
			}
			values = append(values, derive.FacetValue{Facet: "opinion", Value: about, Number: s.score / s.weight, Count: count})
		}
	}
	return rows, values
}
