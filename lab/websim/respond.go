package websim

import (
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"

	"varve/lab/websim/truth"
)

// Fetch answers a request at an instant. It depends on nothing but its arguments; what needs
// memory (rate limits, faults of the first requests) is in a Gate. Delays are told, not waited for.
func (w *Web) Fetch(r *Request, at time.Time) *Answer {
	a := w.answer(r, at)
	w.complete(a, r, at)
	return a
}

// Get is Fetch of a URL, without any header.
func (w *Web) Get(url string, at time.Time) *Answer {
	scheme, rest, ok := strings.Cut(url, "://")
	if !ok {
		scheme, rest = "http", url
	}
	host, path, _ := strings.Cut(rest, "/")
	return w.Fetch(&Request{Scheme: scheme, Host: host, Target: "/" + path}, at)
}

// Knows tells whether a host is part of the web.
func (w *Web) Knows(host string) bool {
	s, _ := w.site(host)
	return s != nil || w.mount[hostname(host)] != nil
}

func hostname(host string) string {
	if i := strings.LastIndexByte(host, ':'); i >= 0 {
		if h, _, err := net.SplitHostPort(host); err == nil {
			host = h
		}
	}
	return strings.ToLower(host)
}

// site finds the site of a host; www tells that the name has a www. before it.
func (w *Web) site(host string) (s *site, www bool) {
	if s := w.hosts[host]; s != nil {
		return s, false
	}
	host = hostname(host)
	if s := w.hosts[host]; s != nil {
		return s, false
	}
	if apex, ok := strings.CutPrefix(host, "www."); ok {
		if s := w.hosts[apex]; s != nil && s.spec.WWW {
			return s, true
		}
	}
	return nil, false
}

func (w *Web) answer(r *Request, at time.Time) *Answer {
	if h := w.mount[hostname(r.Host)]; h != nil && len(w.mount) > 0 {
		if a := h.Answer(r, at); a != nil {
			return a
		}
	}
	s, www := w.site(r.Host)
	switch {
	case s == nil:
		return document(http.StatusMisdirectedRequest, "text/plain", []byte("no such host in this web\n"))
	case !strings.HasPrefix(r.Target, "/"):
		return document(http.StatusBadRequest, "text/plain", []byte("want a path that begins with a slash\n"))
	case r.Method != "" && r.Method != http.MethodGet && r.Method != http.MethodHead && r.Method != http.MethodPost:
		a := document(http.StatusMethodNotAllowed, "text/plain", []byte("GET, HEAD and POST only\n"))
		a.set("Allow", "GET, HEAD, POST")
		return a
	case www:
		return redirect(http.StatusMovedPermanently, s.url(r.Target))
	case s.spec.Scheme == "upgrade" && r.Scheme != "https":
		return redirect(http.StatusMovedPermanently, s.url(r.Target))
	}
	a := s.answer(r, w.ms(at))
	a.Delay += time.Duration(s.spec.Latency)
	return a
}

// answer finds what is at the path: first what the description names, then the pages.
func (s *site) answer(r *Request, at int64) *Answer {
	path, _, _ := strings.Cut(r.Target, "?")
	known := s.wellKnown(r, path, at)
	if f := s.faultAt(path, r.Attempt, at); f != nil {
		if known == nil {
			known = s.faultPage(path)
		}
		return s.misbehave(f, known, r, at)
	}
	if known != nil {
		return known
	}
	i, move, ok := s.lookup(r.Target)
	if !ok && path != r.Target {
		i, move, ok = s.lookup(path) // a query that means nothing to a page is passed over
	}
	if !ok {
		return s.missing(path)
	}
	a := s.page(r, i, move, at)
	if f := s.faultOn(i, r.Attempt, at); f != nil {
		return s.misbehave(f, a, r, at)
	}
	return a
}

// wellKnown answers for robots.txt, sitemaps, the feed, redirects and traps.
func (s *site) wellKnown(r *Request, path string, at int64) *Answer {
	switch {
	case path == "/robots.txt":
		if _, own := s.index[path]; !own {
			return s.robots()
		}
	case s.spec.Sitemap.On && strings.HasPrefix(path, "/sitemap"):
		if a := s.sitemap(path, at); a != nil {
			return a
		}
	case s.spec.Feed.Path != "" && path == s.spec.Feed.Path:
		return s.feed(at)
	}
	for _, d := range s.spec.Redirect {
		if d.From == r.Target {
			return redirect(d.Status, d.To)
		}
	}
	for k := range s.spec.Trap {
		if a := s.trap(&s.spec.Trap[k], r.Target); a != nil {
			return a
		}
	}
	return nil
}

// missing answers for a path that is no page's: a directory without its slash, or nothing.
func (s *site) missing(path string) *Answer {
	if _, ok := s.index[path+"/"]; ok {
		return redirect(http.StatusMovedPermanently, path+"/")
	}
	for k := range s.spec.Fault { // a fault that does not show now
		if s.spec.Fault[k].At == path {
			return s.faultPage(path)
		}
	}
	return s.notFound(http.StatusNotFound)
}

