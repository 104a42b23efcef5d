package linking

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"varve/entity/base"
)

func TestMeasure(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, base.FileName)
	statements := "Q1\t2\tJimmy Page\t1\nQ1\tc\tPage\t2\nQ1\td\tGibson guitar\t2\nenwiki:Larry Page\t2\tLarry Page\t1\nenwiki:Larry Page\tc\tPage\t3\nenwiki:Larry Page\td\tsearch engine\t1\n"
	if _, err := base.Build(t.Context(), path, func(yield func([]byte, error) bool) {
		for line := range strings.Lines(statements) {
			if !yield([]byte(strings.TrimSuffix(line, "\n")), nil) {
				return
			}
		}
	}, base.Options{}); err != nil {
		t.Fatal(err)
	}
	b, err := base.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	data := filepath.Join(dir, "set.jsonl")
	write := func(text string) {
		if err := os.WriteFile(data, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write(`{"text":"«Ä» Page took his Gibson guitar to Ruritania.","mentions":[{"start":4,"end":8,"qid":"Q1"},{"start":35,"end":44,"qid":"Q9"}]}
{"text":"Page made a search engine.","mentions":[{"start":0,"end":4,"qid":"Q7","title":"Larry_Page"},{"start":5,"end":9,"qid":"<NIL>"},{"start":10,"end":11}]}
`)
	r, err := Measure(t.Context(), data, b, true, false)
	if err != nil || r.Gold != 3 || r.Covered != 2 || r.Nil != 2 || r.Ambiguous != 2 || r.Right != 2 || r.Hits != 2 || r.NilF1 != 1 || r.Candidates != 2 {
		t.Errorf("%+v, %v", r, err)
	}
	// What has no types is never left out.
	typed, err := Measure(t.Context(), data, b, true, true)
	if err != nil || typed.Types == nil || *typed.Types != (Pruned{Candidates: 4, Meant: 2}) || typed.Right != r.Right {
		t.Errorf("%+v, %+v, %v", typed, typed.Types, err)
	}
	write(`{"text":"Page left.","mentions":[{"start":0,"end":4,"qid":"Q77"}]}`)
	r, err = Measure(t.Context(), data, b, false, false)
	var out strings.Builder
	if err != nil || r.Print(&out) != nil || !strings.Contains(out.String(), "not measurable") || r.Summary().F1 != nil {
		t.Errorf("%s, %+v, %v", out.String(), r.Summary(), err)
	}
}
