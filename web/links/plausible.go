package links

import (
	"bytes"
	"strings"
)

// maxGuess is the longest string taken for a URL without being asked for one.
const maxGuess = 2048

// absolute tells whether p is an http(s) URL, or begins with // and a host.
func absolute(p []byte) bool {
	host := afterSlashes(p)
	return len(host) > 2 && hostShape(host)
}

// afterSlashes gives what follows http://, https:// or //, nil if p begins otherwise.
func afterSlashes(p []byte) []byte {
	switch {
	case hasFold(p, "http://"):
		return p[7:]
	case hasFold(p, "https://"):
		return p[8:]
	case len(p) > 2 && p[0] == '/' && p[1] == '/' && (isAlnum(p[2]) || p[2] >= 0x80):
		if h := hostPart(p[2:]); bytes.IndexByte(h, '.') > 0 {
			return p[2:]
		}
	}
	return nil
}

// hostPart cuts p at the first slash, question mark or number sign.
func hostPart(p []byte) []byte {
	if i := bytes.IndexAny(p, "/?#"); i >= 0 {
		return p[:i]
	}
	return p
}

// hostShape tells whether p begins with a host that could exist: labels of letters and digits, a dot (or localhost, or
// a port), and a top level that is not a number unless all is.
func hostShape(p []byte) bool {
	host := hostPart(p)
	if i := bytes.LastIndexByte(host, '@'); i >= 0 {
		host = host[i+1:]
	}
	if len(host) > 0 && host[0] == '[' {
		return bytes.IndexByte(host, ']') > 2
	}
	port := false
	if i := bytes.IndexByte(host, ':'); i >= 0 {
		for _, c := range host[i+1:] {
			if !isDigit(c) {
				return false
			}
		}
		port = i+1 < len(host)
		host = host[:i]
	}
	dot := bytes.LastIndexByte(host, '.')
	if dot == len(host)-1 && dot > 0 {
		host = host[:dot]
		dot = bytes.LastIndexByte(host, '.')
	}
	for i, c := range host {
		if !isAlnum(c) && c != '-' && c != '_' && c < 0x80 && (c != '.' || i == 0 || host[i-1] == '.') {
			return false
		}
	}
	top := host[dot+1:]
	return len(host) > 0 && len(top) > 0 && (port || equalFold(host, "localhost") || dot > 0 && (len(top) > 1 || isDigit(top[0])) && !equalFold(host[:dot], "www"))
}

// names are hosts and paths that stand for vocabularies, not for pages: a script that mentions one does not link there.
var names = []string{
	"www.w3.org/1999/", "www.w3.org/2000/", "www.w3.org/2001/", "www.w3.org/2005/", "www.w3.org/xml/1998/", "www.w3.org/tr/html4/", "www.w3.org/tr/xhtml",
	"www.w3.org/ns/", "www.w3.org/graphics/svg/", "schema.org", "ogp.me/ns", "purl.org/", "xmlns.com/", "rdfs.org/", "ns.adobe.com/", "schemas.microsoft.com/", "schemas.openxmlformats.org/",
	"schemas.xmlsoap.org/", "www.sitemaps.org/schemas/", "search.yahoo.com/mrss", "www.google.com/schemas/", "www.itunes.com/dtds/", "data-vocabulary.org",
	"json-schema.org/", "java.sun.com/", "xml.org/sax/", "apache.org/xml/", "www.topografix.com/gpx/", "backend.userland.com/", "wellformedweb.org/commentapi", "rssnamespace.org/",
	"fb.me/react-", "reactjs.org/docs/error-decoder", "git.io/", "feross.org", "momentjs.com/guides/", "mths.be/", "jquery.org/license", "opensource.org/licenses/", "www.opensource.org/licenses/",
}

// vocabulary tells whether an absolute URL only names a vocabulary.
func vocabulary(p []byte) bool {
	rest := afterSlashes(p)
	if bytes.HasPrefix(rest, []byte("example.")) && len(bytes.TrimRight(rest, "/")) <= len("example.com") {
		return true // the example of every comment
	}
	for _, n := range names {
		if hasFold(rest, n) {
			return true
		}
	}
	return false
}

// plausible tells whether a string that nobody called a URL looks like one: absolute, rooted with a sensible path, or
// relative with the ending of a file that the web has. Media types, dates, selectors, routes with parameters, file
// paths of a build, and templates do not pass.
func plausible(p []byte) bool {
	if len(p) < 4 || len(p) > maxGuess || unfinished(p) || valueName(p) {
		return false
	}
	if rest := afterSlashes(p); rest != nil {
		return hostShape(rest) && cleanURL(p) && cleanPercent(p) && !bytes.ContainsAny(p, "*$") && !bytes.Contains(p, []byte("/:")) && !vocabulary(p)
	}
	if !cleanGuess(p) || schemeLen(p) > 0 {
		return false
	}
	path, query := cutQuery(p)
	switch {
	case p[0] == '?':
		return queryShape(query)
	case p[0] == '/':
		return rooted(path)
	default:
		return relative(path, query)
	}
}

