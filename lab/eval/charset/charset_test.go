package charset_test

import (
	"strings"
	"testing"

	"varve/lab/eval/charset"
	"varve/lab/eval/lid"
)

// Sentences in the encodings of their languages are found again.
func TestMeasure(t *testing.T) {
	var lines []lid.Line
	for lang, text := range map[string]string{
		"ru": "Все люди рождаются свободными и равными в своем достоинстве и правах",
		"de": "Größe und Güte sind schön für Überläufer und Bäcker, überall, auch hier",
	} {
		for i := range 40 {
			lines = append(lines, lid.Line{Lang: lang, Kind: "sentences", Text: text + strings.Repeat(".", i)})
		}
	}
	seen := 0
	for _, s := range charset.Measure(lines, 1) {
		seen += s.Pages
		if s.Right != s.Pages {
			t.Errorf("%+v", s)
		}
	}
	if seen < 20 {
		t.Errorf("only %d pages", seen)
	}
	var out strings.Builder
	if err := charset.Measure(lines, 1).Print(&out); err != nil || !strings.Contains(out.String(), "koi8-r") {
		t.Errorf("%q %v", out.String(), err)
	}
}
