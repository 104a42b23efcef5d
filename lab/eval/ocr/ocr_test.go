package ocr_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"varve/lab/eval/ocr"
)

func TestJudged(t *testing.T) {
	list := ocr.Judged()
	printed := 0
	seen := map[ocr.Judgement]bool{}
	for _, j := range list {
		if j.Printed != "" {
			printed++
		}
		if j.File == "" || seen[j] {
			t.Errorf("%+v", j)
		}
		seen[j] = true
	}
	if printed < 200 || len(list)-printed < 200 {
		t.Errorf("%d errors of %d words", printed, len(list))
	}
}

func TestMeasure(t *testing.T) {
	dir := t.TempDir()
	write := func(path, text string) {
		file := filepath.Join(dir, path)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	good := strings.Repeat("the members support the resolution of the assembly ", 50)
	for _, d := range []string{"1940s", "1950s", "1960s", "1970s", "1980s", "1990s", "2000s", "2010s", "2020s"} {
		write("evolution/ungdc/"+d+".jsonl", `{"text":"`+good+`of fupport the members qwxzy"}`+"\n")
	}
	for _, n := range []string{"topres19th-dev-en", "topres19th-train-en", "hipe2020-dev-en"} {
		write("ner/NC/hipe/"+n+".tsv", "# hipe2022:document_id = 1\nmem\tO\t_\tNoSpaceAfter\nbers\tO\t_\t_\n\n# hipe2022:document_id = 2\nsupport\tO\t_\tEndOfLine\nit\tO\t_\t_\n")
	}
	documents, err := ocr.Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	if d := documents["hipe2020-dev-en"]; len(d) != 2 || d[0] != "members " || d[1] != "support\nit " {
		t.Errorf("%q", d)
	}
	at := strings.Index(documents["1940s"][0], "fupport")
	r, err := ocr.Measure(documents, []ocr.Judgement{{"1940s", 0, at, "support"}, {"1940s", 0, at + len("fupport the members "), ""}, {"1950s", 0, at, "nothing"}}, true)
	if want := (ocr.Score{Errors: 2, Corrected: 1, Changed: 1, Right: 1}); err != nil || r.All != want || r.Sets["speeches"].Words == 0 || len(r.Wrong) != 1 {
		t.Errorf("%+v %v", r, err)
	}
	var out strings.Builder
	if err := r.Print(&out); err != nil || !strings.Contains(out.String(), "speeches") || *r.Summary().Accuracy != 0.5 {
		t.Errorf("%s %v", out.String(), err)
	}
	if _, err := ocr.Measure(documents, []ocr.Judgement{{"1940s", 7, 0, ""}}, false); err == nil {
		t.Error("a document that is not there was judged")
	}
	if _, err := ocr.Load(filepath.Join(dir, "nowhere")); err == nil {
		t.Error("a folder that is not there was read")
	}
}
