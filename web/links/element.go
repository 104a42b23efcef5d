package links

import (
	"bytes"

	"varve/web/markup"
)

// element handles what is special about an element, after its plain attributes.
func (p *page) element() {
	e := p.e
	switch p.tag {
	case tagOther, tagBlock:
	case tagLink:
		p.linkElement()
	case tagMeta:
		p.meta()
	case tagBase:
		p.base()
	case tagHTML:
		if e.info.Lang == "" && p.main {
			e.info.Lang = p.str(attrLang)
		}
	case tagIframe:
		p.srcdoc()
	case tagObject, tagApplet:
		p.plugin()
	case tagParam:
		p.param()
	case tagForm, tagInput, tagSelect, tagOption:
		p.field()
	case tagSvg:
		p.open(&p.svg)
	case tagMath:
		p.open(&p.math)
	case tagNoscript, tagNoembed:
		p.enter(&p.noscript, InNoscript)
	case tagTemplate:
		p.enter(&p.template, InTemplate)
	}
}

// open enters svg or math.
func (p *page) open(n *int) {
	if !p.self {
		*n++
	}
}

// content reads the content of the current element, which holds no markup.
func (p *page) content(data []byte) {
	switch p.tag {
	case tagScript:
		p.script(data)
	case tagStyle:
		p.e.css(uncomment(data), cssSheet)
	case tagTitle:
		p.title(data)
	case tagTextarea, tagXmp:
		p.shown(data)
	case tagIframe:
		p.fallback(data)
	default:
		p.words(data)
	}
}

// fallback reads the content of a frame, which browsers without frames show.
func (p *page) fallback(data []byte) {
	if bytes.IndexByte(data, '<') < 0 {
		if len(data) > 0 {
			p.words(data)
		}
		return
	}
	if p.frame == nil {
		p.frame = &markup.Walker{InFrame: true}
	}
	p.frame.Walk(data, false, p)
}

// title keeps the first title that is not an image's.
func (p *page) title(data []byte) {
	if p.e.info.Title != "" || !p.main {
		return
	}
	t := prose{limit: 4096}
	t.add(data)
	s, _ := t.string()
	p.e.info.Title = s
}

// shown reads elements that show markup instead of using it.
func (p *page) shown(data []byte) {
	if bytes.IndexByte(data, '<') < 0 && bytes.IndexByte(data, '&') < 0 {
		p.words(data)
		return
	}
	text := data
	if p.tag == tagTextarea {
		text = p.decoded(data)
	}
	p.e.within(InEscaped, func() { p.e.walk(text, false, false) })
}

// base takes the first base element that has an href.
func (p *page) base() {
	href := p.get(attrHref)
	if p.based || len(trim(href)) == 0 || p.e.in&(InComment|InTemplate|InScript|InEscaped) != 0 {
		return
	}
	p.based = true
	if p.main {
		href = p.e.clean(href)
		if len(href) > p.e.limits.URL {
			p.e.cut() // what is relative is resolved against another base than it should be
			return
		}
		p.e.bases[baseDocument].ref = p.e.arena.str(href)
		return
	}
	p.e.base = p.e.addBase(href, p.e.base)
}

// srcdoc reads the document inside an iframe's attribute.
func (p *page) srcdoc() {
	doc := p.get(attrSrcdoc)
	if len(doc) == 0 {
		return
	}
	p.e.within(InSrcdoc, func() { p.e.walk(doc, false, false) })
}

// script reads a script element according to its type.
func (p *page) script(data []byte) {
	var typ string
	if v := p.get(attrType); v != nil {
		typ = essence(string(v))
	}
	if data = uncomment(data); len(data) == 0 {
		return
	}
	p.e.inline(typ, data)
}

// uncomment takes a CDATA wrapper or an old comment wrapper off a script or style.
func uncomment(data []byte) []byte {
	data = trim(data)
	if rest, ok := bytes.CutPrefix(data, []byte("<![CDATA[")); ok {
		return bytes.TrimSuffix(rest, []byte("]]>"))
	}
	if rest, ok := bytes.CutPrefix(data, []byte("<!--")); ok {
		return bytes.TrimSuffix(rest, []byte("-->"))
	}
	return data
}

// comment looks for markup that was taken out of use, and into conditional comments, which were in use.
func (p *page) comment(data []byte) {
	if p.e.in&(InComment|InConditional) != 0 || len(data) < 8 {
		return
	}
	c := InComment
	if hasFold(trim(data), "[if") {
		if i := bytes.IndexByte(data, '>'); i >= 0 {
			data, c = data[i+1:], InConditional
		}
	}
	if bytes.IndexByte(data, '<') < 0 && !bytes.Contains(data, []byte("://")) {
		return
	}
	p.e.within(c, func() { p.e.walk(data, false, false) })
}
