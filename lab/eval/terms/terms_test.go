package terms_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"varve/lab/eval/terms"
)

func TestMeasure(t *testing.T) {
	dir := t.TempDir()
	for name, content := range map[string]string{
		"acter-toy-en.jsonl": `{"id":"1","text":"A wind turbine has a rotor. Wind turbines turn. We like the wind turbine."}` + "\n" + `{"id":"2","text":"The wind turbine is there."}` + "\n",
		"toy_en_terms.tsv":   "wind turbine\tSpecific_Term\nwind turbines\tSpecific_Term\nnever met\tCommon_Term\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	r, err := terms.Measure(dir, "toy", "en")
	if err != nil || r.Texts != 2 || r.Terms != 3 || !r.Tagged || r.Reach < 0.66 || r.Reach > 0.67 || len(r.Rows) != 7 {
		t.Fatalf("%+v %v", r, err)
	}
	for _, row := range r.Rows {
		if row.Best == 0 {
			t.Errorf("%s finds nothing", row.Measure)
		}
	}
	var out strings.Builder
	if err := r.Print(&out); err != nil || !strings.Contains(out.String(), "C-value") || r.Summary().N != 3 || r.Summary().F1 == nil {
		t.Errorf("%s %v", out.String(), err)
	}
	if _, err := terms.Measure(dir, "other", "en"); err == nil {
		t.Error("a domain that is not there was measured")
	}
	if _, err := terms.Measure(dir, "toy", "xx"); err == nil {
		t.Error("a language that is not there was measured")
	}
}
