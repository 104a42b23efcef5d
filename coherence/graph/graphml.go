package graph

import (
	"bufio"
	"io"
)

// graphmlKeys are the attributes of nodes in GraphML: name and type. Gephi reads label, size, x, y, r,
// g and b as what they say.
var graphmlKeys = [][2]string{
	{"label", "string"},
	{"url", "string"},
	{"kind", "string"},
	{"mime", "string"},
	{"state", "string"},
	{"level", "string"},
	{"shape", "string"},
	{"colour", "string"},
	{"depth", "int"},
	{"coherent", "int"},
	{"pages", "int"},
	{"size", "double"},
	{"x", "double"},
	{"y", "double"},
	{"r", "int"},
	{"g", "int"},
	{"b", "int"},
	{"visit", "string"},
	{"revisit", "string"},
}

// yShapes are the names of shapes in yEd and visone.
var yShapes = map[Shape]string{
	Circle: "ellipse", Hexagon: "hexagon", Rounded: "roundrectangle", Square: "rectangle", Triangle: "triangle",
}

// WriteGraphML writes the tree for visone, yEd, Gephi and networkx: all attributes as plain data, and
// size, colour, shape and place also in the form of yFiles.
func (g *Graph) WriteGraphML(w io.Writer) error {
	x := &xmlWriter{w: bufio.NewWriter(w)}
	x.printf(`<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:y="http://www.yworks.com/xml/graphml" xsi:schemaLocation="http://graphml.graphdrawing.org/xmlns http://www.yworks.com/xml/schema/graphml/1.1/ygraphml.xsd">
`)
	for _, k := range graphmlKeys {
		x.printf("<key id=%q for=\"node\" attr.name=%q attr.type=%q/>\n", k[0], k[0], k[1])
	}
	x.printf("<key id=\"by\" for=\"edge\" attr.name=\"by\" attr.type=\"string\"/>\n")
	x.printf("<key id=\"look\" for=\"node\" yfiles.type=\"nodegraphics\"/>\n")
	x.printf("<graph id=\"capture\" edgedefault=\"directed\">\n")
	for i := range g.Nodes {
		g.graphmlNode(x, &g.Nodes[i])
	}
	for i := 1; i < len(g.Nodes); i++ {
		n := &g.Nodes[i]
		x.printf("<edge id=\"e%d\" source=\"n%d\" target=\"n%d\">", n.ID, n.Parent, n.ID)
		x.printf("<data key=\"by\">%s</data></edge>\n", esc(n.By))
	}
	x.printf("</graph>\n</graphml>\n")
	return x.flush()
}

func (g *Graph) graphmlNode(x *xmlWriter, n *Node) {
	red, green, blue := rgb(n.colour())
	d := Diameter(n.Below.Coherent)
	x.printf("<node id=\"n%d\">", n.ID)
	for _, v := range []struct {
		key   string
		value any
	}{
		{"label", esc(label(n.URL))},
		{"url", esc(n.URL)},
		{"kind", n.Kind},
		{"mime", esc(n.MIME)},
		{"state", n.State},
		{"level", n.Level},
		{"shape", n.Shape},
		{"colour", n.colour()},
		{"depth", n.Depth},
		{"coherent", n.Below.Coherent},
		{"pages", n.Below.Pages()},
		{"size", num(d)},
		{"x", num(float64(n.X))},
		{"y", num(float64(n.Y))},
		{"r", red},
		{"g", green},
		{"b", blue},
		{"visit", stamp(n.Visit)},
		{"revisit", stamp(n.Revisit)},
	} {
		x.printf("<data key=%q>%v</data>", v.key, v.value)
	}
	x.printf(`<data key="look"><y:ShapeNode><y:Geometry height="%s" width="%s" x="%s" y="%s"/><y:Fill color="%s" transparent="false"/><y:BorderStyle color="#1f2328" type="%s" width="0.5"/><y:Shape type="%s"/></y:ShapeNode></data>`,
		num(d), num(d), num(float64(n.X)-d/2), num(float64(n.Y)-d/2), n.colour(), border(n), yShapes[n.Shape])
	x.printf("</node>\n")
}

// border is dashed where nothing is proven: never colour alone.
func border(n *Node) string {
	if n.Kind == KindPage && n.Level == "" {
		return "dashed"
	}
	return "line"
}
