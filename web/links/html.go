package links

import (
	"bytes"

	"varve/web/markup"
)

// maxAttrs bounds the attributes remembered of one tag; browsers know no limit, pages need a few dozen.
const maxAttrs = 512

// attribute is one attribute of the current tag. val is raw: character references are decoded when it is used.
type attribute struct {
	id       attrID
	key, val []byte
}

// page walks over one piece of markup. Pieces nest (srcdoc, comments), so there is one page per depth.
type page struct {
	e     *Extractor
	walk  markup.Walker
	frame *markup.Walker // of the content of frames, once there is one
	subs  []markup.Subscriber
	self  bool // the current tag ended in />
	tag   tag
	attrs []attribute
	buf   []byte // a decoded attribute value
	main  bool   // its text is the document's visible text
	xml   bool

	anchor   int // the open <a> among the waiting links, or -1
	alt      string
	animated tag // the element before the animations that are being read: what they animate
	svg      int
	math     int
	noscript int
	template int
	based    bool
	form     form
}

// markup reads a document of HTML, XHTML or SVG, together with others who want to know of it.
func (e *Extractor) markup(body []byte, xml bool, with []markup.Subscriber) {
	e.piece(body, xml, true, with)
}

// walk reads one piece of markup inside of another.
func (e *Extractor) walk(body []byte, xml, main bool) { e.piece(body, xml, main, nil) }

// piece reads one piece of markup with the page that belongs to the current depth.
func (e *Extractor) piece(body []byte, xml, main bool, with []markup.Subscriber) {
	for len(e.pages) <= e.depth {
		e.pages = append(e.pages, &page{e: e})
	}
	p := e.pages[e.depth]
	*p = page{
		e: e, walk: p.walk, frame: p.frame, subs: p.subs, xml: xml, main: main, attrs: p.attrs[:0], buf: p.buf, form: form{query: p.form.query}, anchor: -1,
	}
	in := e.in
	p.subs = append(append(p.subs[:0], p), with...)
	p.walk.Walk(body, xml, p.subs...)
	clear(p.subs)
	p.closeAnchor()
	p.endForm()
	e.in = in
}

var wanted = markup.Of(markup.Text, markup.CDATA, markup.Start, markup.End, markup.Raw, markup.Comment, markup.Instruction)

// Begin implements markup.Subscriber.
func (p *page) Begin([]byte) markup.Kinds { return wanted }

// Token implements markup.Subscriber.
func (p *page) Token(t *markup.Token) {
	switch t.Kind {
	case markup.Text, markup.CDATA:
		p.words(t.Data)
	case markup.Start:
		p.start(t)
	case markup.Raw:
		p.content(t.Data)
	case markup.End:
		p.end(t)
	case markup.Comment:
		p.comment(t.Data)
	case markup.Instruction:
		if stylesheet, ok := bytes.CutPrefix(t.Data, []byte("xml-stylesheet")); ok {
			p.e.instruction(stylesheet)
		}
	}
}

// start handles a start tag.
func (p *page) start(t *markup.Token) {
	p.tag, p.self = p.tagOf(t), t.Self
	if (p.tag == tagBlock || p.tag == tagTable) && p.main {
		p.e.text.newline()
	}
	if p.tag != tagAnimate {
		p.animated = p.tag
	}
	p.readAttrs(t)
	if len(p.attrs) > 0 {
		p.generic()
	}
	p.element()
}

// tagOf looks a tag up; in XML its name may have a prefix, such as svg:image.
func (p *page) tagOf(t *markup.Token) tag {
	if t.Element != 0 {
		return byElement[t.Element]
	}
	found := customTag(t.Name)
	if found == tagOther && p.xml {
		if i := bytes.IndexByte(t.Name, ':'); i >= 0 {
			return tagOf(t.Name[i+1:])
		}
	}
	return found
}

