package pos_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"varve/lab/eval/pos"
	"varve/language/tag"
)

func TestMeasure(t *testing.T) {
	file := filepath.Join(t.TempDir(), "small.conllu")
	text := "# text = She didn't run.\n1\tShe\tshe\tPRON\tPRP\t_\t0\t_\t_\t_\n2-3\tdidn't\t_\t_\t_\t_\t_\t_\t_\t_\n2\tdid\tdo\tAUX\tVBD\t_\t0\t_\t_\t_\n3\tn't\tnot\tPART\tRB\t_\t0\t_\t_\t_\n" +
		"4\trun\trun\tVERB\tVB\t_\t0\t_\t_\tSpaceAfter=No\n5\t.\t.\tPUNCT\t.\t_\t0\t_\t_\t_\n\n"
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	r, err := pos.Measure(file, tag.Default())
	if err != nil || r.Words != 5 || r.Penn != 1 || r.Universal != 1 || r.Lemma != 1 || r.Tokens != 1 || r.Frequent != 1 {
		t.Errorf("%+v %v", r, err)
	}
	var out strings.Builder
	if err := r.Print(&out); err != nil || !strings.Contains(out.String(), "Penn tags") || *r.Summary().Accuracy != 1 {
		t.Errorf("%s %v", out.String(), err)
	}
	if _, err := pos.Measure(filepath.Join(t.TempDir(), "nowhere"), tag.Default()); err == nil {
		t.Error("a file that is not there was measured")
	}
}
