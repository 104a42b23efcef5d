package sentences_test

import (
	"strings"
	"testing"

	"varve/lab/eval/language"
	"varve/lab/eval/sentences"
)

// Sentences with an abbreviation inside are where the rules of Unicode alone fail.
func TestMeasure(t *testing.T) {
	var lines []language.Line
	for range 20 {
		lines = append(lines, language.Line{Lang: "en", Kind: "sentences", Text: "Dr. Smith paid Mr. Jones."}, language.Line{Lang: "en", Kind: "words", Text: "x"})
	}
	scores := sentences.Measure(lines)
	if len(scores) != 1 || scores[0].F1 != 1 || scores[0].Plain > 0.9 || scores[0].Sentences != 20 {
		t.Errorf("%+v", scores)
	}
	var out strings.Builder
	if err := sentences.Print(&out, scores); err != nil || !strings.Contains(out.String(), "mean") {
		t.Errorf("%q %v", out.String(), err)
	}
}
