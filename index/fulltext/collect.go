package fulltext

import (
	"container/heap"
	"context"
	"math"
	"slices"
	"strings"
)

// collector counts and keeps what the shards find.
type collector struct {
	q         *Query
	after     *ranked
	keep      int
	best      best
	total, of int64
	sources   map[string]int64   // documents of each
	tallies   map[string][]tally // by facet, of each shard
	found     []found            // if facets with many values are asked for, or some names of facets
	few       int                // values that are all counted
	again     int                // facets that were counted a second time
	points    map[int64]*Point
}

func (c *collector) part(ctx context.Context, w *weights, n Node, number int, s *part) error {
	days := newDays(c.q.Trend, s.shard)
	by, err := s.numbersBy(c.q.Sort)
	if err != nil {
		return err
	}
	err = s.each(ctx, w, n, c.q, func(in set, docs []uint32, scores []float64) {
		c.total += int64(len(docs))
		if len(docs) > 0 {
			c.sources[s.source] += int64(len(docs))
			c.note(w.spare, s, in, docs)
		}
		if c.q.Limit > 0 {
			c.offer(s, number, docs, scores, by)
		}
		if days != nil {
			for _, d := range docs {
				days.add(s.cols.from[d])
			}
		}
	})
	if days != nil { // a shard without hits counts, too: its documents are what shares are of
		c.addDays(days, s)
	}
	return err
}

// note counts the names of facets with one value a document, and notes the documents for the others.
func (c *collector) note(spare *spare, s *part, in set, docs []uint32) {
	later := false
	for _, name := range c.q.Facets {
		switch i := slices.Index(shardFacets, name); {
		case name == collectionFacet:
		case i >= 0 && c.q.Prefix == "":
			c.tallies[name] = append(c.tallies[name], spare.tallyOf(&s.cols.facets[i], docs))
		default:
			later = true
		}
	}
	if !later {
		return
	}
	h := found{part: s, count: len(docs)}
	if h.count < s.info.Docs {
		h.docs = spare.set(s.info.Docs)
		copy(h.docs, in)
	}
	c.found = append(c.found, h)
}

// facet returns a facet of a shard; nil if there is none of that name.
func (s *shard) facet(name string) listed {
	if i := slices.Index(shardFacets, name); i >= 0 {
		return &s.cols.facets[i]
	} else if v := s.facets.find(name); v != nil {
		return v
	}
	return nil
}

// numbersBy returns the numbers by which documents are ordered, by place; nil if it is not by numbers.
func (s *shard) numbersBy(o Order) ([]float64, error) {
	facet, about, ok := o.most()
	if !ok {
		return nil, nil
	}
	out := make([]float64, s.info.Docs)
	for i := range out {
		out[i] = math.Inf(-1)
	}
	v := s.facets.find(facet)
	if v == nil {
		return out, nil
	}
	from, to := v.alike(about, false)
	if from >= to {
		return out, nil
	}
	for i := u32At(v.firsts, from); i < u32At(v.firsts, to); i++ {
		d := v.places.at(i)
		if int(d) >= v.docs {
			return nil, errFacets
		}
		out[d] = max(out[d], float64(v.number(i)))
	}
	return out, nil
}

// offer keeps the hits that are among the best behind the cursor; nil scores are 1. by is what they are ordered by, unless nil.
func (c *collector) offer(s *part, number int, docs []uint32, scores, by []float64) {
	for i, d := range docs {
		score := 1.0
		if scores != nil {
			score = scores[i]
		}
		if c.q.Sort == ByScore && len(c.best) == c.keep && score*s.mostLinked < c.best[0].rank {
			continue // most of them: with all links that a page of the shard has, it would not do
		}
		r := ranked{shard: number, score: s.worth(d, score)}
		switch {
		case by != nil:
			r.rank = by[d]
		case c.q.Sort == ByOldest:
			r.rank = -float64(s.cols.from[d])
		case c.q.Sort == ByNewest:
			r.rank = float64(s.cols.from[d])
		default:
			r.rank = r.score
		}
		if len(c.best) == c.keep && r.rank < c.best[0].rank {
			continue
		}
		r.doc = s.cols.number[d]
		c.take(r)
	}
}

