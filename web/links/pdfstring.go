package links

// pdfLiteral reads the inside of ( ... ): parentheses balance, a backslash escapes. n is how far it read.
func pdfLiteral(p []byte) (text []byte, n int, ok bool) {
	var out []byte
	depth := 0
	for i := 0; i < len(p); i++ {
		switch c := p[i]; c {
		case '(':
			depth++
			out = append(out, c)
		case ')':
			if depth == 0 {
				return out, i + 1, true
			}
			depth--
			out = append(out, c)
		case '\\':
			out, n = pdfEscape(out, p[i+1:])
			i += n
		default:
			out = append(out, c)
		}
	}
	return nil, len(p), false
}

// pdfEscape decodes what follows a backslash and gives its length: a letter, up to three octal digits, or a newline
// that only continues the line.
func pdfEscape(out, p []byte) ([]byte, int) {
	if len(p) == 0 {
		return out, 0
	}
	switch c := p[0]; {
	case c == '\n' || c == 'n' || c == 'r' || c == 't' || c == 'b' || c == 'f':
		return out, 1 // none of them belongs into a URL
	case c == '\r':
		if len(p) > 1 && p[1] == '\n' {
			return out, 2
		}
		return out, 1
	case c >= '0' && c <= '7':
		v, n := 0, 0
		for n < 3 && n < len(p) && p[n] >= '0' && p[n] <= '7' {
			v = v*8 + int(p[n]-'0')
			n++
		}
		return append(out, byte(v)), n
	default:
		return append(out, c), 1
	}
}

// pdfHex reads the inside of < ... >.
func pdfHex(p []byte) (text []byte, n int, ok bool) {
	var out []byte
	half, high := false, byte(0)
	for i, c := range p {
		switch {
		case c == '>':
			if half {
				out = append(out, high<<4)
			}
			return out, i + 1, len(out) > 0
		case isSpace(c):
		case !isHex(c):
			return nil, i, false
		case half:
			out = append(out, high<<4|unhex(c))
			half = false
		default:
			high, half = unhex(c), true
		}
	}
	return nil, len(p), false
}
