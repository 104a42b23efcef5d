package websim

import (
	"strconv"
	"time"

	"varve/lab/websim/dice"
	"varve/lab/websim/prose"
	"varve/lab/websim/truth"
)

// page writes one HTML page.
type page struct {
	s     *site
	i     int
	v     truth.Version
	at    int64
	m     *manners
	refs  []ref
	voice prose.Voice
	b     []byte
}

// renderHTML writes page i as it is at an instant.
func (s *site) renderHTML(dst []byte, i int, v truth.Version, at int64, m *manners) []byte {
	p := &page{s: s, i: i, v: v, at: at, m: m, refs: s.refs(i, v, at), voice: s.voice(i), b: dst}
	p.head()
	p.navigation()
	p.main()
	p.aside()
	p.footer()
	return p.b
}

func (p *page) put(parts ...string) {
	for _, s := range parts {
		p.b = append(p.b, s...)
	}
}

// title writes a heading.
func (p *page) title(name uint64) { p.b = p.s.lex.Title(p.b, name, p.voice) }

// anchor writes the text of a link: the name of a section, or the title of the page it leads to.
func (p *page) anchor(r ref) { p.b = p.s.anchor(p.b, r) }

func (s *site) anchor(dst []byte, r ref) []byte {
	if r.to > 0 && r.to < s.html && r.role != Cross && s.depth(r.to) == 1 && s.child(r.to, 0) < s.html {
		at := len(dst)
		dst = append(dst, s.lex.Section(r.to-1)...)
		return prose.Capital(dst, at)
	}
	v := prose.Voice{}
	if r.to >= 0 {
		v = prose.Voice{Topic: s.topic(r.to)}
	}
	return s.lex.Title(dst, r.name, v)
}

// name names something about this page.
func (p *page) name(parts ...uint64) uint64 {
	return dice.Mix(p.s.key, uint64(p.i), dice.Mix(parts...))
}

// ownTitle is the title by which links call the page too.
func (p *page) ownTitle() { p.anchor(p.s.ref(p.i, Nav, 0)) }

func (p *page) head() {
	p.put("<!DOCTYPE html>\n<html lang=\"", p.s.spec.Lang, "\">\n<head>\n")
	if c := p.m.charsetSaid(); c != "" {
		p.put("<meta charset=\"", c, "\">\n")
	}
	p.put("<title>")
	p.ownTitle()
	p.put(" | ", p.s.host, "</title>\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"description\" content=\"")
	p.b = p.s.lex.Sentence(p.b, p.name(forTitle), p.voice)
	p.put("\">\n<link rel=\"canonical\" href=\"", p.s.url(moved(p.s.paths[p.i], p.v.Moves)), "\">\n")
	p.dates()
	p.token("<meta name=\"csrf-token\" content=\"", "\">\n")
	for _, r := range p.refs {
		if r.role == Embed && p.s.types[r.to] == CSS {
			p.put("<link rel=\"stylesheet\" type=\"text/css\" href=\"", r.href, "\">\n")
		}
		if r.role == Embed && p.s.types[r.to] == JS {
			p.put("<script src=\"", r.href, "\" defer></script>\n")
		}
	}
	p.frameTop()
	p.put("</head>\n")
}

// dates writes the dates that machines read.
func (p *page) dates() {
	published, modified := p.s.contentDates(p.i, p.m, p.at)
	if p.m.meta {
		p.put("<meta property=\"article:published_time\" content=\"", published.Format(time.RFC3339), "\">\n")
		p.put("<meta property=\"article:modified_time\" content=\"", modified.Format(time.RFC3339), "\">\n")
	}
	if p.m.jsonld {
		p.put("<script type=\"application/ld+json\">{\"@context\":\"https://schema.org\",\"@type\":\"Article\",\"headline\":\"")
		p.ownTitle()
		p.put("\",\"datePublished\":\"", published.Format(time.RFC3339), "\",\"dateModified\":\"", modified.Format(time.RFC3339), "\"}</script>\n")
	}
}

