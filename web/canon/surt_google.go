package canon

import (
	"bytes"
	"strings"
)

// googleStage is the first stage on its own.
func googleStage(raw string) string {
	p := parseLoose(raw)
	p.google()
	return p.url()
}

// google does the first stage: every part is unescaped until nothing more can be, brought into
// its simplest form, and escaped once.
func (p *loose) google() {
	if p.scheme == "" {
		return
	}
	p.user = escape(unescapeRepeatedly(p.user), escapeOnce|escapeHost)
	p.host = googleHost(p.host)
	p.path = escape(normalizePath(unescapeRepeatedly(p.path)), escapeOnce)
	p.query = escape(unescapeRepeatedly(p.query), escapeOnce)
	for p.host == "" && len(p.path) > 1 && strings.HasPrefix(p.scheme, "http") {
		p.hostFromPath()
	}
}

// hostFromPath takes the first segment for the host of an http URL that has none.
func (p *loose) hostFromPath() {
	host, rest, _ := strings.Cut(p.path[1:], "/")
	p.authority(host)
	p.user = ""
	p.host, p.path = googleHost(p.host), "/"+rest
}

// unescapeRepeatedly replaces %XX by the byte until no %XX is left. Every replacement shortens the
// text and looks back at the bytes before it, so the cost is linear.
func unescapeRepeatedly(s string) string {
	if strings.IndexByte(s, '%') < 0 {
		return s
	}
	b := make([]byte, 0, len(s))
	for i := range len(s) {
		b = append(b, s[i])
		for n := len(b); n >= 3 && b[n-3] == '%' && isHex(b[n-2]) && isHex(b[n-1]); n = len(b) {
			b = append(b[:n-3], unhex(b[n-2])<<4|unhex(b[n-1]))
		}
	}
	return string(b)
}

func isHex(c byte) bool { return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'f' }

func unhex(c byte) byte {
	if c <= '9' {
		return c - '0'
	}
	return c | 0x20 - 'a' + 10
}

// escaping says which bytes escape replaces.
type escaping uint8

const (
	escapeBlank escaping = 1 << iota // controls and space
	escapeWide                       // bytes above ASCII
	escapeMeta                       // % and #
	escapeHost                       // what would end a host

	escapeOnce = escapeBlank | escapeWide | escapeMeta
)

func (e escaping) has(c byte) bool {
	switch {
	case c <= 0x20 || c == 0x7f:
		return e&escapeBlank != 0
	case c >= 0x80:
		return e&escapeWide != 0
	case c == '%' || c == '#':
		return e&escapeMeta != 0
	case c == '/' || c == '?' || c == '@' || c == ':' || c == '[' || c == ']' || c == '\\':
		return e&escapeHost != 0
	}
	return false
}

// escape percent-encodes the bytes of the set.
func escape(s string, set escaping) string {
	n := 0
	for i := range len(s) {
		if set.has(s[i]) {
			n++
		}
	}
	if n == 0 {
		return s
	}
	b := make([]byte, 0, len(s)+2*n)
	for i := range len(s) {
		if c := s[i]; set.has(c) {
			b = append(b, '%', upperHex[c>>4], upperHex[c&15])
		} else {
			b = append(b, c)
		}
	}
	return string(b)
}

// normalizePath resolves "." and "..", and merges slashes; it keeps a slash at the end.
func normalizePath(path string) string {
	if path == "" {
		return "/"
	}
	if !strings.Contains(path, "//") && !strings.Contains(path, "/.") {
		return path
	}
	b := make([]byte, 0, len(path))
	for rest, more := strings.TrimPrefix(path, "/"), true; more; {
		var s string
		s, rest, more = strings.Cut(rest, "/")
		switch {
		case s == "..":
			b = b[:max(bytes.LastIndexByte(b, '/'), 0)]
		case s != "" && s != ".":
			b = append(append(b, '/'), s...)
		}
	}
	if len(b) == 0 || strings.HasSuffix(path, "/") {
		b = append(b, '/')
	}
	return string(b)
}
