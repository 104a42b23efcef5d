package picture_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"image"
	"image/color"
	"image/draw"
	"image/gif"
	"image/jpeg"
	"image/png"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
	"time"

	"golang.org/x/image/bmp"
	"golang.org/x/image/tiff"

	"varve/lab/chance"
	"varve/picture"
)

// scene draws a picture that nothing else looks like: patches of light at places of chance.
func scene(rng *rand.Rand, w, h int) *image.RGBA {
	m := image.NewRGBA(image.Rect(0, 0, w, h))
	type patch struct{ x, y, size, r, g, b float64 }
	list := make([]patch, 15)
	for i := range list {
		list[i] = patch{rng.Float64(), rng.Float64(), 0.03 + 0.15*rng.Float64(), rng.Float64()*240 - 120, rng.Float64()*240 - 120, rng.Float64()*240 - 120}
	}
	for y := range h {
		for x := range w {
			r, g, b := 128.0, 128.0, 128.0
			for _, p := range list {
				dx, dy := float64(x)/float64(w)-p.x, float64(y)/float64(h)-p.y
				k := math.Exp(-(dx*dx + dy*dy) / (2 * p.size * p.size))
				r, g, b = r+k*p.r, g+k*p.g, b+k*p.b
			}
			byteOf := func(v float64) uint8 { return uint8(max(0, min(255, v))) }
			m.SetRGBA(x, y, color.RGBA{byteOf(r), byteOf(g), byteOf(b), 255})
		}
	}
	return m
}

func printOf(t *testing.T, body []byte) *picture.Print {
	t.Helper()
	_, r, err := picture.Decode(body)
	if err != nil {
		t.Fatal(err)
	}
	return r.Print()
}

func asJPEG(t *testing.T, m image.Image, quality int) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := jpeg.Encode(&b, m, &jpeg.Options{Quality: quality}); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// A picture is the same in every format, at another size and quality, and cropped by a tenth at any edge; others are not.
func TestSame(t *testing.T) {
	rng := chance.Rand(t, 1)
	m := scene(rng, 400, 300)
	want := picture.NewRaster(m).Print()
	bodies := map[string][]byte{"jpeg 30": asJPEG(t, m, 30)}
	for name, encode := range map[string]func(*bytes.Buffer) error{
		"png":  func(b *bytes.Buffer) error { return png.Encode(b, m) },
		"gif":  func(b *bytes.Buffer) error { return gif.Encode(b, m, nil) },
		"bmp":  func(b *bytes.Buffer) error { return bmp.Encode(b, m) },
		"tiff": func(b *bytes.Buffer) error { return tiff.Encode(b, m, nil) },
	} {
		var b bytes.Buffer
		if err := encode(&b); err != nil {
			t.Fatal(err)
		}
		bodies[name] = b.Bytes()
	}
	for name, part := range map[string]image.Rectangle{
		"left": image.Rect(40, 0, 400, 300), "right": image.Rect(0, 0, 360, 300), "top": image.Rect(0, 30, 400, 300), "bottom": image.Rect(0, 0, 400, 270),
		"middle": image.Rect(20, 15, 380, 285), "somewhere": image.Rect(13, 26, 373, 296),
	} {
		bodies["without "+name] = asJPEG(t, m.SubImage(part), 75)
	}
	x := picture.NewIndex()
	for range 50 {
		x.Add(picture.NewRaster(scene(rng, 80, 60)).Print())
	}
	id := x.Add(want)
	for name, body := range bodies {
		p := printOf(t, body)
		if !picture.Same(p, want) || !picture.Same(want, p) {
			t.Errorf("%s: %d bits, likeness %.3f and %.3f", name, picture.Distance(p.Hash(), want.Hash()), picture.Likeness(p, want), picture.Likeness(want, p))
		}
		if found := x.Find(p); len(found) != 1 || found[0].ID != id {
			t.Errorf("%s: found %v, want %d", name, found, id)
		}
	}
}

