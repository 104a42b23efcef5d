package links

import (
	"bytes"
	"encoding/base64"
	"strconv"
	"unicode/utf8"

	"varve/web/script"
)

// maxNest bounds templates inside templates.
const maxNest = 3

// template reads a template literal from its first piece on: constant parts, known names, and holes.
func (s *jsScan) template(t script.Token) {
	from := t.From
	s.buf = s.buf[:0]
	var inner [][2]int
	for {
		s.buf = script.AppendText(s.buf, t.Inside(s.src))
		if !t.Hole() {
			break
		}
		expr, depth := t.To, s.lx.Depth()
		for own := false; !own && t.Kind() != script.End; {
			own = s.lx.Depth() == depth // what is open innermost is this hole
			t = s.lx.Next()
			own = own && t.Kind() == script.Template && s.src[t.From] == '}'
		}
		inner = s.substitute(inner, expr, t.From)
		if t.Kind() == script.End {
			break
		}
	}
	s.operand(s.buf, true)
	s.push('s', from, s.lx.Pos())
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
	src, depth := s.src, s.depth
	history, newest := s.history, s.newest
	s.nest++
	s.lx = &s.lexers[s.nest]
	for _, span := range inner {
		s.src, s.depth = src[:span[1]], maxFrames+1
		s.lx.Reset(s.src, span[0])
		s.push('(', 0, 0)
		s.run()
	}
	s.nest--
	s.lx = &s.lexers[s.nest]
	s.src, s.depth = src, depth
	s.history, s.newest = history, newest
}

// compute evaluates a call of a pure function of a constant: atob("..."), decodeURIComponent("..."),
// fromCharCode(104, 116). It moves only if it can.
func (s *jsScan) compute(word []byte) ([]byte, bool) {
	switch string(word) {
	case "atob", "decodeURIComponent", "decodeURI", "unescape", "fromCharCode":
	default:
		return nil, false
	}
	s.lx.Ahead(&s.ahead)
	if !s.accept('(') {
		return nil, false
	}
	var out []byte
	if string(word) == "fromCharCode" {
		var ok bool
		if out, ok = s.charCodes(); !ok {
			return nil, false
		}
	} else {
		arg, ok := s.onlyArgument()
		switch {
		case !ok:
			return nil, false
		case string(word) == "atob":
			var err error
			if out, err = base64.StdEncoding.AppendDecode(nil, arg); err != nil || !utf8.Valid(out) {
				return nil, false
			}
		default:
			out = bytes.Clone(percentDecode(arg))
		}
	}
	s.lx.Follow(&s.ahead)
	return out, true
}

// accept reports whether this operator is next, ahead.
func (s *jsScan) accept(op script.Op) bool { return s.ahead.Next().Is(op) }

// onlyArgument reads "...") ahead.
func (s *jsScan) onlyArgument() ([]byte, bool) {
	t := s.ahead.Next()
	if t.Kind() != script.String || t.Cut() {
		return nil, false
	}
	return s.decoded(t), s.accept(')')
}

// charCodes reads 104, 116, ...) ahead.
func (s *jsScan) charCodes() (out []byte, ok bool) {
	for len(out) < maxGuess {
		t := s.ahead.Next()
		code, err := strconv.ParseUint(string(t.Text(s.src)), 0, 21)
		if t.Kind() != script.Number || err != nil {
			return nil, false
		}
		out = utf8.AppendRune(out, rune(code))
		switch t := s.ahead.Next(); {
		case t.Is(')'):
			return out, true
		case !t.Is(','):
			return nil, false
		}
	}
	return nil, false
}

// list evaluates ["a", "b"].join("/") from its bracket on. It moves only if it can.
func (s *jsScan) list(open script.Token) bool {
	if open.After() || open.To >= len(s.src) || s.src[open.To] != '"' && s.src[open.To] != '\'' {
		return false
	}
	s.lx.Ahead(&s.ahead)
	var parts [][]byte
	for len(parts) < 64 && s.ahead.Pos()-open.To < maxGuess {
		t := s.ahead.Next()
		if t.Kind() != script.String || t.Cut() {
			return false
		}
		parts = append(parts, bytes.Clone(s.decoded(t)))
		t = s.ahead.Next()
		if t.Is(',') {
			continue
		}
		if !t.Is(']') || !s.accept('.') || string(s.ahead.Next().Text(s.src)) != "join" || !s.accept('(') {
			return false
		}
		sep, ok := s.onlyArgument()
		if !ok {
			return false
		}
		s.operand(bytes.Join(parts, sep), true)
		s.lx.Follow(&s.ahead)
		s.push('s', open.From, s.lx.Pos())
		return true
	}
	return false
}
