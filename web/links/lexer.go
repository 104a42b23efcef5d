package links

import "bytes"

// token is what the lexer found.
type token uint8

const (
	tokEOF     token = iota
	tokText          // data: raw characters, references not decoded
	tokStart         // name: the tag's name; attributes follow by attr until it gives false
	tokEnd           // name
	tokComment       // data: inside of <!-- -->
	tokCDATA         // data: inside of <![CDATA[ ]]>
	tokPI            // data: inside of <? >
	tokDoctype       // data: inside of <!DOCTYPE >
)

// lexer splits markup into tokens as the HTML standard's tokeniser does, without building anything: tokens are slices of
// the source. It serves XML too (xml true: processing instructions, CDATA everywhere, the DOCTYPE's internal subset).
// Each byte is looked at a bounded number of times, whatever the input.
type lexer struct {
	src   []byte
	pos   int
	xml   bool
	cdata bool // CDATA sections are allowed now: inside svg and math

	data []byte
	name []byte
	key  []byte
	val  []byte
	self bool // the tag ended in />
	open bool // attributes of the current tag are still unread
}

// next gives the next token. Unread attributes of the last tag are skipped.
func (l *lexer) next() token {
	for l.open {
		l.attr()
	}
	if l.pos >= len(l.src) {
		return tokEOF
	}
	if l.src[l.pos] != '<' || !l.markup(l.pos) {
		l.text()
		return tokText
	}
	switch c := l.src[l.pos+1]; c {
	case '!':
		return l.declaration()
	case '?':
		return l.instruction()
	case '/':
		return l.endTag()
	default:
		return l.startTag()
	}
}

// markup tells whether the < at i begins a tag, comment or the like, rather than being text.
func (l *lexer) markup(i int) bool {
	if i+1 >= len(l.src) {
		return false
	}
	switch c := l.src[i+1]; {
	case isAlpha(c), c == '!', c == '?':
		return true
	case c == '/':
		return i+2 < len(l.src)
	default:
		return l.xml && (c == '_' || c >= 0x80)
	}
}

// text reads up to the next < that begins markup.
func (l *lexer) text() {
	from := l.pos
	i := from + 1
	for {
		n := bytes.IndexByte(l.src[min(i, len(l.src)):], '<')
		if n < 0 {
			i = len(l.src)
			break
		}
		i += n
		if l.markup(i) {
			break
		}
		i++
	}
	l.data, l.pos = l.src[from:i], i
}

// startTag reads <name and leaves the attributes to attr.
func (l *lexer) startTag() token {
	from := l.pos + 1
	i := from
	for i < len(l.src) && class[l.src[i]]&classTagNo == 0 {
		i++
	}
	l.name, l.pos, l.self, l.open = l.src[from:i], i, false, true
	return tokStart
}

// endTag reads </name ... >; anything but a letter after the slash makes it a bogus comment, which is dropped.
func (l *lexer) endTag() token {
	from := l.pos + 2
	i := from
	for i < len(l.src) && class[l.src[i]]&classTagNo == 0 {
		i++
	}
	l.name = l.src[from:i]
	if i < len(l.src) && l.src[i] == '>' {
		l.pos = i + 1
	} else {
		l.pos = l.after(i, ">")
	}
	return tokEnd
}

// attr reads the next attribute of the current start tag into key and val (raw). It gives false at the tag's end.
func (l *lexer) attr() bool {
	if !l.open {
		return false
	}
	src, i := l.src, l.pos
	for i < len(src) && (isSpace(src[i]) || src[i] == '/') {
		l.self = src[i] == '/'
		i++
	}
	if i >= len(src) || src[i] == '>' {
		l.pos, l.open = min(i+1, len(src)), false
		return false
	}
	l.self = false
	from := i
	i++ // a name may begin with =
	for i < len(src) && class[src[i]]&classNameNo == 0 {
		i++
	}
	l.key, l.val = src[from:i], nil
	for i < len(src) && isSpace(src[i]) {
		i++
	}
	if i >= len(src) || src[i] != '=' {
		l.pos = i
		return true
	}
	i++
	for i < len(src) && isSpace(src[i]) {
		i++
	}
	l.pos = l.value(i)
	return true
}

