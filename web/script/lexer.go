package script

import (
	"bytes"
	"unicode"
	"unicode/utf8"
)

// Bracket is a bracket that is open.
type Bracket uint8

// The brackets.
const (
	Block   Bracket = iota // { of statements; also what is around all brackets
	Object                 // { of a literal or of a pattern
	Body                   // { of a class
	Imports                // { of the names of an import
	Exports                // { of the names of an export
	Hole                   // ${ in a template
	Paren                  // (
	Head                   // ( of if, while, for, with
	Array                  // [ of a literal or of a pattern
	Index                  // [ of a member

	inCase Bracket = 0x80 // a bit: case or default was met, its colon was not
)

// MaxDepth bounds the brackets that are told apart; those inside are only counted.
const MaxDepth = 4096

// maxLook bounds how far Peek looks past comments, so that the cost stays linear.
const maxLook = 256

// Lexer reads a script. Its zero value reads nothing; begin with Reset.
type Lexer struct {
	Comments bool // return comments, too

	src   []byte
	pos   int
	lf    int // the next line feed, if it is not before pos
	tries int // bytes that may still be read in search of the ends of regular expressions

	stack   []Bracket
	deeper  int // brackets open beyond MaxDepth
	unmatch int // brackets that were closed and not open, of a lexer that reads ahead

	operand bool  // the last token ended a value
	begin   begin // whether a statement begins here
	last    Op    // the last token but comments: its operator, or opName and so on
	word    Word  // of the last token
	class   int   // depth+1 at which a class waits for its body; 0: none does
	clause  Word  // Import or Export, up to the name of the module
	pending flags // newline, before a comment that was returned
}

// begin is where in a statement the last token stands.
type begin uint8

const (
	within    begin = iota
	statement       // one begins here
	label           // a name that is the first of a statement
	labelled        // the colon behind that, or behind a case; a statement begins here, too
)

// Reset begins to read src at a place. Places of tokens are those of src.
func (l *Lexer) Reset(src []byte, from int) {
	*l = Lexer{Comments: l.Comments, src: src, pos: from, lf: -1, tries: 4 * (len(src) - from), stack: l.stack[:0], begin: statement}
}

// Pos returns the place behind the last token.
func (l *Lexer) Pos() int { return l.pos }

// Depth returns the number of brackets that are open.
func (l *Lexer) Depth() int { return len(l.stack) + l.deeper }

// Inside returns the innermost bracket that is open.
func (l *Lexer) Inside() Bracket {
	if n := len(l.stack); n > 0 {
		return l.stack[n-1] &^ inCase
	}
	return Block
}

// Ahead makes a read on from where l stands, so that l can stay. It sees no brackets around it and no regular expressions.
func (l *Lexer) Ahead(a *Lexer) {
	a.Reset(l.src, l.pos)
	a.tries, a.operand = 0, l.operand
}

// Follow makes l stand where a stands, which was made by Ahead and has closed all brackets that it opened.
func (l *Lexer) Follow(a *Lexer) {
	for range a.unmatch {
		l.pop()
	}
	l.pos, l.operand, l.last, l.word, l.begin, l.clause = a.pos, a.operand, a.last, a.word, within, 0
}

// Peek returns the next byte that is not of white space or of a short comment, and its place; 0 at the end.
func (l *Lexer) Peek() (c byte, at int) {
	i := l.pos
	for stop := min(len(l.src), i+maxLook); i < stop; {
		switch c := l.src[i]; {
		case class[c] == cBlank || class[c] == cLine:
			i++
		case c == '/' && i+1 < stop && l.src[i+1] == '/':
			i = l.line(i + 2)
		case c == '/' && i+1 < stop && l.src[i+1] == '*':
			n := bytes.Index(l.src[i+2:stop], []byte("*/"))
			if n < 0 {
				return 0, stop
			}
			i += n + 4
		default:
			return c, i
		}
	}
	return 0, min(i, len(l.src))
}

// The classes of bytes.
const (
	cPunct uint8 = iota
	cBlank
	cLine
	cName
	cDigit
	cQuote
	cTick
	cSlash
	cDot
	cOpen
	cClose
	cSingle // operators that no longer one begins with
	cMarkup // what a comment of HTML begins with
	cHigh   // no ASCII, or a backslash
)