func (s *site) notFound(status int) *Answer {
	if s.spec.Soft404 {
		status = http.StatusOK
	}
	return document(status, "text/html; charset=utf-8",
		[]byte("<!DOCTYPE html>\n<html><head><title>Not found</title></head>\n<body><h1>Not found</h1>\n<p>The page is not here. <a href=\"/\">Home</a></p>\n</body></html>\n"))
}

// page answers for page i, asked for by the path it had after the given number of moves.
func (s *site) page(r *Request, i int, move uint32, at int64) *Answer {
	v := s.history(i).At(at)
	m := s.manners(i)
	a := &Answer{Status: s.status(i, v), Page: s.first + PageID(i), Version: v}
	switch {
	case move > v.Moves:
		return s.notFound(http.StatusNotFound)
	case a.Status != http.StatusOK:
		nf := s.notFound(a.Status)
		a.Status, a.Header, a.Body = nf.Status, nf.Header, nf.Body
	case move < v.Moves:
		to := redirect(http.StatusMovedPermanently, moved(s.paths[i], v.Moves))
		a.Status, a.Header, a.Body = to.Status, to.Header, to.Body
	default:
		s.serve(a, r, i, &m, at)
	}
	a.VersionID = s.pageVersion(i, v, m.instant(), at)
	return a
}

// serve answers with the page itself, or with 304 when the client has it.
func (s *site) serve(a *Answer, r *Request, i int, m *manners, at int64) {
	a.Header = make([]Field, 0, 10)
	a.set("Content-Type", m.mediaType(s.types[i]))
	modified, dated := s.lastModified(i, m, at)
	if dated {
		a.set("Last-Modified", modified.Format(http.TimeFormat))
	}
	tag := s.etag(i, m, a.Version, at)
	if tag != "" {
		a.set("ETag", tag)
	}
	if m.cache != "" {
		a.set("Cache-Control", m.cache)
	}
	encoding := "identity"
	if m.encoding != "identity" {
		a.set("Vary", "Accept-Encoding")
		if accepts(r.Get("Accept-Encoding"), m.encoding) {
			encoding = m.encoding
		}
	}
	if notModified(r, tag, modified, dated) {
		a.Status = http.StatusNotModified
		return
	}
	if encoding != "identity" {
		a.set("Content-Encoding", encoding)
	}
	a.Chunked = m.chunked
	a.Body = s.body(i, a.Version, at, m, encoding)
}

// body gives the body of a page in an encoding, from the cache where it can be kept.
func (s *site) body(i int, v truth.Version, at int64, m *manners, encoding string) []byte {
	mk := func() []byte { return encode(s.render(i, v, at, m), encoding) }
	if m.instant() {
		return mk()
	}
	return s.web.cache.get(bodyKey{s.first + PageID(i), v, encoding}, mk)
}

func (m *manners) mediaType(t Type) string {
	if m.contentType != "" {
		return m.contentType
	}
	if c := m.charsetSaid(); t.text() && c != "" {
		return t.MIME() + "; charset=" + c
	}
	return t.MIME()
}

// notModified follows RFC 9110 13.2.2: a tag is asked before a date.
func notModified(r *Request, tag string, modified time.Time, dated bool) bool {
	if r.Method == http.MethodPost {
		return false
	}
	if list := r.Get("If-None-Match"); list != "" {
		return tag != "" && matches(list, tag)
	}
	since := r.Get("If-Modified-Since")
	if since == "" || !dated {
		return false
	}
	t, err := http.ParseTime(since)
	return err == nil && !modified.After(t)
}

// matches compares tags weakly (RFC 9110 8.8.3.2).
func matches(list, tag string) bool {
	if strings.TrimSpace(list) == "*" {
		return true
	}
	for t := range strings.SplitSeq(list, ",") {
		if strings.TrimPrefix(strings.TrimSpace(t), "W/") == strings.TrimPrefix(tag, "W/") {
			return true
		}
	}
	return false
}

// complete adds what every answer has: date, length or chunks, what becomes of the connection.
func (w *Web) complete(a *Answer, r *Request, at time.Time) {
	head := make([]Field, 0, len(a.Header)+5)
	head = append(head, Field{"Date", at.UTC().Format(http.TimeFormat)}, Field{"Server", "websim"})
	a.Header = append(head, a.Header...)
	switch {
	case a.Status == http.StatusNotModified:
	case a.Chunked:
		a.set("Transfer-Encoding", "chunked")
	default:
		a.set("Content-Length", strconv.Itoa(len(a.Body)))
	}
	if r.Close {
		a.Close = true
	}
	if a.Close {
		a.set("Connection", "close")
	}
}
