package rewrite

import (
	"bytes"

	"varve/serve/replay/address"
)

// The names that scripts are given in place of those that cannot be changed in a browser.
const (
	nameLocation = "varve$location"
	nameTop      = "varve$top"
	nameCode     = "varve$code"
	nameImport   = "varve$import"
	namePost     = "varve$post"
	nameSelf     = "varve$self"
	nameEval     = "varve$eval"
)

// JS appends a script to dst with its names and imports rewritten.
func (d *Document) JS(dst, src []byte) []byte {
	if !mentions(src) {
		return append(dst, src...)
	}
	l := jsLexer{d: d, edit: edit{src: src, dst: dst}}
	l.run()
	return append(l.finish(), l.tail...)
}

// mentions tells whether a script holds any text that could be rewritten.
func mentions(src []byte) bool {
	for _, word := range []string{"location", "top", "eval", "import", "export", "postMessage"} {
		if bytes.Contains(src, []byte(word)) {
			return true
		}
	}
	return false
}

// jsKind is what a token was.
type jsKind uint8

const (
	jsNone    jsKind = iota
	jsWord           // an identifier or a keyword
	jsValue          // a number, string, template or regular expression
	jsPunct          // any other character; jsToken.c
	jsDot            // . and ?.
	jsArrow          // =>
	jsPrivate        // #name
)

// jsToken is the last token but white space and comments.
type jsToken struct {
	kind  jsKind
	c     byte   // jsPunct: its last character
	word  []byte // jsWord
	block bool   // a closing bracket after which a statement begins, not an operator
}

// jsOpen is a bracket that is open.
type jsOpen struct {
	kind   byte // ( [ { block, o object, c class, m names of import or export, t hole of a template
	head   bool // ( after if, while, for, with
	wrap   bool // its closing bracket closes one more
	member bool // [ after an operand: access to a member
	cases  bool // { in which case or default was met, before its colon
	window bool // [ after a name that stands for a window
}

// jsLexer walks over a script and edits it. It never fails: what is no script comes out as it went in, give or take
// a renamed word.
type jsLexer struct {
	edit
	d     *Document
	pos   int
	prev  jsToken
	prev2 jsToken
	stack []jsOpen
	tail  []byte // exports to be added

	class     int    // depth+1 at which a class waits for its body; 0 is none
	wrap      bool   // the next bracket is that of eval or import
	insert    string // put behind the next bracket
	importing bool   // between import or export and its from
	exporting bool
	caseEnded bool // the last colon ended a case
	tried     int  // bytes read in search of the ends of regular expressions
}

// maxDepth bounds the stack; deeper brackets are not followed.
const maxDepth = 4096

func (l *jsLexer) run() {
	for l.pos < len(l.src) {
		c := l.src[l.pos]
		switch {
		case c == ' ' || c == '\n' || c == '\t' || c == '\r':
			l.pos++
		case jsIdent[c]:
			l.word()
		case c == '"' || c == '\'':
			l.quoted(c)
		case c == '`':
			l.pos++
			l.template()
		case c == '/':
			l.slash()
		case c == '(' || c == '[' || c == '{':
			l.open(c)
		case c == ')' || c == ']' || c == '}':
			l.close(c)
		default:
			l.punct(c)
		}
	}
}

// jsIdent are the bytes of identifiers and numbers.
var jsIdent = func() (t [256]bool) {
	for c := range 256 {
		b := byte(c)
		t[c] = b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9' || b == '_' || b == '$' || b >= 0x80 || b == '\\'
	}
	return t
}()

func (l *jsLexer) peek(n int) byte {
	if l.pos+n < len(l.src) {
		return l.src[l.pos+n]
	}
	return 0
}

func (l *jsLexer) push(t jsToken) { l.prev2, l.prev = l.prev, t }

// word reads an identifier, keyword or number.
func (l *jsLexer) word() {
	from := l.pos
	for l.pos < len(l.src) && jsIdent[l.src[l.pos]] {
		l.pos++
	}
	w := l.src[from:l.pos]
	if c := w[0]; c >= '0' && c <= '9' {
		if l.peek(0) == '.' { // 1.5; 1..x is left with one dot, which is right
			l.pos++
			for l.pos < len(l.src) && jsIdent[l.src[l.pos]] {
				l.pos++
			}
		}
		l.push(jsToken{kind: jsValue})
		return
	}
	if l.prev.kind != jsPrivate {
		l.name(from, w)
	}
	l.push(jsToken{kind: jsWord, word: w})
}

// punct reads an operator; only those that change what may follow are told apart.
func (l *jsLexer) punct(c byte) {
	switch {
	case c == '<' && bytes.HasPrefix(l.src[l.pos:], []byte("<!--")):
		l.line()
		return
	case c == '.' && l.peek(1) >= '0' && l.peek(1) <= '9':
		l.pos++
		for l.pos < len(l.src) && jsIdent[l.src[l.pos]] {
			l.pos++
		}
		l.push(jsToken{kind: jsValue})
		return
	case c == '.' && l.peek(1) == '.' && l.peek(2) == '.':
		l.pos += 3
		l.push(jsToken{kind: jsPunct, c: '*'})
		return
	case c == '.':
		l.push(jsToken{kind: jsDot})
	case c == '?' && l.peek(1) == '.' && (l.peek(2) < '0' || l.peek(2) > '9'):
		l.pos++
		l.push(jsToken{kind: jsDot})
	case c == '=' && l.peek(1) == '>':
		l.pos++
		l.push(jsToken{kind: jsArrow})
	case (c == '+' || c == '-') && l.peek(1) == c && l.operand():
		l.pos++ // a++ is an operand still
	case c == '#':
		l.push(jsToken{kind: jsPrivate})
	default:
		l.statement(c)
		l.push(jsToken{kind: jsPunct, c: c})
	}
	l.pos++
}

