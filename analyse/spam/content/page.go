package content

import (
	"strings"
	"time"

	"varve/analyse/spam/terms"
	"varve/web/canon"
	"varve/web/links"
)

// Limits of what is looked at of one page.
const (
	MaxText   = 256 << 10 // bytes of visible text
	MaxHTML   = 2 << 20   // bytes of markup
	MaxDepth  = 256       // open elements
	MaxScript = 64 << 10  // bytes of one script
)

// Page is what is known of a page. Only URL and Text are needed; what is missing makes features unknown.
type Page struct {
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
	Embeds  int
	Targets []string // addresses of its links, at most 2000 (of Read; features do not need them)

	Executed  string // address after a browser ran the page; "" if none did
	Alternate string // visible text that another user agent got; "" if nobody asked

	Vocabulary *terms.Vocabulary // the words of the collection; nil if there is none
}

// maxHosts and maxLinks bound the hosts and links that are kept of one page.
const (
	maxHosts = 5000
	maxLinks = 2000
)

// Read makes a Page of a body in the form it was served. The extractor may be nil; where many pages are read, keep one.
func Read(url, mime string, body []byte, e *links.Extractor) *Page {
	if e == nil {
		e = links.New(links.Limits{})
	}
	p := &Page{URL: url, HTML: body, Size: len(body)}
	own := hostOf(url)
	seen := map[string]bool{}
	var anchors strings.Builder
	info, _ := e.Extract(links.Document{URL: url, MIME: mime, Body: body}, func(l links.Link) { // what came before an error counts
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
		p.link(own, l.URL, seen)
	})
	p.Title, p.Text, p.Anchors = strings.Clone(info.Title), info.Text, anchors.String()
	p.Robots = info.Robots
	if info.Lang != "" {
		p.Language = strings.ToLower(info.Lang[:min(2, len(info.Lang))])
	}
	return p
}

func (p *Page) link(own, target string, seen map[string]bool) {
	host := hostOf(target)
	switch {
	case host == "":
	case host == own:
		p.Inside++
	default:
		p.Outside++
		if !seen[host] && len(seen) < maxHosts {
			host = strings.Clone(host)
			seen[host] = true
			p.Hosts = append(p.Hosts, host)
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