var class = func() (t [256]uint8) {
	for c := range 256 {
		switch b := byte(c); {
		case b == '\n' || b == '\r':
			t[c] = cLine
		case b <= ' ':
			t[c] = cBlank
		case b|0x20 >= 'a' && b|0x20 <= 'z' || b == '_' || b == '$':
			t[c] = cName
		case b >= '0' && b <= '9':
			t[c] = cDigit
		case b == '"' || b == '\'':
			t[c] = cQuote
		case b == '`':
			t[c] = cTick
		case b == '/':
			t[c] = cSlash
		case b == '.':
			t[c] = cDot
		case b == '(' || b == '[' || b == '{':
			t[c] = cOpen
		case b == ')' || b == ']' || b == '}':
			t[c] = cClose
		case b == ',' || b == ';' || b == ':' || b == '~':
			t[c] = cSingle
		case b == '<' || b == '-' || b == '#':
			t[c] = cMarkup
		case b >= 0x80 || b == '\\':
			t[c] = cHigh
		}
	}
	return t
}()

// ident are the bytes of names, but for those of cHigh.
var ident = func() (t [256]bool) {
	for c := range 256 {
		t[c] = class[c] == cName || class[c] == cDigit
	}
	return t
}()

// identLen returns the number of bytes of ident that p begins with.
func identLen(p []byte) int {
	for i, c := range p {
		if !ident[c] {
			return i
		}
	}
	return len(p)
}

// Next returns the next token.
func (l *Lexer) Next() Token {
	src, i := l.src, l.pos
	var f flags
	if l.pending != 0 {
		f, l.pending = l.pending, 0
	}
	for i < len(src) {
		c := src[i]
		if c <= ' ' {
			if c == '\n' || c == '\r' {
				f |= newline
			}
			i++
			continue
		}
		k := class[c]
		if k == cName { // most are
			return l.name(i, f)
		}
		switch k {
		case cDigit:
			return l.value(Number, i, l.number(i), f)
		case cQuote:
			return l.string(i, f)
		case cTick:
			return l.template(i, f)
		case cOpen:
			return l.open(c, i, f)
		case cClose:
			return l.close(c, i, f)
		case cSingle:
			return l.punct(Op(c), i, i+1, f)
		case cDot:
			switch {
			case i+1 < len(src) && class[src[i+1]] == cName: // nearly always
				return l.punct('.', i, i+1, f)
			case i+1 < len(src) && class[src[i+1]] == cDigit:
				return l.value(Number, i, l.number(i), f)
			}
			return l.operator(c, i, f)
		case cSlash:
			if i+1 < len(src) && (src[i+1] == '/' || src[i+1] == '*') {
				from := i
				lines := false
				if i, lines = l.comment(i); lines {
					f |= newline
				}
				if l.Comments {
					return l.commented(from, i, f)
				}
				continue
			}
			if !l.operand {
				if end := l.regexp(i); end > 0 {
					return l.value(Regexp, i, end, f)
				}
			}
			return l.operator(c, i, f)
		case cHigh:
			r, n := utf8.DecodeRune(src[i:])
			switch {
			case r == '\u2028' || r == '\u2029':
				f |= newline
			case r == '\ufeff' || c >= 0x80 && r != utf8.RuneError && unicode.IsSpace(r):
			default:
				return l.name(i, f)
			}
			i += n
		case cMarkup:
			if l.htmlComment(i, f) {
				from := i
				if i = l.line(i); l.Comments {
					return l.commented(from, i, f)
				}
				continue
			}
			return l.operator(c, i, f)
		default:
			return l.operator(c, i, f)
		}
	}
	l.pos = i
	return token(End, 0, 0, f, i, i)
}

// commented returns a comment, which leaves no trace but the end of a line in it.
func (l *Lexer) commented(from, to int, f flags) Token {
	l.pos, l.pending = to, f
	return token(Comment, 0, 0, f, from, to)
}

// comment returns the end of the comment at i, and whether it goes over several lines.
func (l *Lexer) comment(i int) (end int, lines bool) {
	if l.src[i+1] == '/' {
		return l.line(i + 2), false
	}
	n := bytes.Index(l.src[i+2:], []byte("*/"))
	if n < 0 {
		return len(l.src), false
	}
	return i + n + 4, bytes.IndexByte(l.src[i+2:i+2+n], '\n') >= 0
}

