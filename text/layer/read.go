package layer

import (
	"crypto/sha256"
	"encoding/binary"
	"slices"

	"varve/text/boilerplate"
	"varve/text/charset"
	"varve/text/near"
	"varve/web/canon"
	"varve/web/links"
)

// Input is one capture of a page.
type Input struct {
	URL     string // that it was fetched from; links are resolved against it
	MIME    string // Content-Type as served, with or without parameters; may be empty
	Charset string // a hint that beats the Content-Type; may be empty
	Body    []byte // transfer and content encoding removed; it is not changed
}

// Reader computes digests and reuses its buffers. It is not for concurrent use: give each worker its own.
type Reader struct {
	links *links.Extractor
	dom   domWriter
	keys  []string
	buf   []byte
	main  boilerplate.Limits
	also  func(links.Link) // gets the links, too; nil for nobody
}

// NewReader gives a reader with the default limits.
func NewReader() *Reader {
	return &Reader{links: links.New(links.Limits{})}
}

// Of computes the wanted layers of one capture; bytes is always among them. Where many are read, keep a Reader.
func Of(in Input, want Set) Digests { return NewReader().Of(in, want) }

// Of computes the wanted layers of one capture; bytes is always among them.
func (r *Reader) Of(in Input, want Set) Digests {
	d := Digests{Have: want.With(Bytes)}
	d.Sums[0] = sha256.Sum256(in.Body)
	if d.Have == SetOf(Bytes) {
		return d
	}
	p := r.page(in)
	d.HTML = p.html
	if p.html {
		p.fill(&d, want)
	}
	return d
}

// page is a capture on its way through the layers.
type page struct {
	r    *Reader
	html bool
	info links.Info
	link []string // frontier keys, sorted, each once; shares the reader's room
	body []byte   // in UTF-8
	text string   // the main text, once it was asked for
}

// page reads text and links in one pass.
func (r *Reader) page(in Input) *page {
	p := &page{r: r}
	r.keys = r.keys[:0]
	doc := links.Document{URL: in.URL, MIME: in.MIME, Charset: in.Charset, Body: in.Body}
	info, err := r.links.Extract(doc, r.collect)
	if err != nil && info.Format == links.Unknown { // an address that cannot be read: resolve against nothing in particular
		doc.URL = "http://unknown.invalid/"
		info, _ = r.links.Extract(doc, r.collect)
	}
	p.info, p.html, p.body = info, info.Format == links.HTML || info.Format == links.XHTML, in.Body
	if !p.html {
		return p
	}
	slices.Sort(r.keys)
	p.link = slices.Compact(r.keys)
	if body, err := charset.Decode(in.Body, info.Charset); err == nil {
		p.body = body
	}
	return p
}

// collect keeps what a page leads to and what it is made of. Forms carry tokens in their addresses, and strings in
// scripts that only look like addresses change with every build: neither is an outlink.
func (r *Reader) collect(l links.Link) {
	if r.also != nil {
		r.also(l)
	}
	switch l.Hop {
	case links.HopLink, links.HopEmbed, links.HopRedirect, links.HopFeed:
		if l.Kind.String() == "link-canonical" {
			return
		}
		if u, err := canon.Parse(l.URL); err == nil {
			r.keys = append(r.keys, u.FrontierKey())
		}
	}
}

// fill computes the layers that are wanted and not there yet.
func (p *page) fill(d *Digests, want Set) {
	if want.Has(DOM) {
		d.Sums[place(DOM)] = p.r.dom.sum(p.body)
	}
	if want.Has(Text) {
		d.Sums[place(Text)] = short(sha256.Sum256([]byte(p.visible())))
	}
	if want.Has(Links) {
		d.Sums[place(Links)] = p.r.sumKeys(p.link)
	}
	if want.Has(Main) || want.Has(Near) {
		text := p.main()
		d.Sums[place(Main)] = short(sha256.Sum256([]byte(text)))
		d.Print = near.Of(text)
		p.text = text
	}
	d.Have |= want
}

// visible is the title and the visible text.
func (p *page) visible() string { return p.info.Title + "\n" + p.info.Text }

// main is the main text, or the visible text of a page that has none.
func (p *page) main() string {
	if text := boilerplate.Find(p.body, p.r.main).Text; text != "" {
		return text
	}
	return p.visible()
}

// sumKeys hashes a sorted set of keys, each with its length so that no two sets read alike.
func (r *Reader) sumKeys(keys []string) Sum {
	b := r.buf[:0]
	for _, k := range keys {
		b = binary.AppendUvarint(b, uint64(len(k)))
		b = append(b, k...)
	}
	r.buf = b
	return short(sha256.Sum256(b))
}

// short keeps the first 128 bits.
func short(sum [sha256.Size]byte) (s Sum) {
	copy(s[:cut], sum[:])
	return s
}
