package lang

import (
	"math"
	"slices"
)

// Guess is a language with the probability that the text is written in it.
type Guess struct {
	Lang       string  `json:"lang"` // ISO 639-1, "" where nothing can be told
	Confidence float64 `json:"confidence"`
}

// maxCharacters is how much of a text is read: more adds nothing.
const maxCharacters = 2000

// sharpness divides the evidence: n-grams that overlap say the same thing several times.
const sharpness = 3

// scores reads a text and gives the log-likelihood of each language, up to a constant, and the number of characters and
// of letters among them.
func (x *Identifier) scores(text string, sum *[maxLangs]int32) (n, letters int) {
	var window [maxOrder]rune // the last characters, in a ring
	blanks := 0
	r := reader{text: text, blank: true}
	for c := ' '; c != 0 && n < maxCharacters; c = r.next() {
		window[n%maxOrder] = c
		n++
		if c == ' ' {
			blanks++
		}
		h := uint64(seed)
		for k := 1; k <= maxOrder && k <= n; k++ {
			h = step(h, window[(n-k)%maxOrder])
			list := x.find(h)
			if list == nil {
				break
			}
			for _, w := range list {
				sum[w.lang] += int32(w.log)
			}
		}
	}
	for i, b := range x.base {
		sum[i] += b * int32(n-1) / baseScale
	}
	return n, n - blanks
}

// Identify gives the most likely language of a text.
func (x *Identifier) Identify(text string) Guess {
	if g := x.Rank(text, 1); len(g) > 0 {
		return g[0]
	}
	return Guess{}
}

// Rank gives the n most likely languages, the most likely first; none for a text without letters, or in a language that
// is none of them.
func (x *Identifier) Rank(text string, n int) []Guess {
	var sum [maxLangs]int32
	if _, letters := x.scores(text, &sum); letters == 0 {
		return nil
	}
	best := slices.Max(sum[:len(x.langs)])
	if best <= 0 { // random characters are likelier
		return nil
	}
	list := make([]Guess, len(x.langs))
	total := 0.0
	for i, l := range x.langs {
		p := math.Exp(float64(sum[i]-best) / scale / sharpness)
		list[i] = Guess{l, p}
		total += p
	}
	for i := range list {
		list[i].Confidence /= total
	}
	slices.SortStableFunc(list, func(a, b Guess) int {
		switch {
		case a.Confidence > b.Confidence:
			return -1
		case a.Confidence < b.Confidence:
			return 1
		}
		return 0
	})
	return list[:min(n, len(list))]
}

// Likelihood gives the language that finds the text most likely, and the natural logarithm of that likelihood: how well
// the text reads at all. Only the first part of a long text is read; read tells how many characters that are.
func (x *Identifier) Likelihood(text string) (lang string, log float64, read int) {
	var sum [maxLangs]int32
	read, _ = x.scores(text, &sum)
	best := 0
	for i := range x.langs {
		if sum[i] > sum[best] {
			best = i
		}
	}
	return x.langs[best], float64(sum[best])/scale + float64(read)*math.Log(anyCharacter), read
}
