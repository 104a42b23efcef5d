package access

import (
	"fmt"
	"net/url"
	"strings"
	"unicode/utf8"
)

// LocalPath gives an address to go to that a request named, if it is one of this host: a path, with a query or not. Nothing else
// passes: no other host, in no spelling that a browser would read as one.
//
// Browsers are not strict (WHATWG URL): they drop tabs and line ends anywhere, so that "/\t/evil.example/" is "//evil.example/";
// they take a backslash for a slash; and two slashes at the start begin the name of a host. So control characters and
// backslashes are refused wherever they stand, and what is no ASCII is escaped.
func LocalPath(to string) (path string, ok bool) {
	if !strings.HasPrefix(to, "/") || strings.HasPrefix(to, "//") || !utf8.ValidString(to) {
		return "", false
	}
	var out strings.Builder
	for i := range len(to) {
		switch c := to[i]; {
		case c < ' ' || c == 0x7f || c == '\\':
			return "", false
		case c == ' ' || c == '"' || c == '<' || c == '>' || c >= utf8.RuneSelf:
			fmt.Fprintf(&out, "%%%02X", c)
		default:
			out.WriteByte(c)
		}
	}
	u, err := url.Parse(out.String())
	if err != nil || u.Scheme != "" || u.Host != "" || u.User != nil {
		return "", false
	}
	return out.String(), true
}