// line returns the end of the line, before what ends it.
func (l *Lexer) line(i int) int {
	if l.lf < i { // most lines end so; looked for once, however many other ends there are before it
		if n := bytes.IndexByte(l.src[i:], '\n'); n >= 0 {
			l.lf = i + n
		} else {
			l.lf = len(l.src)
		}
	}
	end := l.lf
	if n := bytes.IndexByte(l.src[i:end], '\r'); n >= 0 {
		end = i + n
	}
	for {
		n := bytes.IndexByte(l.src[i:end], 0xe2)
		if n < 0 {
			return end
		}
		if i += n; l.separator(i) {
			return i
		}
		i++
	}
}

// separator reports whether U+2028 or U+2029 stands at i.
func (l *Lexer) separator(i int) bool {
	return i+2 < len(l.src) && l.src[i+1] == 0x80 && l.src[i+2]&^1 == 0xa8
}

// htmlComment reports whether a comment of HTML, or #! at the very beginning, stands at i.
func (l *Lexer) htmlComment(i int, f flags) bool {
	switch l.src[i] {
	case '<':
		return bytes.HasPrefix(l.src[i:], []byte("<!--"))
	case '-':
		return (f&newline != 0 || l.last == opNone) && bytes.HasPrefix(l.src[i:], []byte("-->"))
	case '#':
		return i == 0 && len(l.src) > 1 && l.src[1] == '!'
	}
	return false
}

// name reads an identifier or keyword.
func (l *Lexer) name(i int, f flags) Token {
	src, from := l.src, i
	i += identLen(src[i:])
	for i < len(src) && class[src[i]] == cHigh {
		n, esc := nameRune(src[i:])
		if n == 0 {
			break
		}
		i += n
		i += identLen(src[i:])
		f |= esc
	}
	if i == from { // a backslash that begins nothing
		return l.punct(Op(src[i]), i, i+1, f)
	}
	next := within
	if l.begin&1 != 0 || f&newline != 0 && l.operand {
		next = label
	}
	if l.operand {
		f |= after
	}
	if l.clause != 0 && l.word == Export {
		l.clause = 0 // of a declaration
	}
	member := l.last == '.'
	l.pos, l.operand, l.begin, l.last, l.word = i, true, next, opName, NoWord
	if i-from > 1 && i-from <= maxWord && !member {
		if w := wordOf(src[from:i]); w != NoWord {
			l.word = w
			l.keyword(w)
			return token(Name, 0, w, f, from, i)
		}
	}
	return token(Name, 0, 0, f, from, i)
}

// keyword notes what a word means for what follows.
func (l *Lexer) keyword(w Word) {
	switch {
	case w.beforeValue():
		l.operand = false
		if w == Else || w == Do {
			l.begin = statement
		}
		if n := len(l.stack); (w == Case || w == Default) && n > 0 && l.stack[n-1] == Block {
			l.stack[n-1] |= inCase
		}
	case w.head():
	case w == Class:
		l.class = l.Depth() + 1
	case w == Import || w == Export:
		l.clause = w
	}
}

// nameRune returns the length of a letter of a name that is no ASCII, or of an escape; 0 for what ends the name.
func nameRune(p []byte) (n int, f flags) {
	if p[0] != '\\' {
		r, n := utf8.DecodeRune(p)
		if r == '\u2028' || r == '\u2029' || r == '\ufeff' || r != utf8.RuneError && unicode.IsSpace(r) {
			return 0, 0
		}
		return n, 0
	}
	if len(p) < 3 || p[1] != 'u' {
		return 0, 0
	}
	if p[2] == '{' {
		end := bytes.IndexByte(p[:min(len(p), 16)], '}')
		return end + 1, escaped
	}
	n = 2
	for n < len(p) && n < 6 && unhex(p[n]) >= 0 {
		n++
	}
	return n, escaped
}

// value ends a literal.
func (l *Lexer) value(k Kind, from, to int, f flags) Token {
	if l.operand {
		f |= after
	}
	l.pos, l.operand, l.begin, l.last, l.word = to, true, within, opValue, NoWord
	if l.clause != 0 && (k != String || f&specifier != 0) {
		l.clause = 0
	}
	return token(k, 0, 0, f, from, to)
}

// number returns the end of the number at i.
func (l *Lexer) number(i int) int {
	src := l.src
	if src[i] == '0' && i+1 < len(src) {
		switch src[i+1] | 0x20 {
		case 'x', 'b', 'o': // no fraction: 0x1.a is a member
			for i < len(src) && ident[src[i]] {
				i++
			}
			return i
		}
	}
	dot := false
	for ; i < len(src); i++ {
		switch c := src[i]; {
		case c|0x20 == 'e':
			if i+1 < len(src) && (src[i+1] == '+' || src[i+1] == '-') {
				i++
			}
			dot = true
		case ident[c]:
		case c == '.' && !dot:
			dot = true
		default:
			return i
		}
	}
	return i
}

