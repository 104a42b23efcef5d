package priority

import (
	"cmp"
	"math"
	"slices"

	"varve/text/near"
)

// Vector is a sparse vector of weighted terms, sorted by term. The zero Vector is empty.
type Vector struct {
	terms   []uint64
	weights []float64
	norm    float64
}

// Len counts the terms.
func (v Vector) Len() int { return len(v.terms) }

// Norm returns the length of the vector.
func (v Vector) Norm() float64 { return v.norm }

// Each calls yield with the terms and their weights, in the order of the terms.
func (v Vector) Each(yield func(term uint64, weight float64)) {
	for i, t := range v.terms {
		yield(t, v.weights[i])
	}
}

// VectorOf makes a vector of weights by term.
func VectorOf(weights map[uint64]float64) Vector {
	v := Vector{terms: make([]uint64, 0, len(weights))}
	for t, w := range weights {
		if w != 0 {
			v.terms = append(v.terms, t)
		}
	}
	slices.Sort(v.terms)
	v.weights = make([]float64, len(v.terms))
	for i, t := range v.terms {
		v.weights[i] = weights[t]
	}
	v.norm = norm(v.weights)
	return v
}

func norm(weights []float64) float64 {
	sum := 0.0
	for _, w := range weights {
		sum += w * w
	}
	return math.Sqrt(sum)
}

// Add gives the sum of two vectors.
func (v Vector) Add(o Vector) Vector {
	sum := Vector{
		terms:   make([]uint64, 0, len(v.terms)+len(o.terms)),
		weights: make([]float64, 0, len(v.terms)+len(o.terms)),
	}
	put := func(t uint64, w float64) {
		sum.terms, sum.weights = append(sum.terms, t), append(sum.weights, w)
	}
	i, j := 0, 0
	for i < len(v.terms) && j < len(o.terms) {
		switch a, b := v.terms[i], o.terms[j]; {
		case a < b:
			put(a, v.weights[i])
			i++
		case a > b:
			put(b, o.weights[j])
			j++
		default:
			put(a, v.weights[i]+o.weights[j])
			i++
			j++
		}
	}
	sum.terms = append(append(sum.terms, v.terms[i:]...), o.terms[j:]...)
	sum.weights = append(append(sum.weights, v.weights[i:]...), o.weights[j:]...)
	sum.norm = norm(sum.weights)
	return sum
}

// Cosine gives the cosine of the angle between two vectors, 0 when one is empty.
func (v Vector) Cosine(o Vector) float64 {
	if v.norm == 0 || o.norm == 0 {
		return 0
	}
	dot := 0.0
	for i, j := 0, 0; i < len(v.terms) && j < len(o.terms); {
		switch a, b := v.terms[i], o.terms[j]; {
		case a < b:
			i++
		case a > b:
			j++
		default:
			dot += v.weights[i] * o.weights[j]
			i++
			j++
		}
	}
	return min(dot/(v.norm*o.norm), 1)
}

// heaviest keeps the n terms with the largest weights; ties go to the smaller term.
func (v Vector) heaviest(n int) Vector {
	if v.Len() <= n {
		return v
	}
	order := make([]int, v.Len())
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(v.weights[b], v.weights[a]), cmp.Compare(v.terms[a], v.terms[b]))
	})
	kept := make(map[uint64]float64, n)
	for _, i := range order[:n] {
		kept[v.terms[i]] = v.weights[i]
	}
	return VectorOf(kept)
}

// tally holds the terms of one text; its room is used again for the next.
type tally struct{ terms []uint64 }

// read sorts the terms of a text, with repetition. It looks at maxText bytes, so that no page costs too much.
// Sorting rather than a map keeps sums in one order, and so the scores the same on every run.
func (y *tally) read(text string) {
	y.terms = y.terms[:0]
	near.Tokens(text[:min(len(text), maxText)], func(h uint64) { y.terms = append(y.terms, h) })
	slices.Sort(y.terms)
}

// each gives every term once with its count.
func (y *tally) each(yield func(term uint64, n int)) {
	for i := 0; i < len(y.terms); {
		j := i + 1
		for j < len(y.terms) && y.terms[j] == y.terms[i] {
			j++
		}
		yield(y.terms[i], j-i)
		i = j
	}
}

// maxText is how much of a page is looked at.
const maxText = 1 << 20
