package picture

import (
	"math"
	"math/bits"
	"slices"
)

// The hash of a window. Let g be its 32 by 32 cells of grey and
//
//	G(u,v) = sum over x,y of g(x,y) cos(pi (2x+1) u / 64) cos(pi (2y+1) v / 64)     the cosine transform (DCT-II), unscaled
//
// Of the coefficients with u, v <= 8 but G(0,0), the 64 with the smallest u²+v² (ties by u, then v) are the bits of the hash, in that order: 1 where G(u,v)
// is greater than the median of the 64. Scaling and compression change high frequencies most, which are not in it; brightness is G(0,0); contrast
// multiplies all G and the median.
//
// Two hashes are compared by the number of bits that differ: about 32 where pictures have nothing to do with each other, 0 to 6 where one is
// the other, scaled or compressed. Cropping a tenth moves everything, by up to a tenth of the width: 12 to 30. Therefore windows are hashed as
// well: where a picture was cropped, the hash of the whole is near that of a window of what it was cropped from.
//
// After C. Zauner, Implementation and Benchmarking of Perceptual Image Hash Functions, 2010 (8 by 8 coefficients from (1,1) on; the ones here have those of
// the first row and column too, which tell most of landscapes).

const (
	hashCells = 32
	hashBits  = 64
	frequency = 9 // u and v are below
)

// Windows is how many hashes a print has.
const Windows = 14

// windows are the whole, nine tenths of width and height at nine places, and all but a tenth at each of the four edges.
var windows = [Windows]window{
	{0, 0, 1, 1},
	{0, 0, .9, .9},
	{.05, 0, .95, .9},
	{.1, 0, 1, .9},
	{0, .05, .9, .95},
	{.05, .05, .95, .95},
	{.1, .05, 1, .95},
	{0, .1, .9, 1},
	{.05, .1, .95, 1},
	{.1, .1, 1, 1},
	{.1, 0, 1, 1},
	{0, 0, .9, 1},
	{0, .1, 1, 1},
	{0, 0, 1, .9},
}

// cosines has cos(pi (2x+1) u / 64) at [u][x].
var cosines = func() (c [frequency][hashCells]float64) {
	for u := range c {
		for x := range c[u] {
			c[u][x] = math.Cos(math.Pi * float64(2*x+1) * float64(u) / (2 * hashCells))
		}
	}
	return c
}()

// order has the coefficients of the bits, as u and v.
var order = func() (out [hashBits][2]int) {
	var all [][2]int
	for u := range frequency {
		for v := range frequency {
			if u+v > 0 {
				all = append(all, [2]int{u, v})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b [2]int) int { return a[0]*a[0] + a[1]*a[1] - b[0]*b[0] - b[1]*b[1] })
	copy(out[:], all)
	return out
}()

// hash returns the hash of a window of what is inside of the border.
func (r *Raster) hash(w window) uint64 {
	var g [hashCells * hashCells]float64
	r.grey.cells(w.of(r.box), hashCells, hashCells, g[:])
	var rows [hashCells][frequency]float64 // transformed across
	for y := range hashCells {
		for u := range frequency {
			s := 0.0
			for x, v := range g[y*hashCells : (y+1)*hashCells] {
				s += v * cosines[u][x]
			}
			rows[y][u] = s
		}
	}
	var values, sorted [hashBits]float64
	for i, uv := range order {
		for y := range hashCells {
			values[i] += rows[y][uv[0]] * cosines[uv[1]][y]
		}
	}
	sorted = values
	slices.Sort(sorted[:])
	median := (sorted[hashBits/2-1] + sorted[hashBits/2]) / 2
	var out uint64
	for i, v := range values {
		if v > median {
			out |= 1 << i
		}
	}
	return out
}

// Distance returns the number of bits in which two hashes differ.
func Distance(a, b uint64) int { return bits.OnesCount64(a ^ b) }
