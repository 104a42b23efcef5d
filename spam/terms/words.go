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

	sum  uint64    // of the hashes of all words
	last [2]uint64 // hashes of the two words before, as far as there are
	run  int       // words in a row
}

// maxTrigrams bounds what one page adds to the trigrams.
const maxTrigrams = 20_000

// BagOf counts the words of a text.
func BagOf(text string) *Bag {
	b := NewBag(len(text))
	b.Add(text)
	return b
}

// NewBag returns an empty bag with room for a text of so many bytes.
func NewBag(size int) *Bag {
	const perWord, perNew = 7, 20 // bytes of a text for each word, and for each that did not occur before
	return &Bag{Counts: make(map[string]int, min(size/perNew, 4096)), Trigrams: make([]uint64, 0, min(size/perWord, maxTrigrams))}
}

// Add counts the words of one more text.
func (b *Bag) Add(text string) {
	b.run = 0
	for w := range token.Words(text) {
		b.Take(w.Text)
	}
}

// Take counts the next word of a text, as it stands there.
func (b *Bag) Take(word string) {
	if len(word) > maxWord {
		return
	}
	w := strings.ToLower(word)
	b.Counts[w]++
	b.Tokens++
	x := Hash(w)
	b.sum += x
	if b.run >= 2 && len(b.Trigrams) < maxTrigrams {
		b.Trigrams = append(b.Trigrams, Trigram(b.last[0], b.last[1], x))
	}
	b.last[0], b.last[1] = b.last[1], x
	b.run++
}

// Sum is a hash of all words, whatever their order.
func (b *Bag) Sum() uint64 { return Mix(b.sum) }

// Count tells how many words a text has, as BagOf counts them.
func Count(text string) (n int) {
	for w := range token.Words(text) {
		if len(w.Text) <= maxWord {
			n++
		}
	}
	return n
}
