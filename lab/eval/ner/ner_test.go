package ner_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"varve/lab/eval/corpus"
	"varve/lab/eval/ner"
	"varve/language/lexicon"
	"varve/language/mention"
	"varve/language/tag"
)

const set = "# newdoc id = a\n# text = Barack Obama flew to Paris .\nBarack\tB-PER\nObama\tI-PER\nflew\tO\nto\tO\nParis\tB-LOC\n.\tO\n\nIBM\tB-ORG\nfell\tO\n\n"

func read(t *testing.T, text string) (string, []corpus.Labelled) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "set.tsv")
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	s, err := corpus.ReadLabels(file)
	if err != nil {
		t.Fatal(err)
	}
	return file, s
}

func at(sentence, from, to int, kind mention.Type) mention.Mention {
	return mention.Mention{Sentence: sentence, From: from, To: to, Type: kind, Confidence: 1}
}

// Types are compared by what they mean, what a set does not mark is left out, and a wrong end is wrong.
func TestTally(t *testing.T) {
	_, s := read(t, set)
	for _, c := range []struct {
		found []mention.Mention
		want  float64
	}{
		{[]mention.Mention{at(0, 0, 2, mention.Person), at(0, 4, 5, mention.Location), at(1, 0, 1, mention.Group)}, 1},
		{[]mention.Mention{at(0, 0, 2, mention.Person), at(0, 4, 5, mention.Location), at(1, 0, 1, mention.Organisation), at(0, 2, 3, mention.Work)}, 1},
		{[]mention.Mention{at(0, 0, 1, mention.Person), at(0, 4, 5, mention.Person), at(1, 0, 1, mention.Organisation)}, 1.0 / 3},
		{nil, 0},
	} {
		tally := ner.NewTally(s, lexicon.Default())
		tally.Add(s, c.found, c.found)
		if r := tally.Result(); r.F1 != c.want || r.Alone != c.want || r.N != 3 || r.Summary().N != 3 {
			t.Errorf("%v: %+v", c.found, r)
		}
	}
	if d := ner.Documents(s); len(d) != 1 || len(d[0]) != 2 {
		t.Errorf("%d documents", len(d))
	}
}

func TestMeasure(t *testing.T) {
	file, _ := read(t, set)
	r, err := ner.Measure(file, mention.Default(), tag.Default())
	if err != nil || r.N != 3 || r.F1 < 0.5 || r.Speed <= 0 || r.Listed < 0.5 {
		t.Errorf("%+v %v", r, err)
	}
	var out strings.Builder
	if err := r.Print(&out); err != nil || !strings.Contains(out.String(), "PER") {
		t.Errorf("%s %v", out.String(), err)
	}
	empty, _ := read(t, "")
	if _, err := ner.Measure(empty, mention.Default(), tag.Default()); err == nil {
		t.Error("an empty set was measured")
	}
}
