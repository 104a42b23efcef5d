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
