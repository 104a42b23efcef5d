package links

import (
	"bytes"
	"strings"
)

// generic handles the attributes that mean the same on every element, and those of placeTable.
func (p *page) generic() {
	for i := range p.attrs {
		a := &p.attrs[i]
		switch a.id {
		case attrStyle, attrPaint:
			p.paint(a)
		case attrOn:
			p.handler(a.val)
		case attrData:
			p.dataAttr(a)
		case attrBound:
			p.bound(a.val)
		case attrItemid:
			p.identifier(kindItemid, a.val)
		case attrResource, attrAbout:
			p.identifier(p.resourceKind(a.id), a.val)
		case attrContent, attrValue:
			p.property(a)
		case attrAnimated:
			p.animation(a.val)
		case attrAltimg, attrDefinition:
			p.formula(a)
		case attrLazy:
			if v := trim(p.decoded(a.val)); lazyShape(v) {
				p.here(kindLazySrc, v)
			}
		case attrLazySet:
			p.candidates(kindLazySrcset, a.val)
		case attrOther:
			p.whole(a.val)
		case attrSrcset, attrImagesrcset:
			p.candidates(placeTable[p.tag][attrSrcset], a.val)
		case attrPing:
			for _, url := range bytes.Fields(p.decoded(a.val)) {
				p.here(kindAPing, url)
			}
		default:
			if k := p.kindAt(a.id); k != kindNone {
				p.reference(k, a.val)
			}
		}
	}
}

// kindAt says what an attribute of the current element holds. Elements with code of their own are left to it.
func (p *page) kindAt(id attrID) Kind {
	switch p.tag {
	case tagLink, tagMeta, tagBase, tagObject, tagApplet, tagParam, tagForm:
		if id != attrBackground && id != attrHx {
			return kindNone
		}
	}
	k := placeTable[p.tag][id]
	switch {
	case k == kindAHref && p.svg > 0:
		return kindSVGA
	case p.math > 0 && id == attrHref:
		return kindMathHref
	case k == kindCustomHref && p.svg > 0:
		return kindSVGRef
	}
	return k
}

// reference adds the link of a plain attribute, with the words that name it.
func (p *page) reference(k Kind, val []byte) {
	i := p.here(k, p.decoded(val))
	if i < 0 {
		if k == kindAHref {
			p.closeAnchor()
		}
		return
	}
	switch k {
	case kindAHref, kindSVGA:
		p.closeAnchor()
		p.anchor, p.alt = i, ""
		p.e.pending[i].rel = p.rel()
		if p.has(attrTitle) {
			p.alt = p.str(attrTitle)
		}
		if !p.main {
			p.anchor = -1
		}
	case kindAreaHref:
		p.e.pending[i].rel = p.rel()
		p.e.pending[i].anchor = p.label()
	case kindImgSrc, kindIframeSrc, kindInputSrc, kindMathHref:
		label := p.label()
		p.e.pending[i].anchor = label
		if p.anchor >= 0 && label != "" {
			p.alt = label
		}
	}
}

// rel gives the rel tokens in lower case; the usual ones cost no copy.
func (p *page) rel() string {
	for i := range p.attrs {
		if p.attrs[i].id != attrRel {
			continue
		}
		switch val := p.attrs[i].val; string(val) {
		case "nofollow":
			return "nofollow"
		case "noopener":
			return "noopener"
		case "noopener noreferrer":
			return "noopener noreferrer"
		default:
			return p.lower(attrRel)
		}
	}
	return ""
}

// label is the alternative text of an element, else its title.
func (p *page) label() string {
	if s := p.str(attrAlt); s != "" && !strings.Contains(s, hole) {
		s, _ = window(s, 0, min(len(s), p.e.limits.Anchor), 0)
		return s
	}
	s := p.str(attrTitle)
	s, _ = window(s, 0, min(len(s), p.e.limits.Anchor), 0)
	return s
}

// candidates adds the URLs of a srcset.
func (p *page) candidates(k Kind, val []byte) {
	if p.tag == tagLink {
		k = kindLinkImagesrcset
	}
	srcset(p.decoded(val), func(url []byte) { p.here(k, url) })
}

// paint reads a style attribute or an SVG presentation attribute.
func (p *page) paint(a *attribute) {
	if bytes.IndexByte(a.val, '(') < 0 {
		return
	}
	mode := cssAttr
	if a.id == attrPaint {
		mode = cssPaint
	}
	p.e.css(p.decoded(a.val), mode)
}

// identifier adds a URL that names a thing; it need not lead anywhere.
func (p *page) identifier(k Kind, val []byte) {
	if v := trim(p.decoded(val)); absolute(v) || len(v) > 1 && v[0] == '/' || plausible(v) {
		p.here(k, v)
	}
}

// whole adds the value of an unknown attribute if all of it is an absolute URL.
func (p *page) whole(val []byte) {
	if v := trim(p.decoded(val)); absolute(v) && plausible(v) {
		p.here(kindTitleURL, v)
	}
}

// propertyKind says what the itemprop or property of the current element makes of its value, kindNone if no URL.
func (p *page) propertyKind() Kind {
	for _, id := range []attrID{attrItemprop, attrProperty} {
		if p.has(id) {
			if k := namedKind(p.lower(id)); k != kindNone {
				return k
			}
		}
	}
	return kindNone
}

// resourceKind says what RDFa's resource or about is: the value of a property or relation, or only a name.
func (p *page) resourceKind(id attrID) Kind {
	if id == attrResource {
		if k := p.propertyKind(); k != kindNone {
			return k
		}
		if p.has(attrRel) {
			return kindMetaURL
		}
	}
	return kindRdfaResource
}

// property adds the value of a microdata or RDFa property that is a URL; <meta> has code of its own.
func (p *page) property(a *attribute) {
	if p.tag == tagMeta || a.id == attrValue && p.tag != tagOther {
		return
	}
	k := p.propertyKind()
	if k == kindNone {
		return
	}
	if v := trim(p.decoded(a.val)); absolute(v) || locatorShape(v) {
		p.here(k, v)
	}
}

// animation adds the references that an SVG animation gives to the element it stands in.
func (p *page) animation(val []byte) {
	if p.tag != tagAnimate {
		p.other(val)
		return
	}
	switch p.lower(attrAttributename) {
	case "href", "xlink:href":
	default:
		return
	}
	k := kindSVGAnimate
	if p.animated == tagA {
		k = kindSVGA
	}
	for v := range bytes.SplitSeq(p.decoded(val), []byte(";")) {
		p.here(k, v)
	}
}

// formula handles the attributes that only MathML has.
func (p *page) formula(a *attribute) {
	switch {
	case p.math == 0 && p.tag != tagMath:
		p.other(a.val)
	case a.id == attrAltimg:
		p.here(kindMathImage, p.decoded(a.val))
	default:
		if v := trim(p.decoded(a.val)); absolute(v) || pathShape(v) {
			p.here(kindMathDefinition, v)
		}
	}
}

// other treats an attribute like one of no known name.
func (p *page) other(val []byte) {
	if len(val) >= 8 && val[0] == 'h' {
		p.whole(val)
	}
}
