package fetch

import (
	"fmt"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"sync/atomic"

	"golang.org/x/net/publicsuffix"

	"varve/web/wire"
)

// Jar holds the cookies of one crawl. It is safe for concurrent use.
type Jar struct {
	cookies *cookiejar.Jar
	filled  atomic.Bool // empty jars cost nothing
}

// NewJar makes an empty jar. It keeps cookies apart by the public suffix list.
func NewJar() (*Jar, error) {
	j, err := cookiejar.New(&cookiejar.Options{PublicSuffixList: publicsuffix.List})
	if err != nil {
		return nil, fmt.Errorf("cookie jar: %w", err)
	}
	return &Jar{cookies: j}, nil
}

// Set puts cookies of a URL into the jar.
func (j *Jar) Set(u *url.URL, cookies []*http.Cookie) {
	if len(cookies) > 0 {
		j.cookies.SetCookies(u, cookies)
		j.filled.Store(true)
	}
}

// appendCookies appends the Cookie field for a URL, if there is something to say.
func (j *Jar) appendCookies(dst []byte, rawURL string) []byte {
	if !j.filled.Load() {
		return dst
	}
	u, err := url.Parse(rawURL)
	if err != nil {
		return dst
	}
	start := len(dst)
	for _, c := range j.cookies.Cookies(u) {
		if !printable(c.Name) || !printable(c.Value) {
			continue
		}
		if len(dst) == start {
			dst = append(dst, "Cookie: "...)
		} else {
			dst = append(dst, "; "...)
		}
		dst = appendQuoted(append(append(dst, c.Name...), '='), c)
	}
	if len(dst) > start {
		dst = append(dst, "\r\n"...)
	}
	return dst
}

// appendQuoted appends the value with the quotes that it was set with.
func appendQuoted(dst []byte, c *http.Cookie) []byte {
	if c.Quoted {
		return append(append(append(dst, '"'), c.Value...), '"')
	}
	return append(dst, c.Value...)
}

// printable keeps bytes out of the request that would end its line.
func printable(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] < ' ' || s[i] == 0x7f {
			return false
		}
	}
	return true
}

// store takes the cookies that an answer sets.
func (j *Jar) store(rawURL string, h wire.Header) {
	if !h.Has("Set-Cookie") {
		return
	}
	u, err := url.Parse(rawURL)
	if err != nil {
		return
	}
	var cookies []*http.Cookie
	for _, line := range h.Values("Set-Cookie") {
		if c, err := http.ParseSetCookie(line); err == nil {
			cookies = append(cookies, c)
		}
	}
	j.Set(u, cookies)
}

// Merge gives the value of the Cookie field for a URL when somebody else sends cookies of its own:
// those, and the ones of the jar that have other names.
func (j *Jar) Merge(rawURL, sent string) string {
	u, err := url.Parse(rawURL)
	if err != nil || !j.filled.Load() {
		return sent
	}
	have := map[string]bool{}
	for pair := range strings.SplitSeq(sent, ";") {
		name, _, _ := strings.Cut(strings.TrimSpace(pair), "=")
		have[name] = true
	}
	out := []byte(sent)
	for _, c := range j.cookies.Cookies(u) {
		if have[c.Name] || !printable(c.Name) || !printable(c.Value) {
			continue
		}
		if len(out) > 0 {
			out = append(out, "; "...)
		}
		out = appendQuoted(append(append(out, c.Name...), '='), c)
	}
	return string(out)
}
