package links

import (
	"bytes"
	"strconv"
	"strings"
	"time"
)

// location is the url or sitemap element that is open.
type location struct {
	loc   []byte
	entry Entry
	known bool // entry has something
	index bool
}

// sitemapElement handles the attributes of sitemaps; it tells whether nothing else is to be done with them.
func (s *xmlScan) sitemapElement(name []byte) bool {
	switch string(name) {
	case "url", "sitemap":
		s.endLocation()
		s.loc.index = string(name) == "sitemap"
	case "link":
		if v := s.get("href"); len(v) > 0 {
			rel := s.e.arena.lower(s.get("rel"))
			s.e.add(found{kind: kindSitemapAlternate, from: noPlace, rel: rel}, s.get("href"))
		}
	}
	return true
}

// sitemapLeaf handles the texts of sitemaps.
func (s *xmlScan) sitemapLeaf(el *xmlElement, text []byte) {
	parent := string(s.parent(0))
	switch string(el.name) {
	case "url", "sitemap":
		s.endLocation()
	case "loc":
		if parent == "image" {
			s.e.link(kindSitemapImage, text)
			return
		}
		s.loc.loc = append(s.loc.loc[:0], text...)
		s.loc.index = s.loc.index || parent == "sitemap"
	case "license":
		s.e.link(kindXMLText, text)
	case "content_loc", "player_loc", "thumbnail_loc":
		s.e.link(kindSitemapVideo, text)
	case "lastmod":
		if t, ok := parseTime(string(text)); ok {
			s.loc.entry.Lastmod, s.loc.known = t, true
		}
	case "changefreq":
		s.loc.entry.Changefreq, s.loc.known = s.e.arena.lower(text), true
	case "priority":
		if f, err := strconv.ParseFloat(string(text), 64); err == nil && f >= 0 && f <= 1 {
			s.loc.entry.Priority, s.loc.entry.HasPriority, s.loc.known = f, true, true
		}
	}
}

// endLocation adds the location that is open.
func (s *xmlScan) endLocation() {
	l := &s.loc
	if len(l.loc) > 0 {
		f := found{kind: kindSitemapLoc, from: noPlace}
		if l.index {
			f.kind = kindSitemapIndex
		}
		if l.known {
			f.entry = s.e.entry(l.entry)
		}
		s.e.add(f, l.loc)
	}
	*l = location{loc: l.loc[:0]}
}

// entry puts an Entry where many share one allocation.
func (e *Extractor) entry(v Entry) *Entry {
	if len(e.entries) == cap(e.entries) {
		e.entries = make([]Entry, 0, 64)
	}
	e.entries = append(e.entries, v)
	return &e.entries[len(e.entries)-1]
}

// timeLayouts are the dates of sitemaps (W3C) and feeds (RFC 822 and 3339, and what is made of them), with the shortest and the longest that each
// may be: a layout that is tried in vain costs two allocations, and a sitemap has 50,000 dates.
var timeLayouts = []struct {
	layout      string
	least, most int
}{
	{time.RFC3339, 20, maxTime},
	{"2006-01-02T15:04Z07:00", 17, 22},
	{"2006-01-02T15:04:05", 19, maxTime}, // seconds may have fractions
	{"2006-01-02 15:04:05", 19, maxTime},
	{"2006-01-02", 10, 10},
	{"2006-01", 7, 7},
	{"2006", 4, 4},
	{time.RFC1123Z, 0, maxTime},
	{time.RFC1123, 0, maxTime},
	{"Mon, 2 Jan 2006 15:04:05 -0700", 0, maxTime},
	{"Mon, 2 Jan 2006 15:04:05 MST", 0, maxTime},
	{"Mon, 02 Jan 2006 15:04 -0700", 0, maxTime},
	{"2 Jan 2006 15:04:05 -0700", 0, maxTime},
	{"2 Jan 2006 15:04:05 MST", 0, maxTime},
}

// maxTime is longer than any date.
const maxTime = 64

// parseTime reads a date of a sitemap or feed.
func parseTime(s string) (time.Time, bool) {
	digit := s != "" && s[0] >= '0' && s[0] <= '9'
	for i := range timeLayouts {
		l := &timeLayouts[i]
		if len(s) < l.least || len(s) > l.most || digit != (l.layout[0] == '2') {
			continue
		}
		if t, err := time.Parse(l.layout, s); err == nil {
			return t.UTC(), true
		}
	}
	return time.Time{}, false
}

// isTextSitemap tells whether plain text is a list of URLs, one to a line, as the sitemap protocol allows.
func isTextSitemap(path string, body []byte) bool {
	name := path[strings.LastIndexByte(path, '/')+1:]
	if !strings.Contains(name, "sitemap") && !strings.Contains(name, "urllist") {
		return false
	}
	for line := range bytes.Lines(body[:min(len(body), 4*headSize)]) {
		if line = trim(line); len(line) > 0 && len(line) < 3*headSize {
			return absolute(line)
		}
	}
	return false
}

// Sitemaps gives the addresses in the Sitemap lines of a robots.txt, as written.
func Sitemaps(robots []byte) []string {
	var urls []string
	robots = bytes.TrimPrefix(robots, []byte("\xef\xbb\xbf"))
	for line := range bytes.Lines(robots) {
		name, value, ok := bytes.Cut(line, []byte(":"))
		if !ok || !equalFold(trim(name), "sitemap") {
			continue
		}
		value, _, _ = bytes.Cut(value, []byte(" #"))
		if value = trim(value); len(value) > 0 && len(value) <= defaults.URL && len(urls) < defaults.Links {
			urls = append(urls, string(value))
		}
	}
	return urls
}