// The index finds every print that has a hash within 7 bits of one of ours, whichever bits these are.
func TestIndexFindsAllWithinSevenBits(t *testing.T) {
	rng := chance.Rand(t, 1)
	x := picture.NewIndex()
	m := picture.NewRaster(scene(rng, 100, 100)).Print()
	var ids []int
	for i := range 300 {
		p := *m // with another hash of the whole, and none of the windows
		for w := range p.Hashes {
			p.Hashes[w] = rng.Uint64()
		}
		if i%3 == 0 {
			p.Hashes[rng.IntN(picture.Windows)] = flipped(rng, m.Hashes[rng.IntN(picture.Windows)], i/3%8)
			ids = append(ids, i)
		}
		x.Add(&p)
	}
	var got []int
	for _, f := range x.Find(m) {
		got = append(got, f.ID)
	}
	slices.Sort(got)
	if !slices.Equal(got, ids) {
		t.Errorf("found %v, want %v", got, ids)
	}
	if all := int64(x.Len()) * picture.Windows * picture.Windows; x.Compared*5 > all {
		t.Errorf("%d of %d pairs of hashes were compared", x.Compared, all)
	}
}

func flipped(rng *rand.Rand, h uint64, bits int) uint64 {
	for _, i := range rng.Perm(64)[:bits] {
		h ^= 1 << i
	}
	return h
}

// A drawing on white is the same however much white is around it, and so is a film with black bars.
func TestBorder(t *testing.T) {
	rng := chance.Rand(t, 5)
	drawing, other := scene(rng, 240, 180), scene(rng, 240, 180)
	on := func(m image.Image, paper color.Color, left, top, right, bottom int) []byte {
		b := m.Bounds()
		out := image.NewRGBA(image.Rect(0, 0, b.Dx()+left+right, b.Dy()+top+bottom))
		draw.Draw(out, out.Rect, image.NewUniform(paper), image.Point{}, draw.Src)
		draw.Draw(out, b.Add(image.Pt(left, top)), m, image.Point{}, draw.Src)
		return asJPEG(t, out, 50)
	}
	plain := printOf(t, asJPEG(t, drawing, 90))
	for name, body := range map[string][]byte{
		"white all around": on(drawing, color.White, 100, 80, 90, 120), "white on two sides": on(drawing, color.White, 0, 90, 100, 0), "black bars": on(drawing, color.Black, 0, 60, 0, 60),
	} {
		if p := printOf(t, body); !picture.Same(plain, p) {
			t.Errorf("%s: %d bits, likeness %.2f", name, picture.Nearest(plain, p), picture.Likeness(plain, p))
		}
	}
	if picture.Same(printOf(t, on(drawing, color.White, 100, 80, 90, 120)), printOf(t, on(other, color.White, 100, 80, 90, 120))) {
		t.Error("two drawings on white are the same")
	}
}

