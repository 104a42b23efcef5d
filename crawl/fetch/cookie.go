package fetch

import (
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"time"

	"varve/web/canon"
)

// cookie is one cookie of a jar.
type cookie struct {
	name, value string // the value with its quotes, if it has some
	domain      string // without a dot before it
	path        string
	below       bool // also for the names below domain
	secure      bool
	expires     time.Time // zero: not while the crawl lasts
	given       bool      // by the operator, not by a server
}

// hostOfCookie gives the host by which cookies of a URL are known; "" if it has none.
func hostOfCookie(u *url.URL) string {
	return strings.TrimSuffix(strings.ToLower(u.Hostname()), ".")
}

// newCookie makes a cookie of what a URL sets (RFC 6265, section 5.3); not ok is one that it may not set.
func newCookie(u *url.URL, host string, c *http.Cookie, now time.Time) (out cookie, ok bool) {
	out = cookie{name: c.Name, value: c.Value, domain: host, path: c.Path, secure: c.Secure, expires: c.Expires}
	if c.Quoted {
		out.value = `"` + c.Value + `"`
	}
	if !printable(out.name) || !printable(out.value) || len(out.name)+len(out.value) > maxCookie {
		return out, false
	}
	switch {
	case c.MaxAge < 0:
		out.expires = now
	case c.MaxAge > 0:
		out.expires = now.Add(time.Duration(min(c.MaxAge, 10*365*24*3600)) * time.Second)
	}
	if out.path == "" || out.path[0] != '/' {
		out.path = defaultPath(u.EscapedPath())
	}
	if !printable(out.path) || len(out.path) > maxCookie {
		return out, false
	}
	domain := strings.TrimSuffix(strings.TrimPrefix(strings.ToLower(c.Domain), "."), ".")
	if domain == "" || domain == host && (isAddress(host) || isSuffix(host)) {
		return out, true
	}
	out.domain, out.below = domain, true
	return out, !isAddress(host) && !isSuffix(domain) && isBelow(host, domain)
}

// defaultPath is the folder of a path.
func defaultPath(path string) string {
	if i := strings.LastIndexByte(path, '/'); i > 0 {
		return path[:i]
	}
	return "/"
}

func isAddress(host string) bool {
	_, err := netip.ParseAddr(host)
	return err == nil
}

// isOwnMachine tells hosts that need no encryption, as browsers see it.
func isOwnMachine(host string) bool {
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.IsLoopback()
}

// isSuffix tells names under which anybody registers: cookies for all below would be for strangers.
func isSuffix(domain string) bool {
	return canon.PayLevelDomain("a."+domain) == "a."+domain
}

// isBelow tells whether a host is a domain or below it.
func isBelow(host, domain string) bool {
	return host == domain || strings.HasSuffix(host, "."+domain)
}

func (c *cookie) same(o *cookie) bool {
	return c.name == o.name && c.domain == o.domain && c.path == o.path
}

func (c *cookie) size() int { return len(c.name) + len(c.value) + len(c.path) + len(c.domain) }

func (c *cookie) over(now time.Time) bool { return !c.expires.IsZero() && !c.expires.After(now) }

// fits tells whether a cookie goes with a request (section 5.4).
func (c *cookie) fits(u *url.URL, host string) bool {
	if host != c.domain && !(c.below && isBelow(host, c.domain)) || c.secure && u.Scheme != "https" && !isOwnMachine(host) {
		return false
	}
	path := u.EscapedPath()
	if path == "" {
		path = "/"
	}
	rest, ok := strings.CutPrefix(path, c.path)
	return ok && (rest == "" || rest[0] == '/' || strings.HasSuffix(c.path, "/"))
}

// givenMark comes before the lines of cookies that the operator gave, in what a crawl keeps of its jar; to other readers of cookies.txt it
// is a comment.
const givenMark = "#Given_"

// appendLine writes the line of cookies.txt that parseCookieLine reads.
func (c *cookie) appendLine(b []byte) []byte {
	if c.given {
		b = append(b, givenMark...)
	}
	expires := int64(0)
	if !c.expires.IsZero() {
		expires = max(c.expires.Unix(), 1)
	}
	for i, f := range [...]string{c.domain, flag(c.below), c.path, flag(c.secure), strconv.FormatInt(expires, 10), c.name, c.value} {
		if i > 0 {
			b = append(b, '\t')
		}
		b = append(b, f...)
	}
	return append(b, '\n')
}

func flag(on bool) string {
	if on {
		return "TRUE"
	}
	return "FALSE"
}

// printable keeps bytes out of requests and lines that would end them.
func printable(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] < ' ' || s[i] == 0x7f {
			return false
		}
	}
	return true
}
