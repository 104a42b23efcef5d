package links

import (
	"strconv"
	"strings"

	"golang.org/x/text/encoding"
)

// legacyQuery writes the non-ASCII characters of a reference's query as a browser does: in the encoding of the document,
// percent-encoded, with a decimal reference for what the encoding lacks. Paths are always UTF-8 and stay as they are.
func (e *Extractor) legacyQuery(raw string) string {
	if e.coding.enc == nil || strings.HasPrefix(e.coding.name, "utf-16") {
		return raw
	}
	q := strings.IndexByte(raw, '?')
	if q < 0 || ascii([]byte(raw[q:])) {
		return raw
	}
	query, fragment := raw[q:], ""
	if i := strings.IndexByte(query, '#'); i >= 0 {
		query, fragment = query[:i], query[i:]
	}
	out := append(e.coding.buf[:0], raw[:q]...)
	for _, r := range query {
		out = e.coding.appendRune(out, r)
	}
	out = append(out, fragment...)
	e.coding.buf = out
	return e.arena.str(out)
}

// appendRune appends one character of a query.
func (c *coding) appendRune(dst []byte, r rune) []byte {
	if r < 0x80 {
		return append(dst, byte(r))
	}
	if c.out == nil {
		c.out = c.enc.NewEncoder()
	}
	p, err := c.out.Bytes([]byte(string(r)))
	if err != nil || len(p) == 0 || len(p) == 1 && p[0] == encoding.ASCIISub {
		c.out.Reset()
		dst = append(dst, "%26%23"...)
		dst = strconv.AppendInt(dst, int64(r), 10)
		return append(dst, "%3B"...)
	}
	return appendPercent(dst, p)
}

// appendPercent appends each byte as %XX unless it is a letter, digit or mark that queries carry as they are.
func appendPercent(dst, p []byte) []byte {
	const hex = "0123456789ABCDEF"
	for _, b := range p {
		if isAlnum(b) || b == '-' || b == '.' || b == '_' || b == '*' {
			dst = append(dst, b)
			continue
		}
		dst = append(dst, '%', hex[b>>4], hex[b&15])
	}
	return dst
}

// appendForm appends one character of a form field in application/x-www-form-urlencoded.
func (e *Extractor) appendForm(dst []byte, s string) []byte {
	for _, r := range s {
		switch {
		case r == ' ':
			dst = append(dst, '+')
		case r < 0x80 || e.coding.enc == nil:
			dst = appendPercent(dst, []byte(string(r)))
		default:
			dst = e.coding.appendRune(dst, r)
		}
	}
	return dst
}
