package robots

import "strings"

// Comparison of paths (RFC 9309 sections 2.2.2 and 2.2.3).
//
// Both sides are brought to one form: octets outside printable ASCII are percent-encoded, encoded
// octets that need no encoding (letters, digits, - . _ ~) are decoded, hex digits are upper case. A
// literal `*` or `$` in a URL becomes %2A or %24, which is how a pattern names them verbatim. An
// encoded reserved octet stays as it is in a path, because /a%2Fb is not /a/b; behind the first `?`,
// where the RFC's second example equates "https://x" with "https%3A%2F%2Fx", a second form with the
// general delimiters decoded is compared too.
//
//	pattern /fish*.php$     parts ["/fish", ".php"], ends
//	target  /fishheads/catfish.php?x    last part must stand at the end: no match
//
// A pattern is split at `*`. The first part must begin the target, each next part is searched from
// where the one before ended (leftmost is always best, since only the order of parts matters), and
// with `$` the last part must be the suffix. Each octet of the target is passed once: linear.

// pattern is a compiled path of a rule.
type pattern struct {
	parts []string // between the stars, never empty as a slice
	ends  bool     // `$`: the last part must end the target
}

// compile makes a pattern of the normal form of a path.
func compile(path string) pattern {
	var p pattern
	path, p.ends = strings.CutSuffix(path, "$")
	for strings.Contains(path, "**") {
		path = strings.ReplaceAll(path, "**", "*")
	}
	p.parts = strings.Split(path, "*")
	return p
}

// literal tells whether the pattern is only a prefix, and which.
func (p pattern) literal() (string, bool) {
	if p.ends || len(p.parts) > 2 || len(p.parts) == 2 && p.parts[1] != "" {
		return "", false
	}
	return p.parts[0], true
}

// match tells whether the pattern covers the target.
func (p pattern) match(target string) bool {
	if !strings.HasPrefix(target, p.parts[0]) {
		return false
	}
	rest := target[len(p.parts[0]):]
	last := len(p.parts) - 1
	if last == 0 {
		return !p.ends || rest == ""
	}
	for _, part := range p.parts[1:last] {
		i := strings.Index(rest, part)
		if i < 0 {
			return false
		}
		rest = rest[i+len(part):]
	}
	if p.ends {
		return strings.HasSuffix(rest, p.parts[last])
	}
	return strings.Contains(rest, p.parts[last])
}

// side says which of the two things is brought to the normal form.
type side bool

const (
	ofRule   side = false // `*` and a final `$` are special
	ofTarget side = true  // they are plain octets
)

// normal gives the normal form of a path with query.
func normal(s string, which side) string {
	if plain(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s) + 8)
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c == '%' && i+2 < len(s) && isHex(s[i+1]) && isHex(s[i+2]):
			d := unhex(s[i+1])<<4 | unhex(s[i+2])
			i += 2
			if isUnreserved(d) {
				b.WriteByte(d)
			} else {
				writeEncoded(&b, d)
			}
		case which == ofTarget && (c == '*' || c == '$'),
			which == ofRule && c == '$' && i != len(s)-1,
			c <= ' ' || c >= 0x7f || c == '"' || c == '<' || c == '>' || c == '`' || c == '{' || c == '}':
			writeEncoded(&b, c)
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// plain tells, fast, that the string is in normal form already, as most are.
func plain(s string) bool {
	for i := 0; i < len(s); i++ {
		if c := s[i]; !isUnreserved(c) && c != '/' && c != '?' && c != '=' && c != '&' {
			return false
		}
	}
	return true
}

// openQuery gives the second form of a normal path: behind the first `?` the general delimiters decoded.
func openQuery(s string) string {
	q := strings.IndexByte(s, '?')
	if q < 0 || strings.IndexByte(s[q:], '%') < 0 {
		return s
	}
	return s[:q] + delimiters.Replace(s[q:])
}

var delimiters = strings.NewReplacer("%3A", ":", "%2F", "/", "%3F", "?", "%23", "#", "%5B", "[", "%5D", "]", "%40", "@")

func writeEncoded(b *strings.Builder, c byte) {
	const digits = "0123456789ABCDEF"
	b.WriteByte('%')
	b.WriteByte(digits[c>>4])
	b.WriteByte(digits[c&15])
}

func isUnreserved(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '-' || c == '.' || c == '_' || c == '~'
}

func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}

func unhex(c byte) byte {
	switch {
	case c <= '9':
		return c - '0'
	case c <= 'F':
		return c - 'A' + 10
	}
	return c - 'a' + 10
}
