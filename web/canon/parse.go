package canon

import (
	"errors"
	"fmt"

	whatwg "github.com/nlnwa/whatwg-url/url"
)

// ErrTooLong is the cause of the error for a URL that is too long to be parsed: longer than
// MaxLength, with a host part of more than 1 KiB, or of a scheme such as ftp and longer than 2 KiB.
var ErrTooLong = errors.New("too long")

// Parse reads an absolute URL.
func Parse(raw string) (URL, error) {
	if u, ok := parseFast(raw, nil); ok {
		return u, nil
	}
	return parseFull(raw, nil)
}

// Resolve reads a reference found in the document at u: relative or absolute.
func (u URL) Resolve(ref string) (URL, error) {
	if v, ok := parseFast(ref, &u); ok {
		return v, nil
	}
	return parseFull(ref, &u)
}

// maxOther is the longest URL that the library gets, unless it is opaque.
const maxOther = 2 << 10

// parseFull asks the reference library. It spends quadratic time on segments and userinfo: 64 KiB
// of "@" take it 25 seconds, hence the limits. They hold for the result as well, so that every
// serialisation can be parsed again.
func parseFull(raw string, base *URL) (u URL, err error) {
	if base == nil {
		base = &URL{}
	}
	if tooLong(raw, base.href) {
		return URL{}, fmt.Errorf("parse URL %q: %w", clip(raw), ErrTooLong)
	}
	defer func() { // the library must not take the crawl down with it
		if r := recover(); r != nil {
			u, err = URL{}, fmt.Errorf("parse URL %q: parser failed: %v", clip(raw), r)
		}
	}()
	p, err := whatwg.ParseRef(base.href, raw)
	if err == nil && tooLong(p.Href(false), "") {
		err = ErrTooLong
	}
	if err != nil {
		return URL{}, fmt.Errorf("parse URL %q: %w", clip(raw), err)
	}
	u = locate(p.Href(false))
	u.raw = raw
	return u, nil
}

// tooLong tells whether a reference or its base is beyond the limits of the library.
func tooLong(ref, base string) bool {
	n := len(ref)
	if base != "" && !isOpaque(base) {
		n += len(base)
	}
	return len(ref) > MaxLength || n > maxOther && !isOpaque(ref)
}

// isOpaque tells whether a URL has a scheme that is not followed by a slash (data:, mailto:).
func isOpaque(raw string) bool {
	scheme, rest := splitScheme(trimSpace(raw))
	if scheme == "" || isHTTP(scheme) || rest != "" && classes[rest[0]]&slash != 0 {
		return false
	}
	switch asciiLower(scheme) {
	case "ftp", "file", "ws", "wss":
		return false
	}
	return true
}

// clip shortens a URL for an error message.
func clip(s string) string {
	if len(s) > 200 {
		return s[:200] + "..."
	}
	return s
}

// defaultPort gives the port a scheme implies, or 0.
func defaultPort(scheme string) int {
	switch scheme {
	case "http", "ws":
		return 80
	case "https", "wss":
		return 443
	case "ftp":
		return 21
	}
	return 0
}

// parsePort reads one to five digits without a leading zero, at most 65535.
func parsePort(s string) (int, bool) {
	if s == "" || len(s) > 5 || s[0] == '0' && len(s) > 1 {
		return 0, false
	}
	n := 0
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return 0, false
		}
		n = n*10 + int(s[i]-'0')
	}
	return n, n <= 65535
}
