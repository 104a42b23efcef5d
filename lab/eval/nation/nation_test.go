package nation

import (
	"fmt"
	"strings"
	"testing"

	"varve/lab/eval/lid"
)

// The same seed gives the same pages; reasons that only pages of the nation have are precise, and language takes the neighbour in.
func TestMeasure(t *testing.T) {
	var lines []lid.Line
	var table strings.Builder
	table.WriteString("id\tname\tcountry\tfeature\tadmin\tpopulation\n")
	said := map[string]string{
		"de": "Der Verein trifft sich jeden Montag im Gasthaus und singt dort alte Lieder, sagte der Obmann am Abend.",
		"pt": "A associação reúne-se todas as segundas-feiras e canta canções antigas, disse ontem o presidente da câmara.",
		"fr": "L'association se réunit chaque lundi et chante de vieilles chansons, a dit hier soir le maire de la ville.",
		"en": "The choir meets every Monday at the inn and sings old songs there, the chairman said in the evening.",
	}
	for _, code := range []string{"de", "pt", "fr", "en"} {
		for range sentences {
			lines = append(lines, lid.Line{Lang: code, Kind: "sentences", Text: said[code]})
		}
	}
	for code := range countries {
		for i := range 5 {
			fmt.Fprintf(&table, "%d\t%sstadt%d\t%s\tPPL\t1\t%d\n", i, code, i, code, 1000*i)
		}
	}
	cities, err := Cities(strings.NewReader(table.String()))
	if err != nil || cities["AT"][0] != "ATstadt4" {
		t.Fatal(cities["AT"], err)
	}
	var last string
	for range 2 {
		pages, err := Make(lines, cities, 7)
		if err != nil || len(pages) != 2*(ofNation+ofNeighbour+ofOthers) {
			t.Fatalf("%d pages, %v", len(pages), err)
		}
		var b strings.Builder
		rep := Measure(t.Context(), pages, cities, 0.5)
		if err := rep.Print(&b); err != nil {
			t.Fatal(err)
		}
		if err := List(&b, pages); err != nil {
			t.Fatal(err)
		}
		if last != "" && b.String() != last {
			t.Error("the same seed gave other figures")
		}
		last = b.String()
		for _, r := range rep.Rows {
			switch r.By {
			case "phone", "address":
				if r.Precision != 1 || r.Recall < 0.2 || r.Recall > 0.6 {
					t.Errorf("%+v", r)
				}
			case "language":
				if r.Neighbour < 0.5 || r.Recall < 0.5 {
					t.Errorf("%+v", r)
				}
			}
		}
	}
	if _, err := Cities(strings.NewReader("a\tb\n")); err == nil || !strings.Contains(err.Error(), "line 1") {
		t.Error(err)
	}
	if _, err := Make(nil, cities, 1); err == nil {
		t.Error("pages were made of nothing")
	}
}
