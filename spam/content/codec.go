package content

import (
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"varve/archive/durable"
	"varve/spam/feature"
)

// hostVersion is the first byte of a stored host; it changes with what a host holds.
const hostVersion = 2

// AppendBinary writes all that a host holds, so that its pages can come in over several runs of a program. It takes about
// 4 KB, and 10 bytes more for each host that its pages link to and each text and title.
func (h *Host) AppendBinary(b []byte) ([]byte, error) {
	b = append(b, hostVersion)
	b = binary.AppendUvarint(b, uint64(count))
	for _, v := range h.home {
		b = appendFloat(b, v)
	}
	b = durable.AppendString(b, h.homeURL)
	for i := range h.moments {
		b = appendMoments(b, &h.moments[i])
	}
	b = appendMoments(b, &h.age)
	for _, n := range []int{h.others, h.pages, h.dated, h.now, h.answers, h.redirects, h.failures} {
		b = binary.AppendUvarint(b, uint64(n))
	}
	b = appendNames(b, h.formats)
	b = appendCounts(b, h.targets)
	b = h.titles.append(h.texts.append(b))
	if h.robots == nil {
		return append(b, 0), nil
	}
	b = append(b, 1, flag(h.robots.File), flag(h.robots.Closed))
	return binary.AppendUvarint(b, uint64(h.robots.Rules)), nil
}

// UnmarshalBinary reads what AppendBinary wrote.
func (h *Host) UnmarshalBinary(b []byte) error {
	if len(b) == 0 || b[0] != hostVersion {
		return errors.New("host: of another version")
	}
	d := durable.NewReader(b[1:])
	if n := d.Uvarint(); n != uint64(count) {
		return fmt.Errorf("host: %d features, this program has %d", n, count)
	}
	var out Host
	for i := range out.home {
		out.home[i] = readFloat(&d)
	}
	out.homeURL = d.String()
	for i := range out.moments {
		out.moments[i] = readMoments(&d)
	}
	out.age = readMoments(&d)
	for _, n := range []*int{&out.others, &out.pages, &out.dated, &out.now, &out.answers, &out.redirects, &out.failures} {
		*n = d.Int()
	}
	out.formats, out.targets = readNames(&d), readCounts(&d)
	out.texts, out.titles = readSeen(&d), readSeen(&d)
	if d.Byte() == 1 {
		out.robots = &RobotsSum{File: d.Byte() == 1, Closed: d.Byte() == 1, Rules: d.Int()}
	}
	if err := d.Done("host"); err != nil {
		return err
	}
	*h = out
	return nil
}

func flag(v bool) byte {
	if v {
		return 1
	}
	return 0
}

func appendFloat(b []byte, v float64) []byte {
	return binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
}

func readFloat(d *durable.Reader) float64 {
	var bits uint64
	for i := range 8 {
		bits |= uint64(d.Byte()) << (8 * i)
	}
	return math.Float64frombits(bits)
}

func appendMoments(b []byte, m *feature.Moments) []byte {
	for _, v := range []float64{m.N, m.Mean, m.M2, m.Max, m.Min} {
		b = appendFloat(b, v)
	}
	return b
}

func readMoments(d *durable.Reader) feature.Moments {
	return feature.Moments{N: readFloat(d), Mean: readFloat(d), M2: readFloat(d), Max: readFloat(d), Min: readFloat(d)}
}

func appendNames(b []byte, set map[string]bool) []byte {
	b = binary.AppendUvarint(b, uint64(len(set)))
	for _, name := range slices.Sorted(maps.Keys(set)) {
		b = durable.AppendString(b, name)
	}
	return b
}

func readNames(d *durable.Reader) map[string]bool {
	n := d.Upto(uint64(d.Len())) // each takes a byte at least
	out := make(map[string]bool, n)
	for range n {
		out[d.String()] = true
	}
	return out
}

func appendCounts(b []byte, counts map[string]int) []byte {
	b = binary.AppendUvarint(b, uint64(len(counts)))
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		b = binary.AppendUvarint(durable.AppendString(b, name), uint64(counts[name]))
	}
	return b
}

func readCounts(d *durable.Reader) map[string]int {
	n := d.Upto(uint64(d.Len()))
	out := make(map[string]int, n)
	for range n {
		name := d.String()
		out[name] = d.Int()
	}
	return out
}

func (s *seen) append(b []byte) []byte {
	b = binary.AppendUvarint(binary.AppendUvarint(b, uint64(s.again)), uint64(s.all))
	b = binary.AppendUvarint(b, uint64(len(s.hashes)))
	for _, h := range slices.Sorted(maps.Keys(s.hashes)) {
		b = binary.LittleEndian.AppendUint64(b, h)
	}
	return b
}

func readSeen(d *durable.Reader) seen {
	s := seen{again: d.Int(), all: d.Int()}
	n := d.Upto(uint64(d.Len() / 8))
	s.hashes = make(map[uint64]bool, n)
	for range n {
		s.hashes[math.Float64bits(readFloat(d))] = true
	}
	return s
}
