package mention

import (
	"context"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"varve/language/lexicon"
	"varve/learn/chain"
)

// Listed finds names without a model: in languages for which none may be learned from the sets at hand. It knows the gazetteer, a few words that stand before places,
// and the words of the language that mean nothing by themselves. What it is unsure of it leaves out.
//
//	person  a first name and one or two names behind it ("Angela Merkel", "Ludwig van Beethoven"); later in the text the last name alone
//	place   a large place behind a word that says where ("in Berlin", "à Lyon"); and wherever else a text has it then, if it is no name of persons
//	others  names of two words and more that the gazetteer has
//
// All have the same confidence, somewhat below the share that was right on other texts (docs/models/mentions.md).
type Listed struct {
	lexicon  *lexicon.Lexicon
	function func(lower string) bool
	common   func(lower string) bool
	where    map[string]bool
}

// listedConfidence is that of what is found by lists.
const listedConfidence = 0.8

// where are the words directly before places, by language. Those that rather join names (the Canadiens de Montréal) are not among them.
var where = map[string]string{
	"de": "in nach aus bei bis über um nahe im",
	"fr": "à en vers depuis",
	"es": "en desde hacia hasta a",
}

// ListedLanguages are those that Listed knows, by ISO 639-1.
func ListedLanguages() []string { return []string{"de", "es", "fr"} }

// NewListed returns a finder for a language; function reports whether a word in lower case is one of its function words, and common
// whether it is one that is often written.
func NewListed(lang string, x *lexicon.Lexicon, function, common func(lower string) bool) *Listed {
	l := &Listed{lexicon: x, function: function, common: common, where: map[string]bool{}}
	for w := range strings.FieldsSeq(where[lang]) {
		l.where[w] = true
	}
	return l
}

// Find returns the names of a document, whose sentences are lists of words, in the order of the text.
func (l *Listed) Find(ctx context.Context, document [][]string) ([]Mention, error) {
	var found []Mention
	last := map[string]bool{}   // last names of persons whom the text names in full
	places := map[string]bool{} // that some word says to be one
	for i, words := range document {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		loud := shouting(words)
		for at := 0; at < len(words) && !loud; {
			m := l.longest(i, words, at)
			switch {
			case m.To == 0:
				at++
				continue
			case m.Type == Person && m.To > m.From+1:
				last[words[m.To-1]] = true
			case m.Type == Location && m.To == m.From+1:
				if at == 0 || !l.where[strings.ToLower(words[at-1])] {
					m.To = 0
				} else if l.bits(words[at:m.To])&(lexicon.FirstName|lexicon.LastName) == 0 {
					places[words[at]] = true
				}
			}
			if m.To == 0 {
				at++
				continue
			}
			found = append(found, m)
			at = m.To
		}
	}
	return l.again(document, found, last, places), nil
}

// again adds last names alone and places that were met elsewhere in the text.
func (l *Listed) again(document [][]string, found []Mention, last, places map[string]bool) []Mention {
	var out []Mention
	for i, words := range document {
		for at := 0; at < len(words); at++ {
			switch w := words[at]; {
			case len(found) > 0 && found[0].Sentence == i && found[0].From == at:
				out = append(out, found[0])
				at = found[0].To - 1
				found = found[1:]
			case last[w]:
				out = append(out, Mention{i, at, at + 1, Person, listedConfidence})
			case places[w]:
				out = append(out, Mention{i, at, at + 1, Location, listedConfidence})
			}
		}
	}
	return out
}

// particles stand between first and last names.
var particles = []string{"von", "van", "de", "der", "den", "di", "da", "del", "du", "la", "le", "el", "al", "zu", "zum", "zur", "ben", "bin", "ibn", "ten", "dos", "das", "do", "y", "st.", "-"}

// longest returns the name that begins at a word; its end is 0 if there is none.
func (l *Listed) longest(sentence int, words []string, at int) Mention {
	if !l.proper(words[at]) {
		return Mention{}
	}
	own := l.bits(words[at : at+1])
	if to := l.person(words, at, own); to > 0 {
		return Mention{sentence, at, to, Person, listedConfidence}
	}
	for to := min(len(words), at+longestName); to > at+1; to-- {
		if l.proper(words[to-1]) {
			if t := kindOf(l.bits(words[at:to])); t != "" {
				return Mention{sentence, at, to, t, listedConfidence}
			}
		}
	}
	if own&lexicon.LargePlace != 0 {
		return Mention{sentence, at, at + 1, Location, listedConfidence}
	}
	return Mention{}
}

// person returns where a person ends who begins with a first name; 0 if there is none.
func (l *Listed) person(words []string, at int, own uint32) int {
	if own&lexicon.FirstName == 0 {
		return 0
	}
	i := at + 1
	for i < len(words) && i < at+3 && l.proper(words[i]) && l.bits(words[i:i+1])&lexicon.FirstName != 0 && i+1 < len(words) && l.proper(words[i+1]) {
		i++ // a second first name
	}
	for i < len(words) && i < at+5 && slices.Contains(particles, words[i]) {
		i++
	}
	if i == len(words) || !l.proper(words[i]) {
		return 0
	}
	if is := l.bits(words[i : i+1]); is&(lexicon.LastName|lexicon.FirstName) == 0 && (own&lexicon.LargePlace != 0 || is&(lexicon.LargePlace|lexicon.Place) != 0 || l.common(strings.ToLower(words[i]))) {
		return 0 // "Paris Match"; a last name that no list has is no word that is often written
	}
	return i + 1
}

// bits returns what a name is known as.
func (l *Listed) bits(words []string) uint32 {
	return l.lexicon.Name(chain.Hash(strings.ToLower(strings.Join(words, " ")))) &^ lexicon.Prefix
}

// kindOf returns the type of a name of several words.
func kindOf(bits uint32) Type {
	switch {
	case bits&lexicon.PersonName != 0:
		return Person
	case bits&(lexicon.LargePlace|lexicon.Place) != 0:
		return Location
	case bits&lexicon.OrganisationName != 0:
		return Organisation
	}
	return ""
}

// proper reports whether a word may be one of a name: a capital, then small letters, and no function word.
func (l *Listed) proper(word string) bool {
	r, n := utf8.DecodeRuneInString(word)
	return unicode.IsUpper(r) && n < len(word) && len(word) <= longest && strings.IndexFunc(word[n:], unicode.IsLower) >= 0 && !l.function(strings.ToLower(word))
}
