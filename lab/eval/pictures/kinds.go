package pictures

import (
	"fmt"
	"image/color"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"varve/lab/eval"
	"varve/picture"
	"varve/picture/kind"
)

// Kinds is how well kinds of pictures are told apart.
type Kinds struct {
	Pictures int      `json:"pictures"`
	Labels   int      `json:"labels"`
	Accuracy float64  `json:"accuracy"`      // on pictures that were not learned from
	Frequent float64  `json:"most_frequent"` // of saying always the most frequent label
	Left     []string `json:"left_out,omitempty"`
}

// MeasureKinds learns the names of the folders of dir from the pictures in them, and measures over folds. At most most pictures are taken; those that are the same stay together.
func MeasureKinds(dir string, most int) (*Kinds, error) {
	var examples []kind.Example
	x := picture.NewIndex()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || len(examples) >= most {
			return err
		}
		name, _ := filepath.Rel(dir, path)
		label, _, ok := strings.Cut(filepath.ToSlash(name), "/")
		if !ok {
			return nil
		}
		body, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		h, r, err := picture.Decode(body)
		if err != nil {
			return nil // not a picture, or none that is decoded
		}
		l := kind.Look{Format: h.Format, Width: h.Width, Height: h.Height, Size: int64(len(body)), Camera: h.EXIF.Camera != ""}
		for _, c := range r.Colours() {
			l.Colours, l.Shares = append(l.Colours, color.RGBA{c.R, c.G, c.B, 255}), append(l.Shares, c.Share)
		}
		group := name
		if p := r.Print(); p != nil {
			l.Thumb = p.Thumb[:]
			if same := x.Find(p); len(same) > 0 {
				group = fmt.Sprint(same[0].ID)
			} else {
				group = fmt.Sprint(x.Add(p))
			}
		}
		examples = append(examples, kind.Example{Look: l, Label: label, Group: group})
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("pictures of %s: %w", dir, err)
	}
	m, left, err := kind.Train(examples, 1, time.Time{})
	if err != nil {
		return nil, fmt.Errorf("pictures of %s, in folders named by what they show: %w", dir, err)
	}
	return &Kinds{m.Rows, len(m.Class.Values), m.Measures["accuracy"], m.Measures["most_frequent"], left}, nil
}

// Summary implements eval.Report.
func (k *Kinds) Summary() eval.Summary { return eval.Answered(k.Pictures, k.Accuracy) }

// Print writes the figures.
func (k *Kinds) Print(w io.Writer) error {
	_, err := fmt.Fprintf(w, "%d pictures of %d kinds (%d with fewer than five left out)\nright about pictures that were not learned from  %.3f\nsaying always the most frequent kind             %.3f\n", k.Pictures, k.Labels, len(k.Left), k.Accuracy, k.Frequent)
	return err
}
