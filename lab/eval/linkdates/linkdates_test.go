package linkdates_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"varve/entity/base"
	"varve/lab/eval/linkdates"
)

// Two Johnsons who were president, a footballer who was born later, and one whom no speech can mean: the day leaves the footballer out, and gold is the last who was elected before the speech.
func TestMeasure(t *testing.T) {
	dir := t.TempDir()
	write := func(name, content string) string {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	speeches := filepath.Dir(write("ungdc/1960s.jsonl", `{"state":"KEN","year":1965,"text":"We thank President Johnson for his words. President Johnson was kind."}
{"state":"KEN","year":1965,"text":"We thank President Johnson Sirleaf, President Johnson-Meyer and President Smith."}
{"state":"KEN","year":1860,"text":"We thank President Johnson, who is not elected yet."}
`))
	officials := write("executive.jsonl", `{"id":{"bioguide":"J1"},"name":{"last":"Johnson"},"terms":[{"type":"prez","start":"1865-04-15"}]}
{"id":{"wikidata":"Q9640"},"name":{"last":"Johnson"},"terms":[{"type":"viceprez","start":"1961-01-20"},{"type":"prez","start":"1963-11-22"}]}
`)
	path := filepath.Join(dir, base.FileName)
	say := func(yield func([]byte, error) bool) {
		for _, line := range []string{
			"bioguide:J1\t2\tAndrew Johnson\t1", "bioguide:J1\t4\tperson\t1", "bioguide:J1\t5\t1808-12-29\t1", "bioguide:J1\t6\t1875\t1",
			"Q9640\t2\tLyndon Johnson\t1", "Q9640\t4\tperson\t1", "Q9640\t5\t1908-08-27\t1",
			"x:glen\t2\tGlen Johnson\t1", "x:glen\t4\tperson\t1", "x:glen\t5\t1984-08-23\t1", "x:glen\t8\t\t100", // much written of
			"x:band\t2\tThe Johnson\t1", "x:band\t5\t1950\t1", // no person
		} {
			if !yield([]byte(line), nil) {
				return
			}
		}
	}
	if _, err := base.Build(t.Context(), path, say, base.Options{}); err != nil {
		t.Fatal(err)
	}
	r, err := linkdates.Measure(t.Context(), speeches, linkdates.Options{Base: path, Officials: officials, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	if r.Speeches != 3 || r.Met != 1 || r.N != 1 || r.Candidates != 3 || r.Gone != 2.0/3 {
		t.Errorf("%+v", r)
	}
	if without, with := r.Ways[0], r.Ways[1]; without.Right != 0 || with.Right != 1 {
		t.Errorf("without a day %d right, with it %d", without.Right, with.Right)
	}
	var b strings.Builder
	if err := r.Print(&b); err != nil || !strings.Contains(b.String(), "with its day") {
		t.Errorf("%v: %s", err, b.String())
	}
}
