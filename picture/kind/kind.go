// Package kind says what kind of picture a picture is (a map, a portrait, a scan of a page), in the words of a curator who labelled some: a small
// classifier over what is known of every picture, that learns in seconds from a few dozen labels. It knows light, shapes and colours, not things: it tells maps from
// photos of people, not one person from another. For that users bring a model of their own, as a program (Program).
//
// Terms: a *look* is what is known of a picture without decoding it again (the table of pictures has it); a *label* is a word of the curator's.
//
//	looks with labels -> Train: random forest (varve/learn), measured over folds -> learn.Model, a file -> Classify: label and how sure
//
// Features of a look, by name:
//
//	width height shape weight    logarithms of the size, of width by height, of bytes a pixel; format and camera as the file says
//	grey0..15  light0..7         means of 4 by 4 parts of the thumb; share of its cells in each eighth of the range from black to white
//	across down flat edges0..4   mean difference of cells that are neighbours; share of neighbours that hardly differ; differences in the quarters and the middle
//	mirror                       how well the left half agrees with the right one, mirrored (correlation)
//	colours first bright vivid warm cold   number of colours, share of the largest; mean lightness and saturation; how red or yellow, and how green or blue
//
// Cost: about 60 numbers a picture, some microseconds; training 200 trees on n pictures O(n log n).
package kind

import (
	"errors"
	"fmt"
	"image/color"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"varve/learn"
)

// Look is what is known of a picture.
type Look struct {
	Format        string
	Width, Height int
	Size          int64   // bytes
	Thumb         []uint8 // a square of grey cells, row by row; nil if it has no contrast
	Colours       []color.RGBA
	Shares        []float64 // of each colour
	Camera        bool      // the file names one
}

// formats are the values of the attribute format; others are missing.
var formats = []string{"jpeg", "png", "gif", "webp", "bmp", "tiff"}

const (
	parts  = 4 // of a thumb, along a side
	lights = 8
	flat   = 3 // of 255: neighbours that hardly differ
)

// Attributes returns the names of the features, in the order of Row.
func Attributes() []learn.Attribute {
	out := []learn.Attribute{{Name: "width"}, {Name: "height"}, {Name: "shape"}, {Name: "weight"}, {Name: "format", Values: formats}, {Name: "camera"}}
	add := func(name string, n int) {
		for i := range n {
			out = append(out, learn.Attribute{Name: fmt.Sprintf("%s%d", name, i)})
		}
	}
	add("grey", parts*parts)
	add("light", lights)
	for name := range strings.FieldsSeq("across down flat") {
		out = append(out, learn.Attribute{Name: name})
	}
	add("edges", 5)
	for name := range strings.FieldsSeq("mirror colours first bright vivid warm cold") {
		out = append(out, learn.Attribute{Name: name})
	}
	return out
}

// Row returns the features of a look.
func Row(l Look) []float64 {
	format, camera := learn.Missing(), 0.0
	if i := slices.Index(formats, l.Format); i >= 0 {
		format = float64(i)
	}
	if l.Camera {
		camera = 1
	}
	w, h := float64(max(1, l.Width)), float64(max(1, l.Height))
	row := []float64{math.Log2(w), math.Log2(h), math.Log2(w / h), math.Log2(float64(max(1, l.Size)) / (w * h)), format, camera}
	row = append(row, shapes(l.Thumb)...)
	return append(row, colours(l.Colours, l.Shares)...)
}

// shapes are the features of a thumb; all missing if there is none.
func shapes(thumb []uint8) []float64 {
	out := make([]float64, parts*parts+lights+3+5+1)
	side := int(math.Sqrt(float64(len(thumb))))
	if side < 2*parts || side*side != len(thumb) {
		for i := range out {
			out[i] = learn.Missing()
		}
		return out
	}
	grey, light, rest := out[:parts*parts], out[parts*parts:parts*parts+lights], out[parts*parts+lights:]
	edges := rest[3:8]
	var counts [5]float64
	var across, down, flats, pairs float64
	var ab, aa, bb, ma, mb float64 // of the halves
	n := float64(len(thumb))
	for y := range side {
		for x := range side {
			v := float64(thumb[y*side+x])
			grey[y*parts/side*parts+x*parts/side] += v * parts * parts / n
			light[int(v)*lights/256] += 1 / n
			if x < side/2 {
				o := float64(thumb[y*side+side-1-x])
				ab, aa, bb, ma, mb = ab+v*o, aa+v*v, bb+o*o, ma+v, mb+o
			}
			if x+1 == side || y+1 == side {
				continue
			}
			dx, dy := math.Abs(float64(thumb[y*side+x+1])-v), math.Abs(float64(thumb[(y+1)*side+x])-v)
			across, down, pairs = across+dx, down+dy, pairs+1
			if dx+dy <= 2*flat {
				flats++
			}
			at := y*2/side*2 + x*2/side
			edges[at], counts[at] = edges[at]+dx+dy, counts[at]+1
			if min(x, y) >= side/4 && max(x, y) < side*3/4 {
				edges[4], counts[4] = edges[4]+dx+dy, counts[4]+1
			}
		}
	}
	for i := range edges {
		edges[i] /= max(1, counts[i])
	}
	rest[0], rest[1], rest[2] = across/pairs, down/pairs, flats/pairs
	m := n / 2
	if spread := (aa - ma*ma/m) * (bb - mb*mb/m); spread > 0 {
		rest[8] = (ab - ma*mb/m) / math.Sqrt(spread)
	}
	return out
}

