package canon

import "strings"

// parseLoose cuts a URL apart as archives do: it never fails.
func parseLoose(raw string) loose {
	s := cleanLoose(raw)
	if s == "" {
		return loose{}
	}
	scheme, rest := looseScheme(s)
	if strings.HasPrefix(scheme, "http") {
		scheme, rest = repeatedHTTP(scheme, rest)
	} else {
		if !strings.HasPrefix(rest, "//") || scheme == "filedesc" || scheme == "warcinfo" || scheme == "urn" || scheme == "dns" {
			return loose{opaque: escape(s, escapeBlank)}
		}
		rest = rest[2:]
	}
	rest, _, _ = strings.Cut(rest, "#")
	p := loose{scheme: scheme}
	authority := rest
	if i := strings.IndexAny(rest, "/?"); i >= 0 {
		authority, rest = rest[:i], rest[i:]
	} else {
		rest = ""
	}
	p.path, p.query, p.hasQuery = strings.Cut(rest, "?")
	p.authority(authority)
	return p
}

// cleanLoose trims blanks, drops tabs and line ends, and cuts what is too long.
func cleanLoose(s string) string {
	return dropLineEnds(trimSpace(s[:min(len(s), MaxLength)]))
}

// looseScheme splits the scheme off; a URL without one is http. "example.com:8080/x" has none.
func looseScheme(s string) (scheme, rest string) {
	scheme, rest = splitScheme(s)
	if scheme == "" || (strings.IndexByte(scheme, '.') >= 0 || strings.EqualFold(scheme, "localhost")) && startsWithPort(rest) {
		return "http", "//" + s
	}
	return asciiLower(scheme), rest
}

// startsWithPort tells whether s is a port number and then nothing or a path.
func startsWithPort(s string) bool {
	n := len(s)
	if i := strings.IndexAny(s, "/?#"); i >= 0 {
		n = i
	}
	_, ok := parsePort(s[:n])
	return ok
}

// repeatedHTTP repairs "http://https://host" and "http:////host": the last scheme counts, and any
// number of slashes leads to the host.
func repeatedHTTP(scheme, rest string) (string, string) {
	for {
		rest = strings.TrimLeft(rest, "/")
		switch {
		case foldPrefix(rest, "http://"):
			scheme, rest = "http", rest[len("http://"):]
		case foldPrefix(rest, "https://"):
			scheme, rest = "https", rest[len("https://"):]
		default:
			return scheme, rest
		}
	}
}

// foldPrefix tells whether s starts with a lower-case ASCII text, in any case.
func foldPrefix[T ~[]byte | ~string](s T, lower string) bool {
	if len(s) < len(lower) {
		return false
	}
	for i := range len(lower) {
		c := s[i]
		if c >= 'A' && c <= 'Z' {
			c |= 0x20
		}
		if c != lower[i] {
			return false
		}
	}
	return true
}

// asciiLower lower-cases ASCII letters and leaves all other bytes alone.
func asciiLower(s string) string {
	if lowerCase(s) {
		return s
	}
	return string(appendLower(make([]byte, 0, len(s)), s))
}

// authority splits userinfo, host and port. What does not look like a port belongs to the host.
func (p *loose) authority(s string) {
	if i := strings.LastIndexByte(s, '@'); i >= 0 {
		p.user, s = s[:i], s[i+1:]
	}
	p.host = s
	i := strings.LastIndexByte(s, ':')
	if i < 0 || strings.IndexByte(s[i:], ']') >= 0 {
		return
	}
	digits := s[i+1:]
	for len(digits) > 1 && digits[0] == '0' {
		digits = digits[1:]
	}
	if digits == "" || digits == "0" {
		p.host = s[:i]
	} else if _, ok := parsePort(digits); ok {
		p.host, p.port = s[:i], digits
	}
}
