package canon

import (
	"strings"
	"unicode/utf8"
)

// stackSize holds nearly every URL of the web, so that building one costs a single allocation.
const stackSize = 384

// parseFast reads http and https URLs and references, and the simple opaque ones. It answers false
// for all others, and for all errors.
//
// The text under construction is handed from function to function as b, a slice that lives on
// the stack, and the offsets of its parts are noted in u; storing b in a struct would move it to
// the heap.
func parseFast(raw string, base *URL) (URL, bool) {
	if len(raw) > MaxLength {
		return URL{}, false
	}
	s := dropLineEnds(trimSpace(raw))
	scheme, rest := splitScheme(s)
	var stack [stackSize]byte
	b, u, ok := stack[:0], URL{raw: raw}, false
	switch {
	case isHTTP(scheme):
		b, ok = u.absolute(b, base, asciiLower(scheme), rest)
	case scheme != "":
		return opaqueFast(raw, s, len(scheme))
	case base != nil && base.IsHTTP():
		b, ok = u.relative(b, base, s)
	}
	if !ok || len(b) > MaxLength {
		return URL{}, false
	}
	if string(b) == s { // already canonical: share the memory of raw
		u.href = s
	} else {
		u.href = string(b)
	}
	return u, true
}

// isHTTP tells whether a scheme is http or https, in any case.
func isHTTP(scheme string) bool {
	return (len(scheme) == 4 || len(scheme) == 5 && scheme[4]|0x20 == 's') && foldPrefix(scheme, "http")
}

// absolute reads what follows "http:" or "https:".
func (u *URL) absolute(b []byte, base *URL, scheme, rest string) ([]byte, bool) {
	if base != nil && base.Scheme() == scheme && !strings.HasPrefix(rest, "//") {
		return u.relative(b, base, rest) // "http:x" is relative in an http document
	}
	b = append(append(b, scheme...), ':')
	u.schemeEnd = uint32(len(scheme))
	return u.network(b, rest)
}

// network reads what follows "scheme:"; any number of slashes leads to the host.
func (u *URL) network(b []byte, s string) ([]byte, bool) {
	for s != "" && classes[s[0]]&slash != 0 {
		s = s[1:]
	}
	b = append(b, "//"...)
	u.hostStart = uint32(len(b))
	b, n, ok := u.authority(b, s)
	if !ok {
		return b, false
	}
	u.pathStart = uint32(len(b))
	b = append(b, '/')
	s = s[n:]
	if s != "" && classes[s[0]]&slash != 0 {
		s = s[1:]
	}
	return u.path(b, s)
}

// relative reads a reference without scheme in an http(s) document.
func (u *URL) relative(b []byte, base *URL, s string) ([]byte, bool) {
	u.schemeEnd, u.hostStart, u.hostEnd, u.pathStart = base.schemeEnd, base.hostStart, base.hostEnd, base.pathStart
	u.pathEnd, u.queryEnd = base.pathEnd, base.queryEnd
	switch {
	case s == "":
		return append(b, base.href[:base.queryEnd]...), true
	case s[0] == '#':
		return u.fragment(append(b, base.href[:base.queryEnd]...), s)
	case s[0] == '?':
		return u.query(append(b, base.href[:base.pathEnd]...), s)
	case classes[s[0]]&slash == 0:
		dir := strings.LastIndexByte(base.Path(), '/')
		return u.path(append(b, base.href[:int(base.pathStart)+dir+1]...), s)
	case len(s) > 1 && classes[s[1]]&slash != 0:
		return u.network(append(b, base.href[:base.schemeEnd+1]...), s)
	}
	return u.path(append(b, base.href[:base.pathStart+1]...), s[1:])
}

// path appends path, query and fragment; b ends with the slash before the first segment.
func (u *URL) path(b []byte, s string) ([]byte, bool) {
	segment, run, i := len(b), 0, 0
	for ; i < len(s); i++ {
		k := classes[s[i]] & stopPath
		if k == 0 {
			continue
		}
		if k&(question|hash) != 0 {
			break
		}
		b = append(b, s[run:i]...)
		if k&slash != 0 {
			b = u.endSegment(b, segment, true)
			segment, run = len(b), i+1
			continue
		}
		n := 0
		b, n = appendEncoded(b, s[i:])
		i += n - 1
		run = i + 1
	}
	b = u.endSegment(append(b, s[run:i]...), segment, false)
	u.pathEnd = uint32(len(b))
	return u.query(b, s[i:])
}

// endSegment folds a dot segment, or closes an ordinary one.
func (u *URL) endSegment(b []byte, start int, more bool) []byte {
	switch dots(b[start:]) {
	case 0:
		if more {
			b = append(b, '/')
		}
		return b
	case 1:
		return b[:start]
	}
	b = b[:start]
	for root := int(u.pathStart) + 1; len(b) > root; {
		if b = b[:len(b)-1]; b[len(b)-1] == '/' {
			break
		}
	}
	return b
}