// colours are the features of colours, each weighed by its share.
func colours(list []color.RGBA, shares []float64) []float64 {
	var bright, vivid, warm, cold, total, first float64
	for i, c := range list[:min(len(list), len(shares))] {
		r, g, b, s := float64(c.R), float64(c.G), float64(c.B), shares[i]
		top, low := max(r, g, b), min(r, g, b)
		total, first = total+s, max(first, s)
		bright += s * (top + low) / 510
		vivid += s * (top - low) / 255
		warm += s * (r - b) / 255
		cold += s * (max(g, b) - r) / 255
	}
	if total == 0 {
		none := learn.Missing()
		return []float64{0, none, none, none, none, none}
	}
	return []float64{float64(len(list)), first, bright / total, vivid / total, warm / total, cold / total}
}

// Example is a look with its label. Pictures of one group (the same one, scaled) are never torn apart by folds.
type Example struct {
	Look
	Label string
	Group string
}

const (
	leastLabelled = 5 // pictures of a label that is learned
	folds         = 5
	trees         = 200
)

// ErrFew says that there are too few labels to learn from.
var ErrFew = errors.New("too few labelled pictures")

// Train learns from examples and measures over folds how often it is right about pictures that it has not seen (Measures: accuracy, and that of saying
// always the most frequent label). Labels of fewer than five pictures are left out and returned.
func Train(examples []Example, seed uint64, now time.Time) (m *learn.Model, left []string, err error) {
	count := map[string]int{}
	for _, e := range examples {
		count[e.Label]++
	}
	var names []string
	for _, name := range slices.Sorted(maps.Keys(count)) {
		if count[name] < leastLabelled {
			left = append(left, name)
		} else {
			names = append(names, name)
		}
	}
	if len(names) < 2 {
		return nil, left, fmt.Errorf("%w: %d in all; at least two labels with %d pictures each are needed", ErrFew, len(examples), leastLabelled)
	}
	s := &learn.Set{Attributes: Attributes(), Class: learn.Attribute{Name: "label", Values: names}}
	s.Columns = make([][]float64, len(s.Attributes))
	for _, e := range examples {
		y, ok := slices.BinarySearch(names, e.Label)
		if !ok {
			continue
		}
		s.Y, s.Groups = append(s.Y, y), append(s.Groups, e.Group)
		for i, v := range Row(e.Look) {
			s.Columns[i] = append(s.Columns[i], v)
		}
	}
	if err := s.Check(); err != nil {
		return nil, left, err
	}
	learner := learn.Forest{Trees: trees}
	v, err := learn.CrossValidate(s, learner, learn.Folds(s, folds, seed), seed)
	if err != nil {
		return nil, left, err
	}
	c, err := learner.Train(s, seed)
	if err != nil {
		return nil, left, err
	}
	totals := s.Totals()
	return &learn.Model{Header: learn.Header{
		Task: Task, Class: s.Class, Attributes: s.Attributes, Trained: now.UTC(), Rows: s.Len(), Counts: totals, Digest: learn.Digest(s), Learner: "random forest", Seed: seed,
		Measures: map[string]float64{"accuracy": v.Accuracy, "most_frequent": slices.Max(totals) / float64(s.Len())},
	}, Classifier: c}, left, nil
}

// Task is that of the models, in their header.
const Task = "kind of picture"

// Check says whether a model that was read is one of Train's, for the features of this program.
func Check(m *learn.Model) error {
	if same := slices.EqualFunc(m.Attributes, Attributes(), func(a, b learn.Attribute) bool { return a.Name == b.Name && slices.Equal(a.Values, b.Values) }); m.Task != Task || !same {
		return fmt.Errorf("the model is for %q with %d features, not for %q with %d: train it again", m.Task, len(m.Attributes), Task, len(Attributes()))
	}
	return nil
}

// Classify returns the most probable label of a look, and its probability. The model must have passed Check.
func Classify(m *learn.Model, l Look) (label string, sure float64) {
	p := make([]float64, len(m.Class.Values))
	m.Classifier.Classify(Row(l), p)
	best := learn.Best(p)
	return m.Class.Values[best], p[best]
}
