package spam

import (
	"fmt"
	"strconv"

	"varve/lab/websim/dice"
)

// article writes news.
func (p *page) article() {
	p.put("<h1>", p.title, "</h1>\n<p class=\"byline\">", p.someone(), ", ", p.date(), "</p>\n")
	p.pictures()
	if p.i == 0 {
		p.teasers()
		return
	}
	p.say(p.length() + 80)
	if len(p.h.out) > 0 && p.s.IntN(3) == 0 {
		p.source(p.h.out[p.s.IntN(len(p.h.out))])
	}
}

// teasers write what is on other pages.
func (p *page) teasers() {
	for i := 1; i < min(p.h.pages, 2+p.h.fan); i++ {
		p.put("<h2><a href=\"", p.h.path(i), "\">", p.titleOf(i), "</a></h2>\n<p>")
		p.body = p.t.sentence(p.body, p.s, p.h.topic)
		p.put("</p>\n")
	}
}

func (p *page) source(o *host) {
	p.put("<p>")
	p.anchor(link{o.url(p.s.IntN(o.pages)), o.name})
	p.put(": ")
	p.body = p.t.sentence(p.body, p.s, o.topic)
	p.put("</p>\n")
}

// date is a day of the time that the version belongs to.
func (p *page) date() string {
	return p.w.epoch.AddDate(0, 0, int(p.version)*int(p.h.period/day)-p.s.IntN(30)).Format("2 January 2006")
}

// adArticle writes news between advertisements.
func (p *page) adArticle() {
	for range 3 + int(p.h.taste*8) {
		p.advertise()
	}
	p.head = append(p.head, "<script>var slots=[];function show(n){slots.push(n);document.write('<div id=\"slot'+n+'\"></div>')}</script>\n"...)
	p.article()
}

// wireStory writes a story of the agency: the same words in many papers, with a few lines of its own.
func (p *page) wireStory() {
	p.put("<h1>", p.title, "</h1>\n")
	p.pictures()
	if p.i == 0 || p.s.IntN(4) == 0 {
		p.say(p.length())
		return
	}
	story := dice.New(p.w.seed, uint64(p.s.IntN(60)), dice.String(p.h.lang))
	p.put("<p>(wire) ")
	p.body = p.t.text(p.body, story, 1+story.IntN(topics), 120+story.IntN(200))
	p.put("</p>\n")
	p.say(20 + p.s.IntN(40))
}

// product writes a page of a shop: a category on some, else one thing to buy.
func (p *page) product() {
	name := p.phrase(2)
	p.title = name + " " + p.titleOf(p.i)
	p.keywords = p.phrase(6)
	p.put("<h1>", p.title, "</h1>\n")
	if p.i%7 == 0 {
		for i := p.i + 1; i < min(p.h.pages, p.i+25); i++ {
			p.put("<div class=\"item\"><a href=\"", p.h.path(i), "\">", p.titleOf(i), "</a> <b>", p.price(), "</b> ", p.phrase(2), "</div>\n")
		}
		return
	}
	p.picture()
	p.put("<p class=\"price\">", p.price(), "</p>\n<table>\n")
	for range 4 + p.s.IntN(8) {
		p.put("<tr><td>", p.t.pick(p.s, noun, 0), "</td><td>", p.t.pick(p.s, adjective, 0), " ", strconv.Itoa(p.s.IntN(500)), "</td></tr>\n")
	}
	p.put("</table>\n")
	p.say(20 + p.s.IntN(100))
	p.put("<form action=\"/cart\"><button>", p.t.trade[0], "</button></form>\n")
}

func (p *page) price() string { return fmt.Sprintf("%d.%02d €", 1+p.s.IntN(400), p.s.IntN(100)) }

// smallAds write ads by the same form.
func (p *page) smallAds() {
	p.put("<h1>", p.title, "</h1>\n")
	for range 8 + p.s.IntN(20) {
		p.put("<div class=\"ad\"><b>", p.t.trade[p.s.IntN(len(p.t.trade))], ": ", p.t.pick(p.s, noun, p.h.topic), "</b> ", p.phrase(3), ", ",
			p.t.pick(p.s, adjective, 0), ", ", p.price(), ", tel 0", strconv.Itoa(100000+p.s.IntN(900000)), "</div>\n")
	}
}

// thread writes posts of a forum.
func (p *page) thread() {
	p.put("<h1>", p.title, "</h1>\n")
	for range 4 + p.s.IntN(14) {
		p.put("<div class=\"post\"><b>", p.someone(), "</b> <small>", p.date(), "</small><p>")
		if p.s.IntN(5) == 0 {
			p.put("<blockquote>", p.t.quick[p.s.IntN(len(p.t.quick))], "</blockquote>")
		}
		p.body = p.t.text(p.body, p.s, p.h.topic, 6+p.s.IntN(60))
		p.put("</p></div>\n")
	}
	p.overrun()
}

// post writes a post of a blog and what others say to it.
func (p *page) post() {
	p.put("<h1>", p.title, "</h1>\n")
	p.pictures()
	p.say(p.length())
	if len(p.h.out) > 0 && p.s.IntN(2) == 0 {
		p.source(p.h.out[p.s.IntN(len(p.h.out))])
	}
	p.put("<h3>", strconv.Itoa(p.s.IntN(9)), "</h3>\n")
	for range p.s.IntN(7) {
		p.put("<div class=\"comment\"><b>", p.someone(), "</b>: ", p.t.quick[p.s.IntN(len(p.t.quick))], ". ")
		p.body = p.t.sentence(p.body, p.s, p.h.topic)
		p.put("</div>\n")
	}
	p.overrun()
}

// overrun adds the comments of spammers.
func (p *page) overrun() {
	if len(p.h.led) == 0 || !p.h.overrun(p.i, p.version) {
		return
	}
	for k := range 1 + p.s.IntN(8) {
		o := p.h.led[(p.i+k)%len(p.h.led)]
		p.put("<div class=\"comment\"><b>")
		p.anchor(link{o.url(0), o.goods[0]})
		p.put("</b>: ", p.t.quick[p.s.IntN(len(p.t.quick))], " ")
		for range p.s.IntN(5) {
			p.anchor(link{o.url(p.s.IntN(o.pages)), o.goods[p.s.IntN(len(o.goods))] + " " + p.t.trade[p.s.IntN(len(p.t.trade))]})
			p.put(" ")
		}
		p.put("</div>\n")
	}
}