// Of two drawings on white that differ in a letter neither is the other, though their lines agree all around; each is itself after scaling, compression and a cut. A line of words does
// not make another picture of a photograph.
func TestCutOuts(t *testing.T) {
	drawing := func(letter ...image.Rectangle) *image.RGBA {
		m := image.NewRGBA(image.Rect(0, 0, 300, 300))
		draw.Draw(m, m.Rect, image.White, image.Point{}, draw.Src)
		for y := range 300 {
			for x := range 300 {
				if dx, dy := float64(x-150)/140, float64(y-150)/140; dx*dx+dy*dy < 1 && (x/12+y/20)%3 > 0 {
					m.SetRGBA(x, y, color.RGBA{uint8(90 + x/4), uint8(170 - y/3), 140, 255})
				}
			}
		}
		for _, stroke := range letter {
			draw.Draw(m, stroke, image.Black, image.Point{}, draw.Src)
		}
		return m
	}
	stem, foot := image.Rect(140, 90, 160, 210), image.Rect(105, 180, 140, 210)
	one, other := drawing(stem, foot), drawing(stem)
	a, b := printOf(t, asJPEG(t, one, 90)), printOf(t, asJPEG(t, other, 90))
	if n, l := picture.Nearest(a, b), picture.Likeness(a, b); n > picture.SameDistance || l < picture.SameLikeness {
		t.Fatalf("the two are not alike enough to try anything: %d bits, %.2f", n, l)
	}
	x := picture.NewIndex()
	x.Add(a)
	if picture.Same(a, b) || picture.Same(b, a) || len(x.Find(b)) > 0 {
		t.Error("a letter less is the same picture")
	}
	for name, m := range map[string]image.Image{
		"smaller": smaller(one, 3), "cut": one.SubImage(image.Rect(10, 15, 285, 290)), "as it is": one,
	} {
		p := printOf(t, asJPEG(t, m, 50))
		if !picture.Same(a, p) || len(x.Find(p)) != 1 {
			t.Errorf("%s: not the same", name)
		}
	}
	photo := scene(chance.Rand(t, 9), 400, 300)
	words := image.NewRGBA(photo.Bounds())
	draw.Draw(words, words.Rect, photo, image.Point{}, draw.Src)
	draw.Draw(words, image.Rect(0, 270, 400, 300), image.Black, image.Point{}, draw.Src)
	if !picture.Same(printOf(t, asJPEG(t, photo, 90)), printOf(t, asJPEG(t, words, 75))) {
		t.Error("a photograph with a band below is another")
	}
}

// smaller takes every n-th pixel.
func smaller(m image.Image, n int) *image.RGBA {
	b := m.Bounds()
	out := image.NewRGBA(image.Rect(0, 0, b.Dx()/n, b.Dy()/n))
	for y := range out.Rect.Dy() {
		for x := range out.Rect.Dx() {
			out.Set(x, y, m.At(b.Min.X+x*n, b.Min.Y+y*n))
		}
	}
	return out
}

// What has no contrast has no print: spacers are not the same picture.
func TestFlat(t *testing.T) {
	m := image.NewRGBA(image.Rect(0, 0, 30, 20))
	if p := picture.NewRaster(m).Print(); p != nil {
		t.Errorf("%+v", p)
	}
	if picture.Same(nil, nil) {
		t.Error("two pictures without a print are the same")
	}
	if c := picture.NewRaster(m).Colours(); len(c) != 1 || c[0].String() != "#ffffff" || c[0].Share != 1 {
		t.Errorf("colours of what is transparent: %v", c)
	}
}

func TestColours(t *testing.T) {
	m := image.NewRGBA(image.Rect(0, 0, 300, 100))
	for y := range 100 {
		for x := range 300 {
			switch {
			case x < 180:
				m.SetRGBA(x, y, color.RGBA{200, 30, 30, 255})
			case x < 270:
				m.SetRGBA(x, y, color.RGBA{20, 40, 180, 255})
			default:
				m.SetRGBA(x, y, color.RGBA{250, 250, 250, 255})
			}
		}
	}
	var got []string
	var shares []float64
	for _, c := range picture.NewRaster(m).Colours() {
		got, shares = append(got, c.String()), append(shares, math.Round(c.Share*10)/10)
	}
	if !slices.Equal(got, []string{"#c81e1e", "#1428b4", "#fafafa"}) || !slices.Equal(shares, []float64{0.6, 0.3, 0.1}) {
		t.Errorf("%v %v", got, shares)
	}
}

