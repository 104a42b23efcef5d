// Package dice gives the simulated web its randomness: streams that depend on nothing but the
// numbers they are made from.
//
// Every choice in the simulated web is drawn from a stream named by what the choice is about:
// seed, page, version. So a page has the same bytes whatever was asked before, in any order, on
// any machine:
//
//	s := dice.New(seed, page, version)    // always the same stream
//	n := s.IntN(10)                       // always the same first draw
//
// Mix is the finaliser of SplitMix64 chained over the parts; a stream is the PCG-DXSM generator of
// math/rand/v2, whose output is fixed by that package's promise. A draw costs about 2 ns.
package dice

import (
	"math/bits"
	"math/rand/v2"
)

// Mix hashes numbers into one. It is for streams and choices, not for security.
func Mix(parts ...uint64) uint64 {
	h := uint64(0x9e3779b97f4a7c15)
	for _, p := range parts {
		h = scramble(h ^ scramble(p+0x9e3779b97f4a7c15))
	}
	return h
}

// scramble is the output function of SplitMix64 (Steele, Lea, Flood 2014).
func scramble(z uint64) uint64 {
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9
	z = (z ^ (z >> 27)) * 0x94d049bb133111eb
	return z ^ (z >> 31)
}

// String hashes a text into a number for Mix (FNV-1a).
func String(s string) uint64 {
	h := uint64(0xcbf29ce484222325)
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * 0x100000001b3
	}
	return h
}

// Below maps a hash evenly to [0, n). n must be positive.
func Below(h uint64, n int) int {
	hi, _ := bits.Mul64(h, uint64(n))
	return int(hi)
}

// Unit maps a hash evenly to [0, 1).
func Unit(h uint64) float64 { return float64(h>>11) / (1 << 53) }

// Stream is a sequence of draws. It is not safe for concurrent use.
type Stream struct {
	pcg  rand.PCG
	rand *rand.Rand
}

// New gives the stream named by the parts.
func New(parts ...uint64) *Stream {
	s := &Stream{}
	s.rand = rand.New(&s.pcg)
	s.Name(Mix(parts...))
	return s
}

// Name starts the stream named h in place of the present one.
func (s *Stream) Name(h uint64) { s.pcg.Seed(h, scramble(h+0xd1342543de82ef95)) }

// Uint64 draws 64 bits.
func (s *Stream) Uint64() uint64 { return s.pcg.Uint64() }

// IntN draws from [0, n). n must be positive.
func (s *Stream) IntN(n int) int { return Below(s.pcg.Uint64(), n) }

// Float64 draws from [0, 1).
func (s *Stream) Float64() float64 { return Unit(s.pcg.Uint64()) }

// Exp draws from the exponential distribution of mean 1.
func (s *Stream) Exp() float64 { return s.rand.ExpFloat64() }

// Norm draws from the standard normal distribution.
func (s *Stream) Norm() float64 { return s.rand.NormFloat64() }
