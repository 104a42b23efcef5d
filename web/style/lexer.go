// Package style cuts CSS into tokens (CSS Syntax level 3), with their places. It is the lexer of the language for links,
// which looks in style sheets for addresses, and for replay, which rewrites them.
//
// It never fails: a string that its line cuts off ends there, a url() with quotes or brackets in it is Bad up to its
// parenthesis, an escape that nothing follows is a character. One rule is not of the standard: a url() whose
// parenthesis is missing ends before the ; or brace behind which none comes for 256 bytes, so that one slip does not
// swallow the sheet; data: URLs have such characters.
//
// Cost: linear in the bytes, nothing is allocated.
package style

import (
	"bytes"
	"unicode/utf8"
)

// Kind is what a token is.
type Kind uint8

// The kinds of tokens.
const (
	End      Kind = iota // no more tokens
	Ident                // a name
	Number               // a number with its unit
	Hash                 // #name
	At                   // @name
	Function             // name( ; url( and src( only before a quote
	URL                  // url(...) without quotes, up to its parenthesis
	String               // "..." or '...'
	Punct                // any other character
	Comment
)

// Token is a piece of a sheet: src[From:To].
type Token struct {
	what     uint32 // kind, character of Punct, flags, a byte each
	From, To int
}

const (
	escaped uint32 = 1 << (16 + iota)
	cut
	bad
)

// Kind returns what the token is.
func (t Token) Kind() Kind { return Kind(t.what) }

// Char returns the character that a Punct is; 0 for other tokens.
func (t Token) Char() byte { return byte(t.what >> 8) }

// Escaped reports whether the token has escapes, so that its text is not what it means.
func (t Token) Escaped() bool { return t.what&escaped != 0 }

// Cut reports whether a String, URL or Comment does not end.
func (t Token) Cut() bool { return t.what&cut != 0 }

// Bad reports whether a URL has characters that none can have: browsers pass it over.
func (t Token) Bad() bool { return t.what&bad != 0 }

// Span returns where the inside of a token is: a string without its quotes, the address of a URL, the name of At, Hash
// and Function, the text of a Comment.
func (t Token) Span(src []byte) (from, to int) {
	from, to = t.From, t.To
	switch t.Kind() {
	case At, Hash:
		from++
	case Function:
		to--
	case Comment:
		from += 2
		if !t.Cut() {
			to -= 2
		}
	case String:
		from++
		if !t.Cut() {
			to--
		}
	case URL:
		from += bytes.IndexByte(src[from:to], '(') + 1
		if !t.Cut() {
			to--
		}
		for from < to && isSpace(src[from]) {
			from++
		}
		for to > from && isSpace(src[to-1]) {
			to--
		}
	}
	return from, to
}

// AppendInside appends what the inside of a token means.
func (t Token) AppendInside(dst, src []byte) []byte {
	from, to := t.Span(src)
	if !t.Escaped() {
		return append(dst, src[from:to]...)
	}
	return Unescape(dst, src[from:to])
}

// Lexer reads a sheet. Begin with Reset.
type Lexer struct {
	src []byte
	pos int
}

// Reset begins to read src.
func (l *Lexer) Reset(src []byte) { *l = Lexer{src: src} }

// ident are the bytes of names; the backslash is looked at apart.
var ident = func() (t [256]bool) {
	for c := range 256 {
		b := byte(c)
		t[c] = b|0x20 >= 'a' && b|0x20 <= 'z' || b >= '0' && b <= '9' || b == '_' || b == '$' || b == '-' || b >= 0x80
	}
	return t
}()

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f' }

// Next returns the next token.
func (l *Lexer) Next() Token {
	src, i := l.src, l.pos
	for i < len(src) && isSpace(src[i]) {
		i++
	}
	if i >= len(src) {
		l.pos = len(src)
		return Token{uint32(End), len(src), len(src)}
	}
	switch c := src[i]; {
	case c == '"' || c == '\'':
		return l.string(i)
	case c == '/' && i+1 < len(src) && src[i+1] == '*':
		if n := bytes.Index(src[i+2:], []byte("*/")); n >= 0 {
			return l.token(Comment, 0, i, i+n+4)
		}
		return l.token(Comment, cut, i, len(src))
	case c >= '0' && c <= '9':
		return l.name(Number, i, i)
	case ident[c] || c == '\\':
		return l.name(Ident, i, i)
	case c == '@':
		return l.name(At, i, i+1)
	case c == '#':
		return l.name(Hash, i, i+1)
	default:
		return l.token(Punct, uint32(c)<<8, i, i+1)
	}
}

