package quality

import "strings"

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

// closed are the words of the closed classes (articles, pronouns, prepositions, conjunctions, auxiliaries), which WordNet does not have.
const closed = ` a an the this that these those and or but nor if because since until unless although though while whereas whether than lest
	i me my mine myself you your yours yourself yourselves he him his himself she her hers herself it its itself we us our ours ourselves they them their theirs themselves thee thou thy
	who whom whose which what where when why how whoever whomever whatever whichever wherever whenever however wherein whereby whereas
	anybody anyone anything everybody everyone everything somebody someone something nobody nothing none each every either neither both such same other others another
	of to from with for by at in on into onto upon among amongst amid between during against toward towards without within throughout via per despite unlike regarding beside besides beyond underneath
	am is are was were be been being do does did done has have had having can cannot could may might must shall should will would ought not
	as so then there thus hence therefore moreover furthermore otherwise meanwhile nevertheless nonetheless herein hereby thereby therein thereof thereafter hereafter
	etc ok okay vs won't can't shan't won’t can’t shan’t `

// English returns what New asks for: whether an English word is in the dictionary, or is made of one that is.
func English(d Dictionary) func(word string) bool {
	function := map[string]bool{}
	for w := range strings.FieldsSeq(closed) {
		function[w] = true
	}
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
		if function[w] {
			return true
		}
		for _, e := range contracted {
			w = strings.TrimSuffix(w, e)
		}
		if function[w] || d.Readings(w) != 0 {
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