// statement notes the ends of statements and of case labels.
func (l *jsLexer) statement(c byte) {
	switch c {
	case ';':
		l.importing, l.exporting = false, false
	case ':':
		l.caseEnded = false
		if n := len(l.stack); n > 0 {
			l.caseEnded, l.stack[n-1].cases = l.stack[n-1].cases, false
		}
	}
}

// operand tells whether the last token ended a value, so that a slash divides.
func (l *jsLexer) operand() bool {
	switch l.prev.kind {
	case jsValue:
		return true
	case jsWord:
		return l.prev2.kind == jsDot || !beforeValue(l.prev.word)
	case jsPunct:
		return (l.prev.c == ')' || l.prev.c == ']' || l.prev.c == '}') && !l.prev.block
	}
	return false
}

// beforeValue tells the keywords that a value follows.
func beforeValue(w []byte) bool {
	switch string(w) {
	case "return", "typeof", "case", "do", "else", "in", "instanceof", "new", "void", "delete", "throw", "yield", "await", "of", "default", "extends":
		return true
	}
	return false
}

// slash reads a comment, a regular expression or a division.
func (l *jsLexer) slash() {
	switch {
	case l.peek(1) == '/':
		l.line()
	case l.peek(1) == '*':
		n := bytes.Index(l.src[l.pos+2:], []byte("*/"))
		if n < 0 {
			l.pos = len(l.src)
			return
		}
		l.pos += n + 4
	case !l.operand() && l.regexp():
		l.push(jsToken{kind: jsValue})
	default:
		l.punct('/')
	}
}

// line passes the rest of a line.
func (l *jsLexer) line() {
	n := bytes.IndexByte(l.src[l.pos:], '\n')
	if n < 0 {
		l.pos = len(l.src)
		return
	}
	l.pos += n
}

// regexp passes a regular expression; a line that ends inside was none. Text that begins one again and again without
// an end would be read as often, so all tries together may read a few times the script and no more.
func (l *jsLexer) regexp() bool {
	class := false
	for i := l.pos + 1; i < len(l.src) && l.tried < 4*len(l.src); i++ {
		l.tried++
		switch l.src[i] {
		case '\\':
			i++
		case '[':
			class = true
		case ']':
			class = false
		case '\n':
			return false
		case '/':
			if class {
				continue
			}
			for i++; i < len(l.src) && jsIdent[l.src[i]]; {
				i++
			}
			l.pos = i
			return true
		}
	}
	return false
}

// quoted passes a string, and rewrites it where it names a module or a member.
func (l *jsLexer) quoted(q byte) {
	from := l.pos + 1
	for l.pos++; l.pos < len(l.src) && l.src[l.pos] != q && l.src[l.pos] != '\n'; l.pos++ {
		if l.src[l.pos] == '\\' {
			l.pos++
		}
	}
	l.pos = min(l.pos, len(l.src))
	l.text(from, l.pos)
	if l.pos < len(l.src) && l.src[l.pos] == q {
		l.pos++
	}
	l.push(jsToken{kind: jsValue})
}

// text judges the string src[from:to] by what stands before it.
func (l *jsLexer) text(from, to int) {
	s := string(l.src[from:to])
	switch {
	case l.prev.kind == jsWord && (string(l.prev.word) == "import" || string(l.prev.word) == "from" && l.importing):
		l.importing, l.exporting = false, false
		l.specifier(from, to, s)
	case len(l.stack) > 0 && l.prev.kind == jsPunct && l.prev.c == '[':
		if o := l.stack[len(l.stack)-1]; o.member && (s == "location" || s == "top" && o.window) && l.after(to+1) == ']' {
			l.replace(from, to, "varve$"+s)
		}
	}
}

// specifier rewrites the name of a module, unless it is a bare one for the import map.
func (l *jsLexer) specifier(from, to int, s string) {
	if !Specifier(s) {
		return
	}
	if addr, ok := l.d.Address(s, address.Script); ok && !bytes.ContainsAny([]byte(addr), "'\"\\\n") {
		l.replace(from, to, addr)
	}
}

// template passes the text of a template up to its end or to a hole.
func (l *jsLexer) template() {
	for l.pos < len(l.src) {
		switch c := l.src[l.pos]; {
		case c == '\\':
			l.pos++
		case c == '`':
			l.pos++
			l.push(jsToken{kind: jsValue})
			return
		case c == '$' && l.peek(1) == '{':
			l.pos += 2
			l.stack = append(l.stack, jsOpen{kind: 't'})
			l.push(jsToken{kind: jsPunct, c: '('})
			return
		}
		l.pos++
	}
}
