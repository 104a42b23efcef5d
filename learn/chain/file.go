package chain

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/klauspost/compress/zstd"
)

// magic begins a model file: name and version. docs/formats/chain-model.md draws the rest. History: 1 the first.
const magic = "varve-chain\x01"

// Limits of a model file, against files that are not ours.
const (
	maxFeatures = 4 << 20
	maxWeights  = 32 << 20
	maxBody     = 96 << 20 // unpacked
	maxFile     = 64 << 20
)

// Write writes the model. The same model gives the same bytes.
func (m *Model) Write(w io.Writer) error {
	var body []byte
	body = binary.AppendUvarint(body, uint64(len(m.labels)))
	for _, l := range m.labels {
		body = binary.AppendUvarint(body, uint64(len(l)))
		body = append(body, l...)
	}
	body = binary.LittleEndian.AppendUint64(body, math.Float64bits(m.unit))
	for _, v := range m.trans {
		body = binary.AppendVarint(body, int64(v))
	}
	used := make([]slot, 0, m.count)
	for _, s := range m.slots {
		if s.at != 0 {
			used = append(used, s)
		}
	}
	slices.SortFunc(used, func(a, b slot) int { return cmp.Compare(a.hash, b.hash) })
	_, weights := m.Size()
	body = binary.AppendUvarint(body, uint64(len(used)))
	body = binary.AppendUvarint(body, uint64(weights))
	var counts, labels, values []byte // like stands by like, so that they compress well
	before := uint32(0)
	for i, s := range used {
		if i == 0 {
			body = binary.AppendUvarint(body, uint64(s.hash))
		} else {
			body = binary.AppendUvarint(body, uint64(s.hash-before))
		}
		before = s.hash
		n := m.weights[s.at].label
		counts = append(counts, n)
		for _, w := range m.weights[s.at+1 : s.at+1+uint32(n)] {
			labels, values = append(labels, w.label), binary.AppendVarint(values, int64(w.value))
		}
	}
	body = slices.Concat(body, counts, labels, values)
	z, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression), zstd.WithEncoderConcurrency(1))
	if err != nil {
		return fmt.Errorf("write chain model: %w", err)
	}
	packed := z.EncodeAll(body, nil)
	sum := sha256.Sum256(packed)
	if _, err := w.Write(slices.Concat([]byte(magic), sum[:], packed)); err != nil {
		return fmt.Errorf("write chain model: %w", err)
	}
	return nil
}

// Read reads a model and checks it: a model that is read never fails on a sequence.
func Read(r io.Reader) (*Model, error) {
	file, err := io.ReadAll(io.LimitReader(r, maxFile+1))
	if err != nil {
		return nil, fmt.Errorf("chain model: %w", err)
	}
	rest, ok := bytes.CutPrefix(file, []byte(magic))
	if !ok || len(rest) < sha256.Size {
		return nil, fmt.Errorf("chain model: it does not begin with %q and a checksum", magic)
	}
	if sum := sha256.Sum256(rest[sha256.Size:]); !bytes.Equal(sum[:], rest[:sha256.Size]) {
		return nil, errors.New("chain model: its bytes are not what they were: the checksum differs")
	}
	z, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxBody))
	if err != nil {
		return nil, fmt.Errorf("chain model: %w", err)
	}
	defer z.Close()
	body, err := z.DecodeAll(rest[sha256.Size:], nil)
	if err != nil {
		return nil, fmt.Errorf("chain model: %w", err)
	}
	return decode(body)
}

// decode reads what Write packs.
func decode(body []byte) (*Model, error) {
	d := &decoder{rest: body, size: len(body)}
	m := d.model()
	if d.err != nil {
		return nil, fmt.Errorf("chain model: byte %d: %w", d.size-len(d.rest), d.err)
	}
	return m, nil
}

// decoder reads an unpacked model. After an error all it gives is zero.
type decoder struct {
	rest []byte
	size int
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
		return nil
	}
	b := d.rest[:n]
	d.rest = d.rest[n:]
	return b
}

func (d *decoder) model() *Model {
	m := &Model{labels: make([]string, d.number(MaxLabels))}
	for i := range m.labels {
		m.labels[i] = string(d.bytes(d.number(100)))
	}
	n := len(m.labels)
	if b := d.bytes(8); b != nil {
		m.unit = math.Float64frombits(binary.LittleEndian.Uint64(b))
	}
	d.want(n > 0, "no labels")
	d.want(m.unit > 0 && m.unit <= 1, "the unit of weights is not between 0 and 1")
	m.trans = make([]int32, (n+1)*n)
	for i := range m.trans {
		v, k := binary.Varint(d.rest)
		if !d.want(k > 0 && (v == never || v > -1<<20 && v < 1<<20), "a transition is missing or out of bounds") {
			return nil
		}
		d.rest, m.trans[i] = d.rest[k:], int32(v)
	}
	features, weights := d.number(maxFeatures), d.number(maxWeights)
	if !d.want(features+2*weights <= len(d.rest), "it ends early") {
		return nil
	}
	hashes := make([]uint32, features)
	var last uint64
	for i := range hashes {
		v := uint64(d.number(math.MaxUint32))
		d.want(i == 0 || v > 0, "features are not in order")
		if last += v; !d.want(last <= math.MaxUint32, "a feature is out of bounds") {
			return nil
		}
		hashes[i] = uint32(last)
	}
	counts, labels := d.bytes(features), d.bytes(weights)
	if d.err != nil {
		return nil
	}
	m.room(features, weights)
	list := make([]weight, 0, MaxLabels)
	for i, h := range hashes {
		k := int(counts[i])
		if !d.want(k > 0 && k <= n && k <= len(labels), "a feature has no weights or too many") {
			return nil
		}
		list = list[:0]
		for j := range k {
			if !d.want(int(labels[j]) < n, "no such label") {
				return nil
			}
			v, size := binary.Varint(d.rest)
			if !d.want(size > 0 && v >= -math.MaxInt16 && v <= math.MaxInt16, "a weight is missing or out of bounds") {
				return nil
			}
			d.rest = d.rest[size:]
			list = append(list, weight{labels[j], int16(v)})
		}
		labels = labels[k:]
		m.add(h, list)
	}
	d.want(len(labels) == 0 && len(d.rest) == 0, "more weights than counted")
	m.settle()
	return m
}
