package smallgz

import (
	"encoding/binary"
	"hash/crc32"
	"math/bits"
)

// MaxSize is the longest text that is packed.
const MaxSize = 16 << 10

// Bounds of deflate, and of what is worth a match.
const (
	minMatch = 4
	maxMatch = 258
)

// hashBits is the size of the table of places.
const hashBits = 12

// Packer packs texts. It has the table that it reuses; it is not safe for concurrent use.
type Packer struct {
	last [1 << hashBits]uint16 // place of the last 4 bytes with this hash, plus one
}

// head is the start of a gzip member without name and time.
const head = "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"

// Append appends the text as a gzip member to dst. It tells false, and appends nothing, if the text
// is too long or has a byte that is not plain ASCII.
func (p *Packer) Append(dst, text []byte) ([]byte, bool) {
	if len(text) > MaxSize || !plain(text) {
		return dst, false
	}
	clear(p.last[:])
	start := len(dst)
	dst = append(dst, head...)
	dst = append(dst, make([]byte, worst(len(text)))...)
	out := bitWriter{b: dst[start+len(head):]}
	out.start()
	p.pack(&out, text)
	dst = dst[:start+len(head)+out.finish()]
	dst = binary.LittleEndian.AppendUint32(dst, crc32.ChecksumIEEE(text))
	return binary.LittleEndian.AppendUint32(dst, uint32(len(text))), true
}

// worst bounds the packed size of n bytes: no code is longer than 15 bits, and words are written
// eight bytes at a time.
func worst(n int) int { return len(blockHead) + 2*n + 24 }

// plain tells whether there is a code for each byte.
func plain(text []byte) bool {
	for _, c := range text {
		if literalLength[c] == 0 {
			return false
		}
	}
	return true
}

func hash(x uint32) uint32 { return x * 0x9e3779b1 >> (32 - hashBits) }

// pack writes the codes of a text.
func (p *Packer) pack(out *bitWriter, text []byte) {
	i := 0
	for i+minMatch <= len(text) {
		x := binary.LittleEndian.Uint32(text[i:])
		slot := &p.last[hash(x)]
		at := int(*slot) - 1
		*slot = uint16(i + 1)
		if at < 0 || binary.LittleEndian.Uint32(text[at:]) != x {
			out.put(literalCode[text[i]])
			i++
			continue
		}
		n := minMatch + same(text[at+minMatch:], text[i+minMatch:])
		out.match(n, i-at)
		p.learn(text, i+1, i+n)
		i += n
	}
	for ; i < len(text); i++ {
		out.put(literalCode[text[i]])
	}
	out.put(endCode)
}

// learn notes the places of a match.
func (p *Packer) learn(text []byte, from, to int) {
	for to = min(to, len(text)-minMatch+1); from < to; from++ {
		p.last[hash(binary.LittleEndian.Uint32(text[from:]))] = uint16(from + 1)
	}
}

// same tells how long two texts agree, up to the longest match.
func same(a, b []byte) int {
	most := min(len(b), maxMatch-minMatch)
	n := 0
	for n+8 <= most {
		if d := binary.LittleEndian.Uint64(a[n:]) ^ binary.LittleEndian.Uint64(b[n:]); d != 0 {
			return n + bits.TrailingZeros64(d)>>3
		}
		n += 8
	}
	for n < most && a[n] == b[n] {
		n++
	}
	return n
}
