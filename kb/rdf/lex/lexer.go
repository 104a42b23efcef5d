package lex

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// Syntax is what a text is written in.
type Syntax uint8

// The syntaxes.
const (
	NTriples Syntax = iota // also N-Quads
	Turtle                 // also TriG
	SPARQL
)

// Kind says what a token is.
type Kind uint8

// The kinds of tokens.
const (
	EOF     Kind = iota
	EOL          // the end of a line, in NTriples alone
	IRI          // <...>; Text is the reference without escapes
	Name         // prefix:local; Text is the prefix, Local the rest without escapes
	Blank        // _:label; Text is the label
	At           // @word: a language tag, or a directive of Turtle; Text is the word
	String       // Text is the value
	Integer      // Text is as written, like that of the next two
	Decimal
	Double
	Word  // a keyword, as written
	Var   // ?name or $name; Text is the name
	Punct // a sign or an operator
)

// Token is a part of the text with the place of its first character; lines and columns count from 1, columns in characters.
type Token struct {
	Kind         Kind
	Text         string
	Local        string
	Line, Column int
}

// String returns the token as a person would write it in a message.
func (t Token) String() string {
	switch t.Kind {
	case EOF:
		return "the end of the text"
	case EOL:
		return "the end of the line"
	case IRI:
		return "<" + short(t.Text) + ">"
	case Name:
		return short(t.Text + ":" + t.Local)
	case Blank:
		return "_:" + short(t.Text)
	case At:
		return "@" + short(t.Text)
	case String:
		return "the string \"" + short(t.Text) + "\""
	case Var:
		return "?" + short(t.Text)
	}
	return "'" + short(t.Text) + "'"
}

// short cuts what would fill a screen.
func short(s string) string {
	const most = 60
	if len(s) <= most {
		return s
	}
	cut := most
	for cut > 0 && !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut] + "…"
}

// Error is a place that cannot be read, with the cause.
type Error struct {
	Line, Column int
	Msg          string
	Err          error // what the source said; nil for a fault of the text
}

// Error returns place and cause in one line.
func (e *Error) Error() string {
	msg := e.Msg
	if e.Err != nil {
		msg += ": " + e.Err.Error()
	}
	return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, msg)
}

// Unwrap returns what the source said.
func (e *Error) Unwrap() error { return e.Err }

// DefaultLimit is the longest token in bytes where nobody says otherwise.
const DefaultLimit = 16 << 20

// Lexer reads tokens from a source.
type Lexer struct {
	syntax Syntax
	limit  int

	src    io.Reader
	srcErr error // what ended the source
	buf    []byte
	start  int // of the token, in buf
	pos    int // of the next byte, in buf

	line      int
	lineStart int // of the line, in buf; below 0 once it left the window
	wide      int // bytes of the line up to pos that are no first bytes of characters

	line0, col0 int // of the token
	scratch     []byte
}

// New returns a lexer of the text of r. A limit of 0 is DefaultLimit.
func New(r io.Reader, s Syntax, limit int) *Lexer {
	if limit <= 0 {
		limit = DefaultLimit
	}
	l := &Lexer{syntax: s, limit: limit, src: r, line: 1, buf: make([]byte, 0, min(limit, 32<<10))}
	if l.byteAt(0) == 0xEF && l.byteAt(1) == 0xBB && l.byteAt(2) == 0xBF {
		l.pos, l.start, l.lineStart = 3, 3, 3 // a byte order mark
	}
	return l
}

// fail returns an error at the place of the next byte.
func (l *Lexer) fail(format string, args ...any) error {
	return &Error{Line: l.line, Column: l.column(), Msg: fmt.Sprintf(format, args...)}
}

func (l *Lexer) column() int { return l.pos - l.lineStart - l.wide + 1 }

// byteAt returns the byte i places behind the next one, or -1 where the text ends.
func (l *Lexer) byteAt(i int) int {
	for l.pos+i >= len(l.buf) {
		if !l.fill() {
			return -1
		}
	}
	return int(l.buf[l.pos+i])
}

