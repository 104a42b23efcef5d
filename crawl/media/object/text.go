package object

import (
	"strings"

	"varve/web/markup/tree"
)

func firstOf(list ...string) string {
	for _, s := range list {
		if strings.TrimSpace(s) != "" {
			return s
		}
	}
	return ""
}

// text gives the visible text of an element, as much as is needed.
func text(n *tree.Node) string {
	left := tree.MaxNodes
	return textWithin(n, &left)
}

// textWithin is text that looks at as many nodes as are left.
func textWithin(n *tree.Node, left *int) string {
	var b strings.Builder
	collectText(n, &b, 0, left)
	return strings.Join(strings.Fields(b.String()), " ")
}

// maxDeep bounds elements inside each other; parsers of browsers do likewise.
const maxDeep = 600

func collectText(n *tree.Node, b *strings.Builder, depth int, left *int) {
	if *left--; *left < 0 || b.Len() > 4*maxText || depth > maxDeep {
		return
	}
	switch {
	case n.IsText():
		b.WriteString(n.Data)
		return
	case !n.IsText() && hidden[n.Element]:
		return
	}
	for c := n.First; c != nil; c = c.Next {
		collectText(c, b, depth+1, left)
	}
	if !inline[n.Element] {
		b.WriteByte(' ')
	}
}

var (
	hidden = set("script style noscript template iframe object video audio nav select textarea")
	inline = set("a b i em strong span small sup sub abbr code q")
)

// maxLooked is how many nodes are looked at for what stands beside an element, in each of three places: a page with many elements and no text must not
// cost their product.
const maxLooked = 2000

// around gives the text that a reader sees next to an element: the caption of its figure, else the nearest
// text before and behind it, going up no further than an article or a section.
func around(n *tree.Node) string {
	if s := caption(n); s != "" {
		return s
	}
	return nextTo(n)
}

// nextTo gives the nearest text before and behind an element.
func nextTo(n *tree.Node) string {
	before := clipFront(beside(n, func(n *tree.Node) *tree.Node { return n.Previous }))
	behind := clip(beside(n, func(n *tree.Node) *tree.Node { return n.Next }), maxAround)
	return strings.TrimSpace(before + " " + behind)
}

// caption returns the caption of the figure that an element stands in; "" if there is none.
func caption(n *tree.Node) string {
	left := maxLooked
	for p := n.Parent; p != nil && left > 0; p = p.Parent {
		if p.Element != elFigure {
			continue
		}
		for c := range p.Descendants() {
			if left--; left < 0 {
				break
			}
			if c.Element == elFigcaption {
				if s := textWithin(c, &left); s != "" {
					return clip(s, 2*maxAround)
				}
			}
		}
	}
	return ""
}

// beside gives the first text in one direction, going up where there is none.
func beside(n *tree.Node, next func(*tree.Node) *tree.Node) string {
	left := maxLooked
	for up := 0; n != nil && up < 5; up++ {
		for s := next(n); s != nil && left > 0; s = next(s) {
			if t := textWithin(s, &left); len(t) > 1 {
				return t
			}
		}
		n = n.Parent
		if n == nil || n.Element == elBody || n.Element == elArticle || n.Element == elSection || n.Element == elMain {
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
