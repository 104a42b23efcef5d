package dash

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// ErrNoIndex is returned where no segment index stands.
var ErrNoIndex = errors.New("no sidx box")

// ParseIndex reads the segment index (sidx, ISO/IEC 14496-12) in the bytes that stand at an offset of a
// file, and gives the ranges of its segments. Entries that lead to further indexes are given as ranges,
// too: their bytes are wanted all the same.
//
//	size 4 | "sidx" | version 1, flags 3 | reference 4 | timescale 4 | earliest, first offset: 4 or 8 each
//	reserved 2 | count 2 | count times: type 1 bit, size 31 bits | duration 4 | SAP 4
func ParseIndex(b []byte, at int64) ([]Resource, error) {
	box, end, err := findBox(b, "sidx")
	if err != nil {
		return nil, err
	}
	if len(box) < 4 {
		return nil, fmt.Errorf("sidx box of %d bytes: %w", len(box), ErrNoIndex)
	}
	wide := box[0] != 0
	head := 20
	if wide {
		head = 28
	}
	if len(box) < head+4 {
		return nil, fmt.Errorf("sidx box of %d bytes: %w", len(box), ErrNoIndex)
	}
	first := uint64(binary.BigEndian.Uint32(box[16:]))
	if wide {
		first = binary.BigEndian.Uint64(box[20:])
	}
	if first > 1<<52 || at > 1<<52 || at < 0 {
		return nil, fmt.Errorf("sidx box: segments begin at %d: %w", first, ErrNoIndex)
	}
	n := int(binary.BigEndian.Uint16(box[head+2:]))
	box = box[head+4:]
	next := at + int64(end) + int64(first)
	var out []Resource
	for i := 0; i < n && len(box) >= 12; i++ {
		size := int64(binary.BigEndian.Uint32(box) & 0x7fffffff)
		if size > 0 {
			out = append(out, Resource{Offset: next, Length: size})
		}
		next += size
		box = box[12:]
	}
	return out, nil
}

// findBox gives the content of the first box of a type and where it ends.
func findBox(b []byte, typ string) (content []byte, end int, err error) {
	for at := 0; at+8 <= len(b); {
		size, head := uint64(binary.BigEndian.Uint32(b[at:])), 8
		if size == 1 && at+16 <= len(b) {
			size, head = binary.BigEndian.Uint64(b[at+8:]), 16
		}
		if size < uint64(head) || size > uint64(len(b)-at) {
			return nil, 0, ErrNoIndex
		}
		end := at + int(size)
		if string(b[at+4:at+8]) == typ {
			return b[at+head : end], end, nil
		}
		at = end
	}
	return nil, 0, ErrNoIndex
}