// fill reads more of the source, and reports whether there was more. What stands before the token leaves the window.
func (l *Lexer) fill() bool {
	if l.srcErr != nil {
		return false
	}
	if l.start > 0 {
		n := copy(l.buf, l.buf[l.start:])
		l.buf = l.buf[:n]
		l.pos -= l.start
		l.lineStart -= l.start
		l.start = 0
	}
	if len(l.buf) >= l.limit {
		l.srcErr = fmt.Errorf("more than %d bytes without the end of a token; the limit can be raised", l.limit)
		return false
	}
	if len(l.buf) == cap(l.buf) {
		bigger := make([]byte, len(l.buf), min(2*cap(l.buf), l.limit))
		copy(bigger, l.buf)
		l.buf = bigger
	}
	for range 100 {
		n, err := l.src.Read(l.buf[len(l.buf):cap(l.buf)])
		l.buf = l.buf[:len(l.buf)+n]
		if err != nil {
			l.srcErr = err
		}
		if n > 0 || err != nil {
			return n > 0
		}
	}
	l.srcErr = io.ErrNoProgress
	return false
}

// runeAt returns the character i bytes behind the next one and its length; -1 at the end, utf8.RuneError and 1 for bytes that are no UTF-8.
func (l *Lexer) runeAt(i int) (rune, int) {
	b := l.byteAt(i)
	if b < utf8.RuneSelf {
		return rune(b), 1
	}
	for n := 1; n < utf8.UTFMax && l.byteAt(i+n) >= 0 && !utf8.FullRune(l.buf[l.pos+i:l.pos+i+n]); {
		n++
	}
	return utf8.DecodeRune(l.buf[l.pos+i:])
}

// advance goes over n bytes of characters that are no line ends.
func (l *Lexer) advance(n int) {
	for _, b := range l.buf[l.pos : l.pos+n] {
		if b&0xC0 == 0x80 {
			l.wide++
		}
	}
	l.pos += n
}

// newline goes over one line feed, or a carriage return with or without one.
func (l *Lexer) newline() {
	if l.buf[l.pos] == '\r' && l.byteAt(1) == '\n' {
		l.pos++
	}
	l.pos++
	l.line++
	l.lineStart, l.wide = l.pos, 0
}

// space goes over blanks, comments and, but for NTriples, line ends.
func (l *Lexer) space() error {
	for {
		l.start = l.pos
		switch l.byteAt(0) {
		case ' ', '\t':
			l.pos++
		case '\n', '\r':
			if l.syntax == NTriples {
				return nil
			}
			l.newline()
		case '#':
			for {
				l.start = l.pos
				r, n := l.runeAt(0)
				if r < 0 || r == '\n' || r == '\r' {
					break
				}
				if r == utf8.RuneError && n == 1 {
					return l.fail("bytes that are not UTF-8")
				}
				l.advance(n)
			}
		default:
			return nil
		}
	}
}

// Next returns the next token; of Kind EOF when there is none. Errors are *Error. After an error in NTriples, SkipLine leads on.
func (l *Lexer) Next() (Token, error) {
	t, err := l.next()
	if l.srcErr != nil && l.srcErr != io.EOF && (err != nil || t.Kind == EOF) {
		err = &Error{Line: l.line, Column: l.column(), Msg: "cannot read on", Err: l.srcErr}
	}
	if err != nil {
		return Token{Line: l.line0, Column: l.col0}, err
	}
	t.Line, t.Column = l.line0, l.col0
	return t, nil
}

func (l *Lexer) next() (Token, error) {
	err := l.space()
	l.line0, l.col0 = l.line, l.column()
	if err != nil {
		return Token{}, err
	}
	c, n := l.runeAt(0)
	switch {
	case c < 0:
		return Token{}, nil
	case c == utf8.RuneError && n == 1:
		return Token{}, l.fail("bytes that are not UTF-8")
	case c == '\n' || c == '\r':
		l.newline()
		return Token{Kind: EOL}, nil
	case c == '<':
		return l.angle()
	case c == '"' || c == '\'' && l.syntax != NTriples:
		return l.quoted(byte(c))
	case c == '@':
		return l.at()
	case c == '_' && l.byteAt(1) == ':':
		return l.blank()
	case (c == '?' || c == '$') && l.syntax == SPARQL:
		return l.variable()
	case isDigit(c), (c == '+' || c == '-' || c == '.') && l.syntax != NTriples:
		if t, ok := l.number(); ok {
			return t, nil
		}
	case c == ':' || isNameStart(c):
		return l.name()
	}
	return l.punct()
}

