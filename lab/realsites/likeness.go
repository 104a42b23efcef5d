package realsites

import (
	"image"
	"image/color"
	"math"
)

// likeness is the structural similarity of two pictures (Wang, Bovik, Sheikh and Simoncelli, 2004), the mean over all windows of 8 x 8 points of
//
//	(2 a b + c1) (2 cov + c2) / ((a^2 + b^2 + c1) (va + vb + c2))        c1 = (0.01 x 255)^2, c2 = (0.03 x 255)^2
//
// where a, b are the mean greys of the window in both, va, vb their variances and cov the covariance. 1 is the same picture. What one picture has
// beyond the other is compared with nothing, and counts 0.
func likeness(a, b image.Image) float64 {
	const side, c1, c2 = 8, 6.5025, 58.5225
	grey := func(p image.Image, x, y int) float64 {
		return float64(color.GrayModel.Convert(p.At(p.Bounds().Min.X+x, p.Bounds().Min.Y+y)).(color.Gray).Y)
	}
	ab, bb := a.Bounds(), b.Bounds()
	w, h := max(ab.Dx(), bb.Dx()), max(ab.Dy(), bb.Dy())
	both := image.Pt(min(ab.Dx(), bb.Dx()), min(ab.Dy(), bb.Dy()))
	sum, n := 0.0, 0
	for y := 0; y < h; y += side {
		for x := 0; x < w; x += side {
			n++
			if x >= both.X || y >= both.Y {
				continue
			}
			var ma, mb, qa, qb, qab, k float64
			for dy := y; dy < min(y+side, both.Y); dy++ {
				for dx := x; dx < min(x+side, both.X); dx++ {
					va, vb := grey(a, dx, dy), grey(b, dx, dy)
					ma, mb, qa, qb, qab, k = ma+va, mb+vb, qa+va*va, qb+vb*vb, qab+va*vb, k+1
				}
			}
			ma, mb = ma/k, mb/k
			va, vb, cov := math.Max(0, qa/k-ma*ma), math.Max(0, qb/k-mb*mb), qab/k-ma*mb
			sum += (2*ma*mb + c1) * (2*cov + c2) / ((ma*ma + mb*mb + c1) * (va + vb + c2))
		}
	}
	if n == 0 {
		return 1
	}
	return sum / float64(n)
}