// token writes noise that nobody sees, new with each change of it or with each request.
func (p *page) token(before, after string) {
	h := p.name(forToken, uint64(p.v.Token))
	if p.m.volatile {
		h = dice.Mix(h, uint64(p.at))
	}
	p.put(before)
	p.b = strconv.AppendUint(p.b, h, 36)
	p.put(after)
}

func (p *page) navigation() {
	p.put("<body class=\"page\">\n", frameBanner, "<header class=\"masthead\">\n<nav class=\"main-navigation\" aria-label=\"Main\">\n<ul class=\"menu\">\n")
	for _, r := range p.refs {
		if r.role == Nav {
			p.item(r, "menu-item", "menu-link")
		}
	}
	p.put("</ul>\n</nav>\n</header>\n")
	if p.i == 0 || p.i >= p.s.html {
		return
	}
	for _, r := range p.refs {
		if r.role == Tree && r.to == p.s.parent(p.i) {
			p.put("<nav class=\"breadcrumb\"><a rel=\"up\" href=\"", r.href, "\">")
			p.anchor(r)
			p.put("</a></nav>\n")
			return
		}
	}
}

func (p *page) item(r ref, class, linkClass string) {
	p.put("<li class=\"", class, "\"><div class=\"", class, "-inner\"><a class=\"", linkClass, " ", class, "-link\" href=\"", r.href, "\"><span class=\"", class, "-title\">")
	p.anchor(r)
	p.put("</span></a></div></li>\n")
}

// main writes heading, pictures, text and lists.
func (p *page) main() {
	p.put("<main id=\"content\" class=\"content\">\n<article class=\"article\">\n<h1 class=\"article-title\">")
	p.ownTitle()
	p.put("</h1>\n")
	if published, _ := p.s.contentDates(p.i, p.m, p.at); p.m.timeTag {
		p.put("<p class=\"byline\"><time datetime=\"", published.Format(time.RFC3339), "\">", published.Format("2 January 2006"), "</time></p>\n")
	}
	for _, r := range p.refs {
		if t := Type(0); r.role == Embed {
			if t = p.s.types[r.to]; t == PNG || t == JPEG || t == SVG {
				p.put("<figure class=\"article-figure\"><img class=\"article-image\" src=\"", r.href, "\" alt=\"")
				p.anchor(r)
				p.put("\" width=\"640\" loading=\"lazy\"></figure>\n")
			}
		}
	}
	p.text(p.s.paragraphs(p.i))
	p.put("</article>\n", frameShare)
	p.list(Tree, "section-index", "teaser")
	p.list(Trick, "special", "special-item")
	p.list(File, "downloads", "download")
	p.put("</main>\n")
}

// list writes the links of a role, but for the one up the tree.
func (p *page) list(role Role, class, item string) {
	first := true
	for _, r := range p.refs {
		if r.role != role || role == Tree && r.to < p.i {
			continue
		}
		if first {
			p.put("<ul class=\"", class, "\">\n")
			first = false
		}
		p.item(r, item, "link")
	}
	if !first {
		p.put("</ul>\n")
	}
}

// aside writes what is beside the main text: an advertisement and links across the tree.
func (p *page) aside() {
	p.put("<aside class=\"sidebar\" role=\"complementary\">\n<div class=\"advertisement\">")
	p.b = p.s.lex.Sentence(p.b, p.name(forAd, uint64(p.v.Ad)), prose.Voice{})
	p.put("</div>\n")
	p.list(Cross, "related", "related-item")
	p.put("</aside>\n")
}

func (p *page) footer() {
	p.put("<footer class=\"site-footer\">\n<p class=\"legal\">© ", p.s.host, "</p>\n")
	if _, modified := p.s.contentDates(p.i, p.m, p.at); p.m.footer {
		p.put("<p class=\"last-modified\">Last modified: ", modified.Format("2 January 2006 15:04 MST"), "</p>\n")
	}
	p.token("<input type=\"hidden\" name=\"form_token\" value=\"", "\">\n</footer>\n")
	p.token("<!-- rendered by node ", "")
	if p.m.volatile {
		p.put(" at ", p.s.web.time(p.at).Format(time.RFC3339Nano))
	}
	p.put(" -->\n</body>\n</html>\n")
}
