package changerate

import (
	"math"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Subject is what a predictor may know of a page. Online, before it is fetched, that is URL and MIME type; offline also
// Content.
type Subject struct {
	URL     string
	MIME    string // without parameters; empty if not known
	Content *Content
}

// Content is what the features of a fetched page need. Negative numbers are not known.
type Content struct {
	SinceChange float64 // days since the last change
	Images      int
	Tables      int
	Outlinks    int
	Inlinks     int
}

// symbols are those whose presence in path and query is a feature.
const symbols = "~_?;:,%"

// words is how many words of the path are features.
const words = 3

// url is a URL taken apart as far as the features need; broken ones give what can be had.
type url struct {
	domain string
	depth  float64 // slashes in the path
	length float64
	words  [words]string // of the path, in lower case; empty for none
	has    [len(symbols)]bool
}

func split(raw string) url {
	u := url{length: float64(utf8.RuneCountInString(raw))}
	rest := raw
	if _, after, ok := strings.Cut(raw, "://"); ok {
		rest = after
	}
	if i := strings.IndexByte(rest, '#'); i >= 0 {
		rest = rest[:i]
	}
	end := strings.IndexAny(rest, "/?")
	if end < 0 {
		end = len(rest)
	}
	u.domain = strings.TrimPrefix(strings.ToLower(rest[:end]), "www.")
	rest = rest[end:]
	for i := range symbols {
		u.has[i] = strings.IndexByte(rest, symbols[i]) >= 0
	}
	path, _, _ := strings.Cut(rest, "?")
	u.depth = float64(strings.Count(path, "/"))
	n := 0
	for w := range strings.FieldsFuncSeq(path, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if n == words {
			break
		}
		u.words[n] = strings.ToLower(w)
		n++
	}
	return u
}

// unknown turns a count that is not known into a missing value.
func unknown(n int) float64 {
	if n < 0 {
		return math.NaN()
	}
	return float64(n)
}
