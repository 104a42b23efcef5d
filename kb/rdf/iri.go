package rdf

import (
	"bytes"
	"strings"
)

// net/url is no help here: it decodes and encodes again what it parses, and an IRI must come out as it went in. What
// follows is RFC 3986, 5.2, to the letter; characters beyond ASCII need no treatment.

// reference is an IRI reference in its parts.
type reference struct {
	scheme, authority, path, query, fragment string
	hasAuthority, hasQuery, hasFragment      bool
}

// split takes a reference apart by the expression of RFC 3986, appendix B, but with schemes that are schemes.
func split(s string) reference {
	var r reference
	if i := schemeEnd(s); i >= 0 {
		r.scheme, s = s[:i], s[i+1:]
	}
	if i := strings.IndexByte(s, '#'); i >= 0 {
		r.fragment, r.hasFragment, s = s[i+1:], true, s[:i]
	}
	if i := strings.IndexByte(s, '?'); i >= 0 {
		r.query, r.hasQuery, s = s[i+1:], true, s[:i]
	}
	if rest, ok := strings.CutPrefix(s, "//"); ok {
		r.hasAuthority = true
		i := strings.IndexByte(rest, '/')
		if i < 0 {
			i = len(rest)
		}
		r.authority, s = rest[:i], rest[i:]
	}
	r.path = s
	return r
}

// schemeEnd returns where the colon behind a scheme is, or -1.
func schemeEnd(s string) int {
	for i := range len(s) {
		switch c := s[i]; {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z':
		case i > 0 && (c >= '0' && c <= '9' || c == '+' || c == '-' || c == '.'):
		case i > 0 && c == ':':
			return i
		default:
			return -1
		}
	}
	return -1
}

// IsAbsolute reports whether an IRI has a scheme.
func IsAbsolute(iri string) bool { return schemeEnd(iri) >= 0 }

func (r reference) String() string {
	var b strings.Builder
	b.Grow(len(r.scheme) + len(r.authority) + len(r.path) + len(r.query) + len(r.fragment) + 5)
	if r.scheme != "" {
		b.WriteString(r.scheme)
		b.WriteByte(':')
	}
	if r.hasAuthority {
		b.WriteString("//")
		b.WriteString(r.authority)
	}
	b.WriteString(r.path)
	if r.hasQuery {
		b.WriteByte('?')
		b.WriteString(r.query)
	}
	if r.hasFragment {
		b.WriteByte('#')
		b.WriteString(r.fragment)
	}
	return b.String()
}

// Resolve returns the IRI that ref means in a document at base. An absolute reference is returned as it is; a relative
// one without a base too.
func Resolve(base, ref string) string {
	if base == "" || IsAbsolute(ref) {
		return ref
	}
	b, r := split(base), split(ref)
	t := reference{scheme: b.scheme, fragment: r.fragment, hasFragment: r.hasFragment}
	switch {
	case r.hasAuthority:
		t.authority, t.hasAuthority = r.authority, true
		t.path, t.query, t.hasQuery = removeDots(r.path), r.query, r.hasQuery
		return t.String()
	case r.path == "":
		t.path, t.query, t.hasQuery = b.path, r.query, r.hasQuery
		if !r.hasQuery {
			t.query, t.hasQuery = b.query, b.hasQuery
		}
	case r.path[0] == '/':
		t.path, t.query, t.hasQuery = removeDots(r.path), r.query, r.hasQuery
	case b.hasAuthority && b.path == "":
		t.path, t.query, t.hasQuery = removeDots("/"+r.path), r.query, r.hasQuery
	default:
		t.path, t.query, t.hasQuery = removeDots(b.path[:strings.LastIndexByte(b.path, '/')+1]+r.path), r.query, r.hasQuery
	}
	t.authority, t.hasAuthority = b.authority, b.hasAuthority
	return t.String()
}

// removeDots takes the segments "." and ".." out of a path (RFC 3986, 5.2.4).
func removeDots(path string) string {
	if !strings.Contains(path, ".") {
		return path
	}
	out := make([]byte, 0, len(path))
	for in := path; in != ""; {
		switch {
		case strings.HasPrefix(in, "../"):
			in = in[3:]
		case strings.HasPrefix(in, "./"):
			in = in[2:]
		case strings.HasPrefix(in, "/./"), in == "/.":
			in = "/" + strings.TrimPrefix(in[2:], "/")
		case strings.HasPrefix(in, "/../"), in == "/..":
			in = "/" + strings.TrimPrefix(in[3:], "/")
			out = out[:max(0, bytes.LastIndexByte(out, '/'))]
		case in == ".", in == "..":
			in = ""
		default:
			end := strings.IndexByte(in[1:], '/') + 1
			if end == 0 {
				end = len(in)
			}
			out, in = append(out, in[:end]...), in[end:]
		}
	}
	return string(out)
}
