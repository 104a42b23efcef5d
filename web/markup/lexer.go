package markup

import "bytes"

// Kind says what a token is.
type Kind uint8

// The kinds of tokens.
const (
	EOF         Kind = iota
	Text             // Data: raw characters, references not decoded
	Start            // Name; attributes follow by Attr until it returns false
	End              // Name
	Comment          // Data: inside of <!-- -->
	CDATA            // Data: inside of <![CDATA[ ]]>
	Instruction      // Data: inside of <? >
	Doctype          // Data: inside of <!DOCTYPE >
	Raw              // of a Walker only. Data: the content of an element that holds no markup, which is Name
	Drawing          // of a Walker only. Data: svg, math or xml from its first byte to its last
	Part             // of a Stream only. More of the token before it
)

// Lexer splits markup into tokens as the HTML standard's tokeniser does, without building anything: tokens are slices of
// the source. It serves XML too. Each byte is looked at a bounded number of times, whatever the input.
type Lexer struct {
	Src   []byte
	Pos   int  // behind what was read
	XML   bool // processing instructions, CDATA everywhere, the DOCTYPE's internal subset
	CDATA bool // CDATA sections are allowed now: inside svg and math

	From  int // where the token begins
	Data  []byte
	Name  []byte // as it is written
	Key   []byte // of the attribute, as it is written
	Val   []byte // of the attribute, references not decoded; nil if it has none
	At    int    // where the attribute begins
	Self  bool   // the tag ended in />
	Whole bool   // the tag ended in >, not with the document

	open bool // attributes of the current tag are still unread
	odd  bool // there is a slash in the tag that does not end it, or an attribute whose name begins with =
}

