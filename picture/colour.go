package picture

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// Colour is one of the colours that a picture consists of.
type Colour struct {
	R, G, B uint8
	Share   float64 // of the area, 0 to 1
}

// String returns the colour as in a style sheet.
func (c Colour) String() string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }

// The colours of a picture are the means of at most five groups of its cells (k-means), in CIE Lab, where distances are about what people see: a
// difference of 2.3 can just be noticed.
//
//	linear c = c/12.92 if c <= 0.04045, else ((c+0.055)/1.055)^2.4                      of sRGB, 0 to 1
//	X = 0.4124 R + 0.3576 G + 0.1805 B   Y = 0.2126 R + 0.7152 G + 0.0722 B   Z = 0.0193 R + 0.1192 G + 0.9505 B
//	f(t) = t^(1/3) if t > (6/29)³, else t/(3 (6/29)²) + 4/29
//	L = 116 f(Y) - 16   a = 500 (f(X/0.9505) - f(Y))   b = 200 (f(Y) - f(Z/1.089))
//
// Cells are first counted in 4096 boxes of colour (16 steps of R, G and B). The first mean is the fullest box, each further one the box whose count times
// squared distance to the nearest mean is greatest: no chance is in it. Means closer than 12 are made one; those of less than 4 % are left out.
const (
	maxColours  = 5
	kRounds     = 10
	sameColour  = 12.0
	leastColour = 0.04
)

type lab [3]float64

func labOf(r, g, b float64) lab {
	linear := func(c float64) float64 {
		c /= 255
		if c <= 0.04045 {
			return c / 12.92
		}
		return math.Pow((c+0.055)/1.055, 2.4)
	}
	f := func(t float64) float64 {
		const d = 6.0 / 29
		if t > d*d*d {
			return math.Cbrt(t)
		}
		return t/(3*d*d) + 4.0/29
	}
	r, g, b = linear(r), linear(g), linear(b)
	x, y, z := 0.4124*r+0.3576*g+0.1805*b, 0.2126*r+0.7152*g+0.0722*b, 0.0193*r+0.1192*g+0.9505*b
	return lab{116*f(y) - 16, 500 * (f(x/0.9505) - f(y)), 200 * (f(y) - f(z/1.089))}
}

// apart returns the squared distance of two colours.
func (c lab) apart(o lab) float64 {
	return (c[0]-o[0])*(c[0]-o[0]) + (c[1]-o[1])*(c[1]-o[1]) + (c[2]-o[2])*(c[2]-o[2])
}

// box is what cells of nearly one colour have in common; sums until it is a mean.
type box struct {
	rgb    [3]float64
	lab    lab
	weight float64
}

// join adds a box to another.
func (b *box) join(o box) {
	for c := range 3 {
		b.rgb[c] += o.rgb[c] * o.weight
		b.lab[c] += o.lab[c] * o.weight
	}
	b.weight += o.weight
}

// mean makes means of sums.
func (b *box) mean() {
	for c := range 3 {
		b.rgb[c] /= b.weight
		b.lab[c] /= b.weight
	}
}

// Colours returns the colours that a picture consists of, those with the largest share first.
func (r *Raster) Colours() []Colour {
	boxes := r.boxes()
	means := begin(boxes)
	for range kRounds {
		sums := make([]box, len(means))
		for _, b := range boxes {
			at, _ := nearest(means, b.lab)
			sums[at].join(b)
		}
		means = means[:0]
		for _, s := range sums {
			if s.weight > 0 {
				s.mean()
				means = append(means, s)
			}
		}
	}
	slices.SortStableFunc(means, func(a, b box) int { return cmp.Compare(b.weight, a.weight) })
	var apart []box
	for _, m := range means {
		if len(apart) > 0 {
			if at, d := nearest(apart, m.lab); d < sameColour*sameColour {
				sum := box{}
				sum.join(apart[at])
				sum.join(m)
				sum.mean()
				apart[at] = sum
				continue
			}
		}
		apart = append(apart, m)
	}
	slices.SortStableFunc(apart, func(a, b box) int { return cmp.Compare(b.weight, a.weight) })
	var out []Colour
	for _, m := range apart {
		if share := m.weight / (side * side); share >= leastColour {
			out = append(out, Colour{uint8(m.rgb[0] + 0.5), uint8(m.rgb[1] + 0.5), uint8(m.rgb[2] + 0.5), share})
		}
	}
	return out
}

// boxes counts the cells by colour.
func (r *Raster) boxes() (out []box) {
	var sums [16 * 16 * 16]box
	for _, c := range r.rgb {
		i := 0
		for _, v := range c {
			i = i<<4 | max(0, min(15, int(v)/16))
		}
		sums[i].join(box{rgb: [3]float64{float64(c[0]), float64(c[1]), float64(c[2])}, weight: 1})
	}
	for _, s := range sums {
		if s.weight > 0 {
			s.mean()
			s.lab = labOf(s.rgb[0], s.rgb[1], s.rgb[2])
			out = append(out, s)
		}
	}
	return out
}

// begin chooses the first means.
func begin(boxes []box) []box {
	far := make([]float64, len(boxes))
	for i := range far {
		far[i] = 1
	}
	var means []box
	for len(means) < maxColours {
		best := 0
		for i, b := range boxes {
			if b.weight*far[i] > boxes[best].weight*far[best] {
				best = i
			}
		}
		if far[best] == 0 {
			break
		}
		means = append(means, boxes[best])
		for i, b := range boxes {
			if d := b.lab.apart(boxes[best].lab); len(means) == 1 || d < far[i] {
				far[i] = d
			}
		}
	}
	return means
}

// nearest returns the mean that is nearest to a colour, and its squared distance.
func nearest(means []box, c lab) (at int, apart float64) {
	apart = math.Inf(1)
	for i, m := range means {
		if d := m.lab.apart(c); d < apart {
			at, apart = i, d
		}
	}
	return at, apart
}
