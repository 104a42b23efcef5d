package quality

import (
	"iter"
	"math"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Word is a word of a text: letters, with digits and signs between them that a bad scan puts there. Places are bytes.
type Word struct {
	Text       string
	Start, End int
}

// maxWord is the length of the longest word in bytes; longer runs of letters are no words.
const maxWord = 40

// apart reports whether a sign stands between words. All other signs inside a word belong to it: wi|l, th^e.
func apart(r rune) bool {
	return unicode.IsSpace(r) || strings.ContainsRune(".,;:!?()[]{}\"“”„«»-–—/…•·=+<>", r) || unicode.IsControl(r)
}

// Words goes through the words of a text that have at least two letters.
func Words(text string) iter.Seq[Word] {
	return func(yield func(Word) bool) {
		for at := 0; at < len(text); {
			start := at
			first, last, letters := -1, 0, 0
			for at < len(text) {
				r, n := utf8.DecodeRuneInString(text[at:])
				if apart(r) {
					break
				}
				if unicode.IsLetter(r) {
					letters++
				}
				if unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) {
					if first < 0 {
						first = at
					}
					last = at + n
				}
				at += n
			}
			if letters >= 2 && last-first <= maxWord && !yield(Word{text[first:last], first, last}) {
				return
			}
			if at == start {
				_, n := utf8.DecodeRuneInString(text[at:])
				at += n
			}
		}
	}
}

// maxTypes is the largest number of different words that are counted.
const maxTypes = 2 << 20

// Counts is how often an archive has each word, in small letters, and each pair of words that follow each other. The zero value is
// empty.
type Counts struct {
	words map[string]uint32
	total uint64   // words in all
	floor uint32   // words met no more often than this were forgotten the last time
	pairs []uint16 // a count-min sketch with two rows in one table
}

// pairSlots is the size of the table of pairs: 32 MB.
const pairSlots = 1 << 24

// pairAt returns the two slots of a pair (FNV-1a).
func pairAt(a, b string) (int, int) {
	h := uint64(14695981039346656037)
	for _, s := range [...]string{a, "\x00", b} {
		for i := range len(s) {
			h = (h ^ uint64(s[i])) * 1099511628211
		}
	}
	return int(h % pairSlots), int((h >> 32) % pairSlots)
}

// Add counts the words of a text. When there are too many different ones, the rarest are forgotten (lossy counting).
func (c *Counts) Add(text string) {
	if c.words == nil {
		c.words = map[string]uint32{}
	}
	if c.pairs == nil {
		c.pairs = make([]uint16, pairSlots)
	}
	before := ""
	for w := range Words(text) {
		word := strings.ToLower(w.Text)
		c.words[word]++
		c.total++
		if before != "" {
			i, j := pairAt(before, word)
			n := min(c.pairs[i], c.pairs[j])
			if n < 1<<16-1 { // only what is least is raised, so that others are not
				c.pairs[i], c.pairs[j] = max(c.pairs[i], n+1), max(c.pairs[j], n+1)
			}
		}
		before = word
	}
	for len(c.words) > maxTypes {
		c.floor++
		for w, n := range c.words {
			if n <= c.floor {
				delete(c.words, w)
			}
		}
	}
}

// Count returns how often a word in small letters was met.
func (c *Counts) Count(word string) int { return int(c.words[word]) }

// rare is how often a word must be met to be believed by half.
const rare = 10

// pair returns about how often two words followed each other, rarely more than is true.
func (c *Counts) pair(a, b string) float64 {
	if c.pairs == nil {
		return 0
	}
	i, j := pairAt(a, b)
	return float64(min(c.pairs[i], c.pairs[j]))
}

// follows returns log P(b|a)/P(b): how much likelier b is behind a. P(b|a) is the share of a's followers, mixed with P(b). One is taken
// off the pair, since other pairs may share its slots, and rare words are believed less.
func (c *Counts) follows(a, b string) float64 {
	na, nb := float64(c.words[a]), float64(c.words[b])
	if na == 0 || nb == 0 || c.total == 0 {
		return 0
	}
	pair := max(0, c.pair(a, b)-1)
	return math.Log(0.7*pair/(na+rare)*float64(c.total)/(nb+rare) + 0.3)
}

// Types returns the number of different words, Total that of all.
func (c *Counts) Types() int { return len(c.words) }

// Total returns the number of all words.
func (c *Counts) Total() uint64 { return c.total }
