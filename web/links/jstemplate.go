package links

import (
	"bytes"
	"encoding/base64"
	"unicode/utf8"
)

// maxNest bounds templates inside templates.
const maxNest = 3

// template reads a template literal: constant parts, known names, and holes.
func (s *jsScan) template() {
	from := s.pos
	s.buf = s.buf[:0]
	i := s.pos + 1
	var inner [][2]int
	for i < len(s.src) && s.src[i] != '`' {
		switch c := s.src[i]; {
		case c == '\\':
			i = s.escape(i + 1)
		case c == '$' && i+1 < len(s.src) && s.src[i+1] == '{':
			end, whole := skipExpression(s.src, i+2)
			s.e.info.Truncated = s.e.info.Truncated || !whole
			inner = s.substitute(inner, i+2, end)
			i = min(end+1, len(s.src))
		default:
			s.buf = append(s.buf, c)
			i++
		}
	}
	s.pos = min(i+1, len(s.src))
	s.operand(s.buf, true)
	s.push('s', from, s.pos)
	s.within(inner)
}

// substitute puts the value of ${expression} into buf, or a hole, and then remembers the expression for a look inside.
func (s *jsScan) substitute(inner [][2]int, from, end int) [][2]int {
	expr := trim(s.src[from:end])
	if v, ok := s.vars[string(expr)]; ok && v != hole && s.folded <= maxFolded {
		s.folded += len(v)
		s.useHeld(string(expr))
		s.buf = append(s.buf, v...)
		return inner
	}
	s.buf = append(s.buf, hole...)
	if bytes.ContainsAny(expr, "\"'`") {
		if s.nest >= maxNest || len(inner) >= 64 {
			s.e.info.Truncated = true
			return inner
		}
		inner = append(inner, [2]int{from, end})
	}
	return inner
}

// within reads the expressions inside a template as scripts of their own, keeping the state out here.
func (s *jsScan) within(inner [][2]int) {
	if len(inner) == 0 {
		return
	}
	s.finish()
	src, pos := s.src, s.pos
	tokens := [4]jsToken{s.p1, s.p2, s.p3, s.p4}
	depth := s.depth
	s.nest++
	for _, span := range inner {
		s.src, s.pos, s.depth = src[:span[1]], span[0], maxFrames+1
		s.p1 = jsToken{kind: '('}
		s.run()
	}
	s.nest--
	s.src, s.pos, s.depth = src, pos, depth
	s.p1, s.p2, s.p3, s.p4 = tokens[0], tokens[1], tokens[2], tokens[3]
}

// maxTemplates bounds the templates inside templates that are passed over.
const maxTemplates = 16

// skipExpression gives the place of the brace that closes ${ opened before i, or the end; not whole is one with too many templates inside. Strings and templates inside
// are passed over as wholes: a backquote goes one level down, into text; ${ goes from text to an expression of its level.
func skipExpression(src []byte, i int) (end int, whole bool) {
	var braces [maxTemplates]int
	level, text := 0, false
	for ; i < len(src); i++ {
		switch c := src[i]; {
		case c == '\\':
			i++
		case text && c == '`':
			text = false
			level--
		case text && c == '$' && i+1 < len(src) && src[i+1] == '{':
			text = false
			i++
		case text:
		case c == '`':
			if level++; level == maxTemplates {
				return len(src), false
			}
			text, braces[level] = true, 0
		case c == '{':
			braces[level]++
		case c == '}' && braces[level] > 0:
			braces[level]--
		case c == '}' && level == 0:
			return i, true
		case c == '}':
			text = true
		case c == '"' || c == '\'':
			i = skipString(src, i) - 1
		}
	}
	return len(src), true
}

// skipString gives the place behind the string that begins at i; a newline ends it.
func skipString(src []byte, i int) int {
	q := src[i]
	for i++; i < len(src); i++ {
		switch src[i] {
		case q, '\n':
			return i + 1
		case '\\':
			i++
		}
	}
	return len(src)
}

// compute evaluates a call of a pure function of a constant: atob("..."), decodeURIComponent("..."),
// fromCharCode(104, 116). It moves only if it can.
func (s *jsScan) compute(word []byte) ([]byte, bool) {
	switch string(word) {
	case "atob", "decodeURIComponent", "decodeURI", "unescape":
	case "fromCharCode":
		return s.charCodes()
	default:
		return nil, false
	}
	start := s.pos
	arg, ok := s.onlyArgument()
	if !ok {
		s.pos = start
		return nil, false
	}
	if string(word) == "atob" {
		out, err := base64.StdEncoding.AppendDecode(nil, arg)
		if err != nil || !utf8.Valid(out) {
			s.pos = start
			return nil, false
		}
		return out, true
	}
	return bytes.Clone(percentDecode(arg)), true
}

// onlyArgument reads ("...") with nothing else inside.
func (s *jsScan) onlyArgument() ([]byte, bool) {
	if !s.accept('(') {
		return nil, false
	}
	s.space()
	if s.pos >= len(s.src) || s.src[s.pos] != '"' && s.src[s.pos] != '\'' {
		return nil, false
	}
	v, ok := s.quoted(s.src[s.pos])
	return v, ok && s.accept(')')
}

// charCodes reads (104, 116, ...).
func (s *jsScan) charCodes() ([]byte, bool) {
	start := s.pos
	if !s.accept('(') {
		return nil, false
	}
	var out []byte
	for len(out) < maxGuess {
		s.space()
		r, digits := rune(0), 0
		for ; s.pos < len(s.src) && isDigit(s.src[s.pos]) && digits < 7; digits++ {
			r = r*10 + rune(s.src[s.pos]-'0')
			s.pos++
		}
		if digits == 0 {
			break
		}
		out = utf8.AppendRune(out, r)
		if s.accept(')') {
			return out, true
		}
		if !s.accept(',') {
			break
		}
	}
	s.pos = start
	return nil, false
}

// list evaluates ["a", "b"].join("/"); from is the place of the bracket, which was read. It moves only if it can.
func (s *jsScan) list(from int) bool {
	if s.operandBefore() || s.pos >= len(s.src) || s.src[s.pos] != '"' && s.src[s.pos] != '\'' {
		return false
	}
	start := s.pos
	var parts [][]byte
	for len(parts) < 64 && s.pos-start < maxGuess {
		s.space()
		if s.pos >= len(s.src) || s.src[s.pos] != '"' && s.src[s.pos] != '\'' {
			break
		}
		v, ok := s.quoted(s.src[s.pos])
		if !ok {
			break
		}
		parts = append(parts, bytes.Clone(v))
		if s.accept(',') {
			continue
		}
		if sep, ok := s.joined(); ok {
			s.operand(bytes.Join(parts, sep), true)
			s.push('s', from, s.pos)
			return true
		}
		break
	}
	s.pos = start
	return false
}

// joined reads ].join("...") and gives the separator.
func (s *jsScan) joined() ([]byte, bool) {
	if !s.accept(']') || !s.accept('.') || !bytes.HasPrefix(s.src[s.pos:], []byte("join")) {
		return nil, false
	}
	s.pos += len("join")
	return s.onlyArgument()
}

// space passes over white space.
func (s *jsScan) space() {
	for s.pos < len(s.src) && isSpace(s.src[s.pos]) {
		s.pos++
	}
}

// accept passes over white space and the byte c, if it is next.
func (s *jsScan) accept(c byte) bool {
	s.space()
	if s.pos < len(s.src) && s.src[s.pos] == c {
		s.pos++
		return true
	}
	return false
}
