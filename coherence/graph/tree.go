package graph

import (
	"cmp"
	"math"
	"slices"
)

// grow fills children, depth and what is below each node.
func (g *Graph) grow() {
	for i := 1; i < len(g.Nodes); i++ {
		p := &g.Nodes[g.Nodes[i].Parent]
		p.children = append(p.children, int32(i))
	}
	order := g.order()
	for _, at := range slices.Backward(order) {
		n := &g.Nodes[at]
		if n.Kind == KindPage {
			n.Below.add(countOf(n.State))
		}
		n.leaves, n.nodes = max(n.leaves, 1), n.nodes+1
		if n.Parent >= 0 {
			p := &g.Nodes[n.Parent]
			p.Below.add(n.Below)
			p.leaves, p.nodes = p.leaves+n.leaves, p.nodes+n.nodes
		}
	}
	for i := range g.Nodes {
		slices.SortFunc(g.Nodes[i].children, func(a, b int32) int {
			return cmp.Or(cmp.Compare(g.Nodes[b].leaves, g.Nodes[a].leaves), cmp.Compare(a, b))
		})
	}
}

// order lists the nodes, parents before children, and sets their depth.
func (g *Graph) order() []int32 {
	order := make([]int32, 1, len(g.Nodes))
	for i := 0; i < len(order); i++ {
		n := &g.Nodes[order[i]]
		for _, c := range n.children {
			g.Nodes[c].Depth = n.Depth + 1
			order = append(order, c)
		}
	}
	return order
}

// Ring is the least distance between two depths of the layout.
const Ring = 100

// sector is the angle of a subtree.
type sector struct{ from, to float64 }

// layOut gives each node its place: the radius is the depth, and the angle the middle of the sector,
// which children share by their leaves. A ring is widened when its nodes would not have room on it.
func (g *Graph) layOut() {
	order := g.order()
	radius := g.radii()
	sectors := make([]sector, len(g.Nodes))
	sectors[0] = sector{0, 2 * math.Pi}
	for _, at := range order {
		n, s := &g.Nodes[at], sectors[at]
		sin, cos := math.Sincos((s.from + s.to) / 2)
		r := radius[n.Depth]
		n.X, n.Y = float32(r*cos), float32(r*sin)
		from, share := s.from, (s.to-s.from)/float64(n.leaves)
		for _, c := range n.children {
			to := from + share*float64(g.Nodes[c].leaves)
			sectors[c], from = sector{from, to}, to
		}
	}
	for _, at := range slices.Backward(order) {
		n := &g.Nodes[at]
		n.box.add(box{n.X, n.Y, n.X, n.Y})
		if n.Parent >= 0 {
			g.Nodes[n.Parent].box.add(n.box)
		}
	}
}

// radii gives the radius of each depth. Depths are the further apart the more nodes they have, but less
// than in proportion: else one full depth would squeeze all others into the middle. Nodes do not touch
// those of the depth before; beside each other they may, and zooming parts them.
func (g *Graph) radii() []float64 {
	var sum, widest []float64 // of diameters, per depth
	for i := range g.Nodes {
		n := &g.Nodes[i]
		for int(n.Depth) >= len(sum) {
			sum, widest = append(sum, 0), append(widest, 0)
		}
		d := Diameter(n.Below.Coherent)
		sum[n.Depth] += d
		widest[n.Depth] = max(widest[n.Depth], d)
	}
	at := make([]float64, len(sum))
	for d := range at {
		if d == 0 || d == 1 && len(g.Nodes[0].children) == 1 { // a single seed is the middle
			continue
		}
		at[d] = at[d-1] + max(Ring, (widest[d-1]+widest[d])/2, 2*math.Sqrt(sum[d]))
	}
	return at
}

// box is a rectangle; the zero value is empty.
type box struct{ x0, y0, x1, y1 float32 }

func (b *box) add(o box) {
	if *b == (box{}) {
		*b = o
		return
	}
	b.x0, b.y0, b.x1, b.y1 = min(b.x0, o.x0), min(b.y0, o.y0), max(b.x1, o.x1), max(b.y1, o.y1)
}

func (b box) meets(o box) bool {
	return b.x0 <= o.x1 && o.x0 <= b.x1 && b.y0 <= o.y1 && o.y0 <= b.y1
}
