package term

import (
	"cmp"
	"maps"
	"slices"
)

// Edge is two terms that stand in lists together.
type Edge struct {
	A     string `json:"a"` // before B in the order of strings
	B     string `json:"b"`
	Count int    `json:"count"` // documents
}

// Graph is the terms of a slice of time, joined where they stand in lists together. Its nodes are numbers, in the order of the terms.
type Graph struct {
	Terms []string
	next  [][]int32 // neighbours of each node, in order
	count [][]int   // documents of each of these edges
}

// NewGraph makes a graph of edges; their order does not matter. Two of the same terms are one.
func NewGraph(edges []Edge) *Graph {
	at := map[string]int32{}
	for _, e := range edges {
		at[e.A], at[e.B] = 0, 0
	}
	g := &Graph{Terms: slices.Sorted(maps.Keys(at))}
	for i, t := range g.Terms {
		at[t] = int32(i)
	}
	near := make([]map[int32]int, len(g.Terms))
	for _, e := range edges {
		a, b := at[e.A], at[e.B]
		if a == b {
			continue
		}
		for _, x := range [2][2]int32{{a, b}, {b, a}} {
			if near[x[0]] == nil {
				near[x[0]] = map[int32]int{}
			}
			near[x[0]][x[1]] += e.Count
		}
	}
	g.next, g.count = make([][]int32, len(g.Terms)), make([][]int, len(g.Terms))
	for i, m := range near {
		g.next[i] = slices.Sorted(maps.Keys(m))
		for _, n := range g.next[i] {
			g.count[i] = append(g.count[i], m[n])
		}
	}
	return g
}

// Node returns the number of a term.
func (g *Graph) Node(term string) (node int, ok bool) { return slices.BinarySearch(g.Terms, term) }

// Degree returns how many neighbours a node has.
func (g *Graph) Degree(node int) int { return len(g.next[node]) }

// Neighbours returns the terms beside a node.
func (g *Graph) Neighbours(node int) []string {
	var out []string
	for _, n := range g.next[node] {
		out = append(out, g.Terms[n])
	}
	return out
}

// Curvature returns of each node the share of the possible triangles with two of its neighbours that are there,
//
//	curv(w) = |{(a, b) of N(w): a-b is an edge}| / (|N(w)| * (|N(w)|-1) / 2)
//
// and 0 of a node with fewer than two neighbours.
func (g *Graph) Curvature() []float64 {
	out := make([]float64, len(g.Terms))
	for w, near := range g.next {
		out[w] = g.curvature(near)
	}
	return out
}

// curvature returns that of a node with these neighbours, which are in order.
func (g *Graph) curvature(near []int32) float64 {
	if len(near) < 2 {
		return 0
	}
	triangles := 0
	for i, a := range near {
		triangles += common(g.next[a], near[i+1:])
	}
	return 2 * float64(triangles) / float64(len(near)*(len(near)-1))
}

// common counts what two ordered lists have in common; few are looked up in many.
func common(a, b []int32) (n int) {
	if len(a) > len(b) {
		a, b = b, a
	}
	for _, x := range a {
		i, ok := slices.BinarySearch(b, x)
		if ok {
			n++
		}
		b = b[i:]
	}
	return n
}

// Member is a term of a cluster and its local curvature: that in the graph of the cluster alone.
type Member struct {
	Term      string  `json:"term"`
	Curvature float64 `json:"curvature"`
}

// Cluster is a sense: terms that stand in lists with one another. Those come first of which curv * n is highest: their local curvature, times the documents that their edges in the cluster have together. By curvature
// alone those came first that stand in one list only, all of whose neighbours are neighbours: what is said of the sense is what stands in many.
type Cluster []Member

// Terms returns the terms of a cluster.
func (c Cluster) Terms() []string {
	var out []string
	for _, m := range c {
		out = append(out, m.Term)
	}
	return out
}

// smallest is the size of a cluster: two terms are a pair, and say nothing of a sense.
const smallest = 3

// Clusters returns the senses of the graph. Nodes below a curvature join senses that are different, so they are taken out; what hangs together then is the
// core of a sense. Then each sense gets the neighbours of its core back, so that an ambiguous term is in several.
func (g *Graph) Clusters(minCurvature float64) []Cluster {
	curvature := g.Curvature()
	var out []Cluster
	seen := make([]bool, len(g.Terms))
	in := make([]bool, len(g.Terms))
	for w := range g.Terms {
		if seen[w] || curvature[w] < minCurvature {
			continue
		}
		seen[w] = true
		core := []int32{int32(w)}
		for i := 0; i < len(core); i++ {
			for _, n := range g.next[core[i]] {
				if !seen[n] && curvature[n] >= minCurvature {
					seen[n] = true
					core = append(core, n)
				}
			}
		}
		members := slices.Clone(core)
		for _, c := range core {
			members = append(members, g.next[c]...)
		}
		slices.Sort(members)
		if members = slices.Compact(members); len(members) >= smallest {
			out = append(out, g.cluster(members, in))
		}
	}
	return out
}

// cluster makes a cluster of members. in is all false, and is so again when it returns.
func (g *Graph) cluster(members []int32, in []bool) Cluster {
	for _, m := range members {
		in[m] = true
	}
	var c Cluster
	rank := map[string]float64{} // curv * n
	for _, w := range members {
		var near []int32
		n := 0 // documents of edges in the cluster
		for i, x := range g.next[w] {
			if in[x] {
				near = append(near, x)
				n += g.count[w][i]
			}
		}
		m := Member{g.Terms[w], g.curvature(near)}
		c = append(c, m)
		rank[m.Term] = m.Curvature * float64(n)
	}
	for _, m := range members {
		in[m] = false
	}
	slices.SortStableFunc(c, func(a, b Member) int {
		return cmp.Or(cmp.Compare(rank[b.Term], rank[a.Term]), cmp.Compare(b.Curvature, a.Curvature))
	})
	return c
}