// value reads an attribute value at i and gives the place after it. A quote that never closes takes the rest of the
// document, as in a browser, except that the value is then dropped: the document was cut there.
func (l *lexer) value(i int) int {
	src := l.src
	if i >= len(src) {
		return i
	}
	if q := src[i]; q == '"' || q == '\'' {
		n := bytes.IndexByte(src[i+1:], q)
		if n < 0 {
			return len(src)
		}
		l.val = src[i+1 : i+1+n]
		return i + n + 2
	}
	from := i
	for i < len(src) && src[i] != '>' && !isSpace(src[i]) {
		i++
	}
	if i < len(src) {
		l.val = src[from:i]
	}
	return i
}

// declaration reads what begins with <!: a comment, a CDATA section, a DOCTYPE, or a bogus comment.
func (l *lexer) declaration() token {
	rest := l.src[l.pos+2:]
	switch {
	case bytes.HasPrefix(rest, []byte("--")):
		l.comment()
		return tokComment
	case (l.xml || l.cdata) && bytes.HasPrefix(rest, []byte("[CDATA[")):
		from := l.pos + 9
		l.pos = l.after(from, "]]>")
		l.data = bytes.TrimSuffix(l.src[from:l.pos], []byte("]]>"))
		return tokCDATA
	case hasFold(rest, "doctype"):
		from := l.pos + 9
		l.pos = l.doctype(from)
		l.data = bytes.TrimSuffix(l.src[from:l.pos], []byte(">"))
		return tokDoctype
	default:
		from := l.pos + 2
		l.pos = l.after(from, ">")
		l.data = bytes.TrimSuffix(l.src[from:l.pos], []byte(">"))
		return tokComment
	}
}

// comment reads <!-- up to --> or --!>; <!--> and <!---> are empty comments.
func (l *lexer) comment() {
	from := l.pos + 4
	rest := l.src[from:]
	for _, short := range []string{">", "->"} {
		if bytes.HasPrefix(rest, []byte(short)) {
			l.data, l.pos = nil, from+len(short)
			return
		}
	}
	i := 0
	for {
		n := bytes.Index(rest[i:], []byte("--"))
		if n < 0 {
			l.data, l.pos = rest, len(l.src)
			return
		}
		i += n
		end := i + 2
		if end < len(rest) && rest[end] == '!' {
			end++
		}
		if end < len(rest) && rest[end] == '>' {
			l.data, l.pos = rest[:i], from+end+1
			return
		}
		i++
	}
}

// instruction reads <? up to ?> in XML, up to > in HTML.
func (l *lexer) instruction() token {
	from, stop := l.pos+2, ">"
	if l.xml {
		stop = "?>"
	}
	l.pos = l.after(from, stop)
	l.data = bytes.TrimSuffix(bytes.TrimSuffix(l.src[from:l.pos], []byte(">")), []byte("?"))
	return tokPI
}

// doctype gives the end of a DOCTYPE; in XML its internal subset in brackets may hold > signs.
func (l *lexer) doctype(i int) int {
	end := l.after(i, ">")
	if !l.xml {
		return end
	}
	if n := bytes.IndexByte(l.src[i:end], '['); n >= 0 {
		return l.after(l.after(i+n, "]"), ">")
	}
	return end
}

// after gives the place behind the next stop at or after i, or the end of the source.
func (l *lexer) after(i int, stop string) int {
	if i >= len(l.src) {
		return len(l.src)
	}
	n := bytes.Index(l.src[i:], []byte(stop))
	if n < 0 {
		return len(l.src)
	}
	return i + n + len(stop)
}
