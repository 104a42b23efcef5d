package fulltext

import (
	"fmt"
	"math"
	"slices"
	"strconv"
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

// Node is a parsed query: And, Or, Not, Words, Value, Number.
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

// Value needs a value of a facet: person:"Angela Merkel". Capitals and the length of white space make no difference.
type Value struct {
	Facet  string
	Text   string
	Prefix bool // the value may go on
	At     int  // character of the query, from 0
}

// Number needs a number of a facet: opinion:<-0.3 about:"rent law". Without about it is the number of the whole document; with it the one about just that, and
// documents that have none do not fit, whatever the number.
type Number struct {
	Facet string
	Op    string // < <= > >= =
	Than  float64
	About *Value // its facet is empty; an empty prefix is whatever a number is about. nil: the whole document
	At    int
}

func (And) node()    {}
func (Or) node()     {}
func (Not) node()    {}
func (Words) node()  {}
func (Value) node()  {}
func (Number) node() {}

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
//	part   = ["NOT" | "-"] ( "(" query ")" | [field ":"] words | facet ":" value | facet ":" than ["about:" (value | "*")] )
//	words  = word | word "*" | '"' ... '"' [ "~" number ]
//	value  = word | word "*" | '"' ... '"' [ "*" ]
//	than   = ("<" | "<=" | ">" | ">=" | "=") number
//
// A facet is two small letters or more, or _; which there are, the index knows, not the parser. What comes before "://" is none: addresses are words.
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

// Quotable reports whether a value can stand between quotes in a query.
func Quotable(value string) bool { return value != "" && !strings.ContainsAny(value, quotes) }

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
	if name := p.name(); slices.Contains(fields[:], name) {
		w.Field = name
		p.at += len(name) + 1
	} else if name != "" {
		return p.facet(name)
	}
	if p.quote(p.at) > 0 {
		return p.phrase(w)
	}
	var err error
	w.Text, w.Prefix, err = p.word()
	return w, err
}

// word reads a word without quotes, and whether it may go on.
func (p *parser) word() (text string, prefix bool, err error) {
	from := p.at
	if n := strings.IndexAny(p.s[p.at:], " \t\r\n()"+quotes); n >= 0 {
		p.at += n
	} else {
		p.at = len(p.s)
	}
	text = p.s[from:p.at]
	if text == "" {
		return "", false, p.fail("a word is missing")
	}
	if t, ok := strings.CutSuffix(text, "*"); ok {
		text, prefix = t, true
		if utf8.RuneCountInString(t) < 2 {
			p.at = from
			return "", false, p.fail("at least two letters before *")
		}
	}
	p.blank()
	return text, prefix, nil
}

// name returns the field or facet that stands before a colon here; "" if none does: names have small letters and _, and something follows at once.
func (p *parser) name() string {
	n := 0
	for p.at+n < len(p.s) && (p.s[p.at+n] >= 'a' && p.s[p.at+n] <= 'z' || p.s[p.at+n] == '_') {
		n++
	}
	name, rest := p.s[p.at:p.at+n], p.s[p.at+n:]
	if !strings.HasPrefix(rest, ":") || n < 2 {
		return ""
	}
	next, size := utf8.DecodeRuneInString(rest[1:])
	if !slices.Contains(fields[:], name) && (size == 0 || unicode.IsSpace(next) || next == '(' || next == ')' || strings.HasPrefix(rest, "://")) {
		return ""
	}
	return name
}

// facet reads a condition on a facet.
func (p *parser) facet(name string) (Node, error) {
	at := utf8.RuneCountInString(p.s[:p.at])
	if name == aboutName {
		return nil, p.fail("about: stands behind a number, as in opinion:<-0.3 about:\"rent law\"")
	}
	p.at += len(name) + 1
	for _, op := range []string{"<=", ">=", "<", ">", "="} {
		if strings.HasPrefix(p.s[p.at:], op) {
			p.at += len(op)
			return p.number(Number{Facet: name, Op: op, At: at})
		}
	}
	v, err := p.value(Value{Facet: name, At: at})
	return v, err
}

// aboutName is what binds a number to what it is about.
const aboutName = "about"

// value reads a value of a facet.
func (p *parser) value(v Value) (Value, error) {
	var err error
	if p.quote(p.at) == 0 {
		v.Text, v.Prefix, err = p.word()
		return v, err
	}
	if v.Text, err = p.quoted(); err != nil {
		return v, err
	}
	if strings.TrimSpace(v.Text) == "" {
		return v, p.fail("a value is missing between the quotes")
	}
	if p.at < len(p.s) && p.s[p.at] == '*' {
		v.Prefix = true
		p.at++
	}
	p.blank()
	return v, nil
}

// number reads what a number is compared with, and what it is about.
func (p *parser) number(n Number) (Node, error) {
	from := p.at
	for p.at < len(p.s) && strings.IndexByte("+-.0123456789", p.s[p.at]) >= 0 {
		p.at++
	}
	var err error
	if n.Than, err = strconv.ParseFloat(p.s[from:p.at], 64); err != nil || math.IsInf(n.Than, 0) {
		p.at = from
		return nil, p.fail("a number is missing after " + n.Op + ", such as -0.3")
	}
	if r, size := utf8.DecodeRuneInString(p.s[p.at:]); size > 0 && !unicode.IsSpace(r) && r != ')' {
		return nil, p.fail("a number ends here, and something else follows at once")
	}
	p.blank()
	rest, ok := strings.CutPrefix(p.s[p.at:], aboutName+":")
	if !ok {
		return n, nil
	}
	p.at += len(aboutName) + 1
	about := Value{At: utf8.RuneCountInString(p.s[:p.at])}
	if any, ok := strings.CutPrefix(rest, "*"); ok && (any == "" || strings.IndexAny(any, " \t\r\n)") == 0) {
		p.at++
		about.Prefix = true
		p.blank()
	} else if about, err = p.value(about); err != nil {
		return nil, err
	}
	n.About = &about
	return n, nil
}

// quoted reads what stands between quotes.
func (p *parser) quoted() (string, error) {
	from := p.at + p.quote(p.at)
	end := strings.IndexAny(p.s[from:], quotes)
	if end < 0 {
		return "", p.fail("the closing quote is missing")
	}
	p.at = from + end + p.quote(from+end)
	return p.s[from : from+end], nil
}

func (p *parser) phrase(w Words) (Node, error) {
	var err error
	if w.Text, err = p.quoted(); err != nil {
		return nil, err
	}
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