// SkipLine goes to the end of the line, and reports whether there is a line after it. It is the way on behind a fault in NTriples.
func (l *Lexer) SkipLine() bool {
	for {
		l.start = l.pos
		switch l.byteAt(0) {
		case -1:
			return false
		case '\n', '\r':
			return true
		}
		l.advance(1)
	}
}

// angle reads an IRI, or in SPARQL an operator.
func (l *Lexer) angle() (Token, error) {
	if l.syntax == SPARQL && !l.closedIRI() {
		return l.punct()
	}
	l.pos++
	var out []byte // the text, once it differs from what is written
	from := l.pos - l.start
	for {
		c, n := l.runeAt(0)
		switch {
		case c == '>':
			text := string(l.buf[l.start+from : l.pos])
			if out != nil {
				text = string(out)
				l.scratch = out[:0]
			}
			l.pos++
			return Token{Kind: IRI, Text: text}, nil
		case c < 0 || c == '\n' || c == '\r':
			return Token{}, l.fail("an IRI without '>' at its end")
		case c == utf8.RuneError && n == 1:
			return Token{}, l.fail("bytes that are not UTF-8")
		case c == '\\' && l.syntax != SPARQL:
			if out == nil {
				out = append(l.scratch[:0], l.buf[l.start+from:l.pos]...)
			}
			r, err := l.codepoint()
			if err != nil {
				return Token{}, err
			}
			if !isIRIChar(r) {
				return Token{}, l.fail("an IRI with the character %q, which must be percent-encoded", r)
			}
			out = utf8.AppendRune(out, r)
			continue
		case !isIRIChar(c):
			return Token{}, l.fail("an IRI with the character %q, which must be percent-encoded", c)
		}
		if out != nil {
			out = append(out, l.buf[l.pos:l.pos+n]...)
		}
		l.advance(n)
	}
}

// closedIRI reports whether '<' begins an IRI: nothing that an IRI cannot hold comes before '>'.
func (l *Lexer) closedIRI() bool {
	for i := 1; ; i++ {
		switch b := l.byteAt(i); {
		case b == '>':
			return true
		case b < 0 || b < utf8.RuneSelf && !isIRIChar(rune(b)):
			return false
		}
	}
}

// codepoint reads \uXXXX or \UXXXXXXXX.
func (l *Lexer) codepoint() (rune, error) {
	digits := 0
	switch l.byteAt(1) {
	case 'u':
		digits = 4
	case 'U':
		digits = 8
	default:
		return 0, l.fail(`'\' that begins no \uXXXX or \UXXXXXXXX`)
	}
	var r rune
	for i := range digits {
		v := hexValue(l.byteAt(2 + i))
		if v < 0 || r > 0x10FFFF>>4 {
			return 0, l.fail(`an escape that is no character: \%c needs %d hexadecimal digits of one`, l.buf[l.pos+1], digits)
		}
		r = r<<4 | rune(v)
	}
	if !utf8.ValidRune(r) {
		return 0, l.fail("an escape that is no character: U+%04X", r)
	}
	l.pos += 2 + digits
	return r, nil
}

// quoted reads a string in one or three quotation marks of the kind q.
func (l *Lexer) quoted(q byte) (Token, error) {
	long := l.syntax != NTriples && l.byteAt(1) == int(q) && l.byteAt(2) == int(q)
	l.pos++
	if long {
		l.pos += 2
	}
	from := l.pos - l.start
	var out []byte
	escaped := false
	for {
		b := l.byteAt(0)
		switch {
		case b < 0:
			return Token{}, l.fail("a string without its end, begun in line %d, column %d", l.line0, l.col0)
		case b == int(q) && (!long || l.byteAt(1) == int(q) && l.byteAt(2) == int(q)):
			text := string(l.buf[l.start+from : l.pos])
			if escaped {
				text = string(out)
				l.scratch = out[:0]
			}
			l.pos++
			if long {
				l.pos += 2
			}
			return Token{Kind: String, Text: text}, nil
		case b == '\\':
			if !escaped {
				out, escaped = append(l.scratch[:0], l.buf[l.start+from:l.pos]...), true
			}
			r, err := l.escape()
			if err != nil {
				return Token{}, err
			}
			out = utf8.AppendRune(out, r)
		case b == '\n' || b == '\r':
			if !long {
				return Token{}, l.fail("a string that goes over the end of its line, begun in column %d", l.col0)
			}
			at := l.pos - l.start
			l.newline()
			if escaped {
				out = append(out, l.buf[l.start+at:l.pos]...)
			}
		default:
			r, n := l.runeAt(0)
			if r == utf8.RuneError && n == 1 {
				return Token{}, l.fail("bytes that are not UTF-8")
			}
			if escaped {
				out = append(out, l.buf[l.pos:l.pos+n]...)
			}
			l.advance(n)
		}
	}
}

