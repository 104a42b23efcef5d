package memento

import (
	"fmt"
	"net/http"
	"strings"
	"time"

	"varve/serve/replay/address"
)

// Site is where a collection is replayed; it makes the addresses of Memento.
type Site struct {
	Base       string // "http://localhost:8081", without final slash
	Collection string
}

// TimeGate gives the address of the time gate of a URL.
func (s Site) TimeGate(url string) string {
	return s.Base + "/" + s.Collection + "/timegate/" + address.Escape(url)
}

// TimeMap gives the address of a page of the time map of a URL.
func (s Site) TimeMap(format string, page int, url string) string {
	return s.Base + address.Address{Collection: s.Collection, Kind: address.TimeMap, Format: format, Page: page, URL: url}.String()
}

// Memento gives the address of a capture.
func (s Site) Memento(t time.Time, url string) string {
	return s.Base + address.At(s.Collection, t, address.Page, url)
}

// Place is where a capture stands among the captures of its URL. Times that are zero are unknown and left out.
type Place struct {
	URL                           string // of the capture
	First, Prev, This, Next, Last time.Time
}

// Link writes the value of a Link header.
func (s Site) Link(p Place) string {
	parts := []string{
		fmt.Sprintf(`<%s>; rel="original"`, address.Escape(p.URL)),
		fmt.Sprintf(`<%s>; rel="timegate"`, s.TimeGate(p.URL)),
		fmt.Sprintf(`<%s>; rel="timemap"; type="application/link-format"`, s.TimeMap("link", 1, p.URL)),
	}
	for _, m := range p.mementos() {
		parts = append(parts, fmt.Sprintf(`<%s>; rel="%s"; datetime="%s"`, s.Memento(m.t, p.URL), m.rel, Date(m.t)))
	}
	return strings.Join(parts, ", ")
}

// Original reads which address a value of a Link header that Link wrote is about.
func Original(link string) (url string, ok bool) {
	rest, ok := strings.CutPrefix(link, "<")
	url, rest, closed := strings.Cut(rest, ">")
	return url, ok && closed && strings.HasPrefix(rest, `; rel="original"`)
}

type related struct {
	rel string
	t   time.Time
}

// mementos joins relations that mean the same capture, in order of time.
func (p Place) mementos() (out []related) {
	for _, m := range []related{{"first", p.First}, {"prev", p.Prev}, {"", p.This}, {"next", p.Next}, {"last", p.Last}} {
		n := len(out)
		switch {
		case m.t.IsZero():
		case n > 0 && out[n-1].t.Equal(m.t):
			out[n-1].rel = strings.TrimSpace(out[n-1].rel + " " + m.rel)
		default:
			out = append(out, m)
		}
	}
	for i := range out {
		out[i].rel = strings.TrimSpace(out[i].rel + " memento")
	}
	return out
}

// Date writes an instant as HTTP does.
func Date(t time.Time) string { return t.UTC().Format(http.TimeFormat) }

// ParseAcceptDatetime reads the header of a time gate: a date of RFC 1123, as the RFC demands, in any of the forms
// that HTTP knows.
func ParseAcceptDatetime(v string) (time.Time, error) {
	t, err := http.ParseTime(strings.TrimSpace(v))
	if err != nil {
		return time.Time{}, fmt.Errorf("Accept-Datetime %q: want a date like %q", v, "Thu, 31 May 2007 20:35:00 GMT")
	}
	return t.UTC(), nil
}

// SetMemento sets the headers of a capture.
func (s Site) SetMemento(h http.Header, p Place) {
	h.Set("Memento-Datetime", Date(p.This))
	h.Set("Link", s.Link(p))
}

// SetGate sets the headers of an answer of the time gate, which is the same address for all times.
func (s Site) SetGate(h http.Header, p Place) {
	h.Set("Vary", "accept-datetime")
	h.Set("Link", s.Link(p))
}
