package spam

import (
	"fmt"
	"strconv"
	"strings"
)

// Pages made to be found, and to send on who finds them.

// stuffing repeats the words to be found by: in the title, in lists, and hidden.
func (p *page) stuffing() {
	p.title = p.phrase(6 + p.s.IntN(6))
	p.keywords = p.phrase(30)
	p.description = p.phrase(15)
	p.put("<h1>", p.phrase(4), "</h1>\n")
	p.say(int(p.h.taste * 120))
	for range 4 + p.s.IntN(10) {
		p.put("<p><b>", p.phrase(2), "</b> ")
		for range 10 + p.s.IntN(40) {
			p.put(p.h.goods[p.s.IntN(len(p.h.goods))], " ")
			if p.s.IntN(6) == 0 {
				p.put(p.t.pick(p.s, noun, p.h.topic), " ")
			}
		}
		p.put("</p>\n")
	}
	p.hide(p.phrase(60))
	p.anchor(p.sell(p.target()))
}

// hide writes words that no reader sees, in one of several ways, or leaves it.
func (p *page) hide(words string) {
	switch p.h.trick % 5 {
	case 0:
		p.put("<div style=\"display:none\">", words, "</div>\n")
	case 1:
		p.put("<div style=\"position:absolute;left:-9999px\">", words, "</div>\n")
	case 2:
		p.put("<font color=\"#ffffff\" size=\"1\">", words, "</font>\n")
	case 3:
		p.put("<p style=\"font-size:0\">", words, "</p>\n")
	}
}

// babble writes what a machine puts together from pieces, with links.
func (p *page) babble() {
	p.put("<h1>", p.title, "</h1>\n")
	p.pictures()
	every := 10 + int(p.h.taste*60)
	for range 3 + p.s.IntN(6) {
		p.put("<p>")
		p.body = p.t.babble(p.body, p.s, p.h.topic, 40+p.s.IntN(90), p.h.goods, every)
		if p.s.IntN(2) == 0 {
			p.anchor(p.sell(p.target()))
		}
		p.put("</p>\n")
	}
}

// cloaked has a text for crawlers and a sales page for people.
func (p *page) cloaked() {
	if p.human {
		p.title = p.phrase(3)
		p.body, p.nav, p.beside = nil, nil, nil
		p.put("<h1>", p.phrase(3), "!</h1>\n<p>", p.phrase(12), "</p>\n")
		p.head = append(p.head, "<script>location.replace(\""+p.target().url(0)+"\")</script>\n"...)
		return
	}
	p.keywords = p.phrase(12)
	p.put("<h1>", p.title, " ", p.phrase(2), "</h1>\n")
	for range 4 + p.s.IntN(6) {
		p.put("<p>")
		p.body = p.t.babble(p.body, p.s, p.h.topic, 60+p.s.IntN(60), p.h.goods, 6+int(p.h.taste*30))
		p.put("</p>\n")
	}
}

// doorway is a page that sends the reader on.
func (p *page) doorway() {
	p.title = p.phrase(4)
	p.put("<h1>", p.title, "</h1>\n<p>")
	p.body = p.t.babble(p.body, p.s, p.h.topic, 30+p.s.IntN(150), p.h.goods, 8)
	p.put("</p>\n")
	to := p.target().url(0)
	switch p.h.trick % 4 {
	case 0:
		p.head = append(p.head, "<script>window.location=\""+to+"\"</script>\n"...)
	case 1:
		p.head = append(p.head, scramble(to)...)
	case 2:
		p.head = append(p.head, "<meta http-equiv=\"refresh\" content=\"0;url="+to+"\">\n"...)
	case 3:
		half := len(to) / 2
		p.head = append(p.head, "<script>var a=\""+to[:half]+"\",b=\""+to[half:]+"\";top[\"loc\"+\"ation\"][\"hr\"+\"ef\"]=a+b</script>\n"...)
	}
}

// scramble writes a redirect as numbers that a script puts together.
func scramble(to string) string {
	var b strings.Builder
	for i := range len(to) {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(strconv.Itoa(int(to[i]) ^ 21))
	}
	return fmt.Sprintf("<script>var c=[%s],u='';for(var i=0;i<c.length;i++)u+=String.fromCharCode(c[i]^21);eval('location'+'=u')</script>\n", b.String())
}

// parking is what stands on a domain that is for sale.
func (p *page) parking() {
	p.title = p.h.name
	p.nav, p.beside, p.foot, p.ads = nil, nil, nil, nil
	p.put("<h1>", p.h.name, "</h1>\n<p>")
	if p.s.IntN(2) == 0 {
		p.put(map[string]string{"en": "This domain may be for sale.", "de": "Diese Domain steht zum Verkauf.", "fr": "Ce domaine est à vendre."}[p.h.lang])
	}
	p.put("</p>\n")
	var links []link
	for range 8 + p.s.IntN(14) {
		switch {
		case p.h.pages > 1 && p.s.IntN(2) == 0:
			links = append(links, link{p.h.path(1 + p.s.IntN(p.h.pages-1)), p.phrase(2)})
		case len(p.w.shops) > 0:
			o := p.w.shops[p.s.IntN(len(p.w.shops))]
			links = append(links, link{o.url(0), p.phrase(2)})
		}
	}
	p.list(links)
}

// copied takes the text of a page of a normal host and adds links.
func (p *page) copied() {
	from := p.victim()
	original := from.newPage(p.s.IntN(from.pages), 0, false)
	original.compose(from.kind)
	p.title = original.title
	text := strings.ReplaceAll(string(original.body), "href=\"/", "href=\"http://"+from.name+"/")
	step := max(200, len(text)/(2+p.s.IntN(5)))
	for len(text) > 0 {
		cut := min(len(text), step)
		if end := strings.Index(text[cut:], "</p>\n"); end >= 0 {
			cut += end + len("</p>\n")
		} else {
			cut = len(text)
		}
		p.put(text[:cut])
		text = text[cut:]
		if p.s.Float64() < 0.3+p.h.taste/2 {
			p.put("<p>")
			p.anchor(p.sell(p.target()))
			p.put("</p>\n")
		}
	}
}

// victim is a normal host to copy from: one that writes texts, in the same language, if there is one.
func (p *page) victim() *host {
	first := p.s.IntN(len(p.w.famous))
	for k := range p.w.famous {
		h := p.w.famous[(first+k)%len(p.w.famous)]
		if h.lang == p.h.lang && !h.kind.shop && h.pages >= 8 && h.kind.Name != "directory" && h.kind.Name != "glossary" {
			return h
		}
	}
	return p.w.famous[first]
}

// expired is what the host was before it turned, or what it became. Links of before lead to pages of after.
func (p *page) expired() {
	k := p.h.as
	if p.version >= expiredVersion {
		k = p.h.then
	}
	if k.Name == "dense" && len(p.h.ring) == 0 {
		p.title = p.phrase(3)
		var links []link
		for range 15 + p.s.IntN(30) {
			links = append(links, p.sell(p.w.spam[p.s.IntN(len(p.w.spam))]))
		}
		p.put("<h1>", p.title, "</h1>\n")
		p.say(20)
		p.list(links)
		return
	}
	k.write(p)
}

// expiredVersion is added to the version of a host that turned.
const expiredVersion = 1 << 32
