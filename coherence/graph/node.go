package graph

import (
	"strings"
	"time"

	"varve/coherence"
	"varve/coherence/report"
	"varve/text/layer"
)

// Kind says what a node stands for.
type Kind string

// The kinds of nodes.
const (
	KindCapture Kind = "capture" // the root
	KindHost    Kind = "host"    // a host whose pages were found on none of the others
	KindPage    Kind = "page"
	KindData    Kind = "data" // an answer to a program, which is no page
	KindLookup  Kind = "dns"
)

// Shape is how a node is drawn: it says the kind of content.
type Shape string

// The shapes of seed 000.
const (
	Circle   Shape = "circle"   // HTML pages
	Hexagon  Shape = "hexagon"  // multimedia
	Rounded  Shape = "rounded"  // Flash and the like: what runs or styles
	Square   Shape = "square"   // PDF and other binaries
	Triangle Shape = "triangle" // look-ups of names
)

// shapeOf gives the shape of a MIME type.
func shapeOf(mime string) Shape {
	top, sub, _ := strings.Cut(mime, "/")
	switch {
	case strings.Contains(sub, "html"), mime == "":
		return Circle
	case top == "image", top == "audio", top == "video":
		return Hexagon
	case sub == "x-shockwave-flash", sub == "javascript", sub == "x-javascript", sub == "ecmascript", sub == "css", top == "font",
		strings.Contains(sub, "font"), sub == "wasm":
		return Rounded
	}
	return Square
}

// Colour is the colour of a state on all screens; docs/glossary.md has the words.
func Colour(s report.State) string {
	switch s {
	case report.Coherent:
		return "#2a8c82"
	case report.Changed:
		return "#d9a21b"
	case report.Relinked:
		return "#c8502b"
	case report.Lost:
		return "#22252a"
	}
	return "#c9c5bb"
}

// Counts are pages by state.
type Counts struct {
	Coherent int32 `json:"coherent"`
	Changed  int32 `json:"changed"`
	Links    int32 `json:"links"`
	Missing  int32 `json:"missing"`
	Unknown  int32 `json:"unknown"`
}

// Pages is the sum.
func (c *Counts) Pages() int32 { return c.Coherent + c.Changed + c.Links + c.Missing + c.Unknown }

func (c *Counts) add(o Counts) {
	c.Coherent, c.Changed, c.Links = c.Coherent+o.Coherent, c.Changed+o.Changed, c.Links+o.Links
	c.Missing, c.Unknown = c.Missing+o.Missing, c.Unknown+o.Unknown
}

func countOf(s report.State) Counts {
	switch s {
	case report.Coherent:
		return Counts{Coherent: 1}
	case report.Changed:
		return Counts{Changed: 1}
	case report.Relinked:
		return Counts{Links: 1}
	case report.Lost:
		return Counts{Missing: 1}
	}
	return Counts{Unknown: 1}
}

// Node is a page in the tree.
type Node struct {
	ID     int32
	Parent int32 // -1 for the root
	Kind   Kind
	URL    string
	MIME   string
	Shape  Shape
	State  report.State
	Level  coherence.Level
	By     string // how the parent is known: crawler, referer, path; empty for what has no page as parent

	Visit, Revisit time.Time
	Depth          int32  // in the tree
	Below          Counts // pages of the subtree, itself included
	X, Y           float32

	children []int32 // largest subtree first
	leaves   int32   // of the subtree
	nodes    int32   // of the subtree, itself included
	box      box     // of the subtree
}

// Children lists the nodes found on a page, those with the largest subtrees first.
func (n *Node) Children() []int32 { return n.children }

// Graph is the spanning tree of a capture with its layout. The root is node 0.
type Graph struct {
	Crawl     string
	Layer     layer.Name
	Reference time.Time
	Nodes     []Node
}
