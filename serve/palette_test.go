package serve_test

import (
	"cmp"
	"image"
	"image/color"
	"image/draw"
	"slices"
)

// palette reduces a picture to its 256 most frequent colours: screens have few, and the file gets
// a third of its size.
func palette(img image.Image) image.Image {
	counts := map[color.RGBA]int{}
	b := img.Bounds()
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			r, g, bl, _ := img.At(x, y).RGBA()
			counts[color.RGBA{uint8(r >> 8), uint8(g >> 8), uint8(bl >> 8), 255}]++
		}
	}
	all := make([]color.RGBA, 0, len(counts))
	for c := range counts {
		all = append(all, c)
	}
	slices.SortFunc(all, func(a, b color.RGBA) int {
		return cmp.Or(counts[b]-counts[a], int(a.R)-int(b.R), int(a.G)-int(b.G), int(a.B)-int(b.B))
	})
	var p color.Palette
	for _, c := range all[:min(len(all), 256)] {
		p = append(p, c)
	}
	out := image.NewPaletted(b, p)
	draw.Draw(out, b, img, b.Min, draw.Src)
	return out
}
