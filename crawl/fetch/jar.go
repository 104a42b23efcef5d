package fetch

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"varve/web/canon"
	"varve/web/wire"
)

// Bounds of a jar: what a site sets beyond them pushes its oldest cookies out, as in browsers, and sites beyond
// them push out those that have set none for the longest time.
const (
	maxCookie      = 4 << 10 // bytes of name and value
	maxSiteCookies = 150
	maxSiteBytes   = 64 << 10
	maxSites       = 10_000
)

// Jar holds the cookies of one crawl (RFC 6265), within bounds whatever servers set. It is safe for concurrent use.
// A site is a registered domain with all names below it.
type Jar struct {
	now    func() time.Time
	filled atomic.Bool // empty jars cost nothing

	mu      sync.Mutex
	sites   map[string]*cookieSite
	changed map[string]bool // sites, since Changes
	counter uint64

	withheld map[string]func(name string) bool // by host: cookies that are not sent back
}

// cookieSite are the cookies of a site, oldest first.
type cookieSite struct {
	cookies []cookie
	bytes   int
	used    uint64
}

// NewJar makes an empty jar.
func NewJar(now func() time.Time) *Jar {
	return &Jar{now: now, sites: map[string]*cookieSite{}, changed: map[string]bool{}, withheld: map[string]func(string) bool{}}
}

// Set puts cookies that a server set into the jar.
func (j *Jar) Set(u *url.URL, cookies []*http.Cookie) { j.set(u, cookies, false) }

func (j *Jar) set(u *url.URL, cookies []*http.Cookie, given bool) {
	host := hostOfCookie(u)
	if len(cookies) == 0 || host == "" {
		return
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	now := j.now()
	for _, c := range cookies {
		if made, ok := newCookie(u, host, c, now); ok {
			made.given = given
			j.put(made, now, true)
		}
	}
}

// Withhold keeps cookies that servers set from being sent back to a host, on whatever port: those whose names are withheld, which is asked under the lock of
// the jar. An application may write into its pages what it knows of a reader by them. What the operator gave is sent, also when a server
// has set it anew: it is a login.
func (j *Jar) Withhold(host string, withheld func(name string) bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.withheld[hostOfCookie(&url.URL{Host: host})] = withheld
}

// put adds a cookie, or replaces the one of the same name, domain and path, which keeps its place in the order; one
// that is over is removed. The lock is held.
func (j *Jar) put(c cookie, now time.Time, replace bool) {
	name := canon.PayLevelDomain(c.domain)
	s := j.sites[name]
	if s == nil {
		if len(j.sites) >= maxSites {
			j.prune()
		}
		s = &cookieSite{}
		j.sites[name] = s
	}
	j.counter++
	s.used = j.counter
	at := slices.IndexFunc(s.cookies, func(o cookie) bool { return o.same(&c) })
	switch {
	case at >= 0 && !replace:
		return
	case at >= 0 && c.over(now):
		s.remove(at)
	case at >= 0:
		s.bytes += c.size() - s.cookies[at].size()
		c.given = c.given || s.cookies[at].given
		s.cookies[at] = c
	case c.over(now):
		return
	default:
		s.cookies = append(s.cookies, c)
		s.bytes += c.size()
	}
	for len(s.cookies) > maxSiteCookies || s.bytes > maxSiteBytes {
		s.remove(0)
	}
	j.filled.Store(true)
	j.changed[name] = true
}

func (s *cookieSite) remove(at int) {
	s.bytes -= s.cookies[at].size()
	s.cookies = slices.Delete(s.cookies, at, at+1)
}

// prune forgets the half of the sites that have set nothing for the longest time. The lock is held.
func (j *Jar) prune() {
	used := make([]uint64, 0, len(j.sites))
	for _, s := range j.sites {
		used = append(used, s.used)
	}
	slices.Sort(used)
	for name, s := range j.sites {
		if s.used < used[len(used)/2] {
			delete(j.sites, name)
			delete(j.changed, name)
		}
	}
}

// of gives the cookies for a URL: those with longer paths first, and among them the oldest.
func (j *Jar) of(rawURL string) (out []cookie) {
	if !j.filled.Load() {
		return nil
	}
	u, err := url.Parse(rawURL)
	if err != nil {
		return nil
	}
	host := hostOfCookie(u)
	j.mu.Lock()
	defer j.mu.Unlock()
	s := j.sites[canon.PayLevelDomain(host)]
	if s == nil {
		return nil
	}
	now, withheld := j.now(), j.withheld[host]
	for i := range s.cookies {
		c := &s.cookies[i]
		if c.over(now) || !c.fits(u, host) || !c.given && withheld != nil && withheld(c.name) {
			continue
		}
		out = append(out, *c)
	}
	slices.SortStableFunc(out, func(a, b cookie) int { return len(b.path) - len(a.path) })
	return out
}

// appendCookies appends the Cookie field for a URL, if there is something to say.
func (j *Jar) appendCookies(dst []byte, rawURL string) []byte {
	for i, c := range j.of(rawURL) {
		if i == 0 {
			dst = append(dst, "Cookie: "...)
		}
		dst = append(append(append(append(dst, c.name...), '='), c.value...), "; "...)
	}
	if n := len(dst); n > 2 && dst[n-1] == ' ' && dst[n-2] == ';' {
		dst = append(dst[:n-2], "\r\n"...)
	}
	return dst
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
	own := j.of(rawURL)
	if len(own) == 0 {
		return sent
	}
	have := map[string]bool{}
	for pair := range strings.SplitSeq(sent, ";") {
		name, _, _ := strings.Cut(strings.TrimSpace(pair), "=")
		have[name] = true
	}
	for _, c := range own {
		if have[c.name] {
			continue
		}
		if sent != "" {
			sent += "; "
		}
		sent += c.name + "=" + c.value
	}
	return sent
}

// Changes gives the cookies of the sites whose cookies have changed since it was last called, as lines of cookies.txt by
// site; no lines where a site has none any more.
func (j *Jar) Changes() map[string][]byte {
	j.mu.Lock()
	defer j.mu.Unlock()
	if len(j.changed) == 0 {
		return nil
	}
	out := map[string][]byte{}
	now := j.now()
	for name := range j.changed {
		var lines []byte
		if s := j.sites[name]; s != nil {
			for i := range s.cookies {
				if !s.cookies[i].over(now) {
					lines = s.cookies[i].appendLine(lines)
				}
			}
		}
		out[name] = lines
	}
	clear(j.changed)
	return out
}