// Next reads the next token. Unread attributes of the last tag are skipped.
func (l *Lexer) Next() Kind {
	for l.open {
		l.Attr()
	}
	l.From = l.Pos
	if l.Pos >= len(l.Src) {
		return EOF
	}
	if l.Src[l.Pos] != '<' || !l.markup(l.Pos) {
		l.text()
		return Text
	}
	switch c := l.Src[l.Pos+1]; c {
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

// markup reports whether the < at i begins a tag, comment or the like, rather than being text.
func (l *Lexer) markup(i int) bool {
	if i+1 >= len(l.Src) {
		return false
	}
	switch c := l.Src[i+1]; {
	case isAlpha(c), c == '!', c == '?':
		return true
	case c == '/':
		return i+2 < len(l.Src)
	default:
		return l.XML && (c == '_' || c >= 0x80)
	}
}

// text reads up to the next < that begins markup.
func (l *Lexer) text() {
	from := l.Pos
	i := from + 1
	for {
		n := bytes.IndexByte(l.Src[min(i, len(l.Src)):], '<')
		if n < 0 {
			i = len(l.Src)
			break
		}
		i += n
		if l.markup(i) {
			break
		}
		i++
	}
	l.Data, l.Pos = l.Src[from:i], i
}

// startTag reads <name and leaves the attributes to Attr.
func (l *Lexer) startTag() Kind {
	from := l.Pos + 1
	i := from
	for i < len(l.Src) && class[l.Src[i]]&classTagNo == 0 {
		i++
	}
	l.Name, l.Pos, l.Self, l.open, l.odd, l.Whole = l.Src[from:i], i, false, true, false, false
	return Start
}

// endTag reads </name ... >. What has no letter after the slash is a bogus comment by the standard: its name does not begin with one.
func (l *Lexer) endTag() Kind {
	from := l.Pos + 2
	i := from
	for i < len(l.Src) && class[l.Src[i]]&classTagNo == 0 {
		i++
	}
	l.Name, l.Whole = l.Src[from:i], true
	if i < len(l.Src) && l.Src[i] == '>' {
		l.Pos = i + 1
	} else {
		l.Pos = l.after(i, ">")
		l.Whole = l.Src[l.Pos-1] == '>'
	}
	return End
}

// Attr reads the next attribute of the current start tag into Key and Val. It returns false at the tag's end.
func (l *Lexer) Attr() bool {
	if !l.open {
		return false
	}
	src, i := l.Src, l.Pos
	for i < len(src) && (isSpace(src[i]) || src[i] == '/') {
		if l.Self = src[i] == '/'; l.Self && i+1 < len(src) && src[i+1] != '>' {
			l.odd = true
		}
		i++
	}
	if i >= len(src) || src[i] == '>' {
		l.Pos, l.open, l.Whole = min(i+1, len(src)), false, i < len(src)
		return false
	}
	l.Self = false
	from := i
	l.odd = l.odd || src[i] == '='
	i++ // a name may begin with =
	for i < len(src) && class[src[i]]&classNameNo == 0 {
		i++
	}
	l.At, l.Key, l.Val = from, src[from:i], nil
	for i < len(src) && isSpace(src[i]) {
		i++
	}
	if i >= len(src) || src[i] != '=' {
		l.Pos = i
		return true
	}
	i++
	for i < len(src) && isSpace(src[i]) {
		i++
	}
	l.Pos = l.value(i)
	return true
}

// value reads an attribute value at i and returns the place after it. A quote that never closes takes the rest of the
// document, as in a browser, except that the value is then dropped: the document was cut there.
func (l *Lexer) value(i int) int {
	src := l.Src
	if i >= len(src) {
		return i
	}
	if q := src[i]; q == '"' || q == '\'' {
		n := bytes.IndexByte(src[i+1:], q)
		if n < 0 {
			return len(src)
		}
		l.Val = src[i+1 : i+1+n]
		return i + n + 2
	}
	from := i
	for i < len(src) && src[i] != '>' && !isSpace(src[i]) {
		i++
	}
	if i < len(src) {
		l.Val = src[from:i]
	}
	return i
}

// declaration reads what begins with <!: a comment, a CDATA section, a DOCTYPE, or a bogus comment.
func (l *Lexer) declaration() Kind {
	rest := l.Src[l.Pos+2:]
	switch {
	case bytes.HasPrefix(rest, []byte("--")):
		l.comment()
		return Comment
	case (l.XML || l.CDATA) && bytes.HasPrefix(rest, []byte("[CDATA[")):
		from := l.Pos + 9
		l.Pos = l.after(from, "]]>")
		l.Data = bytes.TrimSuffix(l.Src[from:l.Pos], []byte("]]>"))
		return CDATA
	case hasFold(rest, "doctype"):
		from := l.Pos + 9
		l.Pos = l.doctype(from)
		l.Data = bytes.TrimSuffix(l.Src[from:l.Pos], []byte(">"))
		return Doctype
	default:
		from := l.Pos + 2
		l.Pos = l.after(from, ">")
		l.Data = bytes.TrimSuffix(l.Src[from:l.Pos], []byte(">"))
		return Comment
	}
}

// comment reads <!-- up to --> or --!>; <!--> and <!---> are empty comments.
func (l *Lexer) comment() {
	from := l.Pos + 4
	rest := l.Src[from:]
	for _, short := range []string{">", "->"} {
		if bytes.HasPrefix(rest, []byte(short)) {
			l.Data, l.Pos = nil, from+len(short)
			return
		}
	}
	i := 0
	for {
		n := bytes.Index(rest[i:], []byte("--"))
		if n < 0 {
			l.Data, l.Pos = rest, len(l.Src)
			return
		}
		i += n
		end := i + 2
		if end < len(rest) && rest[end] == '!' {
			end++
		}
		if end < len(rest) && rest[end] == '>' {
			l.Data, l.Pos = rest[:i], from+end+1
			return
		}
		i++
	}
}

// instruction reads <? up to ?> in XML, up to > in HTML.
func (l *Lexer) instruction() Kind {
	from, stop := l.Pos+2, ">"
	if l.XML {
		stop = "?>"
	}
	l.Pos = l.after(from, stop)
	l.Data = bytes.TrimSuffix(bytes.TrimSuffix(l.Src[from:l.Pos], []byte(">")), []byte("?"))
	return Instruction
}

// doctype returns the end of a DOCTYPE; in XML its internal subset in brackets may hold > signs.
func (l *Lexer) doctype(i int) int {
	end := l.after(i, ">")
	if !l.XML {
		return end
	}
	if n := bytes.IndexByte(l.Src[i:end], '['); n >= 0 {
		return l.after(l.after(i+n, "]"), ">")
	}
	return end
}

// after returns the place behind the next stop at or after i, or the end of the source.
func (l *Lexer) after(i int, stop string) int {
	if i >= len(l.Src) {
		return len(l.Src)
	}
	n := bytes.Index(l.Src[i:], []byte(stop))
	if n < 0 {
		return len(l.Src)
	}
	return i + n + len(stop)
}
