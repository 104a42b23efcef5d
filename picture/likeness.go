package picture

import (
	"math"
	"slices"
)

// Likeness lays two pictures upon each other and says how well they agree. Hashes alone cannot: two landscapes with the sky above
// and the ground below differ in few bits.
//
// A window A of one thumb and a window B of the other are each averaged to 16 by 16 cells a and b. With
//
//	a'(x,y) = ( s(a(x+1,y)-a(x,y)), s(a(x,y+1)-a(x,y)) ),  b' likewise,  s(d) = d / (|d|+3)
//	agreement = sum a'·b' / sqrt(sum a'·a' · sum b'·b')
//
// which is 1 for equal pictures, whatever their brightness, and near 0 for others: differences of neighbours, because slow changes of light are
// alike in many pictures; and s, because else a few strong edges, such as those of a coin on white, would outweigh all that is drawn on it. The search begins at the three pairs of windows whose hashes are nearest, and moves the four edges of A one after the other, by 3
// and then by 1 hundredth of a side, as long as that makes it better. A pair that does not agree by 0.3 after the larger steps is given up.
//
// Where they agree best, each sixteenth of the picture (4 by 4 cells) is looked at by itself, with 2 sum a'·b' / (sum a'·a' + sum b'·b'), if it has at least half of the mean
// of sum a'·a' + sum b'·b'. The likeness is the mean of the agreement and of the mean of the lowest quarter of these: the same drawing with
// another letter on it agrees all around the letter.

const (
	likeCells = 16
	likeTries = 3
	likeTurns = 6 // round the edges, with steps of each size
	likeHope  = 0.3
	likeSoft  = 3 // of s

	apartCells = 8
	paperShade = 250      // at least, of 255
	paperShare = 1.0 / 12 // of the thumb
)

// Likeness returns how well two pictures agree where they agree best, at most 1.
func Likeness(p, o *Print) float64 {
	l, _ := compare(p, o)
	return l
}

// compare returns the likeness of two pictures, and how far they are apart in their most different place, if both are cut-outs.
func compare(p, o *Print) (likeness, apart float64) {
	type pair struct{ i, j, distance int }
	var nearest [likeTries + 1]pair
	n := 0
	for i, a := range p.Hashes {
		for j, b := range o.Hashes {
			at := n
			for nearest[at] = (pair{i, j, Distance(a, b)}); at > 0 && nearest[at].distance < nearest[at-1].distance; at-- {
				nearest[at], nearest[at-1] = nearest[at-1], nearest[at]
			}
			n = min(n+1, likeTries)
		}
	}
	pf := newField(thumbSide, func(i int) float64 { return float64(p.Thumb[i]) })
	of := newField(thumbSide, func(i int) float64 { return float64(o.Thumb[i]) })
	best := -1.0
	var a, b window
	for _, at := range nearest[:n] {
		if l, w := lay(&pf, windows[at.i], &of, windows[at.j]); l > best {
			best, a, b = l, w, windows[at.j]
		}
	}
	if best < SameLikeness || p.paper() < paperShare || o.paper() < paperShare {
		return best, 0
	}
	return best, apartIn(&pf, a, &of, b)
}

// paper returns the share of the thumb that is white.
func (p *Print) paper() float64 {
	n := 0
	for _, c := range p.Thumb {
		if c >= paperShade {
			n++
		}
	}
	return float64(n) / float64(len(p.Thumb))
}

// apartIn returns how much the windows of two pictures differ in their most different cell.
func apartIn(p *field, a window, o *field, b window) float64 {
	shades := func(f *field, w window) (out [apartCells * apartCells]float64) {
		f.cells(w, apartCells, apartCells, out[:])
		var mean, square float64
		for _, c := range out {
			mean += c / float64(len(out))
			square += c * c / float64(len(out))
		}
		deviation := math.Sqrt(max(square-mean*mean, 1e-9))
		for i := range out {
			out[i] = (out[i] - mean) / deviation
		}
		return out
	}
	x, y := shades(p, a), shades(o, b)
	most := 0.0
	for i := range x {
		most = max(most, math.Abs(x[i]-y[i]))
	}
	return most
}

// lay moves the edges of one window until it agrees best with the other; it returns how well it then does, and where the edges are.
func lay(p *field, a window, o *field, b window) (float64, window) {
	var cells, other [likeCells * likeCells]float64
	o.cells(b, likeCells, likeCells, other[:])
	measure := func(w window) float64 {
		if w[left] < 0 || w[top] < 0 || w[right] > 1 || w[bottom] > 1 || w[right]-w[left] < 0.5 || w[bottom]-w[top] < 0.5 {
			return -1
		}
		p.cells(w, likeCells, likeCells, cells[:])
		return agree(&cells, &other)
	}
	best := measure(a)
	for _, by := range []float64{0.03, 0.01} {
		for turn, better := 0, true; better && turn < likeTurns; turn++ {
			better = false
			for edge := range a {
				for _, d := range []float64{by, -by} {
					w := a
					w[edge] += d
					if m := measure(w); m > best {
						best, a, better = m, w, true
						break
					}
				}
			}
		}
		if best < likeHope {
			return best, a
		}
	}
	p.cells(a, likeCells, likeCells, cells[:])
	return (best + lowest(&cells, &other)) / 2, a
}

// products are the sums over differences of neighbouring cells, of both and of each.
type products struct{ ab, aa, bb float64 }

// add takes the differences of a cell to its neighbours on the right and below.
func (s *products) add(a, b *[likeCells * likeCells]float64, i int) {
	soft := func(d float64) float64 { return d / (math.Abs(d) + likeSoft) }
	ar, ad := soft(a[i+1]-a[i]), soft(a[i+likeCells]-a[i])
	br, bd := soft(b[i+1]-b[i]), soft(b[i+likeCells]-b[i])
	s.ab += ar*br + ad*bd
	s.aa += ar*ar + ad*ad
	s.bb += br*br + bd*bd
}

// agree compares the differences of neighbouring cells.
func agree(a, b *[likeCells * likeCells]float64) float64 {
	var s products
	for y := range likeCells - 1 {
		for x := range likeCells - 1 {
			s.add(a, b, y*likeCells+x)
		}
	}
	if s.aa == 0 || s.bb == 0 {
		return -1
	}
	return s.ab / math.Sqrt(s.aa*s.bb)
}

// lowest compares part by part, and returns the mean of the quarter that agrees least.
func lowest(a, b *[likeCells * likeCells]float64) float64 {
	const parts = 4 // along a side
	var sums [parts * parts]products
	for y := range likeCells - 1 {
		for x := range likeCells - 1 {
			sums[y*parts/likeCells*parts+x*parts/likeCells].add(a, b, y*likeCells+x)
		}
	}
	mean := 0.0
	for _, s := range sums {
		mean += (s.aa + s.bb) / float64(len(sums))
	}
	var list []float64
	for _, s := range sums {
		if s.aa+s.bb > mean/2 {
			list = append(list, 2*s.ab/(s.aa+s.bb))
		}
	}
	slices.Sort(list)
	list = list[:max(1, len(list)/4)]
	sum := 0.0
	for _, v := range list {
		sum += v
	}
	return sum / float64(len(list))
}
