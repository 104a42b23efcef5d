package browser

import (
	"slices"
	"strings"

	"varve/crawl/browser/proxy"
	pages "varve/page"
	"varve/web/links"
)

// gathering puts the links of an execution together, each once.
type gathering struct {
	reader   *pages.Reader
	links    []links.Link
	known    map[linkKey]struct{}
	title    string
	elements int
	cut      int // links that a limit kept out
	beyond   []string
}

// linkKey tells links apart: the same address may be a part of the page and a page to go to.
type linkKey struct {
	url string
	hop links.Hop
}

// maxLinks bounds the links of one page.
const maxLinks = 20_000

func newGathering() *gathering {
	return &gathering{reader: pages.NewReader(), known: map[linkKey]struct{}{}}
}

// add takes a link that stands in no document.
func (g *gathering) add(url string, kind links.Kind, hop links.Hop) {
	g.take(links.Link{URL: url, Raw: url, Kind: kind, Hop: hop})
}

func (g *gathering) take(l links.Link) {
	k := linkKey{withoutFragment(l.URL), l.Hop}
	if _, ok := g.known[k]; ok || !strings.HasPrefix(l.URL, "http") {
		return
	}
	if len(g.links) >= maxLinks {
		g.cut++
		return
	}
	g.known[k] = struct{}{}
	g.links = append(g.links, l)
}

// document takes the links of a frame's document, of its shadow roots and of what vanished from it.
// Strings that only look like addresses are left out: what a script makes of them has been seen.
func (g *gathering) document(url string, h *harvest) {
	g.elements += h.Elements
	g.cut += h.Cut
	for _, what := range h.Beyond {
		if !slices.Contains(g.beyond, what) {
			g.beyond = append(g.beyond, what)
		}
	}
	g.extract(url, h.HTML)
	for _, part := range h.Parts {
		g.extract(h.Base, part)
	}
	for _, u := range h.Forms {
		g.add(u, kinds.formGet, links.HopLink) // a choice was made: it is no form as it stands, which leads nowhere new
	}
}

func (g *gathering) extract(url, html string) {
	if html == "" {
		return
	}
	// An error says where the document stopped making sense; the links before it count.
	p, _ := g.reader.Read(pages.Input{URL: url, MIME: "text/html; charset=utf-8", Body: []byte(html)}, pages.Want{Brief: true, Links: func(l links.Link) {
		if l.Hop != links.HopSpeculative {
			g.take(l)
		}
	}})
	g.cut += p.Info.Lost()
}

// exchange takes what the browser asked for. The page itself is no link, and what was sent by another
// method than GET cannot be followed.
func (g *gathering) exchange(page string, x *proxy.Exchange) {
	if x.Method != "GET" || x.URL == withoutFragment(page) {
		return
	}
	g.add(x.URL, kindOf(x), links.HopEmbed)
}

// oneLine makes a value fit for a line of a metadata record.
func oneLine(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	return s[:min(len(s), 500)]
}