// inString are the bytes that may mean something in a string: quotes, the backslash, ends of lines.
var inString = [256]bool{'"': true, '\'': true, '\\': true, '\n': true, '\r': true}

// string reads a string. A line that ends in it ends it.
func (l *Lexer) string(i int, f flags) Token {
	src, from, q := l.src, i, l.src[i]
	if l.clause != 0 && (l.word == Import || l.word == From) {
		f |= specifier
	}
	for i++; i < len(src); i++ {
		if !inString[src[i]] {
			continue
		}
		switch src[i] {
		case q:
			return l.value(String, from, i+1, f)
		case '\\':
			f |= escaped
			if i++; i+1 < len(src) && src[i] == '\r' && src[i+1] == '\n' {
				i++
			}
		case '\n', '\r':
			return l.value(String, from, i, f|cut)
		}
	}
	return l.value(String, from, len(src), f|cut)
}

// template reads a template from its backquote, or from the brace that closes a hole, up to its end or the next hole.
func (l *Lexer) template(i int, f flags) Token {
	src, from := l.src, i
	for i++; i < len(src); i++ {
		switch src[i] {
		case '`':
			return l.value(Template, from, i+1, f)
		case '\\':
			f |= escaped
			i++
		case '$':
			if i+1 == len(src) || src[i+1] != '{' || len(l.stack) >= MaxDepth {
				continue
			}
			l.push(Hole)
			t := l.value(Template, from, i+2, f|hole)
			l.operand, l.last = false, '('
			return t
		}
	}
	return l.value(Template, from, len(src), f|cut)
}

// regexp returns the end of the regular expression at i, 0 if none ends on this line.
func (l *Lexer) regexp(i int) int {
	src, inClass := l.src, false
	for i++; i < len(src) && l.tries > 0; i++ {
		l.tries--
		switch src[i] {
		case '\\':
			if i++; i < len(src) && class[src[i]] == cLine {
				return 0
			}
		case '[':
			inClass = true
		case ']':
			inClass = false
		case '\n', '\r':
			return 0
		case '/':
			if inClass {
				continue
			}
			for i++; i < len(src) && ident[src[i]]; {
				i++
			}
			return i
		}
	}
	return 0
}

// push opens a bracket.
func (l *Lexer) push(b Bracket) {
	if len(l.stack) < MaxDepth {
		l.stack = append(l.stack, b)
	} else {
		l.deeper++
	}
}

// pop closes a bracket.
func (l *Lexer) pop() Bracket {
	switch n := len(l.stack); {
	case l.deeper > 0:
		l.deeper--
	case n > 0:
		b := l.stack[n-1]
		l.stack = l.stack[:n-1]
		return b &^ inCase
	default:
		l.unmatch++
	}
	return Paren
}

// open reads an opening bracket.
func (l *Lexer) open(c byte, i int, f flags) Token {
	b := Paren
	switch c {
	case '(':
		if l.word.head() {
			b = Head
		}
	case '[':
		b = Array
		if l.operand {
			b = Index
		}
	case '{':
		b = l.brace()
	}
	t := l.punct(Op(c), i, i+1, f)
	l.push(b)
	if b == Block {
		l.begin = statement
	}
	return t
}

// brace returns what an opening brace begins.
func (l *Lexer) brace() Bracket {
	if l.class == l.Depth()+1 {
		l.class = 0
		return Body
	}
	switch l.last {
	case opNone, opValue, Arrow, ')', ';', '}', ']':
		return Block
	case opName:
		switch {
		case l.clause == Import:
			return Imports
		case l.clause == Export && l.word == Export:
			return Exports
		case l.word == Else, l.word == Do:
			return Block
		case l.word.beforeValue(), l.word == Const, l.word == Let, l.word == Var:
			return Object
		}
		return Block
	case '{':
		if l.Inside() != Object {
			return Block
		}
	case ',':
		if l.clause == Import {
			return Imports
		}
	case ':':
		if l.begin == labelled {
			return Block
		}
	}
	return Object
}

