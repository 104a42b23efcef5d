package links

import (
	"bytes"
	"html"
	"unicode/utf8"
)

// maxEntity is the longest name of a character reference (CounterClockwiseContourIntegral) and some room.
const maxEntity = 33

// unescape decodes the character references of an attribute value. Without any it gives p itself, else a slice of dst's
// array, which it may grow.
func unescape(dst, p []byte) (out, buf []byte) {
	i := bytes.IndexByte(p, '&')
	if i < 0 {
		return p, dst
	}
	dst = dst[:0]
	for i >= 0 {
		dst = append(dst, p[:i]...)
		var n int
		dst, n = appendEntity(dst, p[i:], true)
		p = p[i+n:]
		i = bytes.IndexByte(p, '&')
	}
	dst = append(dst, p...)
	return dst, dst
}

// appendEntity decodes the reference at the start of p, which begins with &, and tells how many bytes it took. What is
// no reference is copied as it stands. In attributes, "&copy=" is no reference: it is the next query parameter.
func appendEntity(dst, p []byte, attr bool) ([]byte, int) {
	if len(p) > 4 && string(p[:5]) == "&amp;" {
		return append(dst, '&'), 5
	}
	if len(p) > 1 && p[1] == '#' {
		return appendNumeric(dst, p)
	}
	n := 1
	for n < len(p) && n < maxEntity && isAlnum(p[n]) {
		n++
	}
	if n == 1 {
		return append(dst, '&'), 1
	}
	end := n
	if n < len(p) && p[n] == ';' {
		end++
	}
	if attr && end == n && n < len(p) && p[n] == '=' {
		return append(dst, p[:n]...), n
	}
	s := html.UnescapeString(string(p[:end]))
	if attr && end == n && utf8.RuneCountInString(s) != 1 {
		s = string(p[:end]) // only a part of the word is a name
	}
	if s == "\u00a0" {
		s = " "
	}
	return append(dst, s...), end
}

// appendNumeric decodes &#65; and &#x41;, with or without the semicolon.
func appendNumeric(dst, p []byte) ([]byte, int) {
	i, base := 2, rune(10)
	if i < len(p) && p[i]|0x20 == 'x' {
		i, base = 3, 16
	}
	from, r := i, rune(0)
	for ; i < len(p) && isHex(p[i]) && (base == 16 || isDigit(p[i])); i++ {
		if r <= utf8.MaxRune {
			r = r*base + rune(unhex(p[i]))
		}
	}
	if i == from {
		return append(dst, p[:2]...), 2
	}
	if i < len(p) && p[i] == ';' {
		i++
	}
	return utf8.AppendRune(dst, fixRune(r)), i
}

// fixRune maps what the standard calls parse errors: C1 controls are read as windows-1252, impossible ones replaced.
func fixRune(r rune) rune {
	switch {
	case r >= 0x80 && r < 0xa0:
		return win1252C1[r-0x80]
	case r == 0 || !utf8.ValidRune(r):
		return utf8.RuneError
	case r == 0xa0:
		return ' '
	}
	return r
}

// win1252C1 is windows-1252 in 0x80..0x9f; places without a character stay as they are.
var win1252C1 = [32]rune{
	0x20ac, 0x81, 0x201a, 0x192, 0x201e, 0x2026, 0x2020, 0x2021, 0x2c6, 0x2030, 0x160, 0x2039, 0x152, 0x8d, 0x17d, 0x8f,
	0x90, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014, 0x2dc, 0x2122, 0x161, 0x203a, 0x153, 0x9d, 0x17e, 0x178,
}
