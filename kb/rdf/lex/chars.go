package lex

// The classes of characters have the names of the grammars in their comments; the grammars of Turtle and SPARQL agree on them.

func isLetter(b int) bool { return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' }

func isDigit(c rune) bool { return c >= '0' && c <= '9' }

// isIRIChar reports whether c may stand in IRIREF.
func isIRIChar(c rune) bool {
	switch c {
	case '<', '>', '"', '{', '}', '|', '^', '`', '\\':
		return false
	}
	return c > ' '
}

// isNameStart reports whether c is in PN_CHARS_BASE.
func isNameStart(c rune) bool {
	if c < 0x80 {
		return isLetter(int(c))
	}
	for _, r := range nameStart {
		if c <= r[1] {
			return c >= r[0]
		}
	}
	return false
}

var nameStart = [...][2]rune{
	{0xC0, 0xD6},
	{0xD8, 0xF6},
	{0xF8, 0x2FF},
	{0x370, 0x37D},
	{0x37F, 0x1FFF},
	{0x200C, 0x200D},
	{0x2070, 0x218F},
	{0x2C00, 0x2FEF},
	{0x3001, 0xD7FF},
	{0xF900, 0xFDCF},
	{0xFDF0, 0xFFFD},
	{0x10000, 0xEFFFF},
}

// isNameChar reports whether c is in PN_CHARS.
func isNameChar(c rune) bool {
	return c == '-' || isVarChar(c, false)
}

// isVarChar reports whether c may stand in VARNAME, or first in it.
func isVarChar(c rune, first bool) bool {
	return isNameStart(c) || c == '_' || isDigit(c) || !first && (c == 0xB7 || c >= 0x300 && c <= 0x36F || c == 0x203F || c == 0x2040)
}

// IsLabel reports whether s can stand behind "_:" in all syntaxes.
func IsLabel(s string) bool {
	for i, c := range s {
		last := i+len(string(c)) == len(s)
		if !isVarChar(c, i == 0) && (i == 0 || c != '-' && (c != '.' || last)) {
			return false
		}
	}
	return s != ""
}

// IsPrefix reports whether s can be a prefix; the empty one can.
func IsPrefix(s string) bool {
	for i, c := range s {
		last := i+len(string(c)) == len(s)
		if i == 0 && !isNameStart(c) || i > 0 && !isNameChar(c) && (c != '.' || last) {
			return false
		}
	}
	return true
}

// IsLocal reports whether s can stand behind a prefix without escapes.
func IsLocal(s string) bool {
	for i, c := range s {
		last := i+len(string(c)) == len(s)
		if c == ':' || isVarChar(c, i == 0) {
			continue
		}
		if i == 0 || c != '-' && (c != '.' || last) {
			return false
		}
	}
	return true
}

// IsIRI reports whether s can stand between '<' and '>' as it is.
func IsIRI(s string) bool {
	for _, c := range s {
		if !isIRIChar(c) {
			return false
		}
	}
	return true
}
