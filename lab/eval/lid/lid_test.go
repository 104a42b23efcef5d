package lid_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"varve/lab/eval/lid"
	"varve/lab/eval/maintext"
	"varve/text/lang"
)

// lines makes lines of two languages of our own, which no fifth of them can fail to tell apart.
func lines() (list []lid.Line) {
	for i := range 200 {
		list = append(list,
			lid.Line{Lang: "xx", Kind: "sentences", Text: fmt.Sprintf("abba baab aab%s", strings.Repeat("ab", i))},
			lid.Line{Lang: "yy", Kind: "sentences", Text: fmt.Sprintf("cddc dccd ccd%s", strings.Repeat("cd", i))})
	}
	return list
}

func TestTrainAndMeasure(t *testing.T) {
	var model bytes.Buffer
	if err := lid.Train(lines(), &model); err != nil {
		t.Fatal(err)
	}
	x, err := lang.Read(&model)
	if err != nil {
		t.Fatal(err)
	}
	r := lid.Measure(x, lid.HeldOut(lines()))
	if len(r.Kinds) != 1 || r.Kinds[0].Accuracy != 1 || r.Kinds[0].Lines < 40 || r.Kinds[0].Lines > 120 || len(r.Confusions) != 0 {
		t.Errorf("%+v", r)
	}
	var out strings.Builder
	if err := r.Print(&out); err != nil || !strings.Contains(out.String(), "sentences") {
		t.Errorf("%q %v", out.String(), err)
	}
}

func TestLoadRefuses(t *testing.T) {
	for _, text := range []string{"", "no tabs\n"} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "sentences-words.tsv"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := lid.Load(dir); err == nil {
			t.Errorf("%q was read", text)
		}
	}
	if _, err := lid.Load(t.TempDir()); err == nil {
		t.Error("an empty folder was read")
	}
}

// Pages are measured against what they declare.
func TestPages(t *testing.T) {
	text := strings.Repeat("The tide table of the harbour is printed twice a year, and the old fishermen mark the spring tides. ", 10)
	var pages []maintext.Page
	for _, l := range []string{"en-GB", "de", "xx"} {
		pages = append(pages, maintext.Page{File: l, Body: []byte("<html lang=" + l + "><body><p>" + text)})
	}
	p := lid.MeasurePages(lang.Default(), pages)
	if p.Pages != 2 || p.Agree != 1 || len(p.Differ) != 1 || !strings.HasPrefix(p.Differ[0], "de:") {
		t.Errorf("%+v", p)
	}
}
