package canon

import "strings"

// SURT gives the index key of a URL: the form of the Internet Archive, in which host labels are
// reversed and http and https, www and apex, case, trailing slashes, session ids and the order of
// query arguments are merged. "http://www.Example.com/a/?y=2&x=1" gives "com,example)/a?x=1&y=2".
//
// It accepts anything: a missing scheme means http, an empty URL gives "-", and URLs without
// authority (dns:, urn:, warcinfo:, filedesc:, mailto:) stay as they are. The key never contains a
// space or a control character. Text beyond MaxLength is ignored.
func SURT(raw string) string {
	p := parseLoose(raw)
	if p.scheme == "" && p.opaque == "" {
		return "-"
	}
	p.google()
	p.ia()
	return p.surt()
}

// IndexURL gives the URL form of the index key: what SURT writes before it reverses the host. Two
// URLs with equal IndexURL have equal SURT, and IndexURL of an IndexURL is itself. An empty URL
// gives "".
func IndexURL(raw string) string {
	p := parseLoose(raw)
	p.google()
	p.ia()
	return p.url()
}

// loose holds the parts of a URL that was cut apart leniently. A URL without authority has only
// opaque set, all others have a scheme.
type loose struct {
	scheme, user, host, port, path, query string

	hasQuery bool
	opaque   string
}

// surt writes the key: com,example:8080)/path?query.
func (p *loose) surt() string {
	if p.scheme == "" {
		return p.opaque
	}
	b := make([]byte, 0, len(p.host)+len(p.port)+len(p.path)+len(p.query)+8)
	b = appendReversed(b, p.host)
	if p.port != "" {
		b = append(append(b, ':'), p.port...)
	}
	b = append(append(b, ')'), p.path...)
	if p.hasQuery {
		b = append(append(b, '?'), p.query...)
	}
	return string(b)
}

// url writes the URL form. A question mark in the path, which SURT leaves bare as the Internet
// Archive does, is escaped here, so that reading it again gives the same parts.
func (p *loose) url() string {
	if p.scheme == "" {
		return p.opaque
	}
	var b strings.Builder
	b.WriteString(p.scheme)
	b.WriteString("://")
	if p.user != "" {
		b.WriteString(p.user)
		b.WriteByte('@')
	}
	b.WriteString(p.host)
	if p.port != "" {
		b.WriteByte(':')
		b.WriteString(p.port)
	}
	b.WriteString(strings.ReplaceAll(p.path, "?", "%3f"))
	if p.hasQuery {
		b.WriteByte('?')
		b.WriteString(p.query)
	}
	return b.String()
}

// appendReversed writes the labels of a host last to first, separated by commas. Addresses are
// reversed too, as the Internet Archive does; IPv6 addresses stay.
func appendReversed(b []byte, host string) []byte {
	if strings.HasPrefix(host, "[") {
		return append(b, host...)
	}
	for {
		i := strings.LastIndexByte(host, '.')
		b = append(b, host[i+1:]...)
		if i < 0 {
			return b
		}
		b = append(b, ',')
		host = host[:i]
	}
}
