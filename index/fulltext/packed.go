package fulltext

import (
	"encoding/binary"
	"math/bits"
)

// packed is an array of numbers of some bits each, as many as the greatest one needs. Any of them is one load, a shift and a mask.
//
//	number i = bits i×width ... (i+1)×width-1, the lowest first; eight bytes of zeros end the array
type packed struct {
	b     []byte
	width int // 0 to 32
	mask  uint64
}

// packedPad lets the last number be read as eight bytes.
const packedPad = 8

// widthFor is the bits that numbers below n need.
func widthFor(n int) int { return bits.Len(uint(max(n-1, 0))) }

func packedSize(width, n int) int { return (width*n+7)/8 + packedPad }

// appendPacked writes numbers, which must be below 1 << width.
func appendPacked(b []byte, width int, numbers []uint32) []byte {
	at, size := len(b), packedSize(width, len(numbers))
	b = append(b, make([]byte, size)...)
	out := b[at:]
	for i, x := range numbers {
		bit := i * width
		word := out[bit/8:]
		binary.LittleEndian.PutUint64(word, binary.LittleEndian.Uint64(word)|uint64(x)<<(bit%8))
	}
	return b
}

func newPacked(b []byte, width int) packed { return packed{b, width, 1<<width - 1} }

func (p *packed) at(i int) uint32 {
	bit := i * p.width
	return uint32(binary.LittleEndian.Uint64(p.b[bit/8:]) >> (bit % 8) & p.mask)
}
