package graph

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"

	"varve/coherence/report"
)

// WriteSVG draws a view of the tree with a legend. Where nothing is proven a node is hatched, so that
// nothing is told by colour alone.
func (g *Graph) WriteSVG(w io.Writer, v View) error {
	x := &xmlWriter{w: bufio.NewWriter(w)}
	const margin = 120
	width, height := float64(v.Viewport.X1-v.Viewport.X0)+2*margin, float64(v.Viewport.Y1-v.Viewport.Y0)+2*margin
	unit := max(width, height) / 1000 // what looks like a pixel when the picture is a screen wide
	height += 60 * unit
	left, top := float64(v.Viewport.X0)-margin, float64(v.Viewport.Y0)-margin
	x.printf(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="%s %s %s %s" font-family="system-ui, sans-serif">
<title>%s</title>
<defs><pattern id="unproven" width="%[6]s" height="%[6]s" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="%[6]s" height="%[6]s" fill="%[7]s"/><rect width="%[8]s" height="%[6]s" fill="#faf8f4"/></pattern></defs>
<rect x="%[1]s" y="%[2]s" width="%[3]s" height="%[4]s" fill="#faf8f4"/>
`, num(left), num(top), num(width), num(height), esc("How well the capture "+g.Crawl+" hangs together, layer "+string(g.Layer)),
		num(3*unit), Colour(report.Unproven), num(unit))
	g.svgEdges(x, v, unit)
	onTop := slices.Clone(v.Nodes) // where nodes lie close, defects are drawn over the others
	slices.SortStableFunc(onTop, func(a, b Seen) int { return cmp.Compare(gravity[a.State], gravity[b.State]) })
	for i := range onTop {
		n := &g.Nodes[onTop[i].ID]
		svgNode(x, n, &onTop[i], unit, g.drawn(n)*unit)
	}
	g.svgLegend(x, left+20*unit, top+height-40*unit, unit)
	x.printf("</svg>\n")
	return x.flush()
}

func (g *Graph) svgEdges(x *xmlWriter, v View, unit float64) {
	thin := min(0.7, 300/float64(len(v.Nodes)+1)) // many lines together are a surface: keep it light
	x.printf(`<g stroke="#d8d2c6" stroke-width="%s">`+"\n", num(max(thin, 0.08)*unit))
	for i := range v.Nodes {
		s := &v.Nodes[i]
		if s.Parent < 0 {
			continue
		}
		p := &g.Nodes[s.Parent]
		x.printf(`<path d="M%s %sL%s %s"/>`+"\n", num(float64(p.X)), num(float64(p.Y)), num(float64(s.X)), num(float64(s.Y)))
	}
	x.printf("</g>\n")
}

// drawn is the radius of a node in a picture a thousand units wide: its area is its share of all coherent
// pages, and it is never too small to be seen.
func (g *Graph) drawn(n *Node) float64 {
	all := max(g.Nodes[0].Below.Coherent, 1)
	return 2 + 22*math.Sqrt(float64(n.Below.Coherent)/float64(all))
}

func svgNode(x *xmlWriter, n *Node, s *Seen, unit, radius float64) {
	fill := n.colour()
	if n.Kind == KindPage && n.State == report.Unproven {
		fill = "url(#unproven)"
	}
	text := label(n.URL)
	if n.Kind == KindPage {
		text += ": " + string(n.State)
	}
	if s.More > 0 {
		text += fmt.Sprintf(", and %d more below", s.More)
	}
	line := 0.4 * unit
	if radius < 4*unit { // small nodes lie close: their outlines would be all there is to see
		line = 0.1 * unit
	}
	x.printf(`<g fill="%s" stroke="#1f2328" stroke-width="%s">%s<title>%s</title></g>`+"\n",
		fill, num(line), outline(n.Shape, float64(n.X), float64(n.Y), radius), esc(text))
}

// outline draws a shape around a middle.
func outline(s Shape, cx, cy, r float64) string {
	switch s {
	case Square:
		return fmt.Sprintf(`<rect x="%s" y="%s" width="%s" height="%s"/>`, num(cx-r), num(cy-r), num(2*r), num(2*r))
	case Rounded:
		return fmt.Sprintf(`<rect x="%s" y="%s" width="%s" height="%s" rx="%s"/>`, num(cx-r), num(cy-r), num(2*r), num(2*r), num(r/2))
	case Hexagon:
		return polygon(cx, cy, r, 6, 0)
	case Triangle:
		return polygon(cx, cy, r, 3, -math.Pi/2)
	}
	return fmt.Sprintf(`<circle cx="%s" cy="%s" r="%s"/>`, num(cx), num(cy), num(r))
}

func polygon(cx, cy, r float64, corners int, turn float64) string {
	points := ""
	for i := range corners {
		sin, cos := math.Sincos(turn + 2*math.Pi*float64(i)/float64(corners))
		points += num(cx+r*cos) + "," + num(cy+r*sin) + " "
	}
	return `<polygon points="` + points + `"/>`
}

// svgLegend tells states with their counts, and shapes.
func (g *Graph) svgLegend(x *xmlWriter, left, top, unit float64) {
	all := g.Nodes[0].Below
	x.printf(`<g font-size="%s" fill="#1f2328">`+"\n", num(13*unit))
	at := left
	put := func(shape Shape, fill, text string) {
		x.printf(`<g fill="%s" stroke="#1f2328" stroke-width="%s">%s</g><text x="%s" y="%s">%s</text>`+"\n",
			fill, num(0.4*unit), outline(shape, at+6*unit, top, 6*unit), num(at+16*unit), num(top+4*unit), esc(text))
		at += float64(34+7*len(text)) * unit
	}
	for _, s := range report.States() {
		fill := Colour(s)
		if s == report.Unproven {
			fill = "url(#unproven)"
		}
		put(Circle, fill, fmt.Sprintf("%s %d of %d", s, countIn(all, s), all.Pages()))
	}
	at, top = left, top+20*unit
	for _, s := range []struct {
		shape Shape
		text  string
	}{{Circle, "HTML"}, {Hexagon, "multimedia"}, {Rounded, "scripts, styles, Flash"}, {Square, "PDF and others"}, {Triangle, "DNS"}} {
		put(s.shape, "#ffffff", s.text)
	}
	x.printf("</g>\n")
}

func countIn(c Counts, s report.State) int32 {
	switch s {
	case report.Coherent:
		return c.Coherent
	case report.Changed:
		return c.Changed
	case report.Relinked:
		return c.Links
	case report.Lost:
		return c.Missing
	}
	return c.Unknown
}
