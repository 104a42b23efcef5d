package pdf

// literal reads a string in parentheses.
func (l *lexer) literal() text {
	var out []byte
	depth := 0
	for l.pos < len(l.b) {
		c := l.b[l.pos]
		l.pos++
		switch c {
		case '(':
			if depth++; depth == 1 {
				continue
			}
		case ')':
			if depth--; depth == 0 {
				return text(out)
			}
		case '\\':
			out = l.escape(out)
			continue
		}
		out = append(out, c)
	}
	return text(out)
}

// escape reads what follows a backslash.
func (l *lexer) escape(out []byte) []byte {
	if l.pos >= len(l.b) {
		return out
	}
	c := l.b[l.pos]
	l.pos++
	switch c {
	case 'n':
		return append(out, '\n')
	case 'r':
		return append(out, '\r')
	case 't':
		return append(out, '\t')
	case 'b':
		return append(out, '\b')
	case 'f':
		return append(out, '\f')
	case '\n':
		return out
	case '\r':
		if l.pos < len(l.b) && l.b[l.pos] == '\n' {
			l.pos++
		}
		return out
	}
	if c < '0' || c > '7' {
		return append(out, c)
	}
	v := int(c - '0')
	for n := 0; n < 2 && l.pos < len(l.b) && l.b[l.pos] >= '0' && l.b[l.pos] <= '7'; n++ {
		v = v*8 + int(l.b[l.pos]-'0')
		l.pos++
	}
	return append(out, byte(v))
}

// hex reads a string in angle brackets.
func (l *lexer) hex() text {
	l.pos++
	var out []byte
	high, half := byte(0), false
	for l.pos < len(l.b) {
		c := l.b[l.pos]
		l.pos++
		v, ok := hexDigit(c)
		switch {
		case c == '>':
			if half {
				out = append(out, high<<4)
			}
			return text(out)
		case !ok:
		case half:
			out, half = append(out, high<<4|v), false
		default:
			high, half = v, true
		}
	}
	return text(out)
}

func hexDigit(c byte) (byte, bool) {
	switch {
	case c >= '0' && c <= '9':
		return c - '0', true
	case c >= 'a' && c <= 'f':
		return c - 'a' + 10, true
	case c >= 'A' && c <= 'F':
		return c - 'A' + 10, true
	}
	return 0, false
}
