package picture

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	_ "image/gif" // formats that are decoded
	_ "image/jpeg"
	_ "image/png"

	_ "golang.org/x/image/bmp"
	_ "golang.org/x/image/tiff"
	_ "golang.org/x/image/webp"
)

// MaxPixels is how large a picture may be to be decoded. A progressive JPEG takes up to 15 bytes for each while it is decoded, all others less.
const MaxPixels = 24 << 20

// Why a picture was not decoded.
var (
	ErrFormat = errors.New("not a format of pictures that is decoded")
	ErrLarge  = errors.New("has too many pixels")
)

// Head is what a picture's file says before its pixels.
type Head struct {
	Format        string // jpeg, png, gif, webp, bmp, tiff; of those that are not decoded: svg, avif, heic, jxl, ico; "" if it is not known
	Width, Height int
	EXIF          EXIF
}

// ReadHead reads format, size and EXIF. Of a format that is not decoded it returns the name with ErrFormat.
func ReadHead(body []byte) (Head, error) {
	c, format, err := image.DecodeConfig(bytes.NewReader(body))
	if errors.Is(err, image.ErrFormat) {
		return Head{Format: foreign(body)}, ErrFormat
	}
	h := Head{Format: format, Width: c.Width, Height: c.Height}
	if err != nil {
		return h, err
	}
	h.EXIF = readEXIF(body, format)
	return h, nil
}

// Decode reads a picture and reduces it. A picture whose head promises more than MaxPixels is an ErrLarge; no memory was taken for it then. With
// an error the head is as far as it was read.
func Decode(body []byte) (Head, *Raster, error) {
	h, err := ReadHead(body)
	if err != nil {
		return h, nil, err
	}
	if h.Width <= 0 || h.Height <= 0 {
		return h, nil, fmt.Errorf("%d by %d pixels", h.Width, h.Height)
	}
	if int64(h.Width)*int64(h.Height) > MaxPixels {
		return h, nil, fmt.Errorf("%d by %d pixels: %w", h.Width, h.Height, ErrLarge)
	}
	m, _, err := image.Decode(bytes.NewReader(body))
	if err != nil {
		return h, nil, err
	}
	r := NewRaster(m)
	r.turn(h.EXIF.Orientation)
	return h, r, nil
}

// foreign names formats that are not decoded, by how they begin.
func foreign(body []byte) string {
	for _, f := range []struct {
		at    int
		magic string
		name  string
	}{
		{4, "ftypavif", "avif"},
		{4, "ftypavis", "avif"},
		{4, "ftyphei", "heic"},
		{4, "ftypmif1", "heic"},
		{0, "\xff\x0a", "jxl"},
		{4, "JXL \r\n\x87\n", "jxl"},
		{0, "\x00\x00\x01\x00", "ico"},
	} {
		if len(body) >= f.at+len(f.magic) && string(body[f.at:f.at+len(f.magic)]) == f.magic {
			return f.name
		}
	}
	if bytes.Contains(body[:min(len(body), 1<<10)], []byte("<svg")) {
		return "svg"
	}
	return ""
}
