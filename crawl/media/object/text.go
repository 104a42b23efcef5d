package object

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

func attr(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name && a.Namespace == "" {
			return a.Val
		}
	}
	return ""
}

func firstOf(list ...string) string {
	for _, s := range list {
		if strings.TrimSpace(s) != "" {
			return s
		}
	}
	return ""
}

// text gives the visible text of an element, as much as is needed.
func text(n *html.Node) string {
	var b strings.Builder
	collectText(n, &b, 0)
	return strings.Join(strings.Fields(b.String()), " ")
}

// maxDeep bounds elements inside each other; parsers of browsers do likewise.
const maxDeep = 600

func collectText(n *html.Node, b *strings.Builder, depth int) {
	if b.Len() > 4*maxText || depth > maxDeep {
		return
	}
	switch {
	case n.Type == html.TextNode:
		b.WriteString(n.Data)
		return
	case n.Type == html.ElementNode && hidden(n.DataAtom):
		return
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		collectText(c, b, depth+1)
	}
	if n.Type == html.ElementNode && !inline(n.DataAtom) {
		b.WriteByte(' ')
	}
}

func hidden(a atom.Atom) bool {
	switch a {
	case atom.Script, atom.Style, atom.Noscript, atom.Template, atom.Iframe, atom.Object, atom.Video, atom.Audio, atom.Nav, atom.Select, atom.Textarea:
		return true
	}
	return false
}

func inline(a atom.Atom) bool {
	switch a {
	case atom.A, atom.B, atom.I, atom.Em, atom.Strong, atom.Span, atom.Small, atom.Sup, atom.Sub, atom.Abbr, atom.Code, atom.Q:
		return true
	}
	return false
}

// around gives the text that a reader sees next to an element: the caption of its figure, else the nearest
// text before and behind it, going up no further than an article or a section.
func around(n *html.Node) string {
	for p := n.Parent; p != nil; p = p.Parent {
		if p.DataAtom == atom.Figure {
			for c := range p.Descendants() {
				if c.DataAtom == atom.Figcaption {
					if s := text(c); s != "" {
						return clip(s, 2*maxAround)
					}
				}
			}
		}
	}
	before := clipFront(beside(n, func(n *html.Node) *html.Node { return n.PrevSibling }))
	behind := clip(beside(n, func(n *html.Node) *html.Node { return n.NextSibling }), maxAround)
	return strings.TrimSpace(before + " " + behind)
}

// beside gives the first text in one direction, going up where there is none.
func beside(n *html.Node, next func(*html.Node) *html.Node) string {
	for up := 0; n != nil && up < 5; up++ {
		for s := next(n); s != nil; s = next(s) {
			if t := text(s); len(t) > 1 {
				return t
			}
		}
		n = n.Parent
		if n == nil || n.DataAtom == atom.Body || n.DataAtom == atom.Article || n.DataAtom == atom.Section || n.DataAtom == atom.Main {
			return ""
		}
	}
	return ""
}

// clipFront keeps the end of a text.
func clipFront(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if len(s) <= maxAround {
		return s
	}
	at := len(s) - maxAround
	for at < len(s) && s[at]&0xc0 == 0x80 {
		at++
	}
	return "…" + strings.TrimSpace(s[at:])
}
