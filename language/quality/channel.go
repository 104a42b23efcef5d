package quality

import (
	"math"
	"unicode"
)

// channel is what a scanner does to words: P(y|x), the probability that the characters x of a word come out as y. x and y have up to
// two characters each; x may be a place between characters (an insertion), y may be nothing (a deletion).
//
// The probability that the word c comes out as w is that of the best way to cut both into such pieces:
//
//	P(w|c) = max over cuts of the product of P(y_i|x_i)       (P(a|a) is taken as 1)
//
// P(y|x) is learned from the words of the archive themselves: a rare word that nobody knows, with a frequent known word near it,
// is taken as that word scanned badly, as far as the model before believes it (one round of EM each):
//
//	P(y|x) = count(x→y) / (occurrences of x + K) + P0(y|x)
type channel struct {
	learned map[[2]string]float64
}

// prior is P0(y|x), before anything is learned: one character for another, left out, added, swapped, and two for one.
func prior(x, y string) float64 {
	nx, ny := len([]rune(x)), len([]rune(y))
	switch {
	case nx == 1 && ny == 1:
		return 1e-6
	case nx == 1 && ny == 0:
		return 1e-5
	case nx == 0 && ny == 1:
		if r := []rune(y)[0]; !unicode.IsLetter(r) {
			return 1e-5 // a speck, the mark of a footnote
		}
		return 1e-6
	case nx == 2 && ny == 2:
		if a, b := []rune(x), []rune(y); a[0] == b[1] && a[1] == b[0] {
			return 1e-5
		}
		return 1e-9
	}
	return 1e-8
}

// weight is K: what was seen less often than that is believed less.
const weight = 1000

func (c *channel) p(x, y string) float64 {
	if p, ok := c.learned[[2]string{x, y}]; ok {
		return p
	}
	return prior(x, y)
}

// likelihood returns log P(w|c), and the pieces in which the best cut differs.
func (ch *channel) likelihood(w, c []rune) (float64, [][2]string) {
	type cell struct {
		score  float64
		di, dj int
	}
	n, m := len(c), len(w)
	table := make([]cell, (n+1)*(m+1))
	at := func(i, j int) *cell { return &table[i*(m+1)+j] }
	for k := range table {
		table[k].score = math.Inf(-1)
	}
	at(0, 0).score = 0
	for i := 0; i <= n; i++ {
		for j := 0; j <= m; j++ {
			from := at(i, j).score
			if math.IsInf(from, -1) {
				continue
			}
			if i < n && j < m && c[i] == w[j] && from > at(i+1, j+1).score {
				*at(i+1, j+1) = cell{from, 1, 1}
			}
			for di := 0; di <= 2 && i+di <= n; di++ {
				for dj := 0; dj <= 2 && j+dj <= m; dj++ {
					if di == 0 && dj == 0 || di == 0 && dj == 2 || di == 1 && dj == 1 && c[i] == w[j] {
						continue
					}
					if s := from + math.Log(ch.p(string(c[i:i+di]), string(w[j:j+dj]))); s > at(i+di, j+dj).score {
						*at(i+di, j+dj) = cell{s, di, dj}
					}
				}
			}
		}
	}
	var pieces [][2]string
	for i, j := n, m; i > 0 || j > 0; {
		k := at(i, j)
		if x, y := string(c[i-k.di:i]), string(w[j-k.dj:j]); x != y {
			pieces = append(pieces, [2]string{x, y})
		}
		i, j = i-k.di, j-k.dj
	}
	return at(n, m).score, pieces
}
