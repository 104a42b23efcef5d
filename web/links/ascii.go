package links

import "strings"

// Byte classes shared by the scanners. All of them are ASCII by definition of the formats.
const (
	classSpace  = 1 << iota // HTML white space
	classAlpha              // letters
	classDigit              // digits
	classIdent              // letters, digits, _, $, - and non-ASCII: CSS and JS identifiers
	classNameNo             // what ends an attribute name
	classTagNo              // what ends a tag name
	classURLNo              // what no speculative URL may contain
	classAmp                // the ampersand
	classHex                // hexadecimal digits
	classSimple             // what URLs carry as it is, in path and query alike
	classOdd                // what makes a reference need a second look: tab, newlines, and what begins a place-holder
)

var class = buildClasses()

func buildClasses() (t [256]uint16) {
	for c := range 256 {
		b := byte(c)
		letter := b|0x20 >= 'a' && b|0x20 <= 'z'
		digit := b >= '0' && b <= '9'
		set(&t, b, classAlpha, letter)
		set(&t, b, classDigit, digit)
		set(&t, b, classIdent, letter || digit || b == '_' || b == '$' || b == '-' || b >= 0x80)
		set(&t, b, classHex, digit || b|0x20 >= 'a' && b|0x20 <= 'f')
		set(&t, b, classURLNo, b <= ' ' || b == 0x7f)
		set(&t, b, classSimple, letter || digit || strings.IndexByte("/-_.~?=&+,;:@!", b) >= 0)
	}
	for _, b := range []byte(" \t\n\f\r") {
		t[b] |= classSpace | classNameNo | classTagNo
	}
	for _, b := range []byte("/>") {
		t[b] |= classNameNo | classTagNo
	}
	t['='] |= classNameNo
	t['&'] |= classAmp
	for _, b := range []byte("\t\n\r{$<#") {
		t[b] |= classOdd
	}
	for _, b := range []byte("<>\"{}|\\^`[]*'()$") {
		t[b] |= classURLNo
	}
	return t
}

func set(t *[256]uint16, b byte, bit uint16, on bool) {
	if on {
		t[b] |= bit
	}
}

func isSpace(c byte) bool { return class[c]&classSpace != 0 }
func isAlpha(c byte) bool { return class[c]&classAlpha != 0 }
func isDigit(c byte) bool { return class[c]&classDigit != 0 }
func isAlnum(c byte) bool { return class[c]&(classAlpha|classDigit) != 0 }
func isIdent(c byte) bool { return class[c]&classIdent != 0 }
func isHex(c byte) bool   { return class[c]&classHex != 0 }

// unhex gives the value of a hexadecimal digit.
func unhex(c byte) byte {
	if c <= '9' {
		return c - '0'
	}
	return c | 0x20 - 'a' + 10
}

func lowerByte(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c | 0x20
	}
	return c
}

// trim drops leading and trailing bytes up to and including the space (C0 controls too), as URL parsing does.
func trim(p []byte) []byte {
	for len(p) > 0 && p[0] <= ' ' {
		p = p[1:]
	}
	for len(p) > 0 && p[len(p)-1] <= ' ' {
		p = p[:len(p)-1]
	}
	return p
}

// hasFold tells whether p begins with the lower-case word w, letters compared without case.
func hasFold(p []byte, w string) bool {
	if len(p) < len(w) {
		return false
	}
	for i := range len(w) {
		if lowerByte(p[i]) != w[i] {
			return false
		}
	}
	return true
}

// equalFold tells whether p is the lower-case word w, letters compared without case.
func equalFold(p []byte, w string) bool { return len(p) == len(w) && hasFold(p, w) }
