package address

import "strings"

// Repair puts back what proxies and people take from a URL in a path: one of two slashes after the scheme, the
// scheme itself. It gives "" for nothing.
func Repair(s string) string {
	if i := strings.IndexByte(s, '#'); i >= 0 {
		s = s[:i]
	}
	s = strings.TrimSpace(s)
	bare := strings.TrimLeft(s, "/")
	if bare == "" {
		return ""
	}
	scheme, rest, ok := cutScheme(bare)
	if !ok {
		return "http://" + bare
	}
	if !hierarchical(scheme) {
		return bare // urn:, dns:, file:
	}
	if rest = strings.TrimLeft(rest, "/"); rest == "" {
		return ""
	}
	return scheme + "://" + rest
}

// cutScheme cuts "http:" off. A host with a port ("localhost:8080/x") has no scheme.
func cutScheme(s string) (scheme, rest string, ok bool) {
	for i := range len(s) {
		switch c := s[i] | 0x20; {
		case s[i] == ':' && i > 0:
			rest = s[i+1:]
			if rest != "" && rest[0] >= '0' && rest[0] <= '9' && !hierarchical(s[:i]) {
				return "", s, false
			}
			return strings.ToLower(s[:i]), rest, true
		case c >= 'a' && c <= 'z', i > 0 && (s[i] == '+' || s[i] == '-' || s[i] >= '0' && s[i] <= '9'):
		default:
			return "", s, false
		}
	}
	return "", s, false
}

// hierarchical tells schemes whose URLs have a host.
func hierarchical(scheme string) bool {
	switch strings.ToLower(scheme) {
	case "http", "https", "ftp", "ws", "wss":
		return true
	}
	return false
}

// Escape writes bytes that no header or link may hold as %XX: old archives hold URLs with spaces in them.
func Escape(s string) string {
	if strings.IndexFunc(s, unsafe) < 0 {
		return s
	}
	const hex = "0123456789ABCDEF"
	var b strings.Builder
	for _, c := range []byte(s) {
		if unsafe(rune(c)) {
			b.Write([]byte{'%', hex[c>>4], hex[c&15]})
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

func unsafe(c rune) bool {
	return c <= ' ' || c == 0x7f || c == '"' || c == '<' || c == '>'
}
