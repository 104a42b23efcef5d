package smallgz

import "math/bits"

// The codes, made from the lengths in table.go. They never change.
var (
	literalCode  = codesOf(literalLength[:])
	endCode      = literalCode[256]
	distanceCode = codesOf(distanceLength[:])
	lengthCode   = lengthCodes(literalCode)
)

// codesOf makes the codes of given lengths (RFC 1951 3.2.2): shorter ones first, equal ones in the order of symbols.
func codesOf(lengths []uint8) []code {
	var next [16]uint32
	var count [16]uint32
	for _, n := range lengths {
		count[n]++
	}
	count[0] = 0
	for n, c := 1, uint32(0); n < 16; n++ {
		c = (c + count[n-1]) << 1
		next[n] = c
	}
	out := make([]code, len(lengths))
	for sym, n := range lengths {
		if n > 0 {
			out[sym] = code{bits: bits.Reverse32(next[n]) >> (32 - n), n: n}
			next[n]++
		}
	}
	return out
}

// lengthCodes gives for each length of a match its code with the extra bits.
func lengthCodes(literal []code) (out [maxMatch + 1]code) {
	for length := minMatch; length <= maxMatch; length++ {
		sym, extra, value := lengthSymbol(length)
		c := literal[sym]
		c.bits |= uint32(value) << c.n
		c.n += uint8(extra)
		out[length] = c
	}
	return out
}

// lengthSymbol gives the symbol of a length and its extra bits (RFC 1951 3.2.5).
func lengthSymbol(length int) (sym, extra, value int) {
	if length == maxMatch {
		return 285, 0, 0
	}
	l := length - 3
	if l < 8 {
		return 257 + l, 0, 0
	}
	extra = bits.Len(uint(l)) - 3
	return 257 + extra<<2 + l>>extra, extra, l & (1<<extra - 1)
}