func (l *Lexer) token(k Kind, f uint32, from, to int) Token {
	l.pos = to
	return Token{uint32(k) | f, from, to}
}

// name reads a name from i on, and what it begins if a parenthesis follows.
func (l *Lexer) name(k Kind, from, i int) Token {
	src, start, f := l.src, i, uint32(0)
	for i < len(src) {
		if ident[src[i]] {
			i++
			continue
		}
		if src[i] != '\\' || k == Number || i+1 == len(src) || src[i+1] == '\n' {
			break
		}
		f |= escaped
		_, n := escape(src[i+1:])
		i += 1 + n
	}
	if i == from { // a backslash that begins nothing
		return l.token(Punct, uint32(src[i])<<8, i, i+1)
	}
	if k != Ident || i == len(src) || src[i] != '(' {
		return l.token(k, f, from, i)
	}
	if !l.isURL(src[start:i], f) {
		return l.token(Function, f, from, i+1)
	}
	j := i + 1
	for j < len(src) && isSpace(src[j]) {
		j++
	}
	if j < len(src) && (src[j] == '"' || src[j] == '\'') {
		return l.token(Function, f, from, i+1)
	}
	return l.url(from, j)
}

// isURL reports whether a name is url or src, in any case and with any escapes.
func (l *Lexer) isURL(name []byte, f uint32) bool {
	if f&escaped != 0 {
		name = Unescape(nil, name)
	}
	return bytes.EqualFold(name, []byte("url")) || bytes.EqualFold(name, []byte("src"))
}

// maxAhead bounds the search for the parenthesis of a url().
const maxAhead = 256

// url reads a url() without quotes from its first character on.
func (l *Lexer) url(from, i int) Token {
	src, start, f := l.src, i, uint32(0)
	for ; i < len(src); i++ {
		switch src[i] {
		case ')':
			return l.token(URL, f, from, i+1)
		case '\\':
			f |= escaped
			i++
		case '"', '\'', '(':
			f |= bad
		case ';', '{', '}':
			data := len(src)-start >= 5 && bytes.EqualFold(src[start:start+5], []byte("data:"))
			if !data && bytes.IndexByte(src[i:min(len(src), i+maxAhead)], ')') < 0 {
				return l.token(URL, f|cut|bad, from, i)
			}
		}
	}
	return l.token(URL, f|cut, from, len(src))
}

// string reads a string. A line that ends in it ends it.
func (l *Lexer) string(i int) Token {
	src, from, q, f := l.src, i, l.src[i], uint32(0)
	for i++; i < len(src); i++ {
		switch src[i] {
		case q:
			return l.token(String, f, from, i+1)
		case '\n', '\r', '\f':
			return l.token(String, f|cut, from, i)
		case '\\':
			f |= escaped
			if i++; i+1 < len(src) && src[i] == '\r' && src[i+1] == '\n' {
				i++
			}
		}
	}
	return l.token(String, f|cut, from, len(src))
}

// Unescape appends text with its escapes decoded: up to six hexadecimal digits and one space, the end of a line, or any
// other character.
func Unescape(dst, text []byte) []byte {
	for i := 0; i < len(text); i++ {
		if text[i] != '\\' {
			dst = append(dst, text[i])
			continue
		}
		r, n := escape(text[i+1:])
		switch {
		case r >= 0:
			dst = utf8.AppendRune(dst, r)
		case r == asWritten:
			dst = append(dst, text[i+1:i+1+n]...)
		}
		i += n
	}
	return dst
}

// What an escape may mean but a character.
const (
	nothing   rune = -1
	asWritten rune = -2
)

// escape decodes what follows a backslash, and returns its length.
func escape(p []byte) (r rune, n int) {
	for n < len(p) && n < 6 {
		c := p[n] | 0x20
		switch {
		case p[n] >= '0' && p[n] <= '9':
			r = r<<4 | rune(p[n]-'0')
		case c >= 'a' && c <= 'f':
			r = r<<4 | rune(c-'a'+10)
		default:
			c = 0
		}
		if c == 0 {
			break
		}
		n++
	}
	switch {
	case n > 0:
		if n < len(p) && isSpace(p[n]) {
			n++
		}
		if r == 0 || !utf8.ValidRune(r) {
			r = utf8.RuneError
		}
		return r, n
	case len(p) == 0:
		return nothing, 0
	case len(p) > 1 && p[0] == '\r' && p[1] == '\n':
		return nothing, 2
	case p[0] == '\n' || p[0] == '\r' || p[0] == '\f':
		return nothing, 1
	}
	_, n = utf8.DecodeRune(p)
	return asWritten, n
}
