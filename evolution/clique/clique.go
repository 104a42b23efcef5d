// Package clique finds the maximal cliques of graphs: sets of nodes that are all joined, to which no other node can be added.
//
// # Algorithm
//
// Nodes are taken in degeneracy order: the one with the fewest neighbours that are left comes next. For node v the cliques are found whose first node it is,
// by Bron and Kerbosch with Tomita's pivot on N(v) alone (Eppstein, Löffler, Strash 2010):
//
//	extend(R, P, X):                      R is a clique, P can be added, X was added before
//	    if P and X are empty: R is maximal
//	    u = the node of P ∪ X with most neighbours in P
//	    for w in P without N(u): extend(R+w, P ∩ N(w), X ∩ N(w)); P -= w; X += w
//
// with v: R = {v}, P = its later neighbours, X = its earlier ones. P, X and the rows of the adjacency of N(v) are bit sets. With n nodes and degeneracy d the cost is
// O(d n 3^(d/3)), and no more than what is found for graphs of words, where d is small.
//
// # Parts
//
// Whether a set is a maximal clique with first node v is decided by N(v) and the edges in it. So nodes can be dealt out to parts (Part), each of which needs
// the neighbours of its nodes and the edges between them, and no more: every clique is found in one part, none is lost, none is false.
package clique

import (
	"iter"
	"math/bits"
	"slices"
)

// Graph is an undirected graph of nodes 0 to n-1.
type Graph struct{ next [][]int32 }

// NewGraph makes a graph of the neighbours of each node. An edge need be there in one direction only; loops are dropped.
func NewGraph(next [][]int32) *Graph {
	g := &Graph{make([][]int32, len(next))}
	for a, list := range next {
		for _, b := range list {
			if int(b) != a {
				g.next[a], g.next[b] = append(g.next[a], b), append(g.next[b], int32(a))
			}
		}
	}
	for i := range g.next {
		slices.Sort(g.next[i])
		g.next[i] = slices.Compact(g.next[i])
	}
	return g
}

// Len returns the number of nodes.
func (g *Graph) Len() int { return len(g.next) }

// Neighbours returns those of a node, in order. They are not to be changed.
func (g *Graph) Neighbours(node int32) []int32 { return g.next[node] }

// Maximal goes through all maximal cliques, also those of one node. A clique is valid until the next, its nodes are in no order.
func Maximal(g *Graph) iter.Seq[[]int32] { return Part(g, 0, 1) }

// Part goes through the maximal cliques whose first node in degeneracy order is of one of several parts; together the parts have each clique once.
func Part(g *Graph, part, parts int) iter.Seq[[]int32] {
	return func(yield func([]int32) bool) {
		order, rank := g.degeneracy()
		s := search{g: g, local: make([]int32, g.Len()), yield: yield}
		for i, v := range order {
			if i%parts == part && !s.from(v, rank) {
				return
			}
		}
	}
}

// degeneracy returns the nodes in degeneracy order, and the place of each in it. Cost is linear: nodes lie in buckets by the neighbours they have left.
func (g *Graph) degeneracy() (order, rank []int32) {
	n := g.Len()
	left, rank := make([]int32, n), make([]int32, n)
	var buckets [][]int32
	for v, list := range g.next {
		for len(buckets) <= len(list) {
			buckets = append(buckets, nil)
		}
		left[v], rank[v] = int32(len(list)), -1
		buckets[len(list)] = append(buckets[len(list)], int32(v))
	}
	for d := 0; d < len(buckets); {
		last := len(buckets[d]) - 1
		if last < 0 {
			d++
			continue
		}
		v := buckets[d][last]
		buckets[d] = buckets[d][:last]
		if rank[v] >= 0 || int(left[v]) != d { // it was taken, or has moved
			continue
		}
		rank[v] = int32(len(order))
		order = append(order, v)
		for _, w := range g.next[v] {
			if rank[w] < 0 {
				left[w]--
				buckets[left[w]] = append(buckets[left[w]], w)
				d = min(d, int(left[w]))
			}
		}
	}
	return order, rank
}

// set is a bit set over the neighbours of a node.
type set []uint64

func (s set) put(i int32) { s[i>>6] |= 1 << (i & 63) }
func (s set) del(i int32) { s[i>>6] &^= 1 << (i & 63) }
func (s set) empty() bool { return !slices.ContainsFunc(s, func(w uint64) bool { return w != 0 }) }
func (s set) common(t set) int {
	n := 0
	for i, w := range s {
		n += bits.OnesCount64(w & t[i])
	}
	return n
}

// all goes through the members.
func (s set) all(yield func(int32) bool) {
	for i, w := range s {
		for ; w != 0; w &= w - 1 {
			if !yield(int32(i<<6 + bits.TrailingZeros64(w))) {
				return
			}
		}
	}
}

// search finds the cliques of one node after another.
type search struct {
	g     *Graph
	local []int32 // of each node, its number among the neighbours of v, plus 1; 0 if it is none
	nodes []int32 // the neighbours of v by number
	rows  []set   // adjacency between them
	words int     // of a set
	free  []set
	r     []int32
	yield func([]int32) bool
}

// from finds the cliques that begin with v. It reports whether more are wanted.
func (s *search) from(v int32, rank []int32) bool {
	s.nodes = s.g.next[v]
	s.words = (len(s.nodes) + 63) / 64
	s.free = s.free[:0]
	for i, w := range s.nodes {
		s.local[w] = int32(i) + 1
	}
	defer func() {
		for _, w := range s.nodes {
			s.local[w] = 0
		}
	}()
	cells := make(set, (len(s.nodes)+2)*s.words)
	row := func() set {
		c := cells[:s.words:s.words]
		cells = cells[s.words:]
		return c
	}
	p, x := row(), row()
	s.rows = s.rows[:0]
	for i, w := range s.nodes {
		if rank[w] > rank[v] {
			p.put(int32(i))
		} else {
			x.put(int32(i))
		}
		to := row()
		for _, n := range s.g.next[w] {
			if at := s.local[n]; at > 0 {
				to.put(at - 1)
			}
		}
		s.rows = append(s.rows, to)
	}
	s.r = append(s.r[:0], v)
	return s.extend(p, x)
}

// extend adds nodes of p to the clique r. It reports whether more are wanted.
func (s *search) extend(p, x set) bool {
	if p.empty() {
		return !x.empty() || s.yield(s.r)
	}
	pivot, most := int32(-1), -1
	for _, from := range [...]set{p, x} {
		for u := range from.all {
			if n := s.rows[u].common(p); n > most {
				pivot, most = u, n
			}
		}
	}
	todo, p2, x2 := s.take(), s.take(), s.take()
	defer func() { s.free = append(s.free, todo, p2, x2) }()
	for i := range todo {
		todo[i] = p[i] &^ s.rows[pivot][i]
	}
	for w := range todo.all {
		for i, near := range s.rows[w] {
			p2[i], x2[i] = p[i]&near, x[i]&near
		}
		s.r = append(s.r, s.nodes[w])
		ok := s.extend(p2, x2)
		s.r = s.r[:len(s.r)-1]
		if !ok {
			return false
		}
		p.del(w)
		x.put(w)
	}
	return true
}

// take returns a set to be filled.
func (s *search) take() set {
	if n := len(s.free); n > 0 {
		out := s.free[n-1]
		s.free = s.free[:n-1]
		return out
	}
	return make(set, s.words)
}
