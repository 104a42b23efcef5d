package graph

import (
	"encoding/binary"
	"math"
	"math/bits"
)

// Registers is the number of registers of a counter. The standard error of a count is 1.04/√64 = 0.13 of it, and less for
// small ones, which are counted by their empty registers: at most 0.09 up to 64, 0.12 up to 150.
const Registers = 64

// Distances is how far supporters are counted.
const Distances = 4

// Supporters estimates how many distinct labels support each node at distance 1..4, the node's own label not counted (Boldi, Rosa and
// Vigna 2011; Flajolet et al. 2007). Nodes with the same label count once: give each node its own for supporters, or the
// host of each page for supporting hosts. r is the reversed graph.
//
//	M⁰(v) = counter with the label of v;   Mᵈ(v) = max of Mᵈ⁻¹(v) and all Mᵈ⁻¹(u), u → v, register by register
//	|Mᵈ| = α m² / Σ 2^−M, or m ln(m / empty registers) below 2.5 m
func Supporters(r *Graph, label func(v uint32) uint64) [Distances][]float32 {
	n := r.Nodes()
	cur, next := make([]uint64, n*words), make([]uint64, n*words)
	each(n, func(_ int, from, to uint32) {
		for v := from; v < to; v++ {
			set(cur[int(v)*words:], mix(label(v)))
		}
	})
	var out [Distances][]float32
	for d := range out {
		out[d] = make([]float32, n)
		each(n, func(_ int, from, to uint32) {
			for v := from; v < to; v++ {
				at := next[int(v)*words : int(v)*words+words]
				copy(at, cur[int(v)*words:])
				for _, u := range r.Out(v) {
					unite(at, cur[int(u)*words:int(u)*words+words])
				}
				out[d][v] = float32(max(0, estimate(at)-1))
			}
		})
		cur, next = next, cur
	}
	return out
}

// words of eight registers make a counter.
const words = Registers / 8

// set counts a hash: its low bits choose the register, which keeps the most leading zeros seen (plus one) of the rest.
func set(counter []uint64, h uint64) {
	k := h % Registers
	zeros := uint64(bits.LeadingZeros64(h|Registers-1)) + 1
	shift := k % 8 * 8
	if w := &counter[k/8]; *w>>shift&0xff < zeros {
		*w = *w&^(0xff<<shift) | zeros<<shift
	}
}

// unite takes the maximum of each register, eight at a time: registers stay below 128, so the high bit of each byte tells
// whether a byte of a is at least that of b.
func unite(a, b []uint64) {
	const high = 0x8080808080808080
	_, _ = a[words-1], b[words-1]
	for i := range words {
		x, y := a[i], b[i]
		least := ((x | high) - y) & high // 0x80 where x >= y
		mask := (least >> 7) * 0xff      // 0xff where x >= y
		a[i] = x&mask | y&^mask
	}
}

// inverse powers of two of all values a register has.
var powers = func() (p [128]float64) {
	for i := range p {
		p[i] = math.Pow(2, -float64(i))
	}
	return p
}()

func estimate(counter []uint64) float64 {
	const m = Registers
	const alpha = 0.709 // for 64 registers
	sum, empty := 0.0, 0
	var raw [8]byte
	for _, w := range counter[:words] {
		binary.LittleEndian.PutUint64(raw[:], w)
		for _, b := range raw {
			sum += powers[b&127]
			if b == 0 {
				empty++
			}
		}
	}
	e := alpha * m * m / sum
	if e <= 2.5*m && empty > 0 {
		return m * math.Log(m/float64(empty))
	}
	return e
}
