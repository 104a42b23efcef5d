package layer

import "varve/web/links"

// Content is what was read of a capture on the way to its digests.
type Content struct {
	Info links.Info
	Main string // main text, or the visible text of a page that has none; "" if it is no HTML or was not wanted
	Body []byte // of HTML, in UTF-8
}

// Read is Of for those who need the texts as well: nothing is read twice. each, if not nil, gets the links.
func (r *Reader) Read(in Input, want Set, each func(links.Link)) (Digests, Content) {
	r.also = each
	defer func() { r.also = nil }()
	d := Of(in, SetOf(Bytes))
	p := r.page(in)
	d.HTML = p.html
	c := Content{Info: p.info}
	if p.html {
		p.fill(&d, want)
		c.Main, c.Body = p.text, p.body
	}
	return d, c
}
