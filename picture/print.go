package picture

import "math"

// thumbSide is the number of cells of a thumb along each side.
const thumbSide = 32

// Print is what a picture is recognised by.
type Print struct {
	Hashes [Windows]uint64 // of the whole, then of windows
	Thumb  [thumbSide * thumbSide]uint8
}

// Hash returns the hash of the whole picture.
func (p *Print) Hash() uint64 { return p.Hashes[0] }

// minContrast is the standard deviation of grey, of 255, below which a picture has no print.
const minContrast = 3

// Print returns the print of a picture; nil if it has so little contrast that there is nothing to recognise it by.
func (r *Raster) Print() *Print {
	var cells [thumbSide * thumbSide]float64
	r.grey.cells(r.box, thumbSide, thumbSide, cells[:])
	mean, square, low, high := 0.0, 0.0, math.Inf(1), math.Inf(-1)
	for _, c := range cells {
		mean += c / float64(len(cells))
		square += c * c / float64(len(cells))
		low, high = math.Min(low, c), math.Max(high, c)
	}
	if square-mean*mean < minContrast*minContrast {
		return nil
	}
	p := &Print{}
	for i, c := range cells { // the whole range, so that faint pictures keep what they show
		p.Thumb[i] = uint8((c-low)/(high-low)*255 + 0.5)
	}
	for i, w := range windows {
		p.Hashes[i] = r.hash(w)
	}
	return p
}
