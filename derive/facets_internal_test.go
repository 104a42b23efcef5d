package derive

import (
	"strings"
	"testing"
)

// A value has single blanks and none at its ends, whatever bytes it had: so it is looked for, and where it does not, nobody finds it.
func TestFacetValuesHaveSingleBlanks(t *testing.T) {
	table := FacetTable{Job: "made", Facets: []Facet{{Name: "person", Kind: FacetNames}}}
	for value, want := range map[string]string{
		"a \xff b":                             "a b",
		strings.Repeat("x", 199) + " y":        strings.Repeat("x", 199),
		strings.Repeat("x", 198) + " \u00e9 y": strings.Repeat("x", 198),
		" a\u00a0\tb ":                         "a b",
		"\xff":                                 "",
	} {
		got, err := table.settle([]FacetValue{{Facet: "person", Value: value}})
		if err != nil || len(got) == 0 != (want == "") || len(got) == 1 && got[0].Value != want {
			t.Errorf("%q: %+v, %v, want %q", value, got, err, want)
		}
	}
}
