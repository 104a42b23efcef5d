package spam

import "varve/lab/websim/dice"

// Farms, boosters and networks: hosts that exist for their links.

// other is a host of the plan, the k-th behind this one.
func (p *page) other(k int) *host {
	if len(p.h.ring) < 2 {
		return p.w.spam[(k+p.i)%len(p.w.spam)]
	}
	return p.h.ring[(p.h.place+k)%len(p.h.ring)]
}

// target is what a plan sells for: its first host, or a shop that may know nothing of it.
func (p *page) target() *host {
	switch {
	case len(p.h.ring) > 1 && p.h.kind.Name != "network":
		return p.h.ring[0]
	case len(p.h.ring) > 0 && len(p.w.shops) > 0:
		return p.w.shops[dice.Below(dice.Mix(p.h.ring[0].key, forGroup), len(p.w.shops))]
	case len(p.w.shops) > 0:
		return p.w.shops[dice.Below(dice.Mix(p.h.key, forGroup), len(p.w.shops))]
	}
	return p.other(1)
}

// affiliate is what the target of a plan looks like: a shop with little to sell and many words for it.
func (p *page) affiliate() {
	p.product()
	p.put("<p>")
	for range 20 + int(p.h.taste*60) {
		p.put(p.h.goods[p.s.IntN(len(p.h.goods))], " ")
	}
	p.put("</p>\n")
}

// sell is a link with words to be found by.
func (p *page) sell(o *host) link { return link{o.url(p.s.IntN(o.pages)), p.phrase(2 + p.s.IntN(2))} }

// denseFarm links many hosts of the farm on every page.
func (p *page) denseFarm() {
	p.title = p.phrase(3)
	p.put("<h1>", p.title, "</h1>\n")
	p.say(15 + int(p.h.taste*120))
	var links []link
	for range 10 + int((1-p.h.taste)*50) {
		links = append(links, p.sell(p.other(1+p.s.IntN(len(p.h.ring)+1))))
	}
	p.list(links)
}

// ringFarm links the next hosts and the target, in text that looks like some.
func (p *page) ringFarm() {
	if p.h.place == 0 {
		p.affiliate()
		p.anchor(p.sell(p.other(1)))
		return
	}
	p.put("<h1>", p.title, "</h1>\n")
	for k := range 3 + p.s.IntN(5) {
		p.put("<p>")
		p.body = p.t.babble(p.body, p.s, p.h.topic, 30+p.s.IntN(50), p.h.goods, 12)
		p.anchor(p.sell(p.other(1 + k%3)))
		p.put("</p>\n")
	}
	p.anchor(p.sell(p.target()))
}

// booster says little and links the target.
func (p *page) booster() {
	if p.h.place == 0 {
		p.affiliate()
		return
	}
	p.put("<h1>", p.title, "</h1>\n<p>")
	p.body = p.t.text(p.body, p.s, p.h.topic, 20+p.s.IntN(60))
	p.put("</p>\n")
	var links []link
	for range 3 + p.s.IntN(6) {
		links = append(links, p.sell(p.target()))
	}
	if p.h.taste < 0.5 {
		p.foot = append(p.foot, links...)
		return
	}
	p.list(links)
}

// ghost writes a post that reads like any other, for one link.
func (p *page) ghost() {
	p.put("<h1>", p.title, "</h1>\n")
	p.pictures()
	words := p.length()
	p.say(words / 2)
	p.put("<p>")
	p.body = p.t.sentence(p.body, p.s, p.h.topic)
	p.put(" ")
	p.anchor(p.sell(p.target()))
	p.put(" ")
	p.body = p.t.sentence(p.body, p.s, p.h.topic)
	p.put("</p>\n")
	p.say(words / 2)
	if p.s.IntN(3) == 0 {
		o := p.other(1 + p.s.IntN(3))
		p.foot = append(p.foot, link{o.url(0), o.name})
	}
}