// escape reads an escape of a string.
func (l *Lexer) escape() (rune, error) {
	const names, values = `tbnrf"'\`, "\t\b\n\r\f\"'\\"
	b := l.byteAt(1)
	if b > 0 {
		if i := strings.IndexByte(names, byte(b)); i >= 0 {
			l.pos += 2
			return rune(values[i]), nil
		}
	}
	if b != 'u' && b != 'U' || l.syntax == SPARQL { // a query is freed of them before
		return 0, l.fail(`'\' with what is no escape: \t \b \n \r \f \" \' \\ \uXXXX \UXXXXXXXX are`)
	}
	return l.codepoint()
}

// at reads @word with parts behind hyphens.
func (l *Lexer) at() (Token, error) {
	l.pos++
	from := l.pos - l.start
	for first := true; ; first = false {
		n := 0
		for b := l.byteAt(n); isLetter(b) || !first && b >= '0' && b <= '9'; b = l.byteAt(n) {
			n++
		}
		if n == 0 {
			return Token{}, l.fail("'@' needs a language tag, such as en or de-AT")
		}
		l.pos += n
		if l.byteAt(0) != '-' {
			return Token{Kind: At, Text: string(l.buf[l.start+from : l.pos])}, nil
		}
		l.pos++
	}
}

// blank reads _:label.
func (l *Lexer) blank() (Token, error) {
	l.pos += 2
	from := l.pos - l.start
	if c, _ := l.runeAt(0); !isNameStart(c) && c != '_' && !isDigit(c) {
		return Token{}, l.fail("'_:' needs a label")
	}
	l.nameRun()
	return Token{Kind: Blank, Text: string(l.buf[l.start+from : l.pos])}, nil
}

// nameRun goes over characters of a name, with dots inside of it but not at its end.
func (l *Lexer) nameRun() {
	for {
		dots := 0
		for l.byteAt(dots) == '.' {
			dots++
		}
		c, n := l.runeAt(dots)
		if !isNameChar(c) || c == utf8.RuneError && n == 1 {
			return
		}
		l.advance(dots + n)
	}
}

// variable reads ?name or $name; '?' alone is a sign.
func (l *Lexer) variable() (Token, error) {
	n := 1
	for {
		c, size := l.runeAt(n)
		if !isVarChar(c, n == 1) || c == utf8.RuneError && size == 1 {
			break
		}
		n += size
	}
	if n == 1 {
		return l.punct()
	}
	l.advance(n)
	return Token{Kind: Var, Text: string(l.buf[l.start+1 : l.pos])}, nil
}

// number reads a number with its sign, and reports whether there is one.
func (l *Lexer) number() (Token, bool) {
	digits := func(i int) int {
		for b := l.byteAt(i); b >= '0' && b <= '9'; b = l.byteAt(i) {
			i++
		}
		return i
	}
	begin := 0
	if b := l.byteAt(0); b == '+' || b == '-' {
		begin = 1
	}
	end := digits(begin)
	whole := end - begin
	kind, point := Integer, end
	if l.byteAt(end) == '.' {
		point = digits(end + 1)
	}
	fraction := point - end - 1
	if exp := l.exponent(point, digits); exp > point && (whole > 0 || fraction > 0) {
		kind, end = Double, exp
	} else if fraction > 0 {
		kind, end = Decimal, point
	} else if exp := l.exponent(end, digits); exp > end && whole > 0 {
		kind, end = Double, exp
	} else if whole == 0 {
		return Token{}, false
	}
	l.pos += end
	return Token{Kind: kind, Text: string(l.buf[l.start:l.pos])}, true
}

// exponent returns the end of an exponent that begins at i, or i.
func (l *Lexer) exponent(i int, digits func(int) int) int {
	if b := l.byteAt(i); b != 'e' && b != 'E' {
		return i
	}
	from := i + 1
	if b := l.byteAt(from); b == '+' || b == '-' {
		from++
	}
	if end := digits(from); end > from {
		return end
	}
	return i
}

