package content

import "varve/web/script"

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

// lex cuts a script into at most limit tokens. A template is what it means: its pieces and the expressions in its holes,
// added up.
//
//	`a${b}c`    "a" + ( b ) + "c"
func lex(src string, limit int) []tok {
	code := []byte(src)
	var lx script.Lexer
	lx.Reset(code, 0)
	var out []tok
	for len(out) < limit {
		t := lx.Next()
		text := src[t.From:t.To]
		switch t.Kind() {
		case script.End:
			return out
		case script.Name:
			out = append(out, tok{ident, text})
		case script.Private:
			out = append(out, tok{sign, "#"}, tok{ident, text[1:]})
		case script.Number:
			out = append(out, tok{number, text})
		case script.Regexp:
			out = append(out, tok{regex, ""})
		case script.String, script.Template:
			text = string(t.Inside(code))
			if t.Escaped() {
				text = string(script.AppendText(nil, t.Inside(code)))
			}
			if src[t.From] == '}' {
				out = append(out, tok{sign, ")"}, tok{sign, "+"})
			}
			out = append(out, tok{str, text})
			if t.Hole() {
				out = append(out, tok{sign, "+"}, tok{sign, "("})
			}
		case script.Punct:
			if t.Op() == '.' { // also ?.
				text = "."
			}
			out = append(out, tok{sign, text})
		}
	}
	return out
}

func letter(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c == '$' || c >= 0x80
}
func digit(c byte) bool { return c >= '0' && c <= '9' }
