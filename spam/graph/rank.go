package graph

import "math"

// MaxTruncation is the largest T of truncated PageRank.
const MaxTruncation = 4

// Ranking says how ranks are computed. Zero fields mean the defaults.
type Ranking struct {
	Damping   float64  // α; 0.85
	Tolerance float64  // mass of the rest of the series that is left out; 1e-6
	Restart   []uint32 // nodes where the walk begins and begins again; all if empty. Trusted ones give TrustRank
}

// Ranks are the ranks of all nodes; each slice adds up to 1, but for the tolerance.
type Ranks struct {
	PageRank  []float64
	Truncated [MaxTruncation][]float64 // for T = 1..4; nil if they were not asked for
	Terms     int                      // of the series
}

// Rank computes PageRank, and truncated PageRank if asked for, as one series (Becchetti et al. 2006); r is g reversed.
//
//	R⁰ = restart;   Rᵗ = Pᵀ Rᵗ⁻¹, where P follows an out-link by chance, or restarts from nodes without any
//	PageRank      = (1−α) Σ_{t≥0} αᵗ Rᵗ
//	truncated_T   = (1−α) / α^{T+1} · Σ_{t>T} αᵗ Rᵗ           support from nearer than T+1 steps does not count
//
// The series ends when the mass α^{t+1} of its rest is below the tolerance.
func Rank(g, r *Graph, o Ranking, truncated bool) *Ranks {
	if o.Damping == 0 {
		o.Damping = 0.85
	}
	if o.Tolerance == 0 {
		o.Tolerance = 1e-6
	}
	n := g.Nodes()
	s := &series{g: g, r: r, restart: o.restart(n), shares: make([]float64, n)}
	s.cur, s.next = append([]float64(nil), s.restart...), make([]float64, n)
	out := &Ranks{PageRank: make([]float64, n)}
	if truncated {
		for k := range out.Truncated {
			out.Truncated[k] = make([]float64, n)
		}
	}
	for t, weight := 0, 1-o.Damping; ; t, weight = t+1, weight*o.Damping {
		out.add(s.cur, t, weight, o.Damping)
		out.Terms++
		if math.Pow(o.Damping, float64(t+1)) < o.Tolerance {
			return out
		}
		s.step()
	}
}

// restart is where the walk begins.
func (o *Ranking) restart(n int) []float64 {
	out := make([]float64, n)
	if len(o.Restart) == 0 {
		for v := range out {
			out[v] = 1 / float64(n)
		}
		return out
	}
	for _, v := range o.Restart {
		out[v] += 1 / float64(len(o.Restart))
	}
	return out
}

// add adds a term of the series.
func (rs *Ranks) add(term []float64, t int, weight, damping float64) {
	var factors [MaxTruncation]float64
	for k := range factors {
		if T := k + 1; t > T {
			factors[k] = weight / math.Pow(damping, float64(T+1))
		}
	}
	each(len(term), func(_ int, from, to uint32) {
		for v := from; v < to; v++ {
			rs.PageRank[v] += weight * term[v]
		}
		for k, f := range factors {
			if f > 0 && rs.Truncated[k] != nil {
				sum := rs.Truncated[k]
				for v := from; v < to; v++ {
					sum[v] += f * term[v]
				}
			}
		}
	})
}

// series goes from one term to the next.
type series struct {
	g, r              *Graph
	restart           []float64
	cur, next, shares []float64
}

func (s *series) step() {
	n := s.g.Nodes()
	lost := total(n, func(v uint32) float64 { // of nodes without out-links
		if d := s.g.Degree(v); d > 0 {
			s.shares[v] = s.cur[v] / float64(d)
			return 0
		}
		s.shares[v] = 0
		return s.cur[v]
	})
	each(n, func(_ int, from, to uint32) {
		for v := from; v < to; v++ {
			sum := lost * s.restart[v]
			for _, u := range s.r.Out(v) {
				sum += s.shares[u]
			}
			s.next[v] = sum
		}
	})
	s.cur, s.next = s.next, s.cur
}

// Spread is the standard deviation of a rank over the in-neighbours of a node; NaN if it has none. r is the reversed graph.
func Spread(r *Graph, rank []float64, v uint32) float64 {
	in := r.Out(v)
	if len(in) == 0 {
		return math.NaN()
	}
	mean := 0.0
	for _, u := range in {
		mean += rank[u]
	}
	mean /= float64(len(in))
	sum := 0.0
	for _, u := range in {
		sum += (rank[u] - mean) * (rank[u] - mean)
	}
	return math.Sqrt(sum / float64(len(in)))
}
