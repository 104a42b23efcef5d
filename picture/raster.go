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
	box  window // what is inside of a border of white or black
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
	r.box = r.inside()
}

// Bounds of a border: grey of its cells, and how much of a side must be left inside.
const (
	whiteBorder = 245 // at least: compression blurs white
	blackBorder = 10  // at most
	leastInside = 0.2
)

// inside returns what is left without the lines of cells at the edges that are all white or all black. A drawing on white has its edges where it ends: what
// it shows is not lost in what it stands on, and a cut through the white changes nothing.
func (r *Raster) inside() window {
	border := func(x, y, dx, dy int) bool {
		white, black := true, true
		for range side {
			g := luma(r.rgb[y*side+x])
			white, black = white && g >= whiteBorder, black && g <= blackBorder
			x, y = x+dx, y+dy
		}
		return white || black
	}
	across := func(x int) bool { return border(x, 0, 0, 1) }
	down := func(y int) bool { return border(0, y, 1, 0) }
	ends := func(flat func(int) bool) (float64, float64) {
		from, to := 0, side
		for from < side && flat(from) {
			from++
		}
		for to > from && flat(to-1) {
			to--
		}
		if float64(to-from) < leastInside*side {
			return 0, 1
		}
		return float64(from) / side, float64(to) / side
	}
	var w window
	w[left], w[right] = ends(across)
	w[top], w[bottom] = ends(down)
	return w
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
