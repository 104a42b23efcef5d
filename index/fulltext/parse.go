package fulltext

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Limits of a query.
const (
	maxQuery = 4 << 10 // bytes
	maxDepth = 20      // parentheses
	maxWords = 100
)

// Node is a parsed query: And, Or, Not, Words.
type Node interface{ node() }

// And needs all of its parts.
type And []Node

// Or needs one of its parts.
type Or []Node

// Not needs its part to be missing.
type Not struct{ Node }

// Words are one word, or several in a row.
type Words struct {
	Field  string // text, title, anchor, url; "" for any of them
	Text   string // as written; the analyser makes words of it
	Prefix bool   // the last word may go on
	Within int    // words between the first and the last one beyond those asked for, in any order; 0: in a row
}

func (And) node()   {}
func (Or) node()    {}
func (Not) node()   {}
func (Words) node() {}

// SyntaxError tells where a query stops making sense.
type SyntaxError struct {
	At  int // character, from 0
	Msg string
}

func (e *SyntaxError) Error() string { return fmt.Sprintf("query, at character %d: %s", e.At+1, e.Msg) }

// Parse reads a query.
//
//	query  = either { "OR" either }
//	either = part { ["AND"] part }
//	part   = ["NOT" | "-"] ( "(" query ")" | [field ":"] words )
//	words  = word | word "*" | '"' ... '"' [ "~" number ]
//
// Quotes may be those of printers: “so”, „so“, «so».
//
// An empty query gives nil: everything.
func Parse(query string) (Node, error) {
	if len(query) > maxQuery {
		return nil, &SyntaxError{utf8.RuneCountInString(query[:maxQuery]), fmt.Sprintf("longer than %d bytes", maxQuery)}
	}
	if at := notUTF8(query); at >= 0 {
		return nil, &SyntaxError{utf8.RuneCountInString(query[:at]), "not UTF-8"}
	}
	p := &parser{s: query}
	p.blank()
	if p.at == len(p.s) {
		return nil, nil
	}
	n, err := p.query()
	if err == nil && p.at < len(p.s) {
		err = p.fail("a closing parenthesis without an opening one")
	}
	return n, err
}

// notUTF8 is where bytes are that are no text; -1 if there are none.
func notUTF8(s string) int {
	for i, r := range s {
		if r == utf8.RuneError && !strings.HasPrefix(s[i:], string(utf8.RuneError)) {
			return i
		}
	}
	return -1
}

// quotes are the marks that may begin or end a phrase.
const quotes = "\"“”„‟«»"

// quote is the length of a mark at a place that begins or ends a phrase; 0 if there is none.
func (p *parser) quote(at int) int {
	r, n := utf8.DecodeRuneInString(p.s[at:])
	if n > 0 && strings.ContainsRune(quotes, r) {
		return n
	}
	return 0
}

type parser struct {
	s     string
	at    int
	depth int
	words int
}

func (p *parser) fail(msg string) error {
	return &SyntaxError{utf8.RuneCountInString(p.s[:p.at]), msg}
}

func (p *parser) blank() {
	for p.at < len(p.s) {
		r, n := utf8.DecodeRuneInString(p.s[p.at:])
		if !unicode.IsSpace(r) {
			return
		}
		p.at += n
	}
}

// keyword passes over a word in capitals.
func (p *parser) keyword(w string) bool {
	rest, ok := strings.CutPrefix(p.s[p.at:], w)
	if !ok {
		return false
	}
	if r, _ := utf8.DecodeRuneInString(rest); rest != "" && !unicode.IsSpace(r) && r != '(' && !strings.ContainsRune(quotes, r) {
		return false
	}
	p.at += len(w)
	p.blank()
	return true
}

func (p *parser) query() (Node, error) {
	var out Or
	for {
		n, err := p.all()
		if err != nil {
			return nil, err
		}
		out = append(out, n)
		if !p.keyword("OR") {
			break
		}
	}
	if len(out) == 1 {
		return out[0], nil
	}
	return out, nil
}

func (p *parser) all() (Node, error) {
	var out And
	for {
		n, err := p.part()
		if err != nil {
			return nil, err
		}
		out = append(out, n)
		p.keyword("AND")
		if p.at == len(p.s) || p.s[p.at] == ')' || p.ahead("OR") {
			break
		}
	}
	if len(out) == 1 {
		return out[0], nil
	}
	return out, nil
}

func (p *parser) ahead(w string) bool {
	at := p.at
	defer func() { p.at = at }()
	return p.keyword(w)
}

func (p *parser) part() (Node, error) {
	if p.keyword("NOT") || p.minus() {
		n, err := p.part()
		return Not{n}, err
	}
	if p.at == len(p.s) {
		return nil, p.fail("something is missing at the end")
	}
	if p.s[p.at] != '(' {
		return p.leaf()
	}
	if p.depth++; p.depth > maxDepth {
		return nil, p.fail("too many parentheses")
	}
	p.at++
	p.blank()
	n, err := p.query()
	if err != nil {
		return nil, err
	}
	if p.at == len(p.s) {
		return nil, p.fail("a closing parenthesis is missing")
	}
	p.at++
	p.depth--
	p.blank()
	return n, nil
}

func (p *parser) minus() bool {
	if p.at+1 >= len(p.s) || p.s[p.at] != '-' || p.s[p.at+1] == ' ' {
		return false
	}
	p.at++
	if p.depth++; p.depth > maxDepth { // "----..." is as deep as parentheses
		p.depth--
		return false
	}
	p.depth--
	return true
}

// Fields are the fields that a query may name.
func Fields() []string { return slices.Clone(fields[:]) }

var fields = [4]string{"text", "title", "anchor", "url"}

// fieldNumber is the place of a field among the fields.
func fieldNumber(name string) int { return max(0, slices.Index(fields[:], name)) }

func (p *parser) leaf() (Node, error) {
	if p.words++; p.words > maxWords {
		return nil, p.fail(fmt.Sprintf("more than %d words", maxWords))
	}
	var w Words
	for _, f := range fields {
		if strings.HasPrefix(p.s[p.at:], f+":") {
			w.Field = f
			p.at += len(f) + 1
			break
		}
	}
	if p.quote(p.at) > 0 {
		return p.phrase(w)
	}
	from := p.at
	if n := strings.IndexAny(p.s[p.at:], " \t\r\n()"+quotes); n >= 0 {
		p.at += n
	} else {
		p.at = len(p.s)
	}
	w.Text = p.s[from:p.at]
	if w.Text == "" {
		return nil, p.fail("a word is missing")
	}
	if t, ok := strings.CutSuffix(w.Text, "*"); ok {
		w.Text, w.Prefix = t, true
		if utf8.RuneCountInString(t) < 2 {
			p.at = from
			return nil, p.fail("at least two letters before *")
		}
	}
	p.blank()
	return w, nil
}

func (p *parser) phrase(w Words) (Node, error) {
	from := p.at + p.quote(p.at)
	end := strings.IndexAny(p.s[from:], quotes)
	if end < 0 {
		return nil, p.fail("the closing quote is missing")
	}
	w.Text = p.s[from : from+end]
	p.at = from + end + p.quote(from+end)
	if p.at < len(p.s) && p.s[p.at] == '~' {
		p.at++
		n, digits := 0, 0
		for p.at < len(p.s) && p.s[p.at] >= '0' && p.s[p.at] <= '9' && digits < 4 {
			n = n*10 + int(p.s[p.at]-'0')
			p.at++
			digits++
		}
		if n == 0 {
			return nil, p.fail("a number is missing after ~")
		}
		w.Within = n
	}
	p.blank()
	return w, nil
}
