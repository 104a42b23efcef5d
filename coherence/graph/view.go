package graph

import (
	"container/heap"

	"varve/coherence/report"
)

// DefaultLimit is how many nodes a view has at most unless less is asked for.
const DefaultLimit = 5000

// maxLabel bounds the text of a node in a view, so that a view of DefaultLimit nodes stays under 2 MB
// whatever the addresses are.
const maxLabel = 80

// Viewport is a rectangle of the layout. The zero value is all of it.
type Viewport struct {
	X0 float32 `json:"x0"`
	Y0 float32 `json:"y0"`
	X1 float32 `json:"x1"`
	Y1 float32 `json:"y1"`
}

// Seen is a node in a view.
type Seen struct {
	ID     int32        `json:"id"`
	Parent int32        `json:"parent"` // the nearest one above it that is in the view; -1 for the root
	X      float32      `json:"x"`
	Y      float32      `json:"y"`
	Kind   Kind         `json:"kind"`
	Label  string       `json:"label"` // the end of a long address; Graph.Nodes has it whole
	State  report.State `json:"state,omitempty"`
	Shape  Shape        `json:"shape"`
	Size   int32        `json:"size"`            // coherent pages of the subtree
	More   int32        `json:"more,omitempty"`  // nodes below it that are not in the view
	Below  *Counts      `json:"below,omitempty"` // of the pages among More, by state
}

// View is the part of a tree that fits a screen.
type View struct {
	Viewport Viewport `json:"viewport"` // what was asked for, or all
	Total    int      `json:"total"`    // nodes of the graph
	Nodes    []Seen   `json:"nodes"`    // parents before children
}

// View gives at most limit nodes: those of the largest subtrees that lie in the viewport, and the way
// from the root to them. Among subtrees of one size those with defects come first, and then an even
// choice around the tree, so that what is hidden is what there is most of.
func (g *Graph) View(v Viewport, limit int) View {
	if limit <= 0 || limit > DefaultLimit {
		limit = DefaultLimit
	}
	if v == (Viewport{}) {
		b := g.Nodes[0].box
		v = Viewport{b.x0, b.y0, b.x1, b.y1}
	}
	window := box{v.X0, v.Y0, v.X1, v.Y1}
	out := View{Viewport: v, Total: len(g.Nodes), Nodes: make([]Seen, 0, min(limit, len(g.Nodes)))}
	place := map[int32]int{} // of nodes in the view
	queue := &foremost{g: g, ids: []int32{0}}
	for queue.Len() > 0 && len(out.Nodes) < limit {
		at := heap.Pop(queue).(int32)
		place[at] = len(out.Nodes)
		out.Nodes = append(out.Nodes, g.seen(at, g.Nodes[at].Parent))
		for _, c := range g.Nodes[at].children {
			if g.Nodes[c].box.meets(window) {
				heap.Push(queue, c)
			}
		}
	}
	g.countHidden(out.Nodes, place)
	return out
}

// countHidden tells of each node what lies below it and is not in the view: what is below the node
// less what is below its children that are.
func (g *Graph) countHidden(seen []Seen, place map[int32]int) {
	hidden := make([]Counts, len(seen))
	for i := range seen {
		n := &g.Nodes[seen[i].ID]
		hidden[i] = n.Below
		if n.Kind == KindPage {
			hidden[i].sub(countOf(n.State))
		}
		seen[i].More = n.nodes - 1
	}
	for i := range seen {
		if p, ok := place[seen[i].Parent]; ok && i > 0 {
			n := &g.Nodes[seen[i].ID]
			hidden[p].sub(n.Below)
			seen[p].More -= n.nodes
		}
	}
	for i := range seen {
		if hidden[i] != (Counts{}) {
			seen[i].Below = &hidden[i]
		}
	}
}

func (c *Counts) sub(o Counts) {
	c.add(Counts{-o.Coherent, -o.Changed, -o.Links, -o.Missing, -o.Unknown})
}

func (g *Graph) seen(id, parent int32) Seen {
	n := &g.Nodes[id]
	return Seen{
		ID: id, Parent: parent, X: n.X, Y: n.Y, Kind: n.Kind, Label: label(n.URL),
		State: n.State, Shape: n.Shape, Size: n.Below.Coherent,
	}
}

// label is the end of an address, in printable ASCII, so that it has a known length in JSON.
func label(url string) string {
	b := make([]byte, 0, maxLabel)
	for _, c := range []byte(url) {
		if c <= ' ' || c >= 0x7f || c == '"' || c == '\\' || c == '<' || c == '>' || c == '&' {
			c = '_'
		}
		b = append(b, c)
	}
	if len(b) > maxLabel {
		return "..." + string(b[len(b)-maxLabel+3:])
	}
	return string(b)
}

// foremost is a heap of nodes by how much they should be seen.
type foremost struct {
	g   *Graph
	ids []int32
}

// Len is part of heap.Interface.
func (l *foremost) Len() int { return len(l.ids) }

// Less is part of heap.Interface.
func (l *foremost) Less(i, j int) bool {
	a, b := &l.g.Nodes[l.ids[i]], &l.g.Nodes[l.ids[j]]
	if a.nodes != b.nodes {
		return a.nodes > b.nodes
	}
	if x, y := gravity[a.State], gravity[b.State]; x != y {
		return x > y
	}
	return scattered(a.ID) < scattered(b.ID)
}

// gravity orders states by how serious they are.
var gravity = map[report.State]int{report.Lost: 4, report.Relinked: 3, report.Changed: 2, report.Unproven: 1}

// scattered gives numbers in which neighbours lie far apart (multiplication is a permutation, as the
// factor is odd).
func scattered(id int32) uint32 { return uint32(id) * 2654435769 }

// Swap is part of heap.Interface.
func (l *foremost) Swap(i, j int) { l.ids[i], l.ids[j] = l.ids[j], l.ids[i] }

// Push is part of heap.Interface.
func (l *foremost) Push(x any) { l.ids = append(l.ids, x.(int32)) }

// Pop is part of heap.Interface.
func (l *foremost) Pop() any {
	last := l.ids[len(l.ids)-1]
	l.ids = l.ids[:len(l.ids)-1]
	return last
}