// close reads a closing bracket. One that fits none is passed; one that fits another closes it, for the script was
// wrong before. Only a brace closes a hole.
func (l *Lexer) close(c byte, i int, f flags) Token {
	b := Paren
	if top := l.Inside(); top != Hole || c == '}' || l.deeper > 0 {
		b = l.pop()
	}
	if b == Hole {
		return l.template(i, f)
	}
	t := l.punct(Op(c), i, i+1, f)
	if c == ')' && b == Head || c == '}' && (b == Block || b == Body) {
		l.begin = statement
	} else {
		l.operand = true
	}
	return t
}

// punct ends an operator or bracket.
func (l *Lexer) punct(op Op, from, to int, f flags) Token {
	if l.operand {
		f |= after
	}
	if l.clause != 0 {
		l.inClause(op)
	}
	if l.word == Class && op != '{' {
		l.class = 0 // a key or a member of that name
	}
	next := within
	switch op {
	case ';':
		next = statement
	case ':':
		if l.labels() {
			next = labelled
		}
	}
	l.pos, l.operand, l.begin, l.last, l.word = to, false, next, op, NoWord
	return token(Punct, op, 0, f, from, to)
}

// labels reports whether the colon ends a label or a case.
func (l *Lexer) labels() bool {
	n := len(l.stack)
	if n > 0 && l.stack[n-1] == Block|inCase {
		l.stack[n-1] = Block
		return true
	}
	return l.begin == label && l.Inside() == Block
}

// inClause ends an import or export at what cannot stand in one.
func (l *Lexer) inClause(op Op) {
	switch op {
	case '{', '*':
		return
	case ',', '}':
		if l.word != l.clause {
			return
		}
	}
	l.clause = 0
}

// operator reads an operator, or a private name.
func (l *Lexer) operator(c byte, i int, f flags) Token {
	if c == '#' && i+1 < len(l.src) && (ident[l.src[i+1]] || class[l.src[i+1]] == cHigh) {
		t := l.name(i+1, f)
		if t.Kind() == Name {
			l.last, l.operand, l.word = opPrivate, true, NoWord
			t = token(Private, 0, 0, flags(t.what>>24), i, t.To)
		}
		return t
	}
	op, n := longest(l.src, c, i)
	operand := l.operand && f&newline == 0 && (op == Increment || op == Decrement)
	t := l.punct(op, i, i+n, f)
	l.operand = operand
	return t
}

// longest returns the operator at i and its length.
func longest(src []byte, c byte, i int) (Op, int) {
	var d, e byte
	if i+1 < len(src) {
		d = src[i+1]
		if i+2 < len(src) {
			e = src[i+2]
		}
	}
	switch c {
	case '.':
		if d == '.' && e == '.' {
			return Spread, 3
		}
	case '=':
		switch {
		case d == '>':
			return Arrow, 2
		case d == '=' && e == '=':
			return Equal, 3
		case d == '=':
			return Equal, 2
		}
	case '!':
		switch {
		case d == '=' && e == '=':
			return Equal, 3
		case d == '=':
			return Equal, 2
		}
	case '+':
		switch d {
		case '+':
			return Increment, 2
		case '=':
			return AddAssign, 2
		}
	case '-':
		switch d {
		case '-':
			return Decrement, 2
		case '=':
			return Assign, 2
		}
	case '?':
		switch {
		case d == '.' && (e < '0' || e > '9'):
			return '.', 2
		case d == '?' && e == '=':
			return Assign, 3
		case d == '?':
			return Logical, 2
		}
	case '&', '|':
		switch {
		case d == c && e == '=':
			return Assign, 3
		case d == c:
			return Logical, 2
		case d == '=':
			return Assign, 2
		}
	case '*':
		switch {
		case d == '*' && e == '=':
			return Assign, 3
		case d == '*':
			return Shift, 2
		case d == '=':
			return Assign, 2
		}
	case '<', '>':
		return angle(src[i:], c)
	case '/', '%', '^':
		if d == '=' {
			return Assign, 2
		}
	}
	return Op(c), 1
}

// angle returns the operator of angles at the beginning of p.
func angle(p []byte, c byte) (Op, int) {
	n := 1
	for n < len(p) && p[n] == c && (n < 2 || c == '>' && n < 3) {
		n++
	}
	equals := n < len(p) && p[n] == '='
	switch {
	case n == 1 && equals:
		return Compare, 2
	case n == 1:
		return Op(c), 1
	case equals:
		return Assign, n + 1
	}
	return Shift, n
}
