// Package propagate spreads labels over a graph from the few vertices whose labels are known: label propagation as PRAVDA uses it, after the Modified Adsorption (MAD) of Talukdar and Crammer.
//
// Terms: a vertex is a candidate for a fact or a pattern of words; an edge says that two vertices should have similar labels, the more so the higher its weight; a seed is what is known of a vertex;
// the dummy label stands for "none of the others".
//
// # Formula
//
// Y are the seeds, S their weights (a diagonal matrix for each label), W the weights of edges, D the sums of W at each vertex, L = D - W the Laplacian, R zero but for the column of the dummy, which is 1. Wanted
// is the Z that minimises, over all labels l,
//
//	sum_l (Y_l - Z_l)' S_l (Y_l - Z_l) + mu1 Z_l' L Z_l + mu2 |Z_l - R_l|^2
//
// The first term holds to the seeds, the second makes neighbours alike, the third pulls what no seed reaches to "none". At the minimum the derivative is zero, (S_l + mu1 L + mu2) Z_l = S_l Y_l + mu2 R_l, and this
// is solved for each vertex v in turn from the values of the round before (Jacobi):
//
//	Z_vl = (S_vl Y_vl + mu1 sum_u W_uv Z_ul + mu2 R_vl) / (S_vl + mu1 D_v + mu2)
//
// Since mu2 > 0 the diagonal outweighs its row, so every round brings the largest error down by the factor mu1 D / (mu1 D + mu2) at least, and the minimum is the only one. Where a label includes
// another (who joins a club works for it), Z of the wider one is raised to that of the narrower after each round; taking the larger of two numbers makes no error larger, so it still converges.
//
// # Example
//
// Two candidates hang on one pattern by edges of weight 1, the first is a seed of label 0 with weight 1 (and, to be told from none, of the dummy with Y = 0). With mu1 = 1, mu2 = 0.1 the equations are
//
//	candidate  2.1 Z_0 = 1 + Z_p      pattern  2.1 Z_p = Z_0 + Z_1      other  1.1 Z_1 = Z_p
//
// and Z_0 = 0.7935, Z_p = 0.6663, Z_1 = 0.6057: the label wears off with the distance from the seed (TestExample).
//
// Cost: rounds times edges times labels; memory 8 bytes for each vertex and label, twice, and 24 for each edge.
package propagate

import (
	"context"
	"fmt"
	"math"
)

// Edge joins two vertices.
type Edge struct {
	A, B   int32
	Weight float64
}

// Seed says what is known of a vertex: its value of a label (Y) and how much that counts (S).
type Seed struct {
	Vertex, Label int32
	Y, S          float64
}

// Include says that whatever has the label Narrow has the label Wide, too.
type Include struct{ Narrow, Wide int32 }

// Problem is a graph with its seeds. The dummy label is the last one.
type Problem struct {
	Vertices, Labels int // Labels counts the dummy
	Edges            []Edge
	Seeds            []Seed
	Include          []Include // in the order in which they are made true: of a chain the narrowest first
	Mu1, Mu2         float64
	Rounds           int     // at most; 0 is 2000
	Close            float64 // ends when no value changed by more; 0 is 1e-7
}

// Result is the estimated labels.
type Result struct {
	Z      []float64 // by vertex, then label
	Rounds int
	Change float64 // the largest of the last round: above Problem.Close if the rounds did not suffice
	labels int
}

// Of returns the labels of a vertex.
func (r *Result) Of(vertex int) []float64 { return r.Z[vertex*r.labels:][:r.labels] }

// Propagate solves a problem.
func Propagate(ctx context.Context, p Problem) (*Result, error) {
	if !(p.Mu1 > 0) || !(p.Mu2 > 0) || p.Labels < 1 {
		return nil, fmt.Errorf("propagate labels: mu1 %v and mu2 %v must be above 0, and there must be a label", p.Mu1, p.Mu2)
	}
	rounds, near := p.Rounds, p.Close
	if rounds == 0 {
		rounds = 2000
	}
	if near == 0 {
		near = 1e-7
	}
	n, k := p.Vertices, p.Labels
	from, to, weight := adjacency(p)
	right := make([]float64, n*k) // S Y + mu2 R
	diagonal := make([]float64, n*k)
	for v := range n {
		right[v*k+k-1] = p.Mu2
		d := 0.0
		for e := from[v]; e < from[v+1]; e++ {
			d += weight[e]
		}
		for l := range k {
			diagonal[v*k+l] = p.Mu1*d + p.Mu2
		}
	}
	for _, s := range p.Seeds {
		right[int(s.Vertex)*k+int(s.Label)] += s.S * s.Y
		diagonal[int(s.Vertex)*k+int(s.Label)] += s.S
	}
	z, next := make([]float64, n*k), make([]float64, n*k)
	r := &Result{labels: k}
	for r.Rounds < rounds {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		r.Rounds, r.Change = r.Rounds+1, 0
		for v := range n {
			row := next[v*k:][:k]
			clear(row)
			for e := from[v]; e < from[v+1]; e++ {
				w := weight[e]
				for l, x := range z[int(to[e])*k:][:k] {
					row[l] += w * x
				}
			}
			for l := range row {
				row[l] = (right[v*k+l] + p.Mu1*row[l]) / diagonal[v*k+l]
			}
			for _, i := range p.Include {
				row[i.Wide] = max(row[i.Wide], row[i.Narrow])
			}
			for l, x := range row {
				r.Change = max(r.Change, math.Abs(x-z[v*k+l]))
			}
		}
		z, next = next, z
		if r.Change <= near {
			break
		}
	}
	r.Z = z
	return r, nil
}

// adjacency returns the edges at each vertex v: to and weight from from[v] to from[v+1].
func adjacency(p Problem) (from, to []int32, weight []float64) {
	from = make([]int32, p.Vertices+1)
	for _, e := range p.Edges {
		from[e.A+1]++
		from[e.B+1]++
	}
	for v := range p.Vertices {
		from[v+1] += from[v]
	}
	to, weight = make([]int32, 2*len(p.Edges)), make([]float64, 2*len(p.Edges))
	at := append([]int32(nil), from...)
	for _, e := range p.Edges {
		to[at[e.A]], weight[at[e.A]] = e.B, e.Weight
		at[e.A]++
		to[at[e.B]], weight[at[e.B]] = e.A, e.Weight
		at[e.B]++
	}
	return from, to, weight
}
