package cdx

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"

	"github.com/cespare/xxhash/v2"
)

// A filter is a Bloom filter in cells of 64 bytes: a key sets and asks bits of one cell only, so a
// lookup reads 64 bytes, wherever the filter lies. Each cell ends in its own CRC.
//
//	cell = 480 bits ┃ CRC-32C        8 bits per line, 5 bits set per key: 2-3 % false "perhaps"
const (
	cellSize   = 64
	cellBits   = (cellSize - 4) * 8
	filterBits = 8 // bits per line
	filterSets = 5 // bits set per key

	// maxFiltered is the largest run that gets a filter: it is built in memory, a byte a line.
	// Larger runs hold most of the index, and most keys that are asked for are in them.
	maxFiltered = 64 << 20
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// filterBuilder collects keys in memory.
type filterBuilder struct{ cells []byte }

// newFilterBuilder makes a filter for so many lines; nil if there are too many.
func newFilterBuilder(lines int64) *filterBuilder {
	if lines > maxFiltered {
		return nil
	}
	return &filterBuilder{make([]byte, (lines*filterBits/cellBits+1)*cellSize)}
}

// place gives the cell of a key and a generator of its bits.
func place(key string, cells int64) (cell int64, bits uint64) {
	h := xxhash.Sum64String(key)
	// The high half picks the cell by multiplication; the bits come from the low half mixed anew.
	return int64((h >> 32) * uint64(cells) >> 32), (h | 1) * 0x9e3779b97f4a7c15
}

// add notes a key.
func (b *filterBuilder) add(key string) {
	if b == nil {
		return
	}
	cell, bits := place(key, int64(len(b.cells)/cellSize))
	c := b.cells[cell*cellSize:][:cellSize]
	for i := range filterSets {
		n := bitOf(bits, i)
		c[n>>3] |= 1 << (n & 7)
	}
}

// bitOf gives the i-th bit of a key, 12 bits of the generator each.
func bitOf(bits uint64, i int) uint32 {
	return uint32(bits>>(12*i)&0xfff) * cellBits >> 12
}

// finish gives the bytes of the file.
func (b *filterBuilder) finish() []byte {
	if b == nil {
		return nil
	}
	for at := 0; at < len(b.cells); at += cellSize {
		c := b.cells[at : at+cellSize]
		binary.LittleEndian.PutUint32(c[cellSize-4:], crc32.Checksum(c[:cellSize-4], castagnoli))
	}
	return b.cells
}

// filter is a filter on disk.
type filter struct {
	r     io.ReaderAt
	cells int64
}

// mayHave tells whether a run may have a key.
func (f *filter) mayHave(key string) (bool, error) {
	if f == nil || f.cells == 0 {
		return true, nil
	}
	cell, bits := place(key, f.cells)
	var c [cellSize]byte
	if _, err := f.r.ReadAt(c[:], cell*cellSize); err != nil {
		return false, fmt.Errorf("%w: filter cell %d: %w", ErrDamaged, cell, err)
	}
	if binary.LittleEndian.Uint32(c[cellSize-4:]) != crc32.Checksum(c[:cellSize-4], castagnoli) {
		return false, fmt.Errorf("%w: filter cell %d is not what was written", ErrDamaged, cell)
	}
	for i := range filterSets {
		if n := bitOf(bits, i); c[n>>3]&(1<<(n&7)) == 0 {
			return false, nil
		}
	}
	return true, nil
}
