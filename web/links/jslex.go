package links

import (
	"bytes"
	"unicode/utf8"
)

// punctuation handles one byte of punctuation, or an operator that begins with it.
func (s *jsScan) punctuation(c byte) {
	from := s.pos
	s.pos++
	switch c {
	case '+':
		s.plusSign()
		return
	case '(', '[', '{':
		if c == '[' && s.list(from) {
			return
		}
		s.finish()
		s.open(c)
	case ')', ']', '}':
		s.finish()
		s.close(c, from)
		return
	case ',':
		s.finish()
		if s.depth > 0 && s.depth <= maxFrames {
			s.frames[s.depth-1].arg++
		}
	case '=':
		s.equals(from)
		return
	case '.':
	default:
		s.finish()
		s.plus = false
	}
	s.push(c, from, s.pos)
}

// plusSign handles +, ++ and +=.
func (s *jsScan) plusSign() {
	next := byte(0)
	if s.pos < len(s.src) {
		next = s.src[s.pos]
	}
	switch {
	case next == '+':
		s.pos++
		s.finish()
		s.push('~', s.pos-2, s.pos)
	case next == '=':
		s.pos++
		s.finish()
		s.plus = true // something stood there before
		s.push('+', s.pos-2, s.pos)
	default:
		s.plus = s.plus || s.operandBefore()
		s.push('+', s.pos-1, s.pos)
	}
}

// operandBefore tells whether the last token ended a value.
func (s *jsScan) operandBefore() bool {
	switch s.p1.kind {
	case 's', 'n', ')', ']', '}':
		return true
	case 'i':
		return !keyword(s.text(s.p1))
	}
	return false
}

// equals tells assignment from comparison and arrow.
func (s *jsScan) equals(from int) {
	s.finish()
	s.plus = false
	kind := byte('=')
	for s.pos < len(s.src) && (s.src[s.pos] == '=' || s.src[s.pos] == '>') {
		s.pos++
		kind = '~'
	}
	if s.p1.kind == '!' || s.p1.kind == '<' || s.p1.kind == '>' {
		kind = '~'
	}
	s.push(kind, from, s.pos)
}

// open pushes a frame.
func (s *jsScan) open(c byte) {
	s.plus = false
	s.depth++
	if s.depth > maxFrames {
		return
	}
	f := &s.frames[s.depth-1]
	*f = jsFrame{kind: c}
	if c != '(' || s.p1.kind != 'i' {
		return
	}
	f.callee = s.p1
	before := s.p2
	if s.p2.kind == '.' {
		if s.p3.kind == 'i' || s.p3.kind == ')' && string(s.text(s.p1)) == "load" { // $(x).load(url)
			f.object = s.p3
		}
		before = s.p4
	}
	f.isNew = before.kind == 'i' && string(s.text(before)) == "new"
}

// close pops a frame. Behind the condition of an if or while a regular expression may follow, no division.
func (s *jsScan) close(c byte, from int) {
	s.plus = false
	kind := c
	if s.depth > 0 {
		if s.depth <= maxFrames && c == ')' {
			switch string(s.text(s.frames[s.depth-1].callee)) {
			case "if", "while", "for", "with":
				kind = '~'
			case "$", "jQuery": // what is called of its result is jQuery's
				callee := s.frames[s.depth-1].callee
				s.depth--
				s.push(kind, callee.from, callee.to)
				return
			}
		}
		s.depth--
	}
	s.push(kind, from, s.pos)
}

// slash handles comments, regular expressions and division.
func (s *jsScan) slash() {
	from := s.pos
	next := byte(0)
	if from+1 < len(s.src) {
		next = s.src[from+1]
	}
	switch {
	case next == '/':
		s.lineComment()
	case next == '*':
		if n := bytes.Index(s.src[from+2:], []byte("*/")); n >= 0 {
			s.sourceMap(s.src[from+2 : from+2+n])
			s.pos = from + n + 4
		} else {
			s.pos = len(s.src)
		}
	case !s.operandBefore() && s.regexp():
		s.finish()
		s.plus = false
		s.push(')', from, s.pos)
	default:
		s.pos++
		s.finish()
		s.plus = false
		s.push('~', from, s.pos)
	}
}

