package country

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"varve/fact"
	"varve/fact/clean"
	"varve/language"
)

// The office of the prime minister passes from Ines Calder to Tomas Wren in what the newspaper of the demo writes, and the facts that the screens show say so; the article that is wrong about its begin is outvoted by the others.
func TestOfficePasses(t *testing.T) {
	text, err := os.ReadFile("chronicle.txt")
	if err != nil {
		t.Fatal(err)
	}
	relations, err := fact.Relations()
	if err != nil {
		t.Fatal(err)
	}
	reader, all := language.New(), fact.NewMerger()
	for paragraph := range strings.SplitSeq(string(text), "\n") { // an article has several, each page of the crawl some
		if !strings.Contains(paragraph, "Vestria") {
			continue
		}
		doc, err := reader.Analyse(t.Context(), language.Text{Text: paragraph, Language: "en"}, fact.Units()...)
		if err != nil {
			t.Fatal(err)
		}
		candidates, _ := fact.Candidates(doc, paragraph, fact.Topic{}, relations)
		found, err := fact.Label(t.Context(), relations, candidates, nil, fact.Default())
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range found {
			all.Add(o, 1000)
		}
	}
	facts, report, err := fact.Clean(t.Context(), relations, all.Observations(), clean.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range facts {
		if f.Relation == "holds_office" && f.Object == "Vestria" {
			got = append(got, fmt.Sprintf("%s, %s: %s to %s", f.Subject, f.Role, f.Begin.Earliest, f.End.Latest))
		}
	}
	if want := []string{"Ines Calder, prime minister: 2019-03-01 to 2024-11-01", "Tomas Wren, prime minister: 2024-10-28 to "}; !slices.Equal(got, want) || report.Rejected == 0 {
		t.Errorf("got\n%s\nwant\n%s\n%d rejected", strings.Join(got, "\n"), strings.Join(want, "\n"), report.Rejected)
	}
}
