package canon

import "strings"

// MaxLength is the longest URL or reference, in bytes, that is parsed. Servers refuse far shorter
// ones; longer ones in the wild are data: URLs and traps.
const MaxLength = 64 << 10

// URL is a parsed URL. It is a small value: one string, the text it came from, and offsets.
// The zero URL is empty. Two URLs name the same resource when their String is equal.
type URL struct {
	raw  string
	href string
	// href[:schemeEnd] ":" ["//" userinfo "@"] href[hostStart:hostEnd] [":" port]
	// href[pathStart:pathEnd] ["?" ... queryEnd] ["#" ...]. hostStart is 0 without authority.
	schemeEnd, hostStart, hostEnd, pathStart, pathEnd, queryEnd uint32
}

// Raw gives the text that was given to Parse or Resolve, byte for byte.
func (u URL) Raw() string { return u.raw }

// String gives the WHATWG serialisation.
func (u URL) String() string { return u.href }

// IsZero tells whether u is the empty URL.
func (u URL) IsZero() bool { return u.href == "" }

// Scheme gives the scheme in lower case, without the colon.
func (u URL) Scheme() string { return u.href[:u.schemeEnd] }

// IsHTTP tells whether the scheme is http or https.
func (u URL) IsHTTP() bool { return u.Scheme() == "http" || u.Scheme() == "https" }

// Userinfo gives "user" or "user:password", still percent-encoded, or "".
func (u URL) Userinfo() string {
	if u.hostStart <= u.schemeEnd+3 {
		return ""
	}
	return u.href[u.schemeEnd+3 : u.hostStart-1]
}

// Host gives the host name without port: lower case ASCII, IDNs as xn--, IPv6 in brackets.
func (u URL) Host() string { return u.href[u.hostStart:u.hostEnd] }

// Port gives the port as written in the serialisation: "" when it is the scheme's default.
func (u URL) Port() string {
	if u.hostStart == 0 || u.hostEnd >= u.pathStart {
		return ""
	}
	return u.href[u.hostEnd+1 : u.pathStart]
}

// HostPort gives host[:port], the value of a Host header.
func (u URL) HostPort() string {
	if u.hostStart == 0 {
		return ""
	}
	return u.href[u.hostStart:u.pathStart]
}

// PortNumber gives the port to connect to: the explicit one, else the scheme's default, else 0.
func (u URL) PortNumber() int {
	if p := u.Port(); p != "" {
		n, _ := parsePort(p)
		return n
	}
	return defaultPort(u.Scheme())
}

// Path gives the path, percent-encoded; it starts with "/" unless it is opaque (mailto:, data:).
func (u URL) Path() string { return u.href[u.pathStart:u.pathEnd] }

// Query gives the query without the question mark.
func (u URL) Query() string {
	if !u.HasQuery() {
		return ""
	}
	return u.href[u.pathEnd+1 : u.queryEnd]
}

// HasQuery tells "/a?" from "/a".
func (u URL) HasQuery() bool { return u.pathEnd < u.queryEnd }

// Fragment gives the fragment without the number sign.
func (u URL) Fragment() string {
	if !u.HasFragment() {
		return ""
	}
	return u.href[u.queryEnd+1:]
}

// HasFragment tells "/a#" from "/a".
func (u URL) HasFragment() bool { return int(u.queryEnd) < len(u.href) }

// Target gives what stands in an HTTP request line: the path and the query.
func (u URL) Target() string { return u.href[u.pathStart:u.queryEnd] }

// Origin gives scheme://host[:port], or "" for a URL without authority.
func (u URL) Origin() string {
	if u.hostStart == 0 {
		return ""
	}
	if u.Userinfo() == "" {
		return u.href[:u.pathStart]
	}
	return u.Scheme() + "://" + u.HostPort()
}

// WithoutFragment gives the URL as it is sent to a server. It shares u's memory.
func (u URL) WithoutFragment() URL {
	u.href = u.href[:u.queryEnd]
	return u
}

// MarshalText gives the serialisation.
func (u URL) MarshalText() ([]byte, error) { return []byte(u.href), nil }

// UnmarshalText parses an absolute URL; empty text gives the zero URL.
func (u *URL) UnmarshalText(text []byte) error {
	if len(text) == 0 {
		*u = URL{}
		return nil
	}
	v, err := Parse(string(text))
	if err != nil {
		return err
	}
	*u = v
	return nil
}

// locate finds the parts of a serialised URL. A serialisation is unambiguous: the delimiters of a
// part are percent-encoded or forbidden inside it.
func locate(href string) URL {
	u := URL{href: href}
	n := uint32(len(href))
	u.queryEnd = n
	if i := strings.IndexByte(href, '#'); i >= 0 {
		u.queryEnd = uint32(i)
	}
	u.pathEnd = u.queryEnd
	if i := strings.IndexByte(href[:u.queryEnd], '?'); i >= 0 {
		u.pathEnd = uint32(i)
	}
	colon := strings.IndexByte(href[:u.pathEnd], ':')
	u.schemeEnd = uint32(max(colon, 0))
	u.pathStart = u.schemeEnd + 1
	rest := href[u.pathStart:u.pathEnd]
	switch {
	case strings.HasPrefix(rest, "//"):
		u.locateAuthority()
	case strings.HasPrefix(rest, "/.//"):
		u.pathStart += 2 // "/." only guards a path that starts with "//"
	}
	return u
}

// locateAuthority finds userinfo, host and port behind "//".
func (u *URL) locateAuthority() {
	start := u.schemeEnd + 3
	end := u.pathEnd
	if i := strings.IndexByte(u.href[start:end], '/'); i >= 0 {
		end = start + uint32(i)
	}
	u.pathStart = end
	u.hostStart = start
	if i := strings.LastIndexByte(u.href[start:end], '@'); i >= 0 {
		u.hostStart = start + uint32(i) + 1
	}
	u.hostEnd = end
	host := u.href[u.hostStart:end]
	if i := strings.LastIndexByte(host, ':'); i >= 0 && !strings.HasSuffix(host, "]") {
		u.hostEnd = u.hostStart + uint32(i)
	}
}