func (c *collector) take(r ranked) {
	switch {
	case c.after != nil && !c.after.better(r):
	case len(c.best) < c.keep:
		heap.Push(&c.best, r)
	case r.better(c.best[0]):
		c.best[0] = r
		heap.Fix(&c.best, 0)
	}
}

func (c *collector) ranked() []ranked {
	out := slices.Clone(c.best)
	slices.SortFunc(out, func(a, b ranked) int {
		if a.better(b) {
			return -1
		}
		return 1
	})
	return out
}

// facets gives the commonest names of each facet.
func (c *collector) facets(spare *spare) map[string][]Count {
	if len(c.q.Facets) == 0 {
		return nil
	}
	out := map[string][]Count{}
	if c.q.Prefix == "" {
		c.countValues(spare, out)
	}
	for _, f := range c.q.Facets {
		switch {
		case f == collectionFacet:
			list := make([]Count, 0, len(c.sources))
			for name, n := range c.sources {
				if strings.HasPrefix(fold(name), fold(c.q.Prefix)) {
					list = append(list, Count{name, n})
				}
			}
			slices.SortFunc(list, compareCounts)
			out[f] = list[:min(len(list), c.q.Top)]
			continue
		case c.q.Prefix != "":
			for _, h := range c.found {
				if of := h.part.facet(f); of != nil {
					c.tallies[f] = append(c.tallies[f], spare.tallyOfPrefix(of, h, c.q.Prefix))
				}
			}
		case slices.Contains(shardFacets, f):
		default:
			continue // counted above
		}
		out[f], _, _ = spare.commonest(c.tallies[f], c.q.Top)
		spare.freeTallies(c.tallies[f])
	}
	for _, h := range c.found {
		if h.docs != nil {
			spare.free(h.docs)
		}
	}
	return out
}

// fewValues is how many values are all counted, since it is little to count.
const fewValues = mostFew

// countValues counts the facets with many values a document. A name that few documents have cannot be among the commonest, so it is not counted: a bound
// for the commonest is guessed from how many of all documents were found. If the guess was too high, they are counted again with the one that was reached.
func (c *collector) countValues(spare *spare, out map[string][]Count) {
	var indexes []*hitsOf
	for _, f := range c.found { // those of an index follow each other
		if o := f.part.ordinals; o != nil {
			if len(indexes) == 0 || indexes[len(indexes)-1].ordinals != o {
				indexes = append(indexes, &hitsOf{ordinals: o})
			}
			h := indexes[len(indexes)-1]
			h.found, h.count = append(h.found, f), h.count+f.count
		}
	}
	type asked struct {
		name  string
		bound int64
	}
	var list []asked
	values := 0.0
	for _, name := range c.q.Facets {
		if slices.Contains(shardFacets, name) || name == collectionFacet {
			continue
		}
		expected := 0.0
		for _, h := range indexes {
			if f := h.facet(name); f >= 0 {
				values += h.share() * float64(h.Facets[f].Values)
				expected += h.share() * float64(h.nth(f, c.q.Top-1))
			}
		}
		list = append(list, asked{name, int64(expected * 3 / 4)})
	}
	if values <= float64(c.few) {
		for i := range list {
			list[i].bound = 0
		}
	}
	enough := c.q.Top
	if len(indexes) > 1 {
		enough = math.MaxInt // a name may be rare in each
	}
	for len(list) > 0 {
		tallies := make([][]tally, len(list))
		for _, h := range indexes {
			var facets []facetAsked
			for _, a := range list { // of several indexes one has its part of the bound at least
				facets = append(facets, facetAsked{h.facet(a.name), uint32((max(a.bound, 1)-1)/int64(len(indexes)) + 1)})
			}
			for i, t := range spare.tallyValues(h, facets, enough) {
				tallies[i] = append(tallies[i], t)
			}
		}
		var again []asked
		for i, a := range list {
			names, reached, ok := spare.commonest(tallies[i], c.q.Top)
			if ok {
				out[a.name] = names
			} else {
				again = append(again, asked{a.name, min(reached, a.bound/2)})
			}
			spare.freeTallies(tallies[i])
		}
		c.again += len(again)
		list = again
	}
}
