package pictures

import (
	"bytes"
	"image"
	"image/color"
	"image/color/palette"
	"image/draw"
	"image/gif"
	"image/jpeg"

	xdraw "golang.org/x/image/draw"
)

// variant is something that is done to a picture on its way through the web.
type variant struct {
	Name string
	Goal bool // of those by which the goal is measured: scaling, compression, cropping by a tenth
	make func(m image.Image, n int) ([]byte, error)
}

// variants, in the order of the table. n is the number of the picture: croppings go round the edges and corners with it.
var variants = []variant{
	{"half size", true, func(m image.Image, _ int) ([]byte, error) { return asJPEG(scale(m, 0.5, 0.5), 85) }},
	{"a fifth of the size", true, func(m image.Image, _ int) ([]byte, error) { return asJPEG(scale(m, 0.2, 0.2), 85) }},
	{"JPEG, quality 30", true, func(m image.Image, _ int) ([]byte, error) { return asJPEG(m, 30) }},
	{"GIF, 256 colours", true, func(m image.Image, _ int) ([]byte, error) { return asGIF(m) }},
	{"cropped by 10 % at an edge", true, func(m image.Image, n int) ([]byte, error) {
		e := [4][4]float64{{.1, 0, 1, 1}, {0, .1, 1, 1}, {0, 0, .9, 1}, {0, 0, 1, .9}}[n%4]
		return asJPEG(crop(m, e), 85)
	}},
	{"cropped by 10 %, middle", true, func(m image.Image, _ int) ([]byte, error) {
		return asJPEG(crop(m, [4]float64{.05, .05, .95, .95}), 85)
	}},
	{"cropped by 10 %, anywhere", true, func(m image.Image, n int) ([]byte, error) {
		x, y := spread(n, 7)*0.1, spread(n, 11)*0.1
		return asJPEG(crop(m, [4]float64{x, y, x + .9, y + .9}), 85)
	}},
	{"all three, quality 60", true, func(m image.Image, n int) ([]byte, error) {
		x, y := spread(n, 13)*0.1, spread(n, 17)*0.1
		return asJPEG(scale(crop(m, [4]float64{x, y, x + .9, y + .9}), 0.4, 0.4), 60)
	}},
	{"cropped by 10 % at each edge", false, func(m image.Image, _ int) ([]byte, error) {
		return asJPEG(crop(m, [4]float64{.1, .1, .9, .9}), 85)
	}},
	{"cropped by 30 % at an edge", false, func(m image.Image, n int) ([]byte, error) {
		e := [4][4]float64{{.3, 0, 1, 1}, {0, .3, 1, 1}, {0, 0, .7, 1}, {0, 0, 1, .7}}[n%4]
		return asJPEG(crop(m, e), 85)
	}},
	{"grey", false, func(m image.Image, _ int) ([]byte, error) {
		g := image.NewGray(m.Bounds())
		draw.Draw(g, g.Rect, m, m.Bounds().Min, draw.Src)
		return asJPEG(g, 85)
	}},
	{"a third brighter", false, func(m image.Image, _ int) ([]byte, error) { return asJPEG(brighter(m), 85) }},
	{"a band with words below", false, func(m image.Image, _ int) ([]byte, error) { return asJPEG(band(m), 85) }},
	{"mirrored", false, func(m image.Image, _ int) ([]byte, error) { return asJPEG(mirrored(m), 85) }},
}

// spread gives numbers between 0 and 1 that go round evenly.
func spread(n, by int) float64 { return float64(n*by%101) / 100 }

func asJPEG(m image.Image, quality int) ([]byte, error) {
	var b bytes.Buffer
	err := jpeg.Encode(&b, m, &jpeg.Options{Quality: quality})
	return b.Bytes(), err
}

func asGIF(m image.Image) ([]byte, error) {
	p := image.NewPaletted(m.Bounds(), palette.Plan9)
	draw.FloydSteinberg.Draw(p, p.Rect, m, m.Bounds().Min)
	var b bytes.Buffer
	err := gif.Encode(&b, p, nil)
	return b.Bytes(), err
}

func scale(m image.Image, x, y float64) *image.RGBA {
	b := m.Bounds()
	out := image.NewRGBA(image.Rect(0, 0, max(1, int(float64(b.Dx())*x+0.5)), max(1, int(float64(b.Dy())*y+0.5))))
	xdraw.CatmullRom.Scale(out, out.Rect, m, b, xdraw.Src, nil)
	return out
}

// crop cuts out a part, by shares: left, top, right, bottom.
func crop(m image.Image, p [4]float64) *image.RGBA {
	b := m.Bounds()
	w, h := float64(b.Dx()), float64(b.Dy())
	part := image.Rect(int(p[0]*w), int(p[1]*h), int(p[2]*w), int(p[3]*h)).Add(b.Min)
	out := image.NewRGBA(image.Rect(0, 0, part.Dx(), part.Dy()))
	draw.Draw(out, out.Rect, m, part.Min, draw.Src)
	return out
}

func brighter(m image.Image) *image.RGBA {
	out := crop(m, [4]float64{0, 0, 1, 1})
	for i, v := range out.Pix {
		if i%4 < 3 {
			out.Pix[i] = uint8(min(255, int(v)*4/3))
		}
	}
	return out
}

// band covers the lowest eighth, as captions of news do.
func band(m image.Image) *image.RGBA {
	out := crop(m, [4]float64{0, 0, 1, 1})
	from := out.Rect.Max.Y * 7 / 8
	draw.Draw(out, image.Rect(0, from, out.Rect.Max.X, out.Rect.Max.Y), image.NewUniform(color.Black), image.Point{}, draw.Src)
	for x := out.Rect.Max.X / 20; x < out.Rect.Max.X*3/4; x += max(4, out.Rect.Max.X/40) {
		height := (out.Rect.Max.Y - from) / 2
		at := image.Rect(x, from+height/2, x+max(2, out.Rect.Max.X/60), from+height/2+height)
		draw.Draw(out, at, image.NewUniform(color.White), image.Point{}, draw.Src)
	}
	return out
}

func mirrored(m image.Image) *image.RGBA {
	out := crop(m, [4]float64{0, 0, 1, 1})
	for y := range out.Rect.Max.Y {
		row := out.Pix[y*out.Stride : (y+1)*out.Stride]
		for a, b := 0, out.Rect.Max.X-1; a < b; a, b = a+1, b-1 {
			for c := range 4 {
				row[4*a+c], row[4*b+c] = row[4*b+c], row[4*a+c]
			}
		}
	}
	return out
}
