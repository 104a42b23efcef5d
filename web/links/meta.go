package links

import (
	"bytes"
	"strings"
)

// metaKinds says what the content of a <meta> is, by its name, property or itemprop in lower case.
var metaKinds = map[string]Kind{
	"og:image": kindMetaImage, "og:image:url": kindMetaImage, "og:image:secure_url": kindMetaImage, "twitter:image": kindMetaImage,
	"twitter:image:src": kindMetaImage, "image": kindMetaImage, "thumbnail": kindMetaImage, "thumbnailurl": kindMetaImage, "og:logo": kindMetaImage,
	"sailthru.image.full": kindMetaImage, "sailthru.image.thumb": kindMetaImage, "parsely-image-url": kindMetaImage, "logo": kindMetaImage,
	"og:video": kindMetaMedia, "og:video:url": kindMetaMedia, "og:video:secure_url": kindMetaMedia, "og:audio": kindMetaMedia,
	"og:audio:url": kindMetaMedia, "og:audio:secure_url": kindMetaMedia, "twitter:player": kindMetaMedia, "twitter:player:stream": kindMetaMedia,
	"contenturl": kindMetaMedia, "embedurl": kindMetaMedia,
	"og:url": kindMetaURL, "twitter:url": kindMetaURL, "al:web:url": kindMetaURL, "og:see_also": kindMetaURL, "article:author": kindMetaURL,
	"article:publisher": kindMetaURL, "url": kindMetaURL, "parsely-link": kindMetaURL, "sameas": kindMetaURL, "identifier-url": kindMetaURL,
	"citation_pdf_url": kindMetaCitation, "citation_fulltext_html_url": kindMetaCitation, "citation_abstract_html_url": kindMetaCitation,
	"citation_fulltext_url": kindMetaCitation, "citation_public_url": kindMetaCitation, "citation_xml_url": kindMetaCitation,
	"bepress_citation_pdf_url": kindMetaCitation, "eprints.document_url": kindMetaCitation, "wkhealth_pdf_url": kindMetaCitation,
	"msapplication-tileimage": kindMetaTile, "msapplication-config": kindMetaTile, "msapplication-square70x70logo": kindMetaTile,
	"msapplication-square150x150logo": kindMetaTile, "msapplication-wide310x150logo": kindMetaTile, "msapplication-square310x310logo": kindMetaTile,
	"msapplication-starturl": kindMetaTask,
}

// meta handles <meta>.
func (p *page) meta() {
	if !p.has(attrContent) {
		return
	}
	if p.has(attrHTTPEquiv) {
		p.httpEquiv(p.lower(attrHTTPEquiv))
	}
	for _, id := range []attrID{attrName, attrProperty, attrItemprop} {
		if p.has(id) {
			p.metaNamed(p.lower(id))
			return
		}
	}
}

// httpEquiv handles meta elements that stand for headers.
func (p *page) httpEquiv(name string) {
	switch name {
	case "refresh":
		if url := refresh(p.get(attrContent)); url != nil {
			p.here(kindMetaRefresh, url)
		}
	case "link":
		p.e.headerLink(p.str(attrContent))
	case "content-language":
		if p.e.info.Lang == "" && p.main {
			p.e.info.Lang = p.str(attrContent)
		}
	}
}

// metaNamed handles meta elements with a name.
func (p *page) metaNamed(name string) {
	e := p.e
	switch name {
	case "robots":
		if e.in&(InComment|InTemplate|InScript) == 0 {
			e.robots(p.str(attrContent))
		}
		return
	case "generator":
		if e.info.Generator == "" && p.main {
			e.info.Generator = p.str(attrContent)
		}
		return
	case "msapplication-task", "msapplication-notification", "apple-itunes-app":
		p.pairs(p.get(attrContent))
		return
	}
	content := trim(p.get(attrContent))
	if k := namedKind(name); k != kindNone {
		if absolute(content) || locatorShape(content) {
			p.here(k, content)
		}
		return
	}
	if absolute(content) && plausible(content) {
		p.here(kindMetaContent, content)
	}
}

// namedKind says what a property of a name is; an itemprop may have several names, an RDFa property a prefix.
func namedKind(name string) Kind {
	if k := metaKinds[name]; k != kindNone {
		return k
	}
	for rest := name; rest != ""; {
		var word string
		word, rest = cutField(rest)
		if k := metaKinds[strings.TrimPrefix(word, "schema:")]; k != kindNone {
			return k
		}
	}
	return kindNone
}

// pairs reads "name=Task;action-uri=/a;icon-uri=/b.ico" and the like.
func (p *page) pairs(content []byte) {
	for _, part := range bytes.FieldsFunc(content, func(r rune) bool { return r == ';' || r == ',' }) {
		k, v, ok := bytes.Cut(part, []byte("="))
		if !ok {
			continue
		}
		switch strings.ToLower(string(trim(k))) {
		case "action-uri", "icon-uri", "polling-uri", "app-argument":
			p.here(kindMetaTask, v)
		default:
			if strings.HasPrefix(string(trim(k)), "polling-uri") {
				p.here(kindMetaTask, v)
			}
		}
	}
}

// locatorShape tells whether a value where a URL belongs can be one: no spaces, and a slash or dot in it.
func locatorShape(p []byte) bool {
	return len(p) > 0 && !bytes.ContainsAny(p, " \t\n<>\"") && bytes.ContainsAny(p, "/.?")
}

// robots takes the directives of a robots meta element or header.
func (e *Extractor) robots(s string) {
	for d := range strings.SplitSeq(s, ",") {
		if d = strings.ToLower(strings.TrimSpace(d)); d != "" && len(e.info.Robots) < 64 {
			e.info.Robots = append(e.info.Robots, d)
		}
	}
}
