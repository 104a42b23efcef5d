package pdf

import (
	"bytes"
	"strconv"
)

// lexer reads values from bytes. It never fails: what makes no sense is skipped.
type lexer struct {
	b   []byte
	pos int
}

// maxNesting is how deep arrays and dictionaries may be nested.
const maxNesting = 64

const (
	isSpace = 1 << iota
	isDelim
)

// classes tells white space and delimiters from the regular characters.
var classes = func() (t [256]uint8) {
	for _, c := range []byte("\x00\t\n\f\r ") {
		t[c] = isSpace
	}
	for _, c := range []byte("()<>[]{}/%") {
		t[c] = isDelim
	}
	return t
}()

// skip goes to the next character that is neither white space nor comment.
func (l *lexer) skip() {
	for l.pos < len(l.b) {
		switch c := l.b[l.pos]; {
		case classes[c] == isSpace:
			l.pos++
		case c == '%':
			for l.pos < len(l.b) && l.b[l.pos] != '\n' && l.b[l.pos] != '\r' {
				l.pos++
			}
		default:
			return
		}
	}
}

// next reads a value or an operator; false at the end. References are not made here: see value.
func (l *lexer) next(depth int) (any, bool) {
	l.skip()
	if l.pos >= len(l.b) {
		return nil, false
	}
	switch c := l.b[l.pos]; c {
	case '/':
		l.pos++
		return l.name(), true
	case '(':
		return l.literal(), true
	case '<':
		if l.pos+1 < len(l.b) && l.b[l.pos+1] == '<' {
			l.pos += 2
			return l.dict(depth), true
		}
		return l.hex(), true
	case '[':
		l.pos++
		return l.array(depth), true
	case ']', '>', ')', '{', '}':
		l.pos++
		if c == '>' && l.pos < len(l.b) && l.b[l.pos] == '>' {
			l.pos++
			return op(">>"), true
		}
		return op(string(c)), true
	}
	return l.word(), true
}

// value reads a value of a file, in which "1 0 R" is a reference.
func (l *lexer) value(depth int) (any, bool) {
	v, ok := l.next(depth)
	if f, isNumber := v.(float64); ok && isNumber && f >= 0 && f == float64(int(f)) {
		if n, found := l.reference(int(f)); found {
			return n, true
		}
	}
	return v, ok
}

// reference reads the rest of "12 0 R".
func (l *lexer) reference(n int) (ref, bool) {
	save := l.pos
	l.skip()
	from := l.pos
	for l.pos < len(l.b) && l.b[l.pos] >= '0' && l.b[l.pos] <= '9' && l.pos-from < 6 {
		l.pos++
	}
	if l.pos > from {
		l.skip()
		if l.pos < len(l.b) && l.b[l.pos] == 'R' && (l.pos+1 == len(l.b) || classes[l.b[l.pos+1]] != 0) {
			l.pos++
			return ref(n), true
		}
	}
	l.pos = save
	return 0, false
}

func (l *lexer) array(depth int) array {
	var a array
	for depth < maxNesting {
		v, ok := l.value(depth + 1)
		if !ok || v == op("]") {
			break
		}
		if _, stray := v.(op); stray {
			break // the end was forgotten
		}
		a = append(a, v)
	}
	return a
}

func (l *lexer) dict(depth int) dict {
	d := dict{}
	for depth < maxNesting {
		k, ok := l.next(depth + 1)
		key, isName := k.(name)
		if !ok || k == op(">>") {
			break
		}
		if !isName {
			if _, stray := k.(op); stray {
				break
			}
			continue
		}
		v, ok := l.value(depth + 1)
		if !ok || v == op(">>") {
			break
		}
		d[key] = v
	}
	return d
}

// name reads a name, #20 and the like decoded.
func (l *lexer) name() name {
	from := l.pos
	for l.pos < len(l.b) && classes[l.b[l.pos]] == 0 {
		l.pos++
	}
	raw := l.b[from:l.pos]
	if bytes.IndexByte(raw, '#') < 0 {
		return name(raw)
	}
	out := make([]byte, 0, len(raw))
	for i := 0; i < len(raw); i++ {
		if raw[i] == '#' && i+2 < len(raw) {
			if v, err := strconv.ParseUint(string(raw[i+1:i+3]), 16, 8); err == nil {
				out = append(out, byte(v))
				i += 2
				continue
			}
		}
		out = append(out, raw[i])
	}
	return name(out)
}

// word reads a number, a boolean, null or an operator.
func (l *lexer) word() any {
	from := l.pos
	for l.pos < len(l.b) && classes[l.b[l.pos]] == 0 {
		l.pos++
	}
	w := l.b[from:l.pos]
	if c := w[0]; c >= '0' && c <= '9' || c == '-' || c == '+' || c == '.' {
		if f, ok := parseNumber(w); ok {
			return f
		}
	}
	switch string(w) {
	case "true":
		return true
	case "false":
		return false
	case "null":
		return nil
	}
	return op(w)
}

// parseNumber reads numbers as PDF writes them; "--5" and "1.2.3" are met in the wild and read as far as they go.
func parseNumber(w []byte) (float64, bool) {
	sign, whole, frac, scale, digits := 1.0, 0.0, 0.0, 1.0, 0
	dot := false
	for i, c := range w {
		switch {
		case c == '-' && i < 2:
			sign = -1
		case c == '+' && i == 0:
		case c == '.' && !dot:
			dot = true
		case c >= '0' && c <= '9' && digits < 40:
			digits++
			if dot {
				scale /= 10
				frac += float64(c-'0') * scale
			} else {
				whole = whole*10 + float64(c-'0')
			}
		default:
			return sign * (whole + frac), digits > 0 && (c == '.' || c == '-')
		}
	}
	return sign * (whole + frac), digits > 0 || dot
}
