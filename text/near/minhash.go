package near

import "math"

// Permutations is the number of random orders in a Minhash.
const Permutations = 64

// Minhash is the first shingle of a text in each of 64 random orders (the upper 32 bits of its number
// there). An empty text has the largest number everywhere.
type Minhash [Permutations]uint32

// Similarity estimates the resemblance of two texts, 0 to 1. Two empty texts are equal.
func (m *Minhash) Similarity(o *Minhash) float64 {
	same := 0
	for i, v := range m {
		if v == o[i] {
			same++
		}
	}
	return float64(same) / Permutations
}

// StandardError is how far off Similarity typically is when the resemblance is j.
func StandardError(j float64) float64 { return math.Sqrt(j * (1 - j) / Permutations) }

// order is a random order of 64-bit hashes: x -> a*x + b with odd a is a permutation.
type order struct{ a, b uint64 }

// orders are fixed for ever: they are part of Version.
var orders = func() (t [Permutations]order) {
	x := uint64(0x7661727665) // "varve"
	next := func() uint64 {
		x += 0x9e3779b97f4a7c15
		return mix(x)
	}
	for i := range t {
		t[i] = order{next() | 1, next()}
	}
	return t
}()

// minima collects the first number in each order.
type minima [Permutations]uint64

func (m *minima) reset() {
	for i := range m {
		m[i] = math.MaxUint64
	}
}

// add is the inner loop: 64 multiplications per shingle. A smaller number soon becomes rare, so a
// branch that the processor foresees is cheaper than a store each time.
func (m *minima) add(h uint64) {
	t := &orders
	for i := 0; i < Permutations; i += 2 {
		v, w := t[i].a*h+t[i].b, t[i+1].a*h+t[i+1].b
		if v < m[i] {
			m[i] = v
		}
		if w < m[i+1] {
			m[i+1] = w
		}
	}
}

func (m *minima) result() (r Minhash) {
	for i, v := range m {
		r[i] = uint32(v >> 32)
	}
	return r
}
