package learn

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// The body of a model file: a classifier as bytes. Integers are varints, numbers 8 bytes little endian, lists have
// their length before them. Each classifier begins with a byte that says its kind; those within follow inside.
// docs/formats/model.md draws it.
const (
	kindBayes = iota + 1
	kindTree
	kindForest
	kindBoost
	kindCommittee
	kindLinear
	kindRatios
	kindSelected // of models made before 2026-11: voices are means of probabilities
	kindFourier
	kindByOdds // an ensemble whose voices are means of log-odds
)

// Kinds of densities within kindBayes.
const (
	densityTable = iota + 1
	densityBinned
	densityNormal
	densityKernel
)

// encoder appends to a buffer.
type encoder struct{ b []byte }

func (e *encoder) byte(v byte)     { e.b = append(e.b, v) }
func (e *encoder) int(v int)       { e.b = binary.AppendVarint(e.b, int64(v)) }
func (e *encoder) float(v float64) { e.b = binary.LittleEndian.AppendUint64(e.b, math.Float64bits(v)) }
func (e *encoder) text(v string)   { e.int(len(v)); e.b = append(e.b, v...) }

func (e *encoder) bool(v bool) {
	if v {
		e.byte(1)
	} else {
		e.byte(0)
	}
}

func (e *encoder) floats(v []float64) {
	e.int(len(v))
	for _, x := range v {
		e.float(x)
	}
}

func (e *encoder) ints(v []int32) {
	e.int(len(v))
	for _, x := range v {
		e.int(int(x))
	}
}

// storable is a classifier that can be written.
type storable interface {
	encode(e *encoder) error
}

// Encode writes a classifier that this package trained.
func Encode(c Classifier) ([]byte, error) {
	e := &encoder{}
	if err := e.classifier(c); err != nil {
		return nil, err
	}
	return e.b, nil
}

func (e *encoder) classifier(c Classifier) error {
	s, ok := c.(storable)
	if !ok {
		return fmt.Errorf("learn: a %T cannot be stored", c)
	}
	return s.encode(e)
}

// errModel is the cause of every error in decoding.
var errModel = errors.New("the model is damaged")

// decoder reads a buffer. After an error everything it gives is zero.
type decoder struct {
	b     []byte
	at    int
	err   error
	width int // attributes of a row: no classifier may ask for more
	depth int
}

func (d *decoder) fail(what string) {
	if d.err == nil {
		d.err = fmt.Errorf("byte %d: %s: %w", d.at, what, errModel)
	}
}

func (d *decoder) byte() byte {
	if d.err != nil || d.at >= len(d.b) {
		d.fail("it ends early")
		return 0
	}
	d.at++
	return d.b[d.at-1]
}

func (d *decoder) bool() bool { return d.byte() != 0 }

func (d *decoder) int() int {
	if d.err != nil {
		return 0
	}
	v, n := binary.Varint(d.b[d.at:])
	if n <= 0 || v > math.MaxInt32 || v < math.MinInt32 {
		d.fail("not an integer")
		return 0
	}
	d.at += n
	return int(v)
}

func (d *decoder) float() float64 {
	if d.err != nil || d.at+8 > len(d.b) {
		d.fail("it ends early")
		return 0
	}
	d.at += 8
	return math.Float64frombits(binary.LittleEndian.Uint64(d.b[d.at-8:]))
}

// length reads the length of a list whose items take at least size bytes each.
func (d *decoder) length(size int) int {
	n := d.int()
	if n < 0 || n*size > len(d.b)-d.at {
		d.fail("a list is longer than the file")
		return 0
	}
	return n
}

func (d *decoder) text() string {
	n := d.length(1)
	d.at += n
	if d.err != nil {
		return ""
	}
	return string(d.b[d.at-n : d.at])
}

func (d *decoder) floats() []float64 {
	out := make([]float64, d.length(8))
	b := d.b[d.at:]
	for i := range out {
		out[i] = math.Float64frombits(binary.LittleEndian.Uint64(b[8*i:]))
	}
	d.at += 8 * len(out)
	return out
}

func (d *decoder) ints() []int32 {
	out := make([]int32, d.length(1))
	for i := range out {
		out[i] = int32(d.int())
	}
	return out
}

// want fails unless a condition holds.
func (d *decoder) want(ok bool, what string) {
	if !ok {
		d.fail(what)
	}
}

// Decode reads what Encode wrote, for rows with so many attributes and classes. Damaged bytes give an error, never a
// classifier that fails later.
func Decode(b []byte, attributes, classes int) (Classifier, error) {
	d := &decoder{b: b, width: attributes}
	c := d.classifier(classes)
	if d.want(d.err != nil || d.at == len(b), "something follows"); d.err != nil {
		return nil, d.err
	}
	return c, nil
}

// deepest is how deep classifiers may be nested.
const deepest = 16

func (d *decoder) classifier(classes int) Classifier {
	if d.depth++; d.depth > deepest {
		d.fail("nested too deeply")
		return nil
	}
	defer func() { d.depth-- }()
	switch kind := d.byte(); kind {
	case kindBayes:
		return d.bayes(classes)
	case kindTree:
		return d.tree(classes)
	case kindForest:
		return d.forest(classes)
	case kindCommittee:
		return d.committee(classes)
	}
	d.at--
	d.want(classes == 2, "a classifier for two classes")
	switch kind := d.byte(); kind {
	case kindBoost:
		return &boost{*d.forest(1)}
	case kindLinear:
		return d.linear()
	case kindRatios:
		return d.ratios()
	case kindFourier:
		return d.fourier()
	case kindSelected, kindByOdds:
		return d.selected(kind == kindSelected)
	}
	d.fail("no such kind of classifier")
	return nil
}
