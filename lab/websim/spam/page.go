package spam

import (
	"strconv"

	"varve/lab/websim/dice"
)

// link is a link with its words.
type link struct{ href, words string }

// page is one page while it is written: its parts, which a skin puts in place.
type page struct {
	w       *World
	h       *host
	i       int
	version uint64
	human   bool // a browser asks
	s       *dice.Stream
	t       *tongue

	title       string
	description string
	keywords    string
	head        []byte // scripts and the like
	body        []byte // the main part
	nav         []link
	beside      []link
	foot        []link
	ads         []link
}

func (h *host) newPage(i int, version uint64, human bool) *page {
	return &page{
		w: h.w, h: h, i: i, version: version, human: human, t: h.w.tongue[h.lang],
		s: dice.New(h.key, uint64(i), version, forText),
	}
}

// compose writes a page by its generator and gives it what all pages have.
func (p *page) compose(k *Kind) {
	p.title = p.titleOf(p.i)
	p.furnish()
	k.write(p)
	if p.h.shop != nil && p.s.Float64() < p.h.shopP {
		p.put("<p>")
		p.body = p.t.sentence(p.body, p.s, p.h.topic)
		p.put(" ")
		p.anchor(link{p.h.shop.url(p.s.IntN(p.h.shop.pages)), string(p.t.title(nil, p.s, p.h.shop.topic))})
		p.put("</p>\n")
	}
	if p.description == "" && p.s.IntN(2) == 0 {
		p.description = string(p.t.sentence(nil, p.s, p.h.topic))
	}
}

// titleOf is the title of a page, by which links call it; it stays when the page is written anew.
func (p *page) titleOf(i int) string {
	return string(p.t.title(nil, dice.New(p.h.key, uint64(i), forTitle), p.h.topic))
}

// furnish gives a page its way through the site and its advertisements.
func (p *page) furnish() {
	h := p.h
	for i := range min(h.pages, 4+h.trick%6) {
		p.nav = append(p.nav, link{h.path(i), p.titleOf(i)})
	}
	from := h.fan*p.i + 1
	for i := from; i < min(from+h.fan, h.pages); i++ {
		p.beside = append(p.beside, link{h.path(i), p.titleOf(i)})
	}
	for range min(h.pages-1, 2+p.s.IntN(4)) {
		i := 1 + p.s.IntN(h.pages-1)
		p.beside = append(p.beside, link{h.path(i), p.titleOf(i)})
	}
	if len(h.out) > 0 && (p.i == 0 || p.s.IntN(4) == 0) {
		for k := range 1 + p.s.IntN(3) {
			o := h.out[(p.i+k)%len(h.out)]
			p.foot = append(p.foot, link{o.url(0), o.name})
		}
	}
	if p.i == 0 { // nobody is lost
		for _, o := range h.out {
			p.foot = append(p.foot, link{o.url(0), o.name})
		}
	}
	for _, o := range h.known {
		p.foot = append(p.foot, link{o.url(0), o.name})
	}
	for range h.ads {
		p.advertise()
	}
}

// advertise puts an advertisement beside the text.
func (p *page) advertise() {
	if len(p.w.shops) == 0 {
		return
	}
	o := p.w.shops[p.s.IntN(len(p.w.shops))]
	words := o.goods[p.s.IntN(len(o.goods))] + " " + p.t.trade[p.s.IntN(len(p.t.trade))]
	p.ads = append(p.ads, link{o.url(p.s.IntN(o.pages)), words})
}

// put appends to the main part.
func (p *page) put(parts ...string) {
	for _, s := range parts {
		p.body = append(p.body, s...)
	}
}

// say appends text of about so many words, in paragraphs.
func (p *page) say(words int) {
	for words > 0 {
		n := min(words, 40+p.s.IntN(60))
		p.put("<p>")
		p.body = p.t.text(p.body, p.s, p.h.topic, n)
		p.put("</p>\n")
		words -= n
	}
}

// length draws how many words a text has.
func (p *page) length() int { return p.h.words[0] + p.s.IntN(p.h.words[1]-p.h.words[0]) }

// picture shows one of the pictures of the host.
func (p *page) picture() {
	p.put("<img src=\"/img/", strconv.Itoa(p.s.IntN(5)), ".jpg\" alt=\"", p.t.pick(p.s, noun, p.h.topic), "\" width=\"320\">\n")
}

// pictures shows as many as the host likes to.
func (p *page) pictures() {
	for range p.h.pictures {
		p.picture()
	}
}

// anchor writes a link into the text.
func (p *page) anchor(l link) { p.put("<a href=\"", l.href, "\">", l.words, "</a>") }

// list writes links as a list.
func (p *page) list(links []link) {
	p.put("<ul>\n")
	for _, l := range links {
		p.put("<li>")
		p.anchor(l)
		p.put("</li>\n")
	}
	p.put("</ul>\n")
}

// phrase is some words to be found by.
func (p *page) phrase(n int) string {
	var b []byte
	for k := range n {
		if k > 0 {
			b = append(b, ' ')
		}
		b = append(b, p.h.goods[p.s.IntN(len(p.h.goods))]...)
	}
	return string(b)
}

// someone is a name.
func (p *page) someone() string { return string(p.t.title(nil, p.s, 0)) }