// Pictures that promise more pixels than they may have are turned away before memory is taken for them.
func TestBombs(t *testing.T) {
	small := image.NewPaletted(image.Rect(0, 0, 2, 2), color.Palette{color.Black, color.White})
	var p, g, b, tf bytes.Buffer
	for _, err := range []error{png.Encode(&p, small), gif.Encode(&g, small, nil), bmp.Encode(&b, small), tiff.Encode(&tf, small, nil)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	j := asJPEG(t, small, 80)
	put := func(body []byte, at int, order binary.AppendByteOrder, size int, v uint64) []byte {
		body = slices.Clone(body)
		if size == 2 {
			copy(body[at:], order.AppendUint16(nil, uint16(v)))
		} else {
			copy(body[at:], order.AppendUint32(nil, uint32(v)))
		}
		return body
	}
	pngHead := put(put(p.Bytes(), 16, binary.BigEndian, 4, 100_000), 20, binary.BigEndian, 4, 100_000)
	copy(pngHead[29:], binary.BigEndian.AppendUint32(nil, crc(pngHead[12:29])))
	sof := bytes.Index(j, []byte{0xff, 0xc0})
	canvas := webp(binary.LittleEndian.AppendUint32(nil, 0), 16383, 16383)
	for _, c := range []struct {
		name string
		body []byte
		want error // nil for any
	}{
		{"png", pngHead, picture.ErrLarge},
		{"jpeg", put(put(j, sof+5, binary.BigEndian, 2, 65535), sof+7, binary.BigEndian, 2, 65535), picture.ErrLarge},
		{"gif", put(put(g.Bytes(), 6, binary.LittleEndian, 2, 65535), 8, binary.LittleEndian, 2, 65535), picture.ErrLarge},
		{"bmp", put(put(b.Bytes(), 18, binary.LittleEndian, 4, 60_000), 22, binary.LittleEndian, 4, 60_000), picture.ErrLarge},
		{"webp canvas", canvas, picture.ErrLarge},
		{"webp with a large picture on a small canvas", webp([]byte{0x2f, 0xff, 0xff, 0xff, 0x0f, 0, 0, 0}, 1, 1), nil},
		{"tiff", tiffOf(60_000, 60_000, tf.Bytes()), picture.ErrLarge},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		h, r, err := picture.Decode(c.body)
		runtime.ReadMemStats(&after)
		if took := after.TotalAlloc - before.TotalAlloc; err == nil || r != nil || c.want != nil && !errors.Is(err, c.want) || took > 8<<20 {
			t.Errorf("%s: %+v, %v, %d bytes taken", c.name, h, err, took)
		}
	}
}

func crc(b []byte) uint32 {
	c := ^uint32(0)
	for _, v := range b {
		c ^= uint32(v)
		for range 8 {
			if c&1 == 1 {
				c = c>>1 ^ 0xedb88320
			} else {
				c >>= 1
			}
		}
	}
	return ^c
}

// webp makes a file with a canvas and a lossless picture that begins as given.
func webp(picture []byte, w, h int) []byte {
	chunk := func(name string, data []byte) []byte {
		return append(binary.LittleEndian.AppendUint32([]byte(name), uint32(len(data))), data...)
	}
	canvas := []byte{0, 0, 0, 0, byte(w - 1), byte((w - 1) >> 8), byte((w - 1) >> 16), byte(h - 1), byte((h - 1) >> 8), byte((h - 1) >> 16)}
	body := append([]byte("WEBP"), chunk("VP8X", canvas)...)
	body = append(body, chunk("VP8L", picture)...)
	return chunk("RIFF", body)
}

// tiffOf changes width and height in the directory of a TIFF file.
func tiffOf(w, h uint32, body []byte) []byte {
	body = slices.Clone(body)
	at := binary.LittleEndian.Uint32(body[4:])
	for i := range binary.LittleEndian.Uint16(body[at:]) {
		e := body[at+2+12*uint32(i):]
		switch binary.LittleEndian.Uint16(e) {
		case 256, 257:
			v := w
			if binary.LittleEndian.Uint16(e) == 257 {
				v = h
			}
			copy(e[2:], []byte{4, 0, 1, 0, 0, 0})
			copy(e[8:], binary.LittleEndian.AppendUint32(nil, v))
		}
	}
	return body
}

// withEXIF puts a directory of tags into a JPEG.
func withEXIF(body []byte, tags []byte) []byte {
	seg := append([]byte("Exif\x00\x00"), tags...)
	head := binary.BigEndian.AppendUint16([]byte{0xff, 0xd8, 0xff, 0xe1}, uint16(len(seg)+2))
	return slices.Concat(head, seg, body[2:])
}

// entry is one tag of a directory.
type entry struct {
	tag, kind uint16
	count     uint32
	data      []byte
}

// directory writes the tags of the camera, and of the place, as TIFF.
func directory(main, place []entry) []byte {
	b := []byte("II*\x00\x08\x00\x00\x00")
	write := func(list []entry, at int) []byte {
		out := binary.LittleEndian.AppendUint16(nil, uint16(len(list)))
		var far []byte
		from := at + 2 + 12*len(list) + 4
		for _, e := range list {
			out = binary.LittleEndian.AppendUint16(out, e.tag)
			out = binary.LittleEndian.AppendUint16(out, e.kind)
			out = binary.LittleEndian.AppendUint32(out, e.count)
			if len(e.data) <= 4 {
				out = append(out, append(slices.Clone(e.data), make([]byte, 4-len(e.data))...)...)
				continue
			}
			out = binary.LittleEndian.AppendUint32(out, uint32(from+len(far)))
			far = append(far, e.data...)
		}
		return append(append(out, 0, 0, 0, 0), far...)
	}
	if place == nil {
		return append(b, write(main, 8)...)
	}
	size := len(write(append(slices.Clone(main), entry{0x8825, 4, 1, make([]byte, 4)}), 8))
	link := entry{0x8825, 4, 1, binary.LittleEndian.AppendUint32(nil, uint32(8+size))}
	b = append(b, write(append(slices.Clone(main), link), 8)...)
	return append(b, write(place, len(b))...)
}

func text(tag uint16, s string) entry {
	return entry{tag, 2, uint32(len(s) + 1), append([]byte(s), 0)}
}

func degrees(tag uint16, d, m, s uint32) entry {
	var b []byte
	for _, v := range []uint32{d, 1, m, 1, s, 1} {
		b = binary.LittleEndian.AppendUint32(b, v)
	}
	return entry{tag, 5, 3, b}
}

func TestEXIF(t *testing.T) {
	body := asJPEG(t, scene(chance.Rand(t, 1), 120, 80), 90)
	tags := directory([]entry{text(0x10f, "Canon"), text(0x110, "Canon EOS 5D"), {0x112, 3, 1, []byte{6, 0}}, text(0x132, "2009:05:17 12:30:45")},
		[]entry{text(1, "S"), degrees(2, 33, 51, 30), text(3, "E"), degrees(4, 151, 12, 36)})
	h, _, err := picture.Decode(withEXIF(body, tags))
	e := h.EXIF
	if err != nil || h.Format != "jpeg" || h.Width != 120 || h.Height != 80 || e.Camera != "Canon EOS 5D" || e.Orientation != 6 || !e.Taken.Equal(time.Date(2009, 5, 17, 12, 30, 45, 0, time.UTC)) {
		t.Errorf("%+v, %v", h, err)
	}
	if !e.Place || math.Abs(e.Latitude+33.8583) > 0.001 || math.Abs(e.Longitude-151.21) > 0.001 {
		t.Errorf("place %v %v %v", e.Place, e.Latitude, e.Longitude)
	}
}

// A picture that the camera noted as turned is the same as one whose pixels were turned.
func TestOrientation(t *testing.T) {
	m := scene(chance.Rand(t, 1), 160, 120)
	want := picture.NewRaster(m).Print()
	b := m.Bounds()
	for orientation := range 9 {
		stored := image.NewRGBA(image.Rect(0, 0, b.Dx(), b.Dy()))
		if orientation >= 5 {
			stored = image.NewRGBA(image.Rect(0, 0, b.Dy(), b.Dx()))
		}
		w, h := stored.Rect.Dx(), stored.Rect.Dy()
		for y := range b.Dy() {
			for x := range b.Dx() { // where the upright pixel x, y lies in the file: the standard's table of rows and columns
				sx, sy := x, y
				switch orientation {
				case 2:
					sx = w - 1 - x
				case 3:
					sx, sy = w-1-x, h-1-y
				case 4:
					sy = h - 1 - y
				case 5:
					sx, sy = y, x
				case 6:
					sx, sy = y, h-1-x
				case 7:
					sx, sy = w-1-y, h-1-x
				case 8:
					sx, sy = w-1-y, x
				}
				stored.Set(sx, sy, m.At(x, y))
			}
		}
		body := withEXIF(asJPEG(t, stored, 95), directory([]entry{{0x112, 3, 1, []byte{byte(orientation), 0}}}, nil))
		if p := printOf(t, body); picture.Distance(p.Hash(), want.Hash()) > 4 {
			t.Errorf("orientation %d: %d bits differ", orientation, picture.Distance(p.Hash(), want.Hash()))
		}
	}
}

// Formats that are not decoded have a name at least.
func TestForeign(t *testing.T) {
	for body, want := range map[string]string{
		`<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>`: "svg",
		"\x00\x00\x00\x1cftypavif\x00\x00":                               "avif",
		"\x00\x00\x01\x00\x01\x00":                                       "ico",
		"nothing":                                                        "",
		"":                                                               "",
	} {
		h, _, err := picture.Decode([]byte(body))
		if !errors.Is(err, picture.ErrFormat) || h.Format != want {
			t.Errorf("%q: %+v, %v", body, h, err)
		}
	}
}

func FuzzDecode(f *testing.F) {
	small := image.NewPaletted(image.Rect(0, 0, 9, 7), color.Palette{color.Black, color.White})
	small.Pix[5] = 1
	var p, g, b, tf, j bytes.Buffer
	for _, err := range []error{png.Encode(&p, small), gif.Encode(&g, small, nil), bmp.Encode(&b, small), tiff.Encode(&tf, small, nil), jpeg.Encode(&j, small, nil)} {
		if err != nil {
			f.Fatal(err)
		}
	}
	for _, body := range [][]byte{p.Bytes(), g.Bytes(), b.Bytes(), tf.Bytes(), j.Bytes(), withEXIF(j.Bytes(), directory([]entry{text(0x10f, "A"), {0x112, 3, 1, []byte{6, 0}}}, []entry{text(1, "S"), degrees(2, 1, 2, 3)})), webp([]byte{0x2f, 0, 0, 0, 0, 0}, 1, 1)} {
		f.Add(body)
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		h, r, err := picture.Decode(body)
		if err != nil {
			return
		}
		if h.Width <= 0 || h.Height <= 0 || h.Format == "" || h.EXIF.Orientation < 0 || h.EXIF.Orientation > 8 {
			t.Errorf("%+v", h)
		}
		p, again := r.Print(), r.Print()
		if (p == nil) != (again == nil) || p != nil && *p != *again {
			t.Error("two prints of one picture differ")
		}
		if p != nil && !picture.Same(p, p) && !math.IsNaN(picture.Likeness(p, p)) {
			if l := picture.Likeness(p, p); l < 0.99 {
				t.Errorf("a picture is not like itself: %v", l)
			}
		}
		sum := 0.0
		for _, c := range r.Colours() {
			sum += c.Share
		}
		if sum <= 0 || sum > 1.0001 {
			t.Errorf("colours are %v of the picture", sum)
		}
	})
}

func BenchmarkPrint(b *testing.B) {
	r := picture.NewRaster(scene(rand.New(rand.NewPCG(1, 2)), 200, 200))
	for b.Loop() {
		r.Print()
	}
}

func BenchmarkLikeness(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 2))
	p, o := picture.NewRaster(scene(rng, 200, 200)).Print(), picture.NewRaster(scene(rng, 200, 200)).Print()
	for b.Loop() {
		picture.Likeness(p, o)
	}
}

func BenchmarkRaster(b *testing.B) {
	m := scene(rand.New(rand.NewPCG(1, 2)), 1000, 1000)
	for b.Loop() {
		picture.NewRaster(m)
	}
}
