package rewrite

// open pushes a bracket with what it means.
func (l *jsLexer) open(c byte) {
	o := jsOpen{kind: c}
	switch c {
	case '(':
		o.head = l.prev.kind == jsWord && l.prev2.kind != jsDot && heads(l.prev.word)
		o.wrap, l.wrap = l.wrap, false
	case '[':
		o.member = l.operand()
		o.window = l.prev.kind == jsWord && windows(l.prev.word)
	case '{':
		o.kind = l.brace()
	}
	if len(l.stack) < maxDepth {
		l.stack = append(l.stack, o)
	}
	l.pos++
	if c == '(' && o.wrap {
		l.replace(l.pos, l.pos, l.wrapper()+"(")
	}
	if l.insert != "" {
		l.replace(l.pos, l.pos, l.insert)
		l.insert = ""
	}
	l.push(jsToken{kind: jsPunct, c: c})
}

// wrapper names the function that is put around the arguments of eval or import.
func (l *jsLexer) wrapper() string {
	if string(l.prev.word) == "import" {
		return nameImport
	}
	return nameCode
}

func heads(w []byte) bool {
	switch string(w) {
	case "if", "while", "for", "with":
		return true
	}
	return false
}

// brace tells what an opening brace begins: { a block, o an object, c the body of a class, m the names of an import
// or export.
func (l *jsLexer) brace() byte {
	if l.class == len(l.stack)+1 {
		l.class = 0
		return 'c'
	}
	switch p := l.prev; p.kind {
	case jsNone, jsArrow, jsValue:
		return '{'
	case jsWord:
		switch {
		case l.importing || l.exporting && string(p.word) == "export":
			return 'm'
		case string(p.word) == "else", string(p.word) == "do":
			return '{'
		case beforeValue(p.word), string(p.word) == "const", string(p.word) == "let", string(p.word) == "var":
			return 'o'
		}
		return '{'
	case jsPunct:
		switch p.c {
		case ')', ';', '}', ']':
			return '{'
		case '{':
			if l.inside() == 'o' {
				return 'o'
			}
			return '{'
		case ',':
			if l.importing {
				return 'm'
			}
		case ':':
			if l.labelled() {
				return '{'
			}
		}
	}
	return 'o'
}

// inside tells the innermost open bracket.
func (l *jsLexer) inside() byte {
	if n := len(l.stack); n > 0 {
		return l.stack[n-1].kind
	}
	return '{'
}

// labelled tells whether the colon just read ended a case rather than a condition or a key.
func (l *jsLexer) labelled() bool {
	return l.inside() == '{' && l.caseEnded
}

// close pops a bracket. A bracket that fits none is passed.
func (l *jsLexer) close(c byte) {
	l.pos++
	t := jsToken{kind: jsPunct, c: c}
	n := len(l.stack)
	if n == 0 {
		l.push(t)
		return
	}
	o := l.stack[n-1]
	l.stack = l.stack[:n-1]
	if o.kind == 't' && c == '}' {
		l.template()
		return
	}
	if o.wrap && c == ')' {
		l.replace(l.pos, l.pos, ")")
	}
	t.block = c == ')' && o.head || c == '}' && (o.kind == '{' || o.kind == 'c')
	l.push(t)
}

// after gives the next byte that is not white space or a comment, at or after i.
func (l *jsLexer) after(i int) byte {
	i = l.skip(i)
	if i < len(l.src) {
		return l.src[i]
	}
	return 0
}

// maxLook bounds how far comments are looked past, so that the cost stays linear.
const maxLook = 256

// skip passes white space and short comments.
func (l *jsLexer) skip(i int) int {
	for stop := min(len(l.src), i+maxLook); i < stop; {
		switch c := l.src[i]; {
		case isSpace(c):
			i++
		case c == '/' && i+1 < stop && l.src[i+1] == '/':
			for i < stop && l.src[i] != '\n' {
				i++
			}
		case c == '/' && i+1 < stop && l.src[i+1] == '*':
			for i += 2; i+1 < stop && (l.src[i] != '*' || l.src[i+1] != '/'); {
				i++
			}
			i += 2
		default:
			return i
		}
	}
	return min(i, len(l.src))
}
