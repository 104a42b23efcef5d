package emerging

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"varve/evolution/emerging"
	"varve/lab/eval/corpus"
)

func TestSentenceCase(t *testing.T) {
	for title, want := range map[string]string{
		"Learning to Parse with WordNet and OWL": "learning to parse with WordNet and OWL",
		"A Phrase-Based System":                  "a phrase-based system",
		"Cueing the virtual storyteller":         "Cueing the virtual storyteller",
		"":                                       "",
	} {
		if got := sentenceCase(title); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestMeasure: parsers are there always, the web from 1990 on, and the summary is one line that has what was asked for.
func TestMeasure(t *testing.T) {
	var b strings.Builder
	b.WriteString("id\tyear\tvenue\ttitle\n")
	for y := 1980; y <= 1999; y++ {
		for i := range 20 {
			title := "A parser for the lexicon"
			if y >= 1990 && i < 8 {
				title = "Parsers and the web"
			}
			fmt.Fprintf(&b, "%d-%d\t%d\tvenue%d\t%s\n", y, i, y, i%5, title)
		}
	}
	file := filepath.Join(t.TempDir(), "titles.tsv")
	if err := os.WriteFile(file, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	r, err := Measure(t.Context(), file, Options{Seed: 21, Phrases: emerging.Default()})
	if err != nil {
		t.Fatal(err)
	}
	if r.Titles != 400 || r.From != 1980 || r.To != 1999 || len(r.Emerge) != 1 || r.Emerge[0].Phrase != "web" || !r.Emerge[0].Found || r.Emerge[0].Flag != 1991 || r.Learned.False != 0 || r.Learned.Recall != 1 {
		t.Errorf("%+v", r)
	}
	// parser and lexicon are above the plain threshold from the beginning, and emerge never
	if r.Plain.Recall != 1 || r.Plain.False < 0.5 {
		t.Errorf("plain: %+v", r.Plain)
	}
	var out strings.Builder
	if err := r.Print(&out); err != nil || !strings.Contains(out.String(), "web [") {
		t.Errorf("%s %v", out.String(), err)
	}
	if s, err := json.Marshal(r.Summary()); err != nil || !strings.Contains(string(s), `"precision":1,"recall":1`) {
		t.Errorf("%s %v", s, err)
	}
	for _, bad := range []string{"id\tyear\n1\t1990\n", "id\tyear\tvenue\ttitle\n1\tlast\tv\ttitle\n"} {
		if err := os.WriteFile(file, []byte(bad), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := Measure(t.Context(), file, Options{Phrases: emerging.Default()}); err == nil || !strings.Contains(err.Error(), "line 2") {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

// TestStream: concepts that were planted are found, single terms are none.
func TestStream(t *testing.T) {
	s := measureStream(rand.New(rand.NewPCG(21, 4)))
	t.Logf("%+v", s)
	if s.Precision < 0.9 || s.Recall < 0.8 || s.Alone > 0 || s.Belong > 0.5 {
		t.Errorf("%+v", s)
	}
}

// TestPredict: the leaf that was taken is said to belong below the topic whose words it has.
func TestPredict(t *testing.T) {
	tree := []corpus.Node{{Words: []string{"science"}, Gloss: "knowledge", Below: []int{1, 2}}}
	for _, name := range []string{"physics", "botany"} {
		tree = append(tree, corpus.Node{Words: []string{name}, Gloss: "branch of " + name, Depth: 1})
	}
	for i := range 2 {
		for k := range 12 {
			tree[1+i].Below = append(tree[1+i].Below, len(tree))
			tree = append(tree, corpus.Node{Words: []string{fmt.Sprint("leaf", i, k)}, Gloss: []string{"forces, matter, energy", "flowers, trees, grass"}[i], Depth: 2})
		}
	}
	foreign := []corpus.Node{{Words: []string{"car"}, Gloss: "vehicle, wheels, engine"}}
	got := predict(tree, foreign, rand.New(rand.NewPCG(1, 5)))
	if got.Precision != 1 || got.Recall != 1 || got.Taken == 0 || got.Foreign != got.Taken || got.Depths[1].Precision != 1 || got.Depths[1].Recall != 1 {
		t.Errorf("%+v", got)
	}
}
