package graph

import "math"

// Steps is how long the paths of similarities are at most.
const Steps = 4

// block is how many fingerprints go along the edges at a time: 32 bytes a node.
const block = 8

// none is the fingerprint of an empty set.
const none = math.MaxUint32

// XJaccard compares the surroundings of each node in two graphs with the same nodes (Fogaras and Rácz 2005). Γ_k(v) is the set
// of nodes in which a walk of k steps from v ends; the result for k = 1..4 is
//
//	J_k(v) = |Γ_k(v) ∩ Γ′_k(v)| / |Γ_k(v) ∪ Γ′_k(v)|        NaN where both are empty
//
// estimated as the share of min-hash fingerprints that are equal, which is wrong by more than ε with probability at
// most 2 exp(−2 f ε²) for f fingerprints: 0.12 in one of twenty cases for f = 128. f is rounded up to a multiple of 8.
func XJaccard(a, b *Graph, fingerprints int, seed uint64) [Steps][]float32 {
	n := a.Nodes()
	var out [Steps][]float32
	for k := range out {
		out[k] = make([]float32, n)
	}
	rounds := (fingerprints + block - 1) / block
	x, y := newHashes(a), newHashes(b)
	for round := range rounds {
		x.begin(seed, round)
		y.begin(seed, round)
		for k := range out {
			x.step()
			y.step()
			each(n, func(_ int, from, to uint32) {
				for v := from; v < to; v++ {
					out[k][v] += agree(x.of(v), y.of(v))
				}
			})
		}
	}
	for k := range out {
		for v := range out[k] {
			out[k][v] /= float32(rounds * block) // NaN stays
		}
	}
	return out
}

// agree counts equal fingerprints; NaN if both are of empty sets.
func agree(a, b []uint32) float32 {
	if a[0] == none && b[0] == none {
		return float32(math.NaN())
	}
	n := float32(0)
	for i := range block {
		if a[i] == b[i] {
			n++
		}
	}
	return n
}

// hashes are the fingerprints of all nodes.
type hashes struct {
	g         *Graph
	cur, next []uint32
}

func newHashes(g *Graph) *hashes {
	return &hashes{g: g, cur: make([]uint32, g.Nodes()*block), next: make([]uint32, g.Nodes()*block)}
}

func (h *hashes) of(v uint32) []uint32 { return h.cur[int(v)*block : int(v)*block+block] }

// begin gives each node its place in eight random orders.
func (h *hashes) begin(seed uint64, round int) {
	var keys [block]uint32
	for i := range keys {
		keys[i] = uint32(mix(seed + uint64(round*block+i)))
	}
	each(h.g.Nodes(), func(_ int, from, to uint32) {
		for v := from; v < to; v++ {
			for i, key := range keys {
				h.cur[int(v)*block+i] = min(mix32(mix32(v)^key), none-1)
			}
		}
	})
}

// step makes of the fingerprints of Γ_k those of Γ_{k+1}: the least over the out-neighbours.
func (h *hashes) step() {
	each(h.g.Nodes(), func(_ int, from, to uint32) {
		for v := from; v < to; v++ {
			at := (*[block]uint32)(h.next[int(v)*block:])
			*at = [block]uint32{none, none, none, none, none, none, none, none}
			for _, w := range h.g.Out(v) {
				least(at, (*[block]uint32)(h.cur[int(w)*block:]))
			}
		}
	})
	h.cur, h.next = h.next, h.cur
}

func least(a, b *[block]uint32) {
	for i := range a {
		a[i] = min(a[i], b[i])
	}
}

// Neighbourhood is how alike a node is to its out-neighbours: the mean, over at most Sampled of them, of J_k(v, w) = |Γ_k(v) ∩ Γ_k(w)| /
// |Γ_k(v) ∪ Γ_k(w)| in the graph along. Give g twice for what both link to, g and its reverse for what both are linked from:
// a farm, whose hosts have the same neighbours, is near 1. The error of each pair is that of XJaccard.
func Neighbourhood(g, along *Graph, fingerprints int, seed uint64) [2][]float32 {
	n := g.Nodes()
	out := [2][]float32{make([]float32, n), make([]float32, n)}
	rounds := (fingerprints + block - 1) / block
	h := newHashes(along)
	for round := range rounds {
		h.begin(seed, round)
		for k := range out {
			h.step()
			each(n, func(_ int, from, to uint32) {
				for v := from; v < to; v++ {
					out[k][v] += neighbours(g, h, v)
				}
			})
		}
	}
	for k := range out {
		for v := range out[k] {
			out[k][v] /= float32(rounds * block)
		}
	}
	return out
}

// Sampled is how many neighbours of a node are compared with it: evenly spread over the list.
const Sampled = 32

func neighbours(g *Graph, h *hashes, v uint32) float32 {
	out := g.Out(v)
	sum, pairs := float32(0), float32(0)
	step := max(1, (len(out)+Sampled-1)/Sampled)
	for i := 0; i < len(out); i += step {
		if a := agree(h.of(v), h.of(out[i])); a == a {
			sum += a
			pairs++
		}
	}
	if pairs == 0 {
		return float32(math.NaN())
	}
	return sum / pairs
}
