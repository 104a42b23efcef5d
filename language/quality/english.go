package quality

import (
	"strings"

	"varve/language/term"
)

// Dictionary is what is asked of a dictionary: which readings a word has; 0 if it is unknown.
type Dictionary interface {
	Readings(word string) uint32
}

// Beginnings and endings that make new words of known ones: noncommunist, zealousness. An ending may replace another: -ization for -ize
// is -ization for the e.
var (
	beginnings = strings.Fields("un re non anti pre pro pseudo multi super sub dis over under inter counter neo semi co mis de out self post ultra")
	endings    = [][2]string{
		{"ness", ""},
		{"ly", ""},
		{"ally", "al"},
		{"ally", ""},
		{"ism", ""},
		{"ist", ""},
		{"ist", "ism"},
		{"ists", "ism"},
		{"ize", ""},
		{"ized", ""},
		{"izing", ""},
		{"ization", ""},
		{"ization", "ize"},
		{"ability", "able"},
		{"ings", ""},
		{"ings", "e"},
		{"ings", "ing"},
		{"able", ""},
		{"able", "e"},
		{"ably", "able"},
		{"less", ""},
		{"folk", ""},
		{"ability", ""},
		{"er", ""},
		{"ers", ""},
		{"ers", "e"},
		{"or", "e"},
		{"ors", "e"},
		{"ing", ""},
		{"ing", "e"},
		{"ed", ""},
		{"ed", "e"},
		{"eth", ""},
		{"eth", "e"},
		{"s", ""},
		{"ic", ""},
		{"istic", ""},
		{"ment", ""},
		{"like", ""},
		{"iness", "y"},
		{"ily", "y"},
	}
	contracted = strings.Fields("n't n’t 've ’ve 'll ’ll 're ’re 'm ’m 'd ’d") // are cut off
)

// English returns what New asks for: whether an English word is in the dictionary, or is made of one that is.
func English(d Dictionary) func(word string) bool {
	has := func(w string) bool { return len(w) > 3 && d.Readings(w) != 0 }
	ends := func(w string) bool {
		if has(w) {
			return true
		}
		for _, e := range endings {
			if stem, ok := strings.CutSuffix(w, e[0]); ok && has(stem+e[1]) && len(stem) > 3 {
				return true
			}
		}
		return false
	}
	return func(w string) bool {
		if term.Function("en", w) {
			return true
		}
		for _, e := range contracted {
			w = strings.TrimSuffix(w, e)
		}
		if term.Function("en", w) || d.Readings(w) != 0 {
			return true
		}
		if len(w) < 6 {
			return false
		}
		if ends(w) {
			return true
		}
		for _, b := range beginnings {
			if stem, ok := strings.CutPrefix(w, b); ok && len(stem) > 4 && ends(stem) {
				return true
			}
		}
		return false
	}
}
