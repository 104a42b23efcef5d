package priority

import (
	"math"
	"sync"
)

// Corpus knows how common terms are, from documents it was shown: the seeds, then the pages of the crawl. It
// is safe for use by several goroutines.
//
// It holds at most a given number of terms. When it is full, the terms met only once are forgotten, then
// those met twice, and so on: rare terms may so seem new again, which only raises their weight a little.
type Corpus struct {
	mu   sync.RWMutex
	docs int
	df   map[uint64]uint32
	most int
}

// NewCorpus makes a corpus of at most so many terms; 0 takes a million, about 40 MB.
func NewCorpus(most int) *Corpus {
	if most <= 0 {
		most = 1_000_000
	}
	return &Corpus{df: map[uint64]uint32{}, most: most}
}

// Show counts a document.
func (c *Corpus) Show(text string) {
	var y tally
	y.read(text)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.docs++
	y.each(func(t uint64, _ int) { c.df[t]++ })
	c.forget()
}

// ShowTerms counts a document by its terms, each of which is there once (text/near).
func (c *Corpus) ShowTerms(terms []uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.docs++
	for _, t := range terms {
		c.df[t]++
	}
	c.forget()
}

// forget makes room when there are too many terms.
func (c *Corpus) forget() {
	for rare := uint32(1); len(c.df) > c.most; rare++ {
		for t, n := range c.df {
			if n <= rare {
				delete(c.df, t)
			}
		}
	}
}

// Docs counts the documents shown.
func (c *Corpus) Docs() int {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.docs
}

// Each calls yield with every term that was met and its idf, and returns the idf of all others.
func (c *Corpus) Each(yield func(term uint64, idf float64)) (unknown float64) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	for t := range c.df {
		yield(t, c.idf(t))
	}
	if c.docs == 0 {
		return 1
	}
	return math.Log(1 + float64(c.docs))
}

// Terms returns how many terms are known.
func (c *Corpus) Terms() int {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return len(c.df)
}

// Vector gives the tf-idf vector of a text.
func (c *Corpus) Vector(text string) Vector {
	var y tally
	return c.vector(text, &y)
}

// vector uses the room of a tally.
func (c *Corpus) vector(text string, y *tally) Vector {
	y.read(text)
	return c.weigh(y)
}

func (c *Corpus) weigh(y *tally) Vector {
	if len(y.terms) == 0 {
		return Vector{}
	}
	v := Vector{terms: make([]uint64, 0, len(y.terms)), weights: make([]float64, 0, len(y.terms))}
	c.mu.RLock()
	y.each(func(t uint64, n int) {
		v.terms = append(v.terms, t)
		v.weights = append(v.weights, (1+math.Log(float64(n)))*c.idf(t))
	})
	c.mu.RUnlock()
	v.norm = norm(v.weights)
	return v
}

// idf is ln(1 + N/df); a term never met counts as met once. Without documents every term weighs the same.
func (c *Corpus) idf(t uint64) float64 {
	if c.docs == 0 {
		return 1
	}
	return math.Log(1 + float64(c.docs)/float64(max(c.df[t], 1)))
}
