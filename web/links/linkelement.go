package links

import (
	"bytes"
	"strings"

	"varve/web/markup"
)

// relKinds says what a token of rel makes of a <link>; the first token found here decides.
var relKinds = map[string]Kind{
	"stylesheet":                   kindLinkStylesheet,
	"icon":                         kindLinkIcon,
	"apple-touch-icon":             kindLinkIcon,
	"apple-touch-icon-precomposed": kindLinkIcon,
	"apple-touch-startup-image":    kindLinkIcon,
	"mask-icon":                    kindLinkIcon,
	"fluid-icon":                   kindLinkIcon,
	"preload":                      kindLinkPreload,
	"modulepreload":                kindLinkModulepreload,
	"prefetch":                     kindLinkPrefetch,
	"subresource":                  kindLinkPreload,
	"compression-dictionary":       kindLinkPreload,
	"prerender":                    kindLinkPrerender,
	"manifest":                     kindLinkManifest,
	"import":                       kindLinkImport,
	"image_src":                    kindLinkImageSrc,
	"preview":                      kindLinkImageSrc,
	"canonical":                    kindLinkCanonical,
	"shortlink":                    kindLinkShortlink,
	"shorturl":                     kindLinkShortlink,
	"amphtml":                      kindLinkAmphtml,
	"next":                         kindLinkNext,
	"prev":                         kindLinkPrev,
	"previous":                     kindLinkPrev,
	"first":                        kindLinkPrev,
	"last":                         kindLinkPrev,
	"start":                        kindLinkPrev,
	"contents":                     kindLinkPrev,
	"index":                        kindLinkPrev,
	"up":                           kindLinkPrev,
	"search":                       kindLinkSearch,
	"sitemap":                      kindLinkSitemap,
	"feed":                         kindLinkFeed,
	"pingback":                     kindLinkPingback,
	"webmention":                   kindLinkPingback,
	"edituri":                      kindLinkPingback,
	"wlwmanifest":                  kindLinkPingback,
	"hub":                          kindLinkPingback,
	"micropub":                     kindLinkPingback,
}

// linkKind judges a link by its rel and type; kindNone means that it names no resource (preconnect, dns-prefetch).
func linkKind(rel, typ string) Kind {
	alternate := false
	for rest := rel; rest != ""; {
		var token string
		token, rest = cutField(rest)
		switch k := relKinds[token]; {
		case k != kindNone:
			return k
		case token == "alternate":
			alternate = true
		case token == "preconnect", token == "dns-prefetch":
			return kindNone
		}
	}
	if alternate {
		return alternateKind(typ)
	}
	return kindLinkRel
}

// alternateKind judges rel=alternate by its type.
func alternateKind(typ string) Kind {
	switch {
	case strings.Contains(typ, "oembed"):
		return kindLinkOembed
	case strings.Contains(typ, "rss"), strings.Contains(typ, "atom"), strings.Contains(typ, "rdf"), typ == "application/feed+json",
		typ == "application/xml", typ == "text/xml":
		return kindLinkFeed
	}
	return kindLinkAlternate
}

// cutField cuts the first word off s.
func cutField(s string) (word, rest string) {
	s = strings.TrimLeft(s, " \t\n\f\r")
	if i := strings.IndexAny(s, " \t\n\f\r"); i >= 0 {
		return s[:i], strings.TrimLeft(s[i:], " \t\n\f\r")
	}
	return s, ""
}

// linkElement handles <link>.
func (p *page) linkElement() {
	if !p.has(attrHref) {
		return
	}
	rel := p.lower(attrRel)
	typ := ""
	if p.has(attrType) {
		typ = essence(string(p.get(attrType)))
	}
	k := linkKind(rel, typ)
	if k == kindNone || rel == "" && !p.has(attrRev) && !p.has(attrItemprop) && !p.has(attrProperty) {
		p.e.info.Skipped++
		return
	}
	if rel == "" {
		if named := p.propertyKind(); named != kindNone {
			k = named
		}
	}
	if i := p.here(k, p.get(attrHref)); i >= 0 {
		p.e.pending[i].rel = rel
		if p.has(attrTitle) {
			p.e.pending[i].anchor = p.label()
		}
	}
}

// instruction handles the pseudo-attributes of <?xml-stylesheet?>.
func (e *Extractor) instruction(data []byte) {
	l := markup.Lexer{Src: append(append([]byte("<x "), bytes.TrimRight(data, "?")...), '>')}
	l.Next()
	for l.Attr() {
		if string(l.Key) == "href" {
			href, _ := unescape(nil, l.Val)
			e.link(kindXMLStylesheet, href)
		}
	}
}
