package spam

import "strings"

// skins are the layouts; which one a host has says nothing about its label.
const skins = 6

// render puts the parts of a page in place.
func (p *page) render() []byte {
	b := &builder{p: p, dst: make([]byte, 0, len(p.body)+4096)}
	b.put("<!DOCTYPE html>\n<html lang=\"", p.h.lang, "\">\n<head>\n<meta charset=\"utf-8\">\n<title>", p.title, "</title>\n")
	if p.description != "" {
		b.put("<meta name=\"description\" content=\"", p.description, "\">\n")
	}
	if p.keywords != "" {
		b.put("<meta name=\"keywords\" content=\"", p.keywords, "\">\n")
	}
	b.put("<link rel=\"stylesheet\" href=\"/style.css\">\n")
	if p.h.skin%2 == 1 {
		b.put(tracker)
	}
	b.dst = append(b.dst, p.head...)
	b.put("</head>\n")
	[]func(){b.plain, b.boxes, b.tables, b.soup, b.modern, b.bare}[p.h.skin]()
	b.put("</html>\n")
	return b.dst
}

// tracker is a script that many sites have.
const tracker = "<script>(function(w,d,s){w.q=w.q||[];w.q.push({t:+new Date,e:'load'});var f=d.getElementsByTagName(s)[0];if(f)f.async=true})(window,document,'script');</script>\n"

// builder writes the layout.
type builder struct {
	p   *page
	dst []byte
}

func (b *builder) put(parts ...string) {
	for _, s := range parts {
		b.dst = append(b.dst, s...)
	}
}

// links writes links between a beginning and an end each.
func (b *builder) links(list []link, before, after string) {
	for _, l := range list {
		b.put(before, "<a href=\"", l.href, "\">", l.words, "</a>", after, "\n")
	}
}

func (b *builder) main() { b.dst = append(b.dst, b.p.body...) }

func (b *builder) plain() {
	b.put("<body>\n<nav>\n")
	b.links(b.p.nav, "", " | ")
	b.put("</nav>\n<main>\n")
	b.main()
	b.put("</main>\n<aside>\n")
	b.links(b.p.ads, "<div class=\"ad\">", "</div>")
	b.put("<ul>\n")
	b.links(b.p.beside, "<li>", "</li>")
	b.put("</ul>\n</aside>\n<footer>\n")
	b.links(b.p.foot, "", " ")
	b.put("<p>© ", b.p.h.name, "</p>\n</footer>\n</body>\n")
}

func (b *builder) boxes() {
	b.put("<body class=\"home page\">\n<div id=\"wrapper\"><div id=\"header\"><div class=\"inner\"><ul class=\"menu\">\n")
	b.links(b.p.nav, "<li class=\"menu-item\"><span>", "</span></li>")
	b.put("</ul></div></div>\n<div id=\"content\"><div class=\"entry\">\n")
	b.main()
	b.put("</div></div>\n<div id=\"sidebar\">\n")
	b.links(b.p.ads, "<div class=\"widget banner\"><div>", "</div></div>")
	b.links(b.p.beside, "<div class=\"widget\"><h4>", "</h4></div>")
	b.put("</div>\n<div id=\"footer\">")
	b.links(b.p.foot, "<span>", "</span>")
	b.put("</div></div>\n</body>\n")
}

func (b *builder) tables() {
	b.put("<body bgcolor=\"#ffffff\">\n<table width=\"100%\" border=\"0\"><tr><td width=\"160\" valign=\"top\">\n")
	b.links(b.p.nav, "<font size=\"2\">", "</font><br>")
	b.put("<hr>\n")
	b.links(b.p.beside, "<font size=\"1\">", "</font><br>")
	b.put("</td><td valign=\"top\">\n")
	b.main()
	b.put("</td><td width=\"120\" valign=\"top\">\n")
	b.links(b.p.ads, "<table border=\"1\"><tr><td>", "</td></tr></table>")
	b.put("</td></tr></table>\n<center>")
	b.links(b.p.foot, "[", "]")
	b.put("</center>\n</body>\n")
}

func (b *builder) soup() {
	b.put("<body>\n")
	for range 6 {
		b.put("<div class=\"row\"><div class=\"col-12 col-md-8 offset-2\" data-component=\"grid\" data-level=\"2\">")
	}
	b.links(b.p.nav, "<div class=\"nav-item nav-item--primary\"><div class=\"nav-item__inner\">", "</div></div>")
	b.main()
	b.links(b.p.ads, "<div class=\"ad ad--native\" data-slot=\"1\"><div class=\"ad__inner\">", "</div></div>")
	b.links(b.p.beside, "<div class=\"card card--small\"><div class=\"card__body\">", "</div></div>")
	b.links(b.p.foot, "<div class=\"foot-item\">", "</div>")
	b.put(strings.Repeat("</div></div>", 6), "\n</body>\n")
}

func (b *builder) modern() {
	b.put("<body>\n<header role=\"banner\"><nav aria-label=\"Main\"><ul>\n")
	b.links(b.p.nav, "<li>", "</li>")
	b.put("</ul></nav></header>\n<main><article>\n")
	b.main()
	b.put("</article></main>\n<section class=\"related\"><ul>\n")
	b.links(b.p.beside, "<li>", "</li>")
	b.put("</ul></section>\n<aside class=\"promo\">\n")
	b.links(b.p.ads, "<p>", "</p>")
	b.put("</aside>\n<footer><ul>\n")
	b.links(b.p.foot, "<li>", "</li>")
	b.put("</ul></footer>\n<script type=\"application/json\" id=\"state\">{\"page\":", "1", ",\"user\":null,\"flags\":{\"a\":true,\"b\":false},\"build\":\"2025.1\"}</script>\n</body>\n")
}

func (b *builder) bare() {
	b.put("<body>\n")
	b.main()
	b.put("<hr>\n")
	b.links(b.p.ads, "<b>", "</b>")
	b.links(b.p.beside, "", "<br>")
	b.links(b.p.nav, "", "")
	b.links(b.p.foot, "", "")
	b.put("</body>\n")
}
