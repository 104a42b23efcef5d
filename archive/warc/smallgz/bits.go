package smallgz

import (
	"encoding/binary"
	"math/bits"
)

// code is a Huffman code as it is written: reversed, least significant bit first.
type code struct {
	bits uint32
	n    uint8
}

// bitWriter writes codes into a buffer that is large enough.
type bitWriter struct {
	b    []byte
	at   int
	acc  uint64
	have uint
}

// start writes the head of the block: its kind and the lengths of its codes.
func (w *bitWriter) start() {
	whole := blockHeadBits / 8
	copy(w.b, blockHead[:whole])
	w.at = whole
	if rest := blockHeadBits % 8; rest > 0 {
		w.acc, w.have = uint64(blockHead[whole])&(1<<rest-1), uint(rest)
	}
}

// put writes a code of at most 28 bits.
func (w *bitWriter) put(c code) {
	w.acc |= uint64(c.bits) << w.have
	w.have += uint(c.n)
	if w.have >= 32 {
		binary.LittleEndian.PutUint32(w.b[w.at:], uint32(w.acc))
		w.at += 4
		w.acc >>= 32
		w.have -= 32
	}
}

// match writes a length and a distance.
func (w *bitWriter) match(length, distance int) {
	w.put(lengthCode[length])
	d := distance - 1
	sym := d // 0 to 3 stand for themselves
	extra := uint(0)
	if d >= 4 {
		extra = uint(bits.Len(uint(d))) - 2
		sym = int(extra)<<1 + d>>extra
	}
	c := distanceCode[sym]
	c.bits |= uint32(d) & (1<<extra - 1) << c.n
	c.n += uint8(extra)
	w.put(c)
}

// finish writes what is left and gives the number of bytes.
func (w *bitWriter) finish() int {
	for ; w.have > 0; w.have -= min(w.have, 8) {
		w.b[w.at] = byte(w.acc)
		w.acc >>= 8
		w.at++
	}
	return w.at
}
