package thumb

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/jpeg"
	"image/png"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/image/draw"

	"varve/archive/whole"
)

// Width of thumbnails, in pixels.
const Width = 320

// Part is a capture that stands in a picture.
type Part struct {
	URL  string    `json:"url"`
	Time time.Time `json:"time"`
}

// made is what the comment of a thumbnail tells.
type made struct {
	Part          // of the page
	Parts  []Part `json:"parts,omitempty"` // the others
	Taken  bool   `json:"taken,omitempty"` // by the crawl: what stands in it is not known
	Format int    `json:"format"`
}

// format is the version of the files; others are drawn again.
const format = 1

// maxPixels bounds the pictures that are read: the window of the browser is far smaller.
const maxPixels = 8 << 20

// reduce makes the thumbnail of a picture of a window.
func reduce(shot []byte) (*image.RGBA, error) {
	cfg, err := png.DecodeConfig(bytes.NewReader(shot))
	if err != nil {
		return nil, err
	}
	if cfg.Width < 1 || cfg.Height < 1 || cfg.Width*cfg.Height > maxPixels {
		return nil, fmt.Errorf("a picture of %d by %d", cfg.Width, cfg.Height)
	}
	src, err := png.Decode(bytes.NewReader(shot))
	if err != nil {
		return nil, err
	}
	b := src.Bounds()
	dst := image.NewRGBA(image.Rect(0, 0, Width, max(1, Width*b.Dy()/b.Dx())))
	draw.CatmullRom.Scale(dst, dst.Bounds(), src, b, draw.Src, nil)
	return dst, nil
}

// errParts says that a picture has more parts than its file can tell of, so that nobody could say later who may see it.
var errParts = errors.New("more parts than can be kept")

// maxComment is what one segment of a JPEG holds.
const maxComment = 65533

// encode writes a thumbnail: a JPEG with the comment right behind its first marker.
func encode(img image.Image, m made) ([]byte, error) {
	m.Format = format
	note, err := json.Marshal(m)
	if err != nil {
		return nil, err
	}
	if len(note) > maxComment {
		return nil, errParts
	}
	var b bytes.Buffer
	if err := jpeg.Encode(&b, img, &jpeg.Options{Quality: 75}); err != nil {
		return nil, err
	}
	out := append(make([]byte, 0, b.Len()+len(note)+4), b.Bytes()[:2]...) // start of image
	out = append(out, 0xff, 0xfe)
	out = binary.BigEndian.AppendUint16(out, uint16(len(note)+2))
	out = append(out, note...)
	return append(out, b.Bytes()[2:]...), nil
}

// decode reads the comment of a thumbnail.
func decode(file []byte) (made, error) {
	var m made
	if len(file) < 6 || !bytes.Equal(file[:4], []byte{0xff, 0xd8, 0xff, 0xfe}) {
		return m, errors.New("no thumbnail")
	}
	n := int(binary.BigEndian.Uint16(file[4:]))
	if n < 2 || 4+n > len(file) {
		return m, errors.New("cut off")
	}
	if err := json.Unmarshal(file[6:4+n], &m); err != nil {
		return m, err
	}
	if m.Format != format {
		return m, fmt.Errorf("format %d", m.Format)
	}
	return m, nil
}

// name of the file of a capture below the folder of thumbnails.
func name(url string, at time.Time) string {
	sum := sha256.Sum256([]byte(at.UTC().Format(time.RFC3339) + " " + url))
	h := hex.EncodeToString(sum[:16])
	return filepath.Join(h[:2], h[2:]+".jpg")
}

// load reads a thumbnail that is kept.
func load(dir, url string, at time.Time) ([]byte, made, error) {
	file, err := os.ReadFile(filepath.Join(dir, name(url, at)))
	if err != nil {
		return nil, made{}, err
	}
	m, err := decode(file)
	if err == nil && (m.URL != url || !m.Time.Equal(at)) {
		err = errors.New("of another capture")
	}
	return file, m, err
}

// store keeps a thumbnail.
func store(dir, url string, at time.Time, file []byte) error {
	path := filepath.Join(dir, name(url, at))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return whole.Bytes(path, 0o644, file)
}

// tidy removes the oldest thumbnails of a folder until at most so many bytes are left, and returns how many are. What is
// no thumbnail is left alone.
func tidy(dir string, most int64) (left int64, err error) {
	type kept struct {
		path string
		size int64
		at   time.Time
	}
	var all []kept
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".jpg") {
			return err
		}
		info, err := d.Info()
		if err == nil {
			all, left = append(all, kept{path, info.Size(), info.ModTime()}), left+info.Size()
		}
		if errors.Is(err, fs.ErrNotExist) {
			err = nil // somebody else tidied it away
		}
		return err
	})
	if err != nil || left <= most {
		return left, err
	}
	slices.SortFunc(all, func(a, b kept) int { return a.at.Compare(b.at) })
	for _, k := range all {
		if left <= most*4/5 {
			break
		}
		if err := os.Remove(k.path); err != nil {
			return left, err
		}
		left -= k.size
	}
	return left, nil
}
