package sparql

import (
	"math"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"varve/kb/model"
	"varve/kb/rdf"
	"varve/text/token"
)

// Functions are those of whoever asks, beside the ones of the standard: by the IRI of a call, nil if it is not known. What it returns must not keep its arguments; false is an error of the expression.
type Functions func(iri string) func(args []rdf.Term) (rdf.Term, bool)

// Text search in values, and the names of entities:
//
//	varve:matches(?text, "query")    whether a text has all words of a query, whatever their case and accents
//	varve:score(?text, "query")      how well it does, for ORDER BY: 0 if it does not
//	varve:entity("Angela Merkel")    the entity that has a name (kb/model), as an IRI
//	varve:entityName(?entity)        and its name
//
// A query is words with blanks between them. "several words" in quotation marks stand next to each other, elect* is the beginning of a word, and a word behind - may not be there.
//
//	score = (sum over words and phrases w of 1 + ln times(w)) / sqrt(words of the text)
//
// A text of 9 words that has one word of the query once and the other three times: (1 + 1 + ln 3) / 3 = 1.03. Cost is linear in the text: there is no index behind it, so narrow by triples first.
func (c *compiler) searchFunction(iri string) function {
	local, ours := strings.CutPrefix(iri, model.NS)
	if !ours {
		return nil
	}
	switch local {
	case "matches":
		return c.search(func(s float64) rdf.Term { return boolTerm(s > 0) })
	case "score":
		return c.search(func(s float64) rdf.Term { return numeric{kind: doubleKind, f: s}.term() })
	case "entity":
		return func(args []rdf.Term) (rdf.Term, bool) {
			name, ok := plain(args, 1)
			if name = strings.Join(strings.Fields(name), " "); !ok || name == "" {
				return rdf.Term{}, false
			}
			return model.Entity(name), true
		}
	case "entityName":
		return func(args []rdf.Term) (rdf.Term, bool) {
			if len(args) != 1 || args[0].Kind != rdf.IRI {
				return rdf.Term{}, false
			}
			name, ok := model.EntityName(args[0])
			return rdf.NewString(name), ok
		}
	}
	return nil
}

// plain returns the value of a string, the first of so many arguments.
func plain(args []rdf.Term, n int) (string, bool) {
	if len(args) != n {
		return "", false
	}
	t := args[0]
	return t.Value, t.Kind == rdf.Literal && (t.Datatype == rdf.String || t.Datatype == rdf.LangString)
}

// search returns a function of a text and a query. The query is nearly always one for all solutions, so it is read once.
func (c *compiler) search(answer func(float64) rdf.Term) function {
	var last string
	var q []searched
	return func(args []rdf.Term) (rdf.Term, bool) {
		text, ok := plain(args, 2)
		query, okQuery := plain(args[min(1, len(args)):], 1)
		if !ok || !okQuery {
			return rdf.Term{}, false
		}
		if q == nil || query != last {
			last, q = query, parseSearch(query)
		}
		if len(q) == 0 {
			return rdf.Term{}, false // a query without words
		}
		return answer(score(text, q)), true
	}
}

// searched is a word or a phrase of a query.
type searched struct {
	words  []string
	prefix bool // the last word is the beginning of one
	not    bool
}

// parseSearch reads a query.
func parseSearch(query string) (out []searched) {
	out = []searched{}
	for len(query) > 0 {
		query = strings.TrimLeft(query, " \t\r\n")
		var s searched
		query, s.not = strings.CutPrefix(query, "-")
		var part string
		if rest, quoted := strings.CutPrefix(query, `"`); quoted {
			part, query, _ = strings.Cut(rest, `"`)
		} else {
			at := strings.IndexAny(query, " \t\r\n\"")
			if at < 0 {
				at = len(query)
			}
			part, query = query[:at], query[at:]
			part, s.prefix = strings.CutSuffix(part, "*")
		}
		if s.words = wordsOf(part); len(s.words) > 0 {
			out = append(out, s)
		} else if part == "" && query == "" {
			break
		}
	}
	return out
}

// wordsOf returns the words of a text in small letters without accents.
func wordsOf(s string) (out []string) {
	for w := range token.Words(s) {
		out = append(out, unaccented(w.Text))
	}
	return out
}

func unaccented(w string) string {
	w = strings.ToLower(w)
	if strings.IndexFunc(w, func(r rune) bool { return r >= 0x80 }) < 0 {
		return w
	}
	return strings.ToLower(strings.Map(func(r rune) rune {
		if r >= 0x300 && r < 0x370 { // combining marks
			return -1
		}
		return r
	}, norm.NFKD.String(w)))
}

// score returns how well a text fits a query; 0 if something of it is not there, or is that may not be.
func score(text string, q []searched) float64 {
	words := wordsOf(text)
	sum := 0.0
	for _, s := range q {
		n := 0
		for i := range words {
			if s.at(words[i:]) {
				n++
			}
		}
		if (n > 0) == s.not {
			return 0
		}
		if !s.not {
			sum += 1 + math.Log(float64(n))
		}
	}
	if sum == 0 { // only what may not be there
		sum = 1
	}
	return sum / math.Sqrt(float64(max(1, len(words))))
}

// at reports whether words begin with what is searched.
func (s *searched) at(words []string) bool {
	n := len(s.words)
	if len(words) < n {
		return false
	}
	if s.prefix {
		return slices.Equal(words[:n-1], s.words[:n-1]) && strings.HasPrefix(words[n-1], s.words[n-1])
	}
	return slices.Equal(words[:n], s.words)
}