// readAttrs gathers the attributes that matter, the first of each name.
func (p *page) readAttrs(t *markup.Token) {
	p.attrs = p.attrs[:0]
	seen := uint64(0)
	for i := range t.Attrs {
		a := &t.Attrs[i]
		id := attrOf(a.Key)
		if id > attrDefinition { // one of a kind
			if seen&(1<<id) != 0 {
				continue
			}
			seen |= 1 << id
		}
		switch {
		case id == attrNone, id == attrOther && (len(a.Val) < 8 || a.Val[0] != 'h'):
		case a.Val == nil && id != attrSelected && id != attrChecked && id != attrDisabled:
		case len(p.attrs) >= maxAttrs:
			p.e.cut()
		default:
			p.attrs = append(p.attrs, attribute{id, a.Key, a.Val})
		}
	}
}

// has tells whether the current tag has an attribute.
func (p *page) has(id attrID) bool {
	for i := range p.attrs {
		if p.attrs[i].id == id {
			return true
		}
	}
	return false
}

// get gives the decoded value of an attribute, nil if the tag does not have it. The slice is good until the next call.
func (p *page) get(id attrID) []byte {
	for i := range p.attrs {
		if p.attrs[i].id == id {
			return p.decoded(p.attrs[i].val)
		}
	}
	return nil
}

// str gives the decoded value of an attribute as a string, cut to what a reference may have.
func (p *page) str(id attrID) string { return p.e.arena.str(p.short(id)) }

// lower gives the decoded value of an attribute in lower case.
func (p *page) lower(id attrID) string { return p.e.arena.lower(p.short(id)) }

func (p *page) short(id attrID) []byte {
	v := trim(p.get(id))
	return v[:min(len(v), p.e.limits.URL)]
}

// decoded replaces the character references of an attribute value.
func (p *page) decoded(val []byte) (out []byte) {
	out, p.buf = unescape(p.buf, val)
	return out
}

// here makes a link of kind k at the current place.
func (p *page) here(k Kind, raw []byte) int {
	f := found{kind: k, from: noPlace}
	if p.main && placed[k] {
		f.from = p.e.text.place()
		f.to = f.from
	}
	return p.e.add(f, raw)
}

// words handles character data.
func (p *page) words(data []byte) {
	if p.main && p.template == 0 {
		if p.e.brief && p.anchor < 0 {
			p.e.text.start(data)
		} else {
			p.e.text.add(data)
		}
	}
	if bytes.IndexByte(data, ':') >= 0 {
		p.textURLs(data)
	}
}

// end handles an end tag.
func (p *page) end(t *markup.Token) {
	switch p.tagOf(t) {
	case tagA:
		p.closeAnchor()
	case tagBlock, tagTable:
		if p.main {
			p.e.text.newline()
		}
	case tagForm:
		p.endForm()
	case tagSelect:
		p.form.endSelect(p.e)
	case tagSvg:
		p.svg = max(0, p.svg-1)
	case tagMath:
		p.math = max(0, p.math-1)
	case tagNoscript, tagNoembed:
		p.leave(&p.noscript, InNoscript)
	case tagTemplate:
		p.leave(&p.template, InTemplate)
	}
}

// enter and leave keep count of elements that give their content a context.
func (p *page) enter(n *int, c Context) {
	if p.self && p.xml {
		return
	}
	*n++
	p.e.in |= c
}

func (p *page) leave(n *int, c Context) {
	if *n--; *n <= 0 {
		*n = 0
		p.e.in &^= c
	}
}

// closeAnchor ends the open anchor: its text is what was read since.
func (p *page) closeAnchor() {
	if p.anchor < 0 {
		return
	}
	f := &p.e.pending[p.anchor]
	p.anchor = -1
	if !p.main {
		return
	}
	f.to = p.e.text.place()
	if len(bytes.TrimSpace(p.e.text.buf[min(f.from, f.to):f.to])) == 0 && f.anchor == "" {
		f.anchor = p.alt
	}
}
