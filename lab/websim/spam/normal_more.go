package spam

import "strconv"

// essay writes a page of one person.
func (p *page) essay() {
	p.put("<h1>", p.title, "</h1>\n")
	p.pictures()
	p.say(p.length() / 2)
	if p.s.IntN(3) == 0 && len(p.h.out) > 0 {
		p.source(p.h.out[p.s.IntN(len(p.h.out))])
	}
}

// lecture writes a page of a university: long, or a list of people, or of publications.
func (p *page) lecture() {
	p.put("<h1>", p.title, "</h1>\n")
	switch p.s.IntN(4) {
	case 0:
		for range 10 + p.s.IntN(40) {
			p.put("<li>", p.someone(), " (", strconv.Itoa(1980+p.s.IntN(45)), "). <i>", string(p.t.sentence(nil, p.s, p.h.topic)), "</i> ", strconv.Itoa(p.s.IntN(90)), "(", strconv.Itoa(p.s.IntN(12)), ")</li>\n")
		}
	case 1:
		for range 8 + p.s.IntN(30) {
			p.put("<tr><td>", p.someone(), "</td><td>", p.t.pick(p.s, noun, p.h.topic), "</td><td>+", strconv.Itoa(p.s.IntN(1e6)), "</td></tr>\n")
		}
	default:
		p.say(2*p.length() + 100)
	}
	if len(p.h.out) > 0 && p.s.IntN(2) == 0 {
		p.source(p.h.out[p.s.IntN(len(p.h.out))])
	}
}

// entry writes a page of a wiki: every other sentence links another entry.
func (p *page) entry() {
	p.put("<h1>", p.title, "</h1>\n<p>")
	for range 8 + p.s.IntN(40) {
		p.body = p.t.sentence(p.body, p.s, p.h.topic)
		p.put(" ")
		if p.s.IntN(2) == 0 && p.h.pages > 1 {
			i := 1 + p.s.IntN(p.h.pages-1)
			p.anchor(link{p.h.path(i), p.titleOf(i)})
			p.put(" ")
		}
		if p.s.IntN(8) == 0 {
			p.put("</p>\n<h2>", string(p.t.title(nil, p.s, p.h.topic)), "</h2>\n<p>")
		}
	}
	p.put("</p>\n")
	for k := range min(len(p.h.out), p.s.IntN(6)) {
		o := p.h.out[(p.i+k)%len(p.h.out)]
		p.put("<li>")
		p.anchor(link{o.url(p.s.IntN(o.pages)), string(p.t.title(nil, p.s, o.topic))})
		p.put("</li>\n")
	}
}

// wordList writes words and what they mean.
func (p *page) wordList() {
	p.put("<h1>", p.title, "</h1>\n<dl>\n")
	for range 30 + p.s.IntN(150) {
		c := class(p.s.IntN(int(classes)))
		p.put("<dt>", p.t.pick(p.s, c, 0), "</dt><dd>", p.t.pick(p.s, adjective, 0), " ", p.t.pick(p.s, noun, 0), ", ", p.t.pick(p.s, noun, 0), "</dd>\n")
	}
	p.put("</dl>\n")
}

// listing writes a page of a directory: hosts with a line about each.
func (p *page) listing() {
	p.put("<h1>", p.title, "</h1>\n<ul>\n")
	n := 12 + p.s.IntN(40)
	for k := range min(n, len(p.h.out)) {
		o := p.h.out[(p.i*7+k)%len(p.h.out)]
		p.put("<li>")
		p.anchor(link{o.url(0), o.name})
		p.put(" ")
		p.body = p.t.sentence(p.body, p.s, o.topic)
		p.put("</li>\n")
	}
	if len(p.h.led) > 0 && p.s.IntN(3) == 0 {
		o := p.h.led[p.i%len(p.h.led)]
		p.put("<li>")
		p.anchor(link{o.url(0), o.goods[0] + " " + o.goods[1]})
		p.put(" ", o.goods[2], "</li>\n")
	}
	p.put("</ul>\n")
}

// card writes a few lines with an address.
func (p *page) card() {
	p.put("<h1>", p.title, "</h1>\n")
	p.pictures()
	p.say(10 + p.s.IntN(60))
	p.put("<p>", p.someone(), ", ", strconv.Itoa(p.s.IntN(99)), " ", p.t.pick(p.s, noun, 0), ", tel 0", strconv.Itoa(100000+p.s.IntN(900000)), "<br>8-12, 14-18</p>\n")
}

// forwarding sends the reader to the new address of a site, by one of the honest ways.
func (p *page) forwarding() {
	to := p.h.url(0) // a world of one host has nowhere else to go
	if len(p.h.out) > 0 {
		to = p.h.out[0].url(0)
	}
	p.put("<h1>", p.title, "</h1>\n<p>")
	p.body = p.t.sentence(p.body, p.s, p.h.topic)
	p.put(" ")
	p.anchor(link{to, to})
	p.put("</p>\n")
	switch p.h.trick % 3 {
	case 0:
		p.head = append(p.head, "<meta http-equiv=\"refresh\" content=\"5; url="+to+"\">\n"...)
	case 1:
		p.head = append(p.head, "<script>setTimeout(function(){location.href=\""+to+"\"},3000)</script>\n"...)
	}
}
