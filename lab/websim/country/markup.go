package country

import (
	"fmt"
	"html"
	"strings"
	"time"
)

// look is the frame of the pages of a site.
type look struct {
	name, motto string
	nav         [][2]string // address, words
	footer      string
	colour      string
	generator   string // the software that the pages say they are made by
}

// leaf is one page as it is at an instant.
type leaf struct {
	look      *look
	title     string
	lang      string
	published time.Time // zero: not said
	modified  time.Time // zero: not said
	class     string    // of the body
	b         strings.Builder
}

func (l *look) page(title string) *leaf { return &leaf{look: l, title: title, lang: "en"} }

// put writes markup; the arguments are escaped.
func (p *leaf) put(format string, args ...string) {
	safe := make([]any, len(args))
	for i, a := range args {
		safe[i] = html.EscapeString(a)
	}
	fmt.Fprintf(&p.b, format, safe...)
}

func (p *leaf) heading(text string)   { p.put("<h2>%s</h2>\n", text) }
func (p *leaf) paragraph(text string) { p.put("<p>%s</p>\n", text) }

func (p *leaf) link(to, text string) { p.put("<li><a href=\"%s\">%s</a></li>\n", to, text) }

// bytes is the page as it is sent.
func (p *leaf) bytes() []byte {
	var b strings.Builder
	f := func(format string, args ...any) { fmt.Fprintf(&b, format, args...) }
	e := html.EscapeString
	f("<!DOCTYPE html>\n<html lang=%q>\n<head>\n<meta charset=\"utf-8\">\n<title>%s - %s</title>\n", p.lang, e(p.title), e(p.look.name))
	if !p.published.IsZero() {
		f("<meta property=\"article:published_time\" content=%q>\n", p.published.Format(time.RFC3339))
	}
	if !p.modified.IsZero() {
		f("<meta property=\"article:modified_time\" content=%q>\n", p.modified.Format(time.RFC3339))
	}
	if p.look.generator != "" {
		f("<meta name=\"generator\" content=%q>\n", e(p.look.generator))
	}
	class := ""
	if p.class != "" {
		class = fmt.Sprintf(" class=%q", p.class)
	}
	f("<link rel=\"stylesheet\" href=\"/style.css\">\n</head>\n<body"+class+">\n<header><a class=\"name\" href=\"/\">%s</a> <span>%s</span>\n<nav>", e(p.look.name), e(p.look.motto))
	for _, n := range p.look.nav {
		f("<a href=%q>%s</a> ", n[0], e(n[1]))
	}
	f("</nav></header>\n<main>\n<h1>%s</h1>\n%s</main>\n<footer>%s</footer>\n</body>\n</html>\n", e(p.title), p.b.String(), e(p.look.footer))
	return []byte(b.String())
}

// style is the style sheet of a site.
func (l *look) style() []byte {
	return fmt.Appendf(nil, `body{margin:0;font:16px/1.55 Georgia,serif;color:#222;background:#fbfaf7}
header{background:%s;color:#fff;padding:14px 6vw}header a{color:#fff;text-decoration:none;margin-right:14px}header .name{font-size:26px;font-weight:bold}header span{opacity:.8;font-style:italic}
nav{margin-top:8px;font-family:sans-serif;font-size:14px}main{max-width:760px;margin:24px auto;padding:0 20px}h1{line-height:1.2}
article.post{border-left:4px solid %s;background:#fff;padding:6px 14px;margin:14px 0}article.removed{border-left:4px solid #ccc;padding:6px 14px;margin:14px 0}.by{font:13px sans-serif;color:#666}.comment-list{list-style:none;padding:0}.comment-list li{border-top:1px solid #ddd;padding:6px 0}blockquote{border-left:3px solid #ccc;margin:8px 0;padding-left:10px;color:#555}
table{border-collapse:collapse}td,th{border:1px solid #ccc;padding:4px 10px;text-align:left}.note{background:#fff3cd;padding:8px 12px}.gone{color:#888;font-style:italic}
footer{border-top:1px solid #ccc;margin-top:40px;padding:14px 6vw;font:13px sans-serif;color:#666}img{max-width:100%%}
`, l.colour, l.colour)
}

func date(t time.Time) string { return t.Format("2 January 2006") }
func hour(t time.Time) string { return t.Format("2 January 2006, 15:04") }