// name reads prefix:local, or a word.
func (l *Lexer) name() (Token, error) {
	if l.byteAt(0) != ':' {
		l.nameRun()
		if l.byteAt(0) != ':' {
			return l.word()
		}
	}
	prefix := string(l.buf[l.start:l.pos])
	if l.syntax == NTriples {
		return Token{}, l.fail("the prefixed name %s: needs Turtle or TriG", short(prefix))
	}
	l.pos++
	local, err := l.local()
	return Token{Kind: Name, Text: prefix, Local: local}, err
}

// word goes back to where the letters, digits and underscores end.
func (l *Lexer) word() (Token, error) {
	end := l.start
	for end < l.pos && (isLetter(int(l.buf[end])) || isDigit(rune(l.buf[end])) || l.buf[end] == '_') {
		end++
	}
	for _, b := range l.buf[end:l.pos] {
		if b&0xC0 == 0x80 {
			l.wide--
		}
	}
	l.pos = end
	if end == l.start {
		c, _ := l.runeAt(0)
		return Token{}, l.fail("%q begins nothing that can stand here", c)
	}
	return Token{Kind: Word, Text: string(l.buf[l.start:l.pos])}, nil
}

// local reads the part behind the colon of a prefixed name.
func (l *Lexer) local() (string, error) {
	from := l.pos - l.start
	var out []byte
	escaped, first := false, true
	for {
		dots := 0
		for !first && l.byteAt(dots) == '.' {
			dots++
		}
		c, n := l.runeAt(dots)
		keep := n // bytes that are the value
		skip := 0
		switch {
		case c == '%':
			if hexValue(l.byteAt(dots+1)) < 0 || hexValue(l.byteAt(dots+2)) < 0 {
				return "", l.fail("'%%' needs two hexadecimal digits")
			}
			n, keep = 3, 3
		case c == '\\':
			if b := l.byteAt(dots + 1); b < 0 || !strings.ContainsRune("_~.-!$&'()*+,;=/?#@%", rune(b)) {
				return "", l.fail(`'\' in a name needs one of _ ~ . - ! $ & ' ( ) * + , ; = / ? # @ %% behind it`)
			}
			n, keep, skip = 2, 1, 1
			if !escaped {
				out, escaped = append(l.scratch[:0], l.buf[l.start+from:l.pos]...), true
			}
		case c == utf8.RuneError && n == 1,
			first && !isNameStart(c) && c != '_' && c != ':' && !isDigit(c),
			!first && !isNameChar(c) && c != ':':
			text := string(l.buf[l.start+from : l.pos])
			if escaped {
				text = string(out)
				l.scratch = out[:0]
			}
			return text, nil
		}
		if escaped {
			out = append(out, l.buf[l.pos:l.pos+dots]...)
			out = append(out, l.buf[l.pos+dots+skip:l.pos+dots+skip+keep]...)
		}
		l.advance(dots + n)
		first = false
	}
}

// punct reads a sign; the longest one.
func (l *Lexer) punct() (Token, error) {
	b := l.byteAt(0)
	two := string([]byte{byte(b), byte(max(l.byteAt(1), 0))})
	switch {
	case two == "^^", l.syntax == SPARQL && (two == "&&" || two == "||" || two == "!=" || two == "<=" || two == ">="):
		l.pos += 2
		return Token{Kind: Punct, Text: two}, nil
	case b < utf8.RuneSelf && strings.IndexByte(signs[l.syntax], byte(b)) >= 0:
		l.pos++
		return Token{Kind: Punct, Text: two[:1]}, nil
	}
	c, _ := l.runeAt(0)
	return Token{}, l.fail("%q begins nothing that can stand here", c)
}

// signs are the signs of each syntax.
var signs = [...]string{NTriples: ".", Turtle: ".;,[](){}", SPARQL: ".;,[](){}^|/*+?!=<>-&"}

func hexValue(b int) int {
	switch {
	case b >= '0' && b <= '9':
		return b - '0'
	case b >= 'a' && b <= 'f':
		return b - 'a' + 10
	case b >= 'A' && b <= 'F':
		return b - 'A' + 10
	}
	return -1
}
