package pdf

import "io"

// lzw undoes LZW as PDF and TIFF write it: codes of 9 to 12 bits, the high bit first, which get longer one code early.
type lzw struct {
	data  []byte
	bits  uint32
	n     int // bits in hand
	width int
	early int
	table [4096]entry
	next  int
	last  int
	out   []byte
	ended bool
}

// entry is a string of the table: that of another entry, and one byte.
type entry struct {
	prefix int16
	tail   byte
	length uint16
}

const (
	clearCode = 256
	endCode   = 257
)

func newLZW(data []byte, early bool) *lzw {
	z := &lzw{data: data}
	if early {
		z.early = 1
	}
	for i := range 256 {
		z.table[i] = entry{-1, byte(i), 1}
	}
	z.reset()
	return z
}

func (z *lzw) reset() { z.width, z.next, z.last = 9, 258, -1 }

func (z *lzw) Read(p []byte) (int, error) {
	for len(z.out) == 0 {
		if z.ended || !z.step() {
			return 0, io.EOF
		}
	}
	n := copy(p, z.out)
	z.out = z.out[n:]
	return n, nil
}

// step reads one code; false at the end, or where the data make no sense.
func (z *lzw) step() bool {
	for z.n < z.width {
		if len(z.data) == 0 {
			return false
		}
		z.bits = z.bits<<8 | uint32(z.data[0])
		z.data = z.data[1:]
		z.n += 8
	}
	z.n -= z.width
	code := int(z.bits>>z.n) & (1<<z.width - 1)
	switch {
	case code == clearCode:
		z.reset()
		return true
	case code == endCode:
		z.ended = true
		return false
	case z.last < 0:
		if code > 255 {
			return false
		}
		z.out = []byte{byte(code)}
	case code < z.next:
		z.out = z.expand(code)
		z.add(z.out[0])
	case code == z.next && code < len(z.table):
		head := z.expand(z.last)[0]
		z.add(head)
		z.out = z.expand(code)
	default:
		return false
	}
	z.last = code
	return true
}

func (z *lzw) add(tail byte) {
	if z.next < len(z.table) {
		z.table[z.next] = entry{int16(z.last), tail, z.table[z.last].length + 1}
		z.next++
	}
	for z.width < 12 && z.next+z.early >= 1<<z.width {
		z.width++
	}
}

// expand gives the string of a code.
func (z *lzw) expand(code int) []byte {
	e := z.table[code]
	out := make([]byte, e.length)
	for i := len(out) - 1; i >= 0; i-- {
		out[i] = e.tail
		if e.prefix >= 0 {
			e = z.table[e.prefix]
		}
	}
	return out
}

// runLength undoes run lengths.
type runLength struct {
	data []byte
	out  []byte
}

func (r *runLength) Read(p []byte) (int, error) {
	for len(r.out) == 0 {
		if len(r.data) < 2 || r.data[0] == 128 {
			return 0, io.EOF
		}
		n := int(r.data[0])
		if n < 128 {
			end := min(len(r.data), n+2)
			r.out, r.data = r.data[1:end], r.data[end:]
			continue
		}
		r.out = make([]byte, 257-n)
		for i := range r.out {
			r.out[i] = r.data[1]
		}
		r.data = r.data[2:]
	}
	n := copy(p, r.out)
	r.out = r.out[n:]
	return n, nil
}
