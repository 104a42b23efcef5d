package term

import (
	"strings"
	"testing"
)

// Every language with terms has function words, which are of it alone where languages differ.
func TestFunction(t *testing.T) {
	for _, lang := range Languages() {
		if len(functionSets()[lang]) < 150 {
			t.Errorf("%s has %d function words", lang, len(functionSets()[lang]))
		}
		for w := range functionSets()[lang] {
			if w != strings.ToLower(w) {
				t.Errorf("%s: %q is not in lower case", lang, w)
			}
		}
	}
	for _, c := range []struct {
		lang, word string
		want       bool
	}{{"en", "the", true}, {"en", "don’t", true}, {"en", "war", false}, {"de", "war", true}, {"de", "rat", false}, {"fr", "été", true}, {"xx", "the", false}, {"en", "", false}} {
		if Function(c.lang, c.word) != c.want {
			t.Errorf("%s %q: %v", c.lang, c.word, !c.want)
		}
	}
}
