package content

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// kind is what a token of a script is.
type kind uint8

const (
	none kind = iota
	ident
	number
	str
	sign
	regex
)

// tok is a token. The text of a string is decoded.
type tok struct {
	kind kind
	text string
}

// is tells whether a token is one of these signs or words.
func (t tok) is(texts ...string) bool {
	if t.kind != sign && t.kind != ident {
		return false
	}
	for _, x := range texts {
		if t.text == x {
			return true
		}
	}
	return false
}

// at gives a token, or none beyond the ends.
func at(toks []tok, i int) tok {
	if i < 0 || i >= len(toks) {
		return tok{}
	}
	return toks[i]
}

// lex cuts a script into at most limit tokens; comments and blanks are left out. It never fails: what it does not know
// is a sign.
func lex(src string, limit int) []tok {
	var out []tok
	for i := 0; i < len(src) && len(out) < limit; {
		c := src[i]
		switch {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			i++
		case strings.HasPrefix(src[i:], "//") || strings.HasPrefix(src[i:], "<!--"):
			i = after(src, i, "\n")
		case strings.HasPrefix(src[i:], "/*"):
			i = after(src, i+2, "*/")
		case c == '"' || c == '\'' || c == '`':
			var t string
			t, i = quoted(src, i)
			out = append(out, tok{str, t})
		case c == '/' && regexHere(out):
			i = endOfRegex(src, i)
			out = append(out, tok{regex, ""})
		case letter(c):
			from := i
			for i < len(src) && (letter(src[i]) || digit(src[i])) {
				i++
			}
			out = append(out, tok{ident, src[from:i]})
		case digit(c):
			from := i
			for i < len(src) && (letter(src[i]) || digit(src[i]) || src[i] == '.') {
				i++
			}
			out = append(out, tok{number, src[from:i]})
		default:
			n := signLength(src[i:])
			out = append(out, tok{sign, src[i : i+n]})
			i += n
		}
	}
	return out
}

func after(src string, i int, end string) int {
	if k := strings.Index(src[i:], end); k >= 0 {
		return i + k + len(end)
	}
	return len(src)
}

func letter(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c == '$' || c >= 0x80
}
func digit(c byte) bool { return c >= '0' && c <= '9' }

// signLength keeps together the signs that would be taken for an assignment otherwise.
func signLength(s string) int {
	for _, long := range []string{"===", "!==", "==", "!=", "<=", ">=", "=>", "+=", "-=", "&&", "||"} {
		if strings.HasPrefix(s, long) {
			return len(long)
		}
	}
	return 1
}

// regexHere tells whether a slash begins a regular expression: after a sign that no value ends with.
func regexHere(out []tok) bool {
	last := at(out, len(out)-1)
	return last.kind == none || last.kind == sign && last.text != ")" && last.text != "]" && last.text != "}" || last.is("return")
}

func endOfRegex(src string, i int) int {
	class := false
	for i++; i < len(src); i++ {
		switch c := src[i]; {
		case c == '\\':
			i++
		case c == '\n':
			return i
		case c == '[':
			class = true
		case c == ']':
			class = false
		case c == '/' && !class:
			return i + 1
		}
	}
	return len(src)
}

// quoted reads a string with its escapes.
func quoted(src string, i int) (string, int) {
	q := src[i]
	var b strings.Builder
	for i++; i < len(src); i++ {
		c := src[i]
		switch {
		case c == q:
			return b.String(), i + 1
		case c == '\n' && q != '`':
			return b.String(), i
		case c == '\\' && i+1 < len(src):
			var r rune
			r, i = escape(src, i+1)
			if r != utf8.RuneError {
				b.WriteRune(r)
			}
		default:
			b.WriteByte(c)
		}
	}
	return b.String(), len(src)
}

// escape reads what stands behind a backslash, and gives the place of its last byte.
func escape(src string, i int) (rune, int) {
	digits := 0
	switch src[i] {
	case 'n':
		return '\n', i
	case 't':
		return '\t', i
	case 'r':
		return '\r', i
	case '\n':
		return utf8.RuneError, i
	case 'x':
		digits = 2
	case 'u':
		digits = 4
	default:
		r, n := utf8.DecodeRuneInString(src[i:])
		return r, i + n - 1
	}
	if i+digits >= len(src) {
		return utf8.RuneError, len(src) - 1
	}
	v, err := strconv.ParseUint(src[i+1:i+1+digits], 16, 32)
	if err != nil {
		return rune(src[i]), i
	}
	return rune(v), i + digits
}
