package rewrite

import (
	"bytes"
	"strings"

	"varve/serve/replay/address"
)

// CSS appends a style sheet to dst with its references rewritten.
func (d *Document) CSS(dst, src []byte) []byte {
	if bytes.IndexByte(src, '(') < 0 && bytes.IndexByte(src, '@') < 0 {
		return append(dst, src...)
	}
	s := cssScan{d: d, edit: edit{src: src, dst: dst}}
	s.run()
	return s.finish()
}

// cssScan walks over a style sheet.
type cssScan struct {
	edit
	d       *Document
	pos     int
	imports bool  // after @import, before its address
	sets    []int // depths of brackets at which image-set() was opened
	depth   int
}

func (s *cssScan) run() {
	for s.pos < len(s.src) {
		switch c := s.src[s.pos]; {
		case c == '/' && s.at(1) == '*':
			s.comment()
		case c == '"' || c == '\'':
			s.quoted(c)
		case c == '@':
			s.pos++
			s.imports = strings.EqualFold(s.ident(), "import")
		case identByte(c):
			s.word()
		case c == '(':
			s.depth++
			s.pos++
		case c == ')':
			s.close()
		case c == ';' || c == '{':
			s.imports = false
			s.pos++
		case c == '\\':
			s.pos += 2
		default:
			s.pos++
		}
	}
}

func (s *cssScan) at(n int) byte {
	if s.pos+n < len(s.src) {
		return s.src[s.pos+n]
	}
	return 0
}

func (s *cssScan) comment() {
	n := bytes.Index(s.src[s.pos+2:], []byte("*/"))
	if n < 0 {
		s.pos = len(s.src)
		return
	}
	s.pos += n + 4
}

// close leaves a bracket, and image-set if it was that one.
func (s *cssScan) close() {
	s.pos++
	s.depth = max(s.depth-1, 0)
	if n := len(s.sets); n > 0 && s.sets[n-1] > s.depth {
		s.sets = s.sets[:n-1]
	}
}

// ident reads a name.
func (s *cssScan) ident() string {
	from := s.pos
	for s.pos < len(s.src) && identByte(s.src[s.pos]) {
		s.pos++
	}
	return string(s.src[from:s.pos])
}

// word reads a name and what it means if a bracket follows.
func (s *cssScan) word() {
	name := s.ident()
	if s.at(0) != '(' {
		return
	}
	s.pos++
	s.depth++
	switch {
	case strings.EqualFold(name, "url"), strings.EqualFold(name, "src"):
		s.url()
	case strings.EqualFold(name, "image-set"), strings.EqualFold(name, "-webkit-image-set"):
		if len(s.sets) < 64 {
			s.sets = append(s.sets, s.depth)
		}
	}
}

// url reads the inside of url(...), quoted or not, up to the closing bracket.
func (s *cssScan) url() {
	for isSpace(s.at(0)) {
		s.pos++
	}
	if c := s.at(0); c == '"' || c == '\'' {
		from := s.pos + 1
		s.skip(c)
		s.reference(from, min(s.pos-1, len(s.src)), false)
		return
	}
	from := s.pos
	for s.pos < len(s.src) && s.src[s.pos] != ')' {
		if s.src[s.pos] == '\\' {
			s.pos++
		}
		s.pos++
	}
	s.pos = min(s.pos, len(s.src))
	to := s.pos
	for to > from && isSpace(s.src[to-1]) {
		to--
	}
	s.reference(from, to, true)
}

// quoted passes a string, which is a reference after @import and in image-set().
func (s *cssScan) quoted(q byte) {
	from := s.pos + 1
	s.skip(q)
	if s.imports || len(s.sets) > 0 && s.sets[len(s.sets)-1] == s.depth {
		s.reference(from, min(s.pos-1, len(s.src)), false)
	}
}

// skip passes a string; a line end closes it too, as in a browser.
func (s *cssScan) skip(q byte) {
	for s.pos++; s.pos < len(s.src); s.pos++ {
		switch s.src[s.pos] {
		case '\\':
			s.pos++
		case q:
			s.pos++
			return
		case '\n':
			return
		}
	}
	s.pos = len(s.src) + 1 // so that the end of the text is one before it, as with a closing quote
}

// reference rewrites src[from:to].
func (s *cssScan) reference(from, to int, bare bool) {
	mod := address.Image
	if s.imports {
		mod, s.imports = address.Style, false
	}
	if from < s.done || to <= from {
		return
	}
	addr, ok := s.d.Address(cssUnescape(string(s.src[from:to])), mod)
	if !ok {
		return
	}
	s.replace(from, to, cssEscape(addr, bare))
}

// cssEscape writes an address inside a string or inside the bare url().
func cssEscape(s string, bare bool) string {
	unsafe := "\"'\\\n"
	if bare {
		unsafe = "\"'\\()\n "
	}
	if !strings.ContainsAny(s, unsafe) {
		return s
	}
	var b strings.Builder
	for _, c := range []byte(s) {
		if strings.IndexByte(unsafe, c) >= 0 {
			b.WriteByte('\\')
		}
		b.WriteByte(c)
	}
	return b.String()
}

// cssUnescape undoes backslashes: \( and \28 .
func cssUnescape(s string) string {
	if strings.IndexByte(s, '\\') < 0 {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			continue
		}
		i++
		n, v := 0, rune(0)
		for n < 6 && i+n < len(s) && hexValue(s[i+n]) >= 0 {
			v = v<<4 | rune(hexValue(s[i+n]))
			n++
		}
		switch {
		case n > 0:
			b.WriteRune(v)
			i += n - 1
			if i+1 < len(s) && isSpace(s[i+1]) {
				i++
			}
		case s[i] != '\n':
			b.WriteByte(s[i])
		}
	}
	return b.String()
}

func hexValue(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c|0x20 >= 'a' && c|0x20 <= 'f':
		return int(c|0x20-'a') + 10
	}
	return -1
}

func isSpace(c byte) bool {
	return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f'
}

func identByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '_' || c >= 0x80
}
