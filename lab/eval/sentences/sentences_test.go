package sentences_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"varve/lab/eval/lid"
	"varve/lab/eval/sentences"
)

// Sentences with an abbreviation inside are where the rules of Unicode alone fail.
func TestMeasure(t *testing.T) {
	var lines []lid.Line
	for range 20 {
		lines = append(lines, lid.Line{Lang: "en", Kind: "sentences", Text: "Dr. Smith paid Mr. Jones."}, lid.Line{Lang: "en", Kind: "words", Text: "x"})
	}
	scores := sentences.Measure(sentences.Join(lines))
	if len(scores) != 1 || scores[0].F1 != 1 || scores[0].Plain > 0.9 || scores[0].Sentences != 20 {
		t.Errorf("%+v", scores)
	}
	var out strings.Builder
	if err := scores.Print(&out); err != nil || !strings.Contains(out.String(), "mean") {
		t.Errorf("%q %v", out.String(), err)
	}
}

const treebank = `# newdoc id = one
# newpar
# text = A heading
1	A	a	DET	DT	_	0	root	_	_
2	heading	heading	NOUN	NN	_	0	root	_	_

# newpar
# text = He came.
1	He	he	PRON	PRP	_	0	root	_	_
2	came	come	VERB	VBD	_	0	root	_	SpaceAfter=No
3	.	.	PUNCT	.	_	0	root	_	SpaceAfter=No

# text = "She left."
1	"	"	PUNCT	""	_	0	root	_	SpaceAfter=No
2	She	she	PRON	PRP	_	0	root	_	_
3	left	leave	VERB	VBD	_	0	root	_	SpaceAfter=No
4	.	.	PUNCT	.	_	0	root	_	SpaceAfter=No
5	"	"	PUNCT	""	_	0	root	_	_

# newdoc id = two
# text = A second document.
1	A	a	DET	DT	_	0	root	_	_
2	second	second	ADJ	JJ	_	0	root	_	_
3	document	document	NOUN	NN	_	0	root	_	SpaceAfter=No
4	.	.	PUNCT	.	_	0	root	_	_
`

// Documents of a treebank are texts as they were written: paragraphs apart, and no blank where there was none.
func TestLoadTreebank(t *testing.T) {
	file := filepath.Join(t.TempDir(), "small.conllu")
	if err := os.WriteFile(file, []byte(treebank), 0o644); err != nil {
		t.Fatal(err)
	}
	texts, err := sentences.Load(file, "en")
	if err != nil || len(texts) != 2 {
		t.Fatalf("%d texts, %v", len(texts), err)
	}
	if want := "A heading\n\nHe came.\"She left.\""; texts[0].Text != want {
		t.Errorf("%q, want %q", texts[0].Text, want)
	}
	for _, text := range texts {
		for _, s := range text.Sentences {
			if piece := text.Text[s.Start:s.End]; piece != strings.TrimSpace(piece) || piece == "" {
				t.Errorf("%q", piece)
			}
		}
	}
	if s := texts[0].Sentences; len(s) != 3 || texts[0].Text[s[2].Start:s[2].End] != `"She left."` {
		t.Errorf("%v", s)
	}
}

func TestLoadRefuses(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"empty.conllu": "", "columns.conllu": "1\tword\n"} {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := sentences.Load(file, "en"); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
