package markup

import (
	"bytes"
	"html"
	"strings"
	"unicode/utf8"
)

// maxReference is the longest name of a character reference (CounterClockwiseContourIntegral) and some room.
const maxReference = 33

// Value returns what the value of an attribute means: its character references are decoded.
func Value(val []byte) string {
	i := bytes.IndexByte(val, '&')
	if i < 0 {
		return string(val)
	}
	out := make([]byte, 0, len(val))
	for i >= 0 {
		var n int
		out, n = AppendReference(append(out, val[:i]...), val[i:], true)
		val = val[i+n:]
		i = bytes.IndexByte(val, '&')
	}
	return string(append(out, val...))
}

// AppendReference decodes the reference at the start of p, which begins with &, and returns how many bytes it took. What is
// no reference is copied as it stands. In attributes a name must be whole: "&copy=" is the next parameter of a query, and so is "&copyright;".
func AppendReference(dst, p []byte, attr bool) ([]byte, int) {
	if len(p) > 4 && string(p[:5]) == "&amp;" {
		return append(dst, '&'), 5
	}
	if len(p) > 1 && p[1] == '#' {
		return appendNumeric(dst, p)
	}
	n := 1
	for n < len(p) && n < maxReference && (isAlpha(p[n]) || isDigit(p[n])) {
		n++
	}
	if n == 1 {
		return append(dst, '&'), 1
	}
	end := n
	if n < len(p) && p[n] == ';' {
		end++
	}
	s := html.UnescapeString(string(p[:end]))
	if attr {
		whole := utf8.RuneCountInString(s) == 1 && (n == len(p) || p[n] != '=')
		if end > n {
			whole = s == ";" || !strings.HasSuffix(s, ";") // else only a part of the word is a name
		}
		if !whole {
			return append(dst, p[:end]...), end
		}
	}
	return append(dst, s...), end
}

// appendNumeric decodes &#65; and &#x41;, with or without the semicolon.
func appendNumeric(dst, p []byte) ([]byte, int) {
	i, base := 2, 10
	if i < len(p) && p[i]|0x20 == 'x' {
		i, base = 3, 16
	}
	from, r := i, 0
	for ; i < len(p) && digitOf(p[i]) < base; i++ {
		if r <= utf8.MaxRune {
			r = r*base + digitOf(p[i])
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

// digitOf returns the value of a hexadecimal digit, 16 for what is none.
func digitOf(c byte) int {
	switch {
	case isDigit(c):
		return int(c - '0')
	case c|0x20 >= 'a' && c|0x20 <= 'f':
		return int(c|0x20-'a') + 10
	}
	return 16
}

// fixRune maps what the standard calls parse errors: C1 controls are read as windows-1252, impossible ones replaced.
func fixRune(r int) rune {
	switch {
	case r >= 0x80 && r < 0xa0:
		return win1252C1[r-0x80]
	case r == 0 || r > utf8.MaxRune || !utf8.ValidRune(rune(r)):
		return utf8.RuneError
	}
	return rune(r)
}

// win1252C1 is windows-1252 in 0x80..0x9f; places without a character stay as they are.
var win1252C1 = [32]rune{
	0x20ac, 0x81, 0x201a, 0x192, 0x201e, 0x2026, 0x2020, 0x2021, 0x2c6, 0x2030, 0x160, 0x2039, 0x152, 0x8d, 0x17d, 0x8f,
	0x90, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014, 0x2dc, 0x2122, 0x161, 0x203a, 0x153, 0x9d, 0x17e, 0x178,
}
