package links

import "bytes"

// refresh gives the URL of a Refresh header or meta refresh ("5; url='/next'"), nil when it only reloads the page.
func refresh(p []byte) []byte {
	p = trim(p)
	n := 0
	for n < len(p) && (isDigit(p[n]) || p[n] == '.') {
		n++
	}
	if n == len(p) || n == 0 && p[0] != ';' && p[0] != ',' && !hasFold(p, "url") {
		return nil
	}
	if n > 0 && p[n] != ';' && p[n] != ',' && !isSpace(p[n]) {
		return nil
	}
	p = bytes.TrimLeft(p[n:], " \t\n\f\r;,")
	if hasFold(p, "url") {
		if rest := bytes.TrimLeft(p[3:], " \t\n\f\r"); len(rest) > 0 && rest[0] == '=' {
			p = bytes.TrimLeft(rest[1:], " \t\n\f\r")
		}
	}
	if len(p) == 0 {
		return nil
	}
	if q := p[0]; q == '"' || q == '\'' {
		p = p[1:]
		if i := bytes.IndexByte(p, q); i >= 0 {
			p = p[:i]
		}
	}
	return trim(p)
}
