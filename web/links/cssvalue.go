package links

import (
	"bytes"
	"unicode/utf8"
)

// url reads the inside of url( up to its parenthesis: a quoted string or bare characters.
func (s *cssScan) url() {
	for s.pos < len(s.src) && isSpace(s.src[s.pos]) {
		s.pos++
	}
	if s.pos >= len(s.src) {
		return
	}
	if c := s.src[s.pos]; c == '"' || c == '\'' {
		s.address(s.quoted(c))
		s.push(funcURL) // url() may have modifiers behind the string
		return
	}
	s.bare()
}

// bare reads an unquoted URL. White space is allowed before the parenthesis only; a quote or parenthesis inside makes
// the whole token bad, and it is passed over.
func (s *cssScan) bare() {
	s.buf = s.buf[:0]
	bad := false
	for s.pos < len(s.src) {
		switch c := s.src[s.pos]; {
		case c == ')':
			s.pos++
			if !bad {
				s.address(bytes.TrimRight(s.buf, " \t\r\n\f"))
			}
			return
		case c == '\\' && s.pos+1 < len(s.src):
			s.escape()
		case c == '"' || c == '\'' || c == '(':
			bad = true
			s.pos++
		case c == ';' || c == '{' || c == '}':
			// Legal in a URL, but a missing parenthesis is likelier: stop at the end of the line.
			if s.cut() {
				return
			}
			s.buf = append(s.buf, c)
			s.pos++
		default:
			s.buf = append(s.buf, c)
			s.pos++
		}
	}
}

// cut tells whether a bare URL was left open, seen at a ; or brace: a data: URL has them in its middle, others do not.
func (s *cssScan) cut() bool {
	return !hasFold(s.buf, "data:") && bytes.IndexByte(s.src[s.pos:min(len(s.src), s.pos+256)], ')') < 0
}

// quoted reads a string in quotes q and decodes its escapes. A newline ends a bad string.
func (s *cssScan) quoted(q byte) []byte {
	s.pos++
	from := s.pos
	for s.pos < len(s.src) {
		switch c := s.src[s.pos]; c {
		case q:
			s.pos++
			return s.src[from : s.pos-1]
		case '\n':
			return nil
		case '\\':
			return s.quotedSlow(from, q)
		}
		s.pos++
	}
	return nil
}

// quotedSlow reads on from the first backslash.
func (s *cssScan) quotedSlow(from int, q byte) []byte {
	s.buf = append(s.buf[:0], s.src[from:s.pos]...)
	for s.pos < len(s.src) {
		switch c := s.src[s.pos]; c {
		case q:
			s.pos++
			return s.buf
		case '\n':
			return nil
		case '\\':
			if s.pos+1 < len(s.src) && s.src[s.pos+1] == '\n' {
				s.pos += 2
				continue
			}
			s.escape()
		default:
			s.buf = append(s.buf, c)
			s.pos++
		}
	}
	return nil
}

// escape decodes a backslash escape into buf: up to six hexadecimal digits and one space, or any other character.
func (s *cssScan) escape() {
	s.pos++
	if s.pos >= len(s.src) {
		return
	}
	if !isHex(s.src[s.pos]) {
		_, n := utf8.DecodeRune(s.src[s.pos:])
		s.buf = append(s.buf, s.src[s.pos:s.pos+n]...)
		s.pos += n
		return
	}
	r := rune(0)
	for i := 0; i < 6 && s.pos < len(s.src) && isHex(s.src[s.pos]); i++ {
		r = r<<4 | rune(unhex(s.src[s.pos]))
		s.pos++
	}
	if s.pos < len(s.src) && isSpace(s.src[s.pos]) {
		s.pos++
	}
	if r == 0 || !utf8.ValidRune(r) {
		r = utf8.RuneError
	}
	s.buf = utf8.AppendRune(s.buf, r)
}