// lineComment passes over // up to the end of the line.
func (s *jsScan) lineComment() {
	rest := s.src[s.pos+2:]
	n := bytes.IndexByte(rest, '\n')
	if n < 0 {
		n = len(rest)
	}
	s.sourceMap(rest[:n])
	s.pos += 2 + n
}

// sourceMap takes "# sourceMappingURL=app.js.map" out of a comment.
func (s *jsScan) sourceMap(comment []byte) {
	if len(comment) < 20 || comment[0] != '#' && comment[0] != '@' {
		return
	}
	if url, ok := bytes.CutPrefix(trim(comment[1:]), []byte("sourceMappingURL=")); ok {
		s.e.link(kindJSSourcemap, url)
	}
}

// regexp passes over a regular expression; it gives false, without moving, if none ends on this line. A line where one
// attempt failed is not tried again, so that a line full of slashes costs no more than any other.
func (s *jsScan) regexp() bool {
	if s.pos < s.noRegexp {
		return false
	}
	inClass := false
	for i := s.pos + 1; i < len(s.src); i++ {
		switch c := s.src[i]; {
		case c == '\n':
			s.noRegexp = i
			return false
		case c == '\\':
			i++
		case c == '[':
			inClass = true
		case c == ']':
			inClass = false
		case c == '/' && !inClass:
			s.pos = i + 1
			for s.pos < len(s.src) && isAlpha(s.src[s.pos]) {
				s.pos++
			}
			return true
		}
	}
	s.noRegexp = len(s.src)
	return false
}

// string reads a quoted string.
func (s *jsScan) string(q byte) {
	from := s.pos
	v, ok := s.quoted(q)
	if !ok {
		s.finish()
		s.plus = false
		return
	}
	s.operand(v, true)
	s.push('s', from, s.pos)
}

// quoted reads a string in quotes q at pos and decodes it. A newline ends it badly.
func (s *jsScan) quoted(q byte) ([]byte, bool) {
	i := s.pos + 1
	for i < len(s.src) {
		switch c := s.src[i]; c {
		case q:
			v := s.src[s.pos+1 : i]
			s.pos = i + 1
			return v, true
		case '\n':
			s.pos = i
			return nil, false
		case '\\':
			return s.escaped(i, q)
		}
		i++
	}
	s.pos = len(s.src)
	return nil, false
}

// escaped reads on from the first backslash at i.
func (s *jsScan) escaped(i int, q byte) ([]byte, bool) {
	s.buf = append(s.buf[:0], s.src[s.pos+1:i]...)
	for i < len(s.src) {
		switch c := s.src[i]; c {
		case q:
			s.pos = i + 1
			return s.buf, true
		case '\n':
			s.pos = i
			return nil, false
		case '\\':
			i = s.escape(i + 1)
		default:
			s.buf = append(s.buf, c)
			i++
		}
	}
	s.pos = len(s.src)
	return nil, false
}

// escape decodes what follows a backslash at i into buf and gives the place behind it.
func (s *jsScan) escape(i int) int {
	if i >= len(s.src) {
		return i
	}
	c := s.src[i]
	i++
	switch c {
	case 'n':
		s.buf = append(s.buf, '\n')
	case 't':
		s.buf = append(s.buf, '\t')
	case 'r', '\n', 'b', 'f', 'v', '0':
	case '\r':
		if i < len(s.src) && s.src[i] == '\n' {
			i++
		}
	case 'x':
		return s.hexEscape(i, 2)
	case 'u':
		if i < len(s.src) && s.src[i] == '{' {
			end := s.hexEscape(i+1, 6)
			if end < len(s.src) && s.src[end] == '}' {
				end++
			}
			return end
		}
		return s.hexEscape(i, 4)
	default:
		s.buf = append(s.buf, c)
	}
	return i
}

// hexEscape reads up to n hexadecimal digits at i.
func (s *jsScan) hexEscape(i, n int) int {
	r := rune(0)
	for ; n > 0 && i < len(s.src) && isHex(s.src[i]); n-- {
		r = r<<4 | rune(unhex(s.src[i]))
		i++
	}
	s.buf = utf8.AppendRune(s.buf, r)
	return i
}