// query appends "?query" if s starts so, and the fragment.
func (u *URL) query(b []byte, s string) ([]byte, bool) {
	if s == "" || s[0] == '#' {
		u.queryEnd = uint32(len(b))
		return u.fragment(b, s)
	}
	b, n := appendRuns(append(b, '?'), s[1:], stopQuery)
	u.queryEnd = uint32(len(b))
	return u.fragment(b, s[1+n:])
}

// fragment appends "#fragment" if there is one.
func (u *URL) fragment(b []byte, s string) ([]byte, bool) {
	if s != "" {
		b, _ = appendRuns(append(b, '#'), s[1:], stopFragment)
	}
	return b, true
}

// appendRuns copies s up to a '#' that is a stop, and gives how far it came.
func appendRuns(b []byte, s string, stops class) ([]byte, int) {
	i, run := 0, 0
	for ; i < len(s); i++ {
		k := classes[s[i]] & stops
		if k == 0 {
			continue
		}
		if k&hash != 0 {
			break
		}
		n := 0
		b, n = appendEncoded(append(b, s[run:i]...), s[i:])
		i += n - 1
		run = i + 1
	}
	return append(b, s[run:i]...), i
}

// appendEncoded percent-encodes the first character of s and gives its length. A byte that is not
// UTF-8 becomes the replacement character.
func appendEncoded(b []byte, s string) ([]byte, int) {
	r, n := utf8.DecodeRuneInString(s)
	if r == utf8.RuneError && n == 1 {
		return append(b, "%EF%BF%BD"...), 1
	}
	for i := range n {
		b = append(b, '%', upperHex[s[i]>>4], upperHex[s[i]&15])
	}
	return b, n
}

const upperHex = "0123456789ABCDEF"

// dots tells whether a segment is "." (1), ".." (2), in any spelling with %2e, or neither (0).
func dots(b []byte) int {
	if len(b) == 0 || len(b) > len("%2e%2e") || b[0] != '.' && b[0] != '%' {
		return 0
	}
	n := 0
	for len(b) > 0 {
		switch {
		case b[0] == '.':
			b = b[1:]
		case len(b) >= 3 && b[0] == '%' && b[1] == '2' && b[2]|0x20 == 'e':
			b = b[3:]
		default:
			return 0
		}
		if n++; n > 2 {
			return 0
		}
	}
	return n
}

// opaqueFast reads mailto:, javascript:, tel:, data: and the like when nothing in them needs work.
func opaqueFast(raw, s string, schemeEnd int) (URL, bool) {
	switch s[:schemeEnd] {
	case "ftp", "file", "ws", "wss":
		return URL{}, false
	}
	rest := s[schemeEnd+1:]
	if rest != "" && rest[0] == '/' || !lowerCase(s[:schemeEnd]) {
		return URL{}, false
	}
	for i := range len(rest) {
		if c := rest[i]; c < 0x20 || c > 0x7e || c == '?' || c == '#' {
			return URL{}, false
		}
	}
	n := uint32(len(s))
	return URL{
		raw: raw, href: s, schemeEnd: uint32(schemeEnd),
		pathStart: uint32(schemeEnd) + 1, pathEnd: n, queryEnd: n,
	}, true
}

// lowerCase tells whether s has no ASCII upper-case letter.
func lowerCase(s string) bool {
	for i := range len(s) {
		if s[i] >= 'A' && s[i] <= 'Z' {
			return false
		}
	}
	return true
}

// splitScheme gives the scheme as written and what follows its colon, or "" and s.
func splitScheme(s string) (scheme, rest string) {
	if s == "" || s[0]|0x20 < 'a' || s[0]|0x20 > 'z' {
		return "", s
	}
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c == ':' {
			return s[:i], s[i+1:]
		}
		if classes[c]&(schemeByte|hostUpper) == 0 {
			break
		}
	}
	return "", s
}

// trimSpace drops leading and trailing control characters and spaces.
func trimSpace(s string) string {
	for s != "" && s[0] <= 0x20 {
		s = s[1:]
	}
	for s != "" && s[len(s)-1] <= 0x20 {
		s = s[:len(s)-1]
	}
	return s
}

// dropLineEnds drops tabs and line ends, which the standard ignores anywhere.
func dropLineEnds(s string) string {
	if strings.IndexByte(s, '\n') < 0 && strings.IndexByte(s, '\t') < 0 && strings.IndexByte(s, '\r') < 0 {
		return s
	}
	return strings.NewReplacer("\t", "", "\n", "", "\r", "").Replace(s)
}
