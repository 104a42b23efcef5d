package content

import (
	"strings"
	"time"

	pages "varve/page"
	"varve/spam/terms"
	"varve/web/canon"
	"varve/web/links"
	"varve/web/markup"
)

// Limits of what is looked at of one page.
const (
	MaxText   = 256 << 10 // bytes of visible text
	MaxHTML   = 2 << 20   // bytes of markup
	MaxDepth  = 256       // open elements
	MaxScript = 64 << 10  // bytes of one script
)

// Document is what is known of a page. Only URL and Text are needed; what is missing makes features unknown.
type Document struct {
	URL      string
	Title    string
	Text     string // visible text
	Anchors  string // the texts of its links, one a line
	HTML     []byte // in UTF-8; nil if there is none
	Size     int    // bytes of the body; len(HTML) if 0
	Language string // ISO 639-1; "" if not known

	Robots   []string  // directives of meta robots and X-Robots-Tag
	Modified time.Time // Last-Modified; zero if not told
	Fetched  time.Time

	Inside  int      // links to its own host
	Outside int      // links to other hosts
	Hosts   []string // those other hosts, each once

	TopOutside int // links to the other host that it links most
	TopAnchors int // different anchor texts of these
	Embeds     int
	Targets    []string // addresses of its links, at most 2000 (of Read; features do not need them)

	Executed  string // address after a browser ran the page; "" if none did
	Alternate string // visible text that another user agent got; "" if nobody asked

	Vocabulary *terms.Vocabulary // the words of the collection; nil if there is none

	marks *reader // of its tags, if they were read with its links
}

// maxHosts and maxLinks bound the hosts and links that are kept of one page.
const (
	maxHosts = 5000
	maxLinks = 2000
)

// Read makes a Document of a body in the form it was served. The reader may be nil; where many pages are read, keep one.
func Read(url, mime string, body []byte, rd *pages.Reader) *Document {
	if rd == nil {
		rd = pages.NewReader()
	}
	p := &Document{URL: url, HTML: body, Size: len(body)}
	own := hostOf(url)
	seen := map[string]*aim{}
	var anchors strings.Builder
	r := newReader(url)
	each := func(l links.Link) {
		if l.Hop == links.HopEmbed {
			p.Embeds++
		}
		if l.Hop != links.HopLink {
			return
		}
		if l.Anchor != "" && anchors.Len() < MaxText {
			anchors.WriteString(l.Anchor)
			anchors.WriteByte('\n')
		}
		if len(p.Targets) < maxLinks {
			p.Targets = append(p.Targets, l.URL)
		}
		p.link(own, &l, seen)
	}
	got, _ := rd.Read(pages.Input{URL: url, MIME: mime, Body: body}, pages.Want{Links: each, With: []markup.Subscriber{r}}) // what came before an error counts
	info := got.Info
	p.top(seen)
	if r.src != nil { // it is HTML
		r.src, p.marks = nil, r
	}
	p.Title, p.Text, p.Anchors = strings.Clone(info.Title), info.Text, anchors.String()
	p.Robots = info.Robots
	if info.Lang != "" {
		p.Language = strings.ToLower(info.Lang[:min(2, len(info.Lang))])
	}
	return p
}

// aim is another host that a page links.
type aim struct {
	links   int
	anchors map[uint64]bool // hashes of the texts
}

// maxAnchors bounds the texts that are told apart for one host.
const maxAnchors = 200

func (p *Document) link(own string, l *links.Link, seen map[string]*aim) {
	host := hostOf(l.URL)
	if host == "" {
		return
	}
	if host == own {
		p.Inside++
		return
	}
	p.Outside++
	a := seen[host]
	if a == nil {
		if len(seen) >= maxHosts {
			return
		}
		host = strings.Clone(host)
		a = &aim{anchors: map[uint64]bool{}}
		seen[host] = a
		p.Hosts = append(p.Hosts, host)
	}
	a.links++
	if len(a.anchors) < maxAnchors {
		a.anchors[terms.Hash(l.Anchor)] = true
	}
}

// top finds the other host that the page links most; of equal ones that with fewer texts.
func (p *Document) top(seen map[string]*aim) {
	for _, a := range seen {
		if a.links > p.TopOutside || a.links == p.TopOutside && len(a.anchors) < p.TopAnchors {
			p.TopOutside, p.TopAnchors = a.links, len(a.anchors)
		}
	}
}

// hostOf is the host of an address that web/links has made absolute, without parsing it whole; ports and user names are cut.
func hostOf(url string) string {
	_, rest, ok := strings.Cut(url, "://")
	if !ok {
		return ""
	}
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		rest = rest[:i]
	}
	if i := strings.LastIndexByte(rest, '@'); i >= 0 {
		rest = rest[i+1:]
	}
	if i := strings.LastIndexByte(rest, ':'); i >= 0 && !strings.HasSuffix(rest, "]") {
		rest = rest[:i]
	}
	return rest
}

// HostOf is the host of an address, "" if it has none.
func HostOf(url string) string {
	u, err := canon.Parse(url)
	if err != nil {
		return ""
	}
	return u.Host()
}
