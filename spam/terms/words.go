package terms

import (
	"iter"
	"strings"

	"varve/text/token"
)

// maxWord is the longest word that is counted; longer ones are data, not language.
const maxWord = 64

// Words goes through the words of a text in lower case, as they are counted here.
func Words(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for w := range token.Words(text) {
			if len(w.Text) > maxWord {
				continue
			}
			if !yield(strings.ToLower(w.Text)) {
				return
			}
		}
	}
}

// Bag is how often each word occurs.
type Bag struct {
	Counts   map[string]int
	Tokens   int
	Trigrams []uint64 // hashes of three words in a row, at most maxTrigrams
}

// maxTrigrams bounds what one page adds to the trigrams.
const maxTrigrams = 20_000

// BagOf counts the words of a text.
func BagOf(text string) *Bag {
	b := &Bag{Counts: map[string]int{}}
	b.Add(text)
	return b
}

// Add counts the words of one more text.
func (b *Bag) Add(text string) {
	var h [2]uint64
	n := 0
	for w := range Words(text) {
		b.Counts[w]++
		b.Tokens++
		x := Hash(w)
		if n >= 2 && len(b.Trigrams) < maxTrigrams {
			b.Trigrams = append(b.Trigrams, Trigram(h[0], h[1], x))
		}
		h[0], h[1] = h[1], x
		n++
	}
}
