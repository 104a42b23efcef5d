package graph

import "math"

// Decay is the c of SimRank: how much a step counts less than the one before.
const Decay = 0.8

// SimRank compares a node with itself in two graphs with the same nodes (Jeh and Widom 2002; by fingerprints Fogaras and
// Rácz 2005). Two walks begin at v, one in each graph, and follow out-links by chance, each on its own:
//
//	S_l(v) = E[ c^τ ; τ ≤ l ],  τ = the first step ≥ 1 after which both are at the same node
//
// S_1 is c·|N ∩ N′| / (|N|·|N′|). NaN where v has no out-neighbours in both graphs; 0 where it has none in one. Give reversed graphs for
// in-links. Each value is a mean of f numbers between 0 and c: wrong by more than ε with probability at most
// 2 exp(−2 f (ε/c)²): by 0.10 in one of twenty cases for f = 128.
func SimRank(a, b *Graph, fingerprints int, seed uint64) [Steps][]float32 {
	n := a.Nodes()
	var out [Steps][]float32
	for k := range out {
		out[k] = make([]float32, n)
	}
	each(n, func(_ int, from, to uint32) {
		for v := from; v < to; v++ {
			met := meetings(a, b, v, v, fingerprints, seed)
			for k := range out {
				out[k][v] = met[k]
			}
		}
	})
	return out
}

// meetings estimates S_1..S_4 of walks from u in a and from v in b.
func meetings(a, b *Graph, u, v uint32, fingerprints int, seed uint64) (s [Steps]float32) {
	if a.Degree(u) == 0 && b.Degree(v) == 0 {
		for k := range s {
			s[k] = float32(math.NaN())
		}
		return s
	}
	var met [Steps]int
	for i := range fingerprints {
		if t := meet(a, b, u, v, mix(seed^uint64(i)<<32^uint64(u))); t > 0 {
			met[t-1]++
		}
	}
	sum, c := 0.0, 1.0
	for k := range s {
		c *= Decay
		sum += c * float64(met[k])
		s[k] = float32(sum / float64(fingerprints))
	}
	return s
}

// meet is the step after which two walks meet, 0 if they do not.
func meet(a, b *Graph, u, v uint32, state uint64) int {
	for t := 1; t <= Steps; t++ {
		x, y := a.Out(u), b.Out(v)
		if len(x) == 0 || len(y) == 0 {
			return 0
		}
		state = mix(state)
		u = x[below(state, len(x))]
		v = y[below(mix(^state), len(y))]
		if u == v {
			return t
		}
	}
	return 0
}

// Companions is how alike, by SimRank, a node is to those it links to: the mean of S_4(v, w) over at most Sampled/4 out-neighbours w, with
// walks in the graph along (the reversed graph for SimRank as it was defined). NaN where nothing is known.
func Companions(g, along *Graph, fingerprints int, seed uint64) []float32 {
	n := g.Nodes()
	out := make([]float32, n)
	each(n, func(_ int, from, to uint32) {
		for v := from; v < to; v++ {
			list := g.Out(v)
			sum, pairs := float32(0), float32(0)
			step := max(1, (len(list)+Sampled/4-1)/(Sampled/4))
			for i := 0; i < len(list); i += step {
				if s := meetings(along, along, v, list[i], fingerprints, seed^uint64(i)); s[Steps-1] == s[Steps-1] {
					sum += s[Steps-1]
					pairs++
				}
			}
			out[v] = sum / pairs // 0/0 is NaN
		}
	})
	return out
}
