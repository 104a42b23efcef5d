package fulltext

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/RoaringBitmap/roaring/v2"
)

// Rise is a word that documents of an interval have more often than those of other times.
type Rise struct {
	Term  string  `json:"term"`
	Hits  int64   `json:"hits"`  // a: documents of the interval with the word
	Other int64   `json:"other"` // b: documents of other times with it
	Score float64 `json:"score"` // log-likelihood ratio
	Times float64 `json:"times"` // how many times its share of other times; smoothed, so that there is always a number
}

// Cloud is the words that rise in an interval, the most telling first.
type Cloud struct {
	In    int64  `json:"in"`    // n1: documents that were first seen in the interval
	Other int64  `json:"other"` // n2: documents of other times
	Terms []Rise `json:"terms"`
}

// leastRise is in how many documents of the interval a word must be.
const leastRise = 2

// likelihood is the log-likelihood ratio (Dunning 1993) of a word that a of n1 and b of n2 documents have:
//
//	2 Σ O ln(O / E)   over with and without the word, inside and outside of the interval
//
// It is about what a χ² test with one degree of freedom gives: above 10.8 a rise by chance has a probability below 0.001.
// Worked example: 30 of 100 documents inside, 20 of 900 outside: E = 5, 45, 95, 855; the ratio is 83.0.
func likelihood(a, b, n1, n2 float64) float64 {
	n, with := n1+n2, a+b
	term := func(o, e float64) float64 {
		if o <= 0 {
			return 0
		}
		return o * math.Log(o/e)
	}
	return 2 * (term(a, n1*with/n) + term(b, n2*with/n) + term(n1-a, n1*(n-with)/n) + term(n2-b, n2*(n-with)/n))
}

// Rising answers RisingTerms of embedded indexes.
//
// Cost: one pass over the words of the documents of the interval; words are then weighed in the order of how often they are there,
// until the rest cannot reach the best ones even if no other document had them.
func (ix *Index) Rising(ctx context.Context, sources []Source, q Query) (*Cloud, error) {
	if err := embedded(sources); err != nil {
		return nil, err
	}
	declared := Declared(sources) // before the indexes are locked
	if err := q.check(declared); err != nil {
		return nil, err
	}
	timeless := q
	timeless.From, timeless.To, timeless.AsOf = time.Time{}, time.Time{}, time.Time{}
	parts, done := reach(sources, &timeless)
	defer done()
	n, err := understood(q.Text, declared, parts)
	if err != nil {
		return nil, err
	}
	spare, giveBack := spareOf(sources)
	defer giveBack()
	w, err := weigh(parts, n, spare)
	if err != nil {
		return nil, err
	}
	c := &clouding{q: &q, hits: map[string]int64{}}
	for _, p := range parts {
		if err := c.part(ctx, w, n, p); err != nil {
			return nil, fmt.Errorf("words of %s: %w", p.info.Year, err)
		}
	}
	return c.cloud(), ctx.Err()
}

// clouding gathers the counts.
type clouding struct {
	q      *Query
	in, of int64
	hits   map[string]int64 // of the interval
	backs  []background
}

// background is how many documents of a shard, those of the interval included, have a word.
type background struct {
	terms *termsReader
	count []uint32
}

func (c *clouding) part(ctx context.Context, w *weights, n Node, p *part) error {
	if err := p.terms.load(); err != nil {
		return err
	}
	all, err := c.selected(ctx, w, n, p)
	if err != nil {
		return err
	}
	inside := p.firstSeen(c.q, all)
	c.in += int64(inside.GetCardinality())
	c.of += int64(p.info.Docs)
	if all != nil {
		c.of += int64(all.GetCardinality()) - int64(p.info.Docs)
	}
	back, err := p.terms.count(ctx, all)
	if err != nil {
		return err
	}
	c.backs = append(c.backs, background{p.terms, back})
	if inside.IsEmpty() {
		return nil
	}
	counts, err := p.terms.count(ctx, inside)
	for i, n := range counts {
		if n > 0 {
			c.hits[string(p.terms.words[i])] += int64(n)
		}
	}
	return err
}

// selected are the documents that fit text and facets; nil means all.
func (c *clouding) selected(ctx context.Context, w *weights, n Node, p *part) (*roaring.Bitmap, error) {
	timeless := Query{Filters: c.q.Filters, Without: c.q.Without}
	if n == nil {
		return p.allowed(&timeless), nil
	}
	out := roaring.New()
	err := p.each(ctx, w, n, &timeless, func(_ set, docs []uint32, _ []float64) { out.AddMany(docs) })
	return out, err
}

// firstSeen are those of some documents that were first seen in the interval.
func (p *part) firstSeen(q *Query, of *roaring.Bitmap) *roaring.Bitmap {
	from, to := int64(math.MinInt64), int64(math.MaxInt64)
	if !q.From.IsZero() {
		from = q.From.UnixMicro()
	}
	if !q.To.IsZero() {
		to = q.To.UnixMicro()
	}
	out := roaring.New()
	if of == nil {
		for d, t := range p.cols.from {
			if t >= from && t <= to {
				out.Add(uint32(d))
			}
		}
		return out
	}
	for it := of.Iterator(); it.HasNext(); {
		if d := it.Next(); p.cols.from[d] >= from && p.cols.from[d] <= to {
			out.Add(d)
		}
	}
	return out
}

// cloud weighs the words.
func (c *clouding) cloud() *Cloud {
	out := &Cloud{In: c.in, Other: c.of - c.in, Terms: []Rise{}}
	n1, n2 := float64(out.In), float64(out.Other)
	order := make([]Rise, 0, len(c.hits))
	for w, a := range c.hits {
		if a >= leastRise {
			order = append(order, Rise{Term: w, Hits: a})
		}
	}
	slices.SortFunc(order, func(a, b Rise) int { return cmp.Or(cmp.Compare(b.Hits, a.Hits), cmp.Compare(a.Term, b.Term)) })
	for _, r := range order {
		a := float64(r.Hits)
		if len(out.Terms) == c.q.Limit && likelihood(a, 0, n1, n2) < out.Terms[len(out.Terms)-1].Score {
			break
		}
		if r, rises := NewRise(r.Term, r.Hits, c.all(r.Term)-r.Hits, out.In, out.Other); rises {
			out.keep(r, c.q.Limit)
		}
	}
	return out
}

// NewRise weighs a word or a value that hits of in documents have, and other of the rest; it reports false if it is not more often there.
func NewRise(term string, hits, other, in, rest int64) (Rise, bool) {
	a, b, n1, n2 := float64(hits), float64(other), float64(in), float64(rest)
	if a*n2 <= b*n1 {
		return Rise{}, false
	}
	return Rise{Term: term, Hits: hits, Other: other, Score: likelihood(a, b, n1, n2), Times: (a / n1) / ((b + 0.5) / (n2 + 1))}, true
}

// keep puts a word in its place.
func (c *Cloud) keep(r Rise, most int) {
	at, _ := slices.BinarySearchFunc(c.Terms, r, func(a, b Rise) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Term, b.Term))
	})
	if c.Terms = slices.Insert(c.Terms, at, r); len(c.Terms) > most {
		c.Terms = c.Terms[:most]
	}
}

// all is how many documents of all times have a word.
func (c *clouding) all(word string) (n int64) {
	key := []byte(word)
	for _, b := range c.backs {
		if i := b.terms.number(key); i >= 0 {
			n += int64(b.count[i])
		}
	}
	return n
}
