package page

import (
	"crypto/sha256"
	"slices"

	"varve/text/boilerplate"
	"varve/text/dating"
	"varve/text/layer"
	"varve/web/canon"
	"varve/web/links"
	"varve/web/markup"
)

// Input is a body with what was said of it.
type Input struct {
	URL     string         // that it was fetched from; links are resolved against it
	MIME    string         // Content-Type as served, with or without parameters; may be empty
	Charset string         // a hint that beats the Content-Type; may be empty
	Headers []links.Header // of the answer, for links in them; may be nil
	Body    []byte         // transfer and content encoding removed; it is not changed
}

// Want says what is to be known of a body. What is not wanted costs nothing.
type Want struct {
	Layers layer.Set        // digests; that of bytes is always among them
	Main   bool             // the main text
	Dates  bool             // the dates that it states
	Brief  bool             // of the visible text, only the start and the anchors, unless something else here needs all of it
	Links  func(links.Link) // gets the links; nil for nobody
	With   []markup.Subscriber
}

// Page is what was read of a body.
type Page struct {
	Info   links.Info // title, visible text, charset, format, and what else the pass over the links learns
	HTML   bool
	Layers layer.Digests
	Main   string // of HTML: the main text, or the visible text of a page that has none; "" if it was not wanted
	Dates  dating.Stamps
}

// Reader reads bodies and reuses its buffers. It is not for concurrent use: give each worker its own.
type Reader struct {
	links *links.Extractor
	main  *boilerplate.Reader
	dom   layer.Markup
	dates dating.Reader
	keys  []string
	subs  []markup.Subscriber
}

// NewReader returns a reader with the default limits.
func NewReader() *Reader {
	return &Reader{links: links.New(links.Limits{}), main: boilerplate.NewReader(boilerplate.Limits{})}
}

// Read reads a body once. An error says where it stopped making sense; what came before it is in the page.
func (r *Reader) Read(in Input, want Want) (Page, error) {
	var p Page
	if want.Layers != 0 {
		p.Layers.Have = layer.SetOf(layer.Bytes)
		p.Layers.Sums[0] = sha256.Sum256(in.Body)
	}
	layers := want.Layers &^ layer.SetOf(layer.Bytes)
	isMain := want.Main || layers.Has(layer.Main) || layers.Has(layer.Near)
	r.subs = append(r.subs[:0], want.With...)
	if isMain {
		r.subs = append(r.subs, r.main)
	}
	if layers.Has(layer.DOM) {
		r.subs = append(r.subs, &r.dom)
	}
	if want.Dates {
		r.subs = append(r.subs, &r.dates)
	}
	r.keys = r.keys[:0]
	doc := links.Document{
		URL: in.URL, MIME: in.MIME, Charset: in.Charset, Headers: in.Headers, Body: in.Body, With: r.subs,
		Brief: want.Brief && !isMain && !layers.Has(layer.Text),
	}
	isLinks := layers.Has(layer.Links)
	each := func(l links.Link) {
		if want.Links != nil {
			want.Links(l)
		}
		if isLinks {
			r.collect(&l)
		}
	}
	info, err := r.links.Extract(doc, each)
	if err != nil && info.Format == links.Unknown { // an address that cannot be read: resolve against nothing in particular
		doc.URL = "http://unknown.invalid/"
		info, _ = r.links.Extract(doc, each)
	}
	clear(r.subs)
	p.Info, p.HTML = info, info.Format == links.HTML || info.Format == links.XHTML
	p.Layers.Layered, p.Layers.Have = layers != 0 && (p.HTML || info.Format == links.JSON || info.Format == links.XML), p.Layers.Have|layers
	if p.Layers.Layered && isLinks {
		slices.Sort(r.keys)
		p.Layers.Put(layer.Links, layer.SumOfSet(slices.Compact(r.keys)))
	}
	if !p.HTML {
		if said := layer.JSON; p.Layers.Layered {
			if info.Format == links.XML {
				said = layer.XML
			}
			p.Layers.PutData(said(in.Body))
		}
		return p, err
	}
	visible := ""
	if isMain || layers.Has(layer.Text) {
		visible = info.Title + "\n" + info.Text
	}
	if isMain {
		if p.Main = r.main.Result().Text; p.Main == "" {
			p.Main = visible
		}
	}
	if want.Dates {
		p.Dates = r.dates.Stamps()
	}
	if layers.Has(layer.DOM) {
		p.Layers.Put(layer.DOM, r.dom.Sum())
	}
	if layers.Has(layer.Text) {
		p.Layers.Put(layer.Text, layer.SumOf(visible))
	}
	if layers.Has(layer.Main) || layers.Has(layer.Near) {
		p.Layers.PutMain(p.Main)
	}
	return p, err
}

// collect keeps what a page leads to and what it is made of. Forms carry tokens in their addresses, and strings in
// scripts that only look like addresses change with every build: neither is an outlink.
func (r *Reader) collect(l *links.Link) {
	if l.Header {
		return // a page is compared by its body
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

// Of computes the wanted layers of one body; bytes is always among them. Where many are read, keep a Reader.
func Of(in Input, want layer.Set) layer.Digests { return NewReader().Of(in, want) }

// Of computes the wanted layers of one body; bytes is always among them.
func (r *Reader) Of(in Input, want layer.Set) layer.Digests {
	want = want.With(layer.Bytes)
	if want == layer.SetOf(layer.Bytes) {
		d := layer.Digests{Have: want}
		d.Sums[0] = sha256.Sum256(in.Body)
		return d
	}
	p, _ := r.Read(in, Want{Layers: want}) // what came before an error counts
	return p.Layers
}
