package lang

import (
	"math"
	"unicode/utf8"
)

// order is the number of characters of an n-gram.
func order(g string) int { return utf8.RuneCountInString(g) }

func withoutLast(g string) string {
	_, n := utf8.DecodeLastRuneInString(g)
	return g[:len(g)-n]
}

func withoutFirst(g string) string {
	_, n := utf8.DecodeRuneInString(g)
	return g[n:]
}

// weight is what an n-gram says for a language: how much more likely it makes the text, as a logarithm.
type weight struct {
	lang uint8
	log  int8 // in units of 1/scale
}

// scale is the number of steps of a weight per unit of the natural logarithm; weights go from -16 to 16.
const scale = 8

// baseScale makes the weight of any character finer, as it is added for each.
const baseScale = 64

func quantise(w float64) int8 {
	return int8(math.Round(min(max(w*scale, -127), 127)))
}

// hash is a rolling hash of an n-gram: begin with seed, and step with each character from the last to the first.
const seed = 0x9e3779b97f4a7c15

func step(h uint64, c rune) uint64 {
	h = (h ^ uint64(c)) * 0xff51afd7ed558ccd
	return h ^ h>>32
}

func hash(g string) uint64 {
	h := uint64(seed)
	for len(g) > 0 {
		c, n := utf8.DecodeLastRuneInString(g)
		h = step(h, c)
		g = g[:len(g)-n]
	}
	return h
}
