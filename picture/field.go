package picture

// window is a part of a picture: where its edges are, by shares of width and height.
type window [4]float64

// The edges.
const (
	left = iota
	top
	right
	bottom
)

// of returns a window of a part.
func (w window) of(part window) window {
	width, height := part[right]-part[left], part[bottom]-part[top]
	return window{part[left] + w[left]*width, part[top] + w[top]*height, part[left] + w[right]*width, part[top] + w[bottom]*height}
}

// field is a square of grey cells, of which parts can be averaged: sum has the sums over all cells above and left of a corner, row by row.
type field struct {
	side int
	sum  []float64 // (side+1)²
}

func newField(side int, cell func(i int) float64) field {
	f := field{side, make([]float64, (side+1)*(side+1))}
	w := side + 1
	for y := range side {
		line := 0.0
		for x := range side {
			line += cell(y*side + x)
			f.sum[(y+1)*w+x+1] = f.sum[y*w+x+1] + line
		}
	}
	return f
}

// until returns the sum above and left of a point; cells that it lies in count by how much of them is.
func (f *field) until(x, y float64) float64 {
	w := f.side + 1
	ix, iy := max(0, min(int(x), f.side-1)), max(0, min(int(y), f.side-1))
	fx, fy := x-float64(ix), y-float64(iy)
	at := iy*w + ix
	above := f.sum[at]*(1-fx) + f.sum[at+1]*fx
	below := f.sum[at+w]*(1-fx) + f.sum[at+w+1]*fx
	return above*(1-fy) + below*fy
}

// maxCells is the most cells along a side that a window is averaged to.
const maxCells = 32

// cells averages a window to nx by ny cells, row by row.
func (f *field) cells(w window, nx, ny int, out []float64) {
	var above, below [maxCells + 1]float64
	scale := float64(f.side)
	dx, dy := (w[right]-w[left])*scale/float64(nx), (w[bottom]-w[top])*scale/float64(ny)
	for j := range ny + 1 {
		for i := range nx + 1 {
			below[i] = f.until(w[left]*scale+float64(i)*dx, w[top]*scale+float64(j)*dy)
		}
		for i := range nx {
			if j > 0 {
				out[(j-1)*nx+i] = (below[i+1] - below[i] - above[i+1] + above[i]) / (dx * dy)
			}
		}
		above = below
	}
}
