package links

import (
	"bytes"
	"fmt"
	"unicode/utf16"
	"unicode/utf8"
)

// jsonMode says what a JSON document is, which decides what its keys mean.
type jsonMode uint8

const (
	jsonPlain jsonMode = iota
	jsonLD
	jsonImportmap
	jsonSpeculation
	jsonManifest
	jsonBundle
	jsonSourceMap
	jsonFeed
	jsonAttribute // JSON in a data attribute: all of it speculative
)

// maxKey bounds a key that means something here.
const maxKey = 64

// jsonLevel is an open object or array.
type jsonLevel struct {
	object bool
	key    [maxKey]byte // the key that the current value stands under; arrays inherit it
	keyLen int
}

// jsonScan reads JSON as tokens. It is lenient: what is not JSON is passed over, and the first fault is reported.
type jsonScan struct {
	e      *Extractor
	src    []byte
	pos    int
	mode   jsonMode
	levels []jsonLevel
	buf    []byte
	err    error
}

// json reads a JSON document.
func (e *Extractor) json(src []byte, mode jsonMode) error {
	s := e.jsonFree
	if s == nil {
		s = &jsonScan{e: e}
	}
	e.jsonFree = nil // a string in here may hold JSON again
	s.src, s.pos, s.mode, s.err = src, 0, mode, nil
	s.levels = append(s.levels[:0], jsonLevel{})
	s.run()
	s.src = nil
	e.jsonFree = s
	return s.err
}

// jsonAttr reads JSON in an attribute.
func (e *Extractor) jsonAttr(v []byte) {
	_ = e.json(v, jsonAttribute) // a fault in it is no fault of the page
}

// jsonText reads JSON in a string.
func (e *Extractor) jsonText(v []byte) {
	_ = e.json(v, jsonPlain)
}

// fail notes the first fault.
func (s *jsonScan) fail(format string, args ...any) {
	if s.err == nil {
		s.err = fmt.Errorf("json at byte %d: %s", s.pos, fmt.Sprintf(format, args...))
	}
}

// run reads all tokens.
func (s *jsonScan) run() {
	for s.pos < len(s.src) {
		switch c := s.src[s.pos]; c {
		case '"':
			s.string()
		case '{', '[':
			if !s.open(c == '{') {
				return
			}
		case '}', ']':
			s.close(c == '}')
		case ',', ':', ' ', '\n', '\t', '\r':
			s.pos++
		default:
			s.scalar(c)
		}
	}
	if len(s.levels) > 1 {
		s.fail("ends inside %d open values", len(s.levels)-1)
	}
}

// scalar passes over numbers and words, and notes anything else.
func (s *jsonScan) scalar(c byte) {
	if !isAlnum(c) && c != '-' && c != '+' && c != '.' {
		s.fail("unexpected byte %q", c)
	}
	s.pos++
}

// open enters an object or array; arrays inherit the key that they stand under.
func (s *jsonScan) open(object bool) bool {
	if len(s.levels) > s.e.limits.Nesting {
		s.fail("nested deeper than %d", s.e.limits.Nesting)
		s.e.info.Truncated = true
		return false
	}
	next := jsonLevel{object: object}
	if !object {
		top := &s.levels[len(s.levels)-1]
		next.keyLen = copy(next.key[:], top.key[:top.keyLen])
	}
	s.levels = append(s.levels, next)
	s.pos++
	return true
}

// close leaves an object or array.
func (s *jsonScan) close(object bool) {
	if n := len(s.levels); n == 1 || s.levels[n-1].object != object {
		s.fail("unexpected %q", s.src[s.pos])
	}
	if len(s.levels) > 1 {
		s.levels = s.levels[:len(s.levels)-1]
	}
	s.pos++
}

// string reads a key or a value.
func (s *jsonScan) string() {
	v, ok := s.quoted()
	if !ok {
		s.fail("string does not end")
		return
	}
	top := &s.levels[len(s.levels)-1]
	if top.object && s.colon() {
		top.keyLen = copy(top.key[:], v)
		return
	}
	if len(v) > 1 {
		s.value(v)
	}
}

// colon tells whether the next token is a colon.
func (s *jsonScan) colon() bool {
	for s.pos < len(s.src) && isSpace(s.src[s.pos]) {
		s.pos++
	}
	return s.pos < len(s.src) && s.src[s.pos] == ':'
}

// key gives the key that the current value stands under, and parent that of the object around it. up is how many
// objects to go up.
func (s *jsonScan) key(up int) []byte {
	for i := len(s.levels) - 1; i >= 0; i-- {
		l := &s.levels[i]
		if !l.object && i > 0 {
			continue
		}
		if up == 0 {
			return l.key[:l.keyLen]
		}
		up--
	}
	return nil
}

// quoted reads the string at pos and decodes it.
func (s *jsonScan) quoted() ([]byte, bool) {
	rest := s.src[s.pos+1:]
	n := bytes.IndexByte(rest, '"')
	if n < 0 {
		s.pos = len(s.src)
		return nil, false
	}
	if bytes.IndexByte(rest[:n], '\\') < 0 {
		s.pos += n + 2
		return rest[:n], true
	}
	s.buf = s.buf[:0]
	for i := 0; i < len(rest); {
		switch c := rest[i]; c {
		case '"':
			s.pos += i + 2
			return s.buf, true
		case '\\':
			i = s.escape(rest, i+1)
		default:
			s.buf = append(s.buf, c)
			i++
		}
	}
	s.pos = len(s.src)
	return nil, false
}

// escape decodes what follows a backslash at i.
func (s *jsonScan) escape(p []byte, i int) int {
	if i >= len(p) {
		return i
	}
	switch c := p[i]; c {
	case 'n', 'r', 't', 'b', 'f':
		s.buf = append(s.buf, ' ')
	case 'u':
		r, n := unicodeEscape(p[i+1:])
		s.buf = utf8.AppendRune(s.buf, r)
		return i + 1 + n
	default:
		s.buf = append(s.buf, c)
	}
	return i + 1
}

// unicodeEscape reads four hexadecimal digits, and a second escape where they are half a surrogate pair.
func unicodeEscape(p []byte) (r rune, n int) {
	r, ok := fourHex(p)
	if !ok {
		return utf8.RuneError, 0
	}
	if utf16.IsSurrogate(r) && len(p) >= 10 && p[4] == '\\' && p[5] == 'u' {
		if low, ok := fourHex(p[6:]); ok {
			if both := utf16.DecodeRune(r, low); both != utf8.RuneError {
				return both, 10
			}
		}
	}
	return r, 4
}

func fourHex(p []byte) (r rune, ok bool) {
	if len(p) < 4 {
		return 0, false
	}
	for _, c := range p[:4] {
		if !isHex(c) {
			return 0, false
		}
		r = r<<4 | rune(unhex(c))
	}
	return r, true
}
