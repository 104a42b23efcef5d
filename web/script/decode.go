package script

import (
	"bytes"
	"unicode/utf16"
	"unicode/utf8"
)

// AppendText appends what the inside of a String, a Template or a Name with escapes means.
func AppendText(dst, inside []byte) []byte {
	for i := 0; i < len(inside); {
		plain := bytes.IndexByte(inside[i:], '\\')
		if plain < 0 {
			return append(dst, inside[i:]...)
		}
		dst = append(dst, inside[i:i+plain]...)
		i += plain
		r, n := escape(inside[i+1:])
		if r >= 0 {
			dst = utf8.AppendRune(dst, r)
		}
		i += 1 + n
	}
	return dst
}

// escape decodes what follows a backslash: its meaning, negative for none, and its length.
func escape(p []byte) (r rune, n int) {
	if len(p) == 0 {
		return -1, 0
	}
	switch c := p[0]; c {
	case 'n':
		return '\n', 1
	case 't':
		return '\t', 1
	case 'r':
		return '\r', 1
	case 'b':
		return '\b', 1
	case 'f':
		return '\f', 1
	case 'v':
		return '\v', 1
	case '\n':
		return -1, 1
	case '\r':
		if len(p) > 1 && p[1] == '\n' {
			return -1, 2
		}
		return -1, 1
	case 'x':
		r, n = hex(p[1:], 2)
		return r, n + 1
	case 'u':
		return unicodeEscape(p)
	case '0', '1', '2', '3', '4', '5', '6', '7':
		for n < len(p) && n < 3 && p[n] >= '0' && p[n] <= '7' && r*8+rune(p[n]-'0') < 256 {
			r = r*8 + rune(p[n]-'0')
			n++
		}
		return r, n
	}
	r, n = utf8.DecodeRune(p)
	if r == '\u2028' || r == '\u2029' {
		r = -1
	}
	return r, n
}

// unicodeEscape decodes uXXXX, a pair of surrogates written so, and u{X}.
func unicodeEscape(p []byte) (rune, int) {
	if len(p) > 1 && p[1] == '{' {
		r, n := hex(p[2:], 8)
		n += 2
		if n < len(p) && p[n] == '}' {
			n++
		}
		return r, n
	}
	r, n := hex(p[1:], 4)
	n++
	if rest := p[n:]; utf16.IsSurrogate(r) && len(rest) > 2 && rest[0] == '\\' && rest[1] == 'u' {
		low, m := hex(rest[2:], 4)
		if both := utf16.DecodeRune(r, low); both != utf8.RuneError {
			return both, n + 2 + m
		}
	}
	return r, n
}

// hex reads up to most hexadecimal digits.
func hex(p []byte, most int) (r rune, n int) {
	for n < len(p) && n < most && unhex(p[n]) >= 0 {
		r = r<<4 | rune(unhex(p[n]))
		if r > utf8.MaxRune {
			r = utf8.MaxRune + 1
		}
		n++
	}
	if r > utf8.MaxRune {
		r = utf8.RuneError
	}
	return r, n
}

// unhex returns the value of a hexadecimal digit, negative if it is none.
func unhex(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c|0x20 >= 'a' && c|0x20 <= 'f':
		return int(c|0x20-'a') + 10
	}
	return -1
}
