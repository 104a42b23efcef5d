package sparse

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/klauspost/compress/zstd"
)

// magic begins a model file: name and version. docs/formats/sparse-model.md draws the rest. History: 1 the first.
const magic = "varve-sparse\x01"

// Limits of a model file, against files that are not ours.
const (
	maxWeights = 16 << 20
	maxBody    = 96 << 20 // unpacked
	maxFile    = 64 << 20
	maxName    = 200
)

// Write writes the model. The same model gives the same bytes.
func (m *Model) Write(w io.Writer) error {
	var body []byte
	body = binary.AppendUvarint(body, uint64(len(m.classes)))
	for i, c := range m.classes {
		if len(c) > maxName {
			return fmt.Errorf("write sparse model: class %.40q has more than %d bytes", c, maxName)
		}
		body = binary.AppendUvarint(body, uint64(len(c)))
		body = append(body, c...)
		body = binary.LittleEndian.AppendUint32(body, math.Float32bits(m.scales[i]))
		body = binary.LittleEndian.AppendUint32(body, math.Float32bits(m.biases[i]))
	}
	body = binary.AppendUvarint(body, uint64(len(m.hashes)))
	body = binary.AppendUvarint(body, uint64(len(m.weights)))
	var counts, classes, values []byte // like stands by like, so that they compress well
	before := uint32(0)
	for i, h := range m.hashes {
		body = binary.AppendUvarint(body, uint64(h-before))
		before = h
		list := m.weights[m.starts[i]:m.starts[i+1]]
		counts = binary.AppendUvarint(counts, uint64(len(list)))
		last := 0
		for _, x := range list {
			classes = binary.AppendUvarint(classes, uint64(int(x.class)-last))
			last = int(x.class)
			values = append(values, byte(x.value))
		}
	}
	for _, part := range [][]byte{counts, classes, values} {
		body = append(body, part...)
	}
	z, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression), zstd.WithEncoderConcurrency(1))
	if err != nil {
		return fmt.Errorf("write sparse model: %w", err)
	}
	packed := z.EncodeAll(body, nil)
	sum := sha256.Sum256(packed)
	for _, part := range [][]byte{[]byte(magic), sum[:], packed} {
		if _, err := w.Write(part); err != nil {
			return fmt.Errorf("write sparse model: %w", err)
		}
	}
	return z.Close()
}

// Read reads a model and checks it: a model that is read never fails on an example.
func Read(r io.Reader) (*Model, error) {
	file, err := io.ReadAll(io.LimitReader(r, maxFile+1))
	if err != nil {
		return nil, fmt.Errorf("sparse model: %w", err)
	}
	rest, ok := bytes.CutPrefix(file, []byte(magic))
	if !ok || len(rest) < sha256.Size {
		return nil, fmt.Errorf("sparse model: it does not begin with %q and a checksum", magic)
	}
	if sum := sha256.Sum256(rest[sha256.Size:]); !bytes.Equal(sum[:], rest[:sha256.Size]) {
		return nil, errors.New("sparse model: its bytes are not what they were: the checksum differs")
	}
	z, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxBody))
	if err != nil {
		return nil, fmt.Errorf("sparse model: %w", err)
	}
	defer z.Close()
	body, err := z.DecodeAll(rest[sha256.Size:], nil)
	if err != nil {
		return nil, fmt.Errorf("sparse model: %w", err)
	}
	return decode(body)
}

// decode reads what Write packs.
func decode(body []byte) (*Model, error) {
	d := &decoder{rest: body}
	m := d.model()
	if d.err != nil {
		return nil, fmt.Errorf("sparse model: byte %d: %w", len(body)-len(d.rest), d.err)
	}
	m.settle()
	return m, nil
}

// decoder reads an unpacked model. After an error all it returns is zero.
type decoder struct {
	rest []byte
	err  error
}

func (d *decoder) want(ok bool, what string) bool {
	if !ok && d.err == nil {
		d.err = errors.New(what)
	}
	return d.err == nil
}

func (d *decoder) number(most uint64) int {
	v, n := binary.Uvarint(d.rest)
	if !d.want(n > 0 && v <= most, "a number is missing or too large") {
		return 0
	}
	d.rest = d.rest[n:]
	return int(v)
}

func (d *decoder) bytes(n int) []byte {
	if !d.want(n <= len(d.rest), "it ends early") {
		return make([]byte, n)
	}
	b := d.rest[:n]
	d.rest = d.rest[n:]
	return b
}

func (d *decoder) float() float32 {
	f := math.Float32frombits(binary.LittleEndian.Uint32(d.bytes(4)))
	d.want(f >= -1e6 && f <= 1e6, "a number is out of bounds")
	return f
}

func (d *decoder) model() *Model {
	m := &Model{}
	classes := d.number(maxClasses)
	for range classes {
		m.classes = append(m.classes, string(d.bytes(d.number(maxName))))
		m.scales, m.biases = append(m.scales, d.float()), append(m.biases, d.float())
		if d.err != nil {
			return nil
		}
	}
	d.want(classes > 0, "no classes")
	features, weights := d.number(1<<Bits), d.number(maxWeights)
	if !d.want(2*features+2*weights <= len(d.rest), "it ends early") {
		return nil
	}
	last := uint64(0)
	for i := range features {
		v := uint64(d.number(1 << Bits))
		d.want(i == 0 || v > 0, "features are not in order")
		if last += v; !d.want(last < 1<<Bits, "a feature is out of bounds") {
			return nil
		}
		m.hashes = append(m.hashes, uint32(last))
	}
	total := 0
	for range features {
		n := d.number(uint64(classes))
		if !d.want(n > 0 && total+n <= weights, "a feature has no weights or too many") {
			return nil
		}
		m.starts = append(m.starts, uint32(total))
		total += n
	}
	m.starts = append(m.starts, uint32(total))
	if !d.want(total == weights, "more weights than counted") {
		return nil
	}
	m.weights = make([]weight, weights)
	for i := range features {
		class := 0
		for j := m.starts[i]; j < m.starts[i+1]; j++ {
			v := d.number(uint64(classes))
			d.want(j == m.starts[i] || v > 0, "classes of a feature are not in order")
			if class += v; !d.want(class < classes, "no such class") {
				return nil
			}
			m.weights[j].class = uint16(class)
		}
	}
	for i, b := range d.bytes(weights) {
		m.weights[i].value = int8(b)
	}
	if !d.want(len(d.rest) == 0, "bytes are left over") {
		return nil
	}
	return m
}
