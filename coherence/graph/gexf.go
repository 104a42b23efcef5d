package graph

import (
	"bufio"
	"io"
)

// gexfShapes are the shapes that GEXF has; the attribute "shape" has ours.
var gexfShapes = map[Shape]string{Circle: "disc", Hexagon: "diamond", Rounded: "square", Square: "square", Triangle: "triangle"}

// gexfKeys are the attributes of nodes in GEXF.
var gexfKeys = [][2]string{
	{"url", "string"},
	{"kind", "string"},
	{"mime", "string"},
	{"state", "string"},
	{"level", "string"},
	{"shape", "string"},
	{"depth", "integer"},
	{"coherent", "integer"},
	{"pages", "integer"},
}

// WriteGEXF writes the tree for Gephi, with the time from visit to revisit of each page.
func (g *Graph) WriteGEXF(w io.Writer) error {
	x := &xmlWriter{w: bufio.NewWriter(w)}
	x.printf(`<?xml version="1.0" encoding="UTF-8"?>
<gexf xmlns="http://www.gexf.net/1.2draft" xmlns:viz="http://www.gexf.net/1.2draft/viz" version="1.2">
<meta><creator>varve</creator><description>%s</description></meta>
<graph mode="dynamic" defaultedgetype="directed" timeformat="date">
<attributes class="node">
`, esc("spanning tree of the capture "+g.Crawl+", layer "+string(g.Layer)))
	for i, k := range gexfKeys {
		x.printf("<attribute id=\"%d\" title=%q type=%q/>\n", i, k[0], k[1])
	}
	x.printf("</attributes>\n<nodes>\n")
	for i := range g.Nodes {
		g.gexfNode(x, &g.Nodes[i])
	}
	x.printf("</nodes>\n<edges>\n")
	for i := 1; i < len(g.Nodes); i++ {
		x.printf("<edge id=\"%d\" source=\"%d\" target=\"%d\"/>\n", i, g.Nodes[i].Parent, i)
	}
	x.printf("</edges>\n</graph>\n</gexf>\n")
	return x.flush()
}

func (g *Graph) gexfNode(x *xmlWriter, n *Node) {
	x.printf("<node id=\"%d\" label=\"%s\"", n.ID, esc(label(n.URL)))
	if !n.Visit.IsZero() {
		x.printf(" start=%q", stamp(n.Visit))
	}
	if !n.Revisit.IsZero() {
		x.printf(" end=%q", stamp(n.Revisit))
	}
	x.printf("><attvalues>")
	for i, v := range []any{esc(n.URL), n.Kind, esc(n.MIME), n.State, n.Level, n.Shape, n.Depth, n.Below.Coherent, n.Below.Pages()} {
		x.printf("<attvalue for=\"%d\" value=\"%v\"/>", i, v)
	}
	r, green, b := rgb(n.colour())
	x.printf("</attvalues><viz:color r=\"%d\" g=\"%d\" b=\"%d\"/><viz:position x=\"%s\" y=\"%s\" z=\"0.0\"/><viz:size value=\"%s\"/><viz:shape value=%q/></node>\n",
		r, green, b, num(float64(n.X)), num(float64(n.Y)), num(Diameter(n.Below.Coherent)), gexfShapes[n.Shape])
}
