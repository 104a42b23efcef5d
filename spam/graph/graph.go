package graph

import (
	"slices"
)

// Graph is a directed graph without loops and twins. It is not changed once made, and safe for concurrent use.
type Graph struct {
	offsets []uint64 // of each node's first edge; one more than nodes
	targets []uint32 // sorted within a node
}

// Nodes counts the nodes.
func (g *Graph) Nodes() int { return len(g.offsets) - 1 }

// Edges counts the edges.
func (g *Graph) Edges() int { return len(g.targets) }

// Out gives the out-neighbours of a node in order; the caller must not change them.
func (g *Graph) Out(v uint32) []uint32 { return g.targets[g.offsets[v]:g.offsets[v+1]] }

// Degree counts the out-neighbours of a node.
func (g *Graph) Degree(v uint32) int { return int(g.offsets[v+1] - g.offsets[v]) }

// Has tells whether there is an edge.
func (g *Graph) Has(from, to uint32) bool {
	_, found := slices.BinarySearch(g.Out(from), to)
	return found
}

// Bytes is the memory that a graph takes.
func (g *Graph) Bytes() int { return 8*len(g.offsets) + 4*len(g.targets) }

// Reverse turns each edge round: counting, then placing sources in order, so neighbours come out sorted.
func (g *Graph) Reverse() *Graph {
	n := g.Nodes()
	r := &Graph{offsets: make([]uint64, n+1), targets: make([]uint32, len(g.targets))}
	for _, w := range g.targets {
		r.offsets[w+1]++
	}
	for v := range n {
		r.offsets[v+1] += r.offsets[v]
	}
	at := slices.Clone(r.offsets[:n])
	for v := range uint32(n) {
		for _, w := range g.Out(v) {
			r.targets[at[w]] = v
			at[w]++
		}
	}
	return r
}

// Of makes a graph of edges that are in memory; both ends must be below nodes.
func Of(nodes int, edges [][2]uint32) *Graph {
	packed := make([]uint64, 0, len(edges))
	for _, e := range edges {
		if e[0] != e[1] {
			packed = append(packed, uint64(e[0])<<32|uint64(e[1]))
		}
	}
	slices.Sort(packed)
	packed = slices.Compact(packed)
	a := newAssembly(nodes, len(packed))
	for _, e := range packed {
		a.add(e)
	}
	return a.graph()
}

// assembly is a graph that gets its edges in order.
type assembly struct {
	g    *Graph
	next uint32 // first node without an offset
}

func newAssembly(nodes, edges int) *assembly {
	return &assembly{g: &Graph{offsets: make([]uint64, nodes+1), targets: make([]uint32, 0, edges)}}
}

func (a *assembly) add(edge uint64) {
	from := uint32(edge >> 32)
	for a.next <= from {
		a.g.offsets[a.next] = uint64(len(a.g.targets))
		a.next++
	}
	a.g.targets = append(a.g.targets, uint32(edge))
}

func (a *assembly) graph() *Graph {
	for v := int(a.next); v < len(a.g.offsets); v++ {
		a.g.offsets[v] = uint64(len(a.g.targets))
	}
	return a.g
}
