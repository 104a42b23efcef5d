package pictures

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"image"
	"image/draw"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"varve/picture"
)

// Sizes of pictures that are measured: smaller ones are icons, and larger ones are reduced to this before anything is done to them, as pages do.
const (
	minSide = 128
	maxSide = 480
)

// Original is a picture of a set.
type Original struct {
	Name  string // below the folder
	Image *image.RGBA
}

// Set is a folder of pictures.
type Set struct {
	Originals []Original
	Files     int // that look like pictures by their names
	Equal     int // left out: the same bytes as another
	Small     int // left out: a side shorter than minSide
	Flat      int // left out: without contrast, they have no print
	Failed    int // left out: not decoded

	pairs map[[2]string]bool // of names that show one picture
}

// Load reads the pictures of a folder and of those below it, in the order of their names. At most most of them are taken.
func Load(dir string, most int) (*Set, error) {
	s := &Set{}
	if err := s.readSame(dir); err != nil {
		return nil, err
	}
	seen := map[[32]byte]bool{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || len(s.Originals) >= most {
			return err
		}
		switch strings.ToLower(filepath.Ext(path)) {
		case ".jpg", ".jpeg", ".png", ".webp", ".gif", ".bmp", ".tif", ".tiff":
		default:
			return nil
		}
		s.Files++
		body, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if sum := sha256.Sum256(body); seen[sum] {
			s.Equal++
			return nil
		} else {
			seen[sum] = true
		}
		h, err := picture.ReadHead(body)
		switch {
		case err != nil || h.Width*h.Height > picture.MaxPixels:
			s.Failed++
			return nil
		case min(h.Width, h.Height) < minSide:
			s.Small++
			return nil
		}
		m, _, err := image.Decode(bytes.NewReader(body))
		if err != nil {
			s.Failed++
			return nil
		}
		reduced := onWhite(m)
		if picture.NewRaster(reduced).Print() == nil {
			s.Flat++
			return nil
		}
		name, _ := filepath.Rel(dir, path)
		s.Originals = append(s.Originals, Original{filepath.ToSlash(name), reduced})
		return nil
	})
	if err == nil && len(s.Originals) < 2 {
		err = errors.New("it has fewer than two pictures that can be decoded")
	}
	if err != nil {
		return nil, fmt.Errorf("pictures of %s: %w", dir, err)
	}
	return s, nil
}

// onWhite reduces a picture to maxSide, without transparency.
func onWhite(m image.Image) *image.RGBA {
	b := m.Bounds()
	out := image.NewRGBA(image.Rect(0, 0, b.Dx(), b.Dy()))
	draw.Draw(out, out.Rect, image.White, image.Point{}, draw.Src)
	draw.Draw(out, out.Rect, m, b.Min, draw.Over)
	if by := float64(maxSide) / float64(max(b.Dx(), b.Dy())); by < 1 {
		return scale(out, by, by)
	}
	return out
}
