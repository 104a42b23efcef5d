package opinions_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"varve/lab/eval/opinions"
	"varve/language/opinion"
)

func write(t *testing.T, content string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "small.tsv")
	if err := os.WriteFile(file, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestMeasure(t *testing.T) {
	file := write(t, "id\tmean_rating\ttext\n1\t3\tA wonderful &amp; brilliant film!\n2\t-3\tTerrible, a horrible waste.\n3\t0\tThe session opens at noon.\n4\t1.5\tGood fun.\n")
	r, err := opinions.Measure(file, opinion.Default(), opinion.Default())
	if err != nil || r.Sentences != 4 || r.Pearson < 0.8 || r.Rule < 0.8 || r.Plain < 0.8 || r.Silent != 1 || r.Sign != 1 {
		t.Errorf("%+v %v", r, err)
	}
	var out strings.Builder
	if err := r.Print(&out); err != nil || !strings.Contains(out.String(), "VADER's rule") || *r.Summary().Pearson < 0.8 {
		t.Errorf("%s %v", out.String(), err)
	}
	for _, bad := range []string{"", "1\t2\n", "1\tgood\ttext\n", "1\t9\ttext\n2\t1\ttext\n"} {
		if _, err := opinions.Measure(write(t, bad), opinion.Default(), nil); err == nil {
			t.Errorf("%q was measured", bad)
		}
	}
}
