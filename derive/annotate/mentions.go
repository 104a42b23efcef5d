package annotate

import (
	"strings"

	"varve/derive"
	"varve/language"
	"varve/language/mention"
)

// MentionRow is a row of mentions: a name in a text.
type MentionRow struct {
	Version
	Start      int32   `parquet:"start"` // bytes of the text
	End        int32   `parquet:"end"`
	Text       string  `parquet:"text,zstd,dict"`
	Type       string  `parquet:"type,dict"`
	Confidence float32 `parquet:"confidence"`
}

// mentionFacets are what searches are narrowed by.
var mentionFacets = derive.FacetTable{Job: string(language.Mentions), Facets: []derive.Facet{
	{Name: "person", Title: "Persons", Kind: derive.FacetNames, Most: 30},
	{Name: "place", Title: "Places", Kind: derive.FacetNames, Most: 30},
	{Name: "organisation", Title: "Organisations", Kind: derive.FacetNames, Most: 30},
}}

// facetOf is the facet of a type of mentions; "" for those that are none.
func facetOf(t mention.Type) string {
	switch t {
	case mention.Person:
		return "person"
	case mention.Location:
		return "place"
	case mention.Organisation, mention.Group:
		return "organisation"
	}
	return ""
}

// likely is the confidence that one mention of a name must have for the name to be a value of a facet.
const likely = 0.5

func mentionsOf(r *language.Reading) ([]language.Mention, int) {
	out := make([]language.Mention, len(r.Mentions))
	size := 0
	for i, m := range r.Mentions {
		m.Text = strings.Clone(m.Text) // not all of the text is kept
		out[i] = m
		size += 80 + len(m.Text)
	}
	return out, size
}

func mentionRows(v Version, found []language.Mention) (rows []MentionRow, values []derive.FacetValue) {
	for _, m := range found {
		rows = append(rows, MentionRow{v, int32(m.Start), int32(m.End), m.Text, string(m.Type), float32(m.Confidence)})
	}
	return rows, mentionValues(found)
}

// mentionValues are the names of a text as values of facets: those of which one mention at least is likely, counted with all of their mentions. A
// last name alone counts for the person of that last name whom the text names in full, if there is one only.
func mentionValues(found []language.Mention) (values []derive.FacetValue) {
	type name struct{ facet, value string }
	sure := map[name]bool{}
	for _, m := range found {
		if n := (name{facetOf(m.Type), value(m.Text)}); n.facet != "" && m.Confidence >= likely {
			sure[n] = true
		}
	}
	full := fullNames(found)
	for _, m := range found {
		n := name{facetOf(m.Type), value(m.Text)}
		if whole := full[n.value]; n.facet == "person" && whole != "" {
			n.value = whole
		}
		if sure[n] {
			values = append(values, derive.FacetValue{Facet: n.facet, Value: n.value, Count: 1})
		}
	}
	return values
}

// fullNames returns the full name of each last name of a person whom a text names in full, if it is likely and there is one only; "" if there are several.
func fullNames(found []language.Mention) map[string]string {
	full := map[string]string{}
	for _, m := range found {
		if m.Type != mention.Person || m.Confidence < likely {
			continue
		}
		whole := value(m.Text)
		if i := strings.LastIndexByte(whole, ' '); i > 0 {
			last := whole[i+1:]
			if other, known := full[last]; known && other != whole {
				full[last] = ""
			} else {
				full[last] = whole
			}
		}
	}
	return full
}

// value is a name with single blanks.
func value(text string) string { return strings.Join(strings.Fields(text), " ") }
