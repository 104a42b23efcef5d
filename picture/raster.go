package picture

import (
	"image"
	"image/color"
	"image/draw"
	"math"
)

// side is the number of cells of a raster along each side.
const side = 128

// Raster is a picture reduced to cells of equal size, each the mean of what it covers. Its shape is lost: windows are shares of width and height, as
// croppings are.
type Raster struct {
	rgb  [side * side][3]float32 // 0 to 255, row by row
	grey field
}

// NewRaster reduces a picture. Where it is transparent, white is behind it, as on most pages.
func NewRaster(m image.Image) *Raster {
	b := m.Bounds()
	w, h := b.Dx(), b.Dy()
	r := &Raster{}
	strip, white := image.NewRGBA(image.Rect(0, 0, w, 1)), image.NewUniform(color.White)
	across := weights(w)
	down := weights(h)
	var row [side][3]float32
	next := 0 // of down
	for y := range h {
		draw.Draw(strip, strip.Rect, white, image.Point{}, draw.Src)
		draw.Draw(strip, strip.Rect, m, image.Pt(b.Min.X, b.Min.Y+y), draw.Over)
		clear(row[:])
		for _, a := range across {
			p := strip.Pix[4*a.from:]
			row[a.to][0] += a.weight * float32(p[0])
			row[a.to][1] += a.weight * float32(p[1])
			row[a.to][2] += a.weight * float32(p[2])
		}
		for ; next < len(down) && down[next].from == y; next++ {
			d := down[next]
			to := r.rgb[d.to*side : (d.to+1)*side]
			for x := range row {
				for c := range 3 {
					to[x][c] += d.weight * row[x][c]
				}
			}
		}
	}
	r.sums()
	return r
}

// share is how much a pixel counts in a cell.
type share struct {
	from, to int
	weight   float32
}

// weights are the shares of n pixels in the cells of a side, in the order of pixels; those of a cell sum up to 1.
func weights(n int) []share {
	out := make([]share, 0, n+side)
	scale := float64(side) / float64(n)
	for from := range n {
		a, b := float64(from)*scale, float64(from+1)*scale
		for to := int(a); to < side && float64(to) < b; to++ {
			if part := math.Min(b, float64(to+1)) - math.Max(a, float64(to)); part > 1e-9 {
				out = append(out, share{from, to, float32(part)})
			}
		}
	}
	return out
}

// luma is the grey of a cell (ITU-R BT.601).
func luma(c [3]float32) float64 {
	return 0.299*float64(c[0]) + 0.587*float64(c[1]) + 0.114*float64(c[2])
}

func (r *Raster) sums() {
	r.grey = newField(side, func(i int) float64 { return luma(r.rgb[i]) })
}

// turn puts a picture upright, by the number of EXIF for how the camera was held.
func (r *Raster) turn(orientation int) {
	if orientation < 2 || orientation > 8 {
		return
	}
	old := r.rgb
	for y := range side {
		for x := range side {
			fx, fy := x, y
			switch orientation {
			case 2:
				fx = side - 1 - x
			case 3:
				fx, fy = side-1-x, side-1-y
			case 4:
				fy = side - 1 - y
			case 5:
				fx, fy = y, x
			case 6:
				fx, fy = y, side-1-x
			case 7:
				fx, fy = side-1-y, side-1-x
			case 8:
				fx, fy = side-1-y, x
			}
			r.rgb[y*side+x] = old[fy*side+fx]
		}
	}
	r.sums()
}

// Grey returns the picture as w by h cells of grey, row by row, from 0 to 255; at most 32 along a side.
func (r *Raster) Grey(w, h int) []float64 {
	out := make([]float64, w*h)
	r.grey.cells(windows[0], w, h, out)
	return out
}