// valueName tells whether the last segment of a path is what a script has where it has nothing, or the method of a request: what
// was put together there, or taken for an address, is none. It is asked about strings of scripts only: a site may well have a page
// about null.
func valueName(p []byte) bool {
	path, _ := cutQuery(p)
	path = bytes.TrimSuffix(path, []byte("/"))
	switch string(path[bytes.LastIndexByte(path, '/')+1:]) {
	case "undefined", "null", "NaN", "Infinity", "true", "false", "%5Bobject%20Object%5D",
		"GET", "POST", "PUT", "HEAD", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT":
		return true
	}
	return false
}

// cleanGuess rejects bytes that URLs in scripts do not have, and broken percent signs.
func cleanGuess(p []byte) bool {
	for i, c := range p {
		if class[c]&classURLNo != 0 {
			return false
		}
		if c == '%' && !percentAt(p[i:]) {
			return false
		}
	}
	return true
}

// percentAt tells whether p begins with a percent sign and two hexadecimal digits; %s and %d are formats.
func percentAt(p []byte) bool { return len(p) > 2 && isHex(p[1]) && isHex(p[2]) }

// cleanPercent tells whether every percent sign is followed by two hexadecimal digits.
func cleanPercent(p []byte) bool {
	for i, c := range p {
		if c == '%' && !percentAt(p[i:]) {
			return false
		}
	}
	return true
}

// unfinished tells whether the string waits for something to be appended.
func unfinished(p []byte) bool {
	switch p[len(p)-1] {
	case '=', '&', '?', ',', ':', '-', '+', '@':
		return true
	}
	return bytes.HasSuffix(p, []byte("/.")) || bytes.HasSuffix(p, []byte(".."))
}

// cutQuery splits a reference into its path and query, without the fragment.
func cutQuery(p []byte) (path, query []byte) {
	if i := bytes.IndexByte(p, '#'); i >= 0 {
		p = p[:i]
	}
	if i := bytes.IndexByte(p, '?'); i >= 0 {
		return p[:i], p[i+1:]
	}
	return p, nil
}

// queryShape tells whether a query is name=value.
func queryShape(q []byte) bool {
	i := bytes.IndexByte(q, '=')
	if i <= 0 || i == len(q)-1 {
		return false
	}
	for _, c := range q[:i] {
		if !isIdent(c) && c != '.' && c != '%' {
			return false
		}
	}
	return true
}

// rooted judges a path that begins with a slash.
func rooted(path []byte) bool {
	if len(path) < 3 || !isAlnum(path[1]) && path[1] != '_' && path[1] != '~' && path[1] != '.' && path[1] != '%' && path[1] != '@' && path[1] < 0x80 {
		return false
	}
	if !segments(path[1:]) || filesystem(path) {
		return false
	}
	if knownFile(path) {
		return true
	}
	letters := 0
	for _, c := range path {
		if isAlpha(c) || c >= 0x80 {
			letters++
		}
	}
	return letters >= 3 || letters >= 1 && bytes.Count(path, []byte("/")) > 1
}

// relative judges a path without a leading slash: it must end like a file of the web, or carry a query.
func relative(path, query []byte) bool {
	for bytes.HasPrefix(path, []byte("../")) || bytes.HasPrefix(path, []byte("./")) {
		path = path[bytes.IndexByte(path, '/')+1:]
	}
	if len(path) < 3 || !isAlnum(path[0]) && path[0] != '_' && path[0] != '~' && path[0] < 0x80 || bytes.IndexByte(path, '@') >= 0 || !segments(path) || filesystem(path) {
		return false
	}
	if !knownFile(path) {
		return queryShape(query) && bytes.IndexByte(path, ',') < 0
	}
	return bytes.IndexByte(path, '/') > 0 || !libraryName(path)
}

// segments rejects routes with parameters, empty segments, dots that go nowhere and date patterns.
func segments(path []byte) bool {
	dates, n := 0, 0
	for len(path) > 0 {
		seg := path
		if i := bytes.IndexByte(path, '/'); i >= 0 {
			seg, path = path[:i], path[i+1:]
		} else {
			path = nil
		}
		if len(seg) == 0 && len(path) > 0 || len(seg) > 0 && (seg[0] == ':' || bytes.Equal(seg, []byte("..")) || bytes.Equal(seg, []byte("."))) {
			return false
		}
		n++
		if datePattern(seg) {
			dates++
		}
	}
	return dates < n
}

// datePattern tells whether a segment is made of the letters of date formats only: YYYY, mm, dd.
func datePattern(seg []byte) bool {
	if len(seg) == 0 {
		return true
	}
	for _, c := range seg {
		if strings.IndexByte("YyMmDdHhsSaA", c) < 0 || c|0x20 != seg[0]|0x20 {
			return false
		}
	}
	return len(seg) <= 4
}
