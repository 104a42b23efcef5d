package fulltext

import (
	"container/heap"
	"context"
	"slices"
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
	points    map[int64]*Point
}

func (c *collector) part(ctx context.Context, w *weights, n Node, number int, s *part) error {
	days := newDays(c.q.Trend, s.shard)
	err := s.each(ctx, w, n, c.q, func(docs []uint32, scores []float64) {
		c.total += int64(len(docs))
		if len(docs) > 0 {
			c.sources[s.source] += int64(len(docs))
			for _, f := range c.q.Facets {
				c.tally(w.spare, s, f, docs)
			}
		}
		if c.q.Limit > 0 {
			c.offer(s, number, docs, scores)
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

// tally counts the names of a facet that documents have.
func (c *collector) tally(spare *spare, s *part, name string, docs []uint32) {
	if i := slices.Index(shardFacets, name); i >= 0 {
		c.tallies[name] = append(c.tallies[name], spare.tallyOf(&s.cols.facets[i], docs))
	} else if v := s.facets.find(name); v != nil {
		c.tallies[name] = append(c.tallies[name], spare.tallyOfValues(v, docs))
	}
}

// offer keeps the hits that are among the best behind the cursor; nil scores are 1.
func (c *collector) offer(s *part, number int, docs []uint32, scores []float64) {
	for i, d := range docs {
		score := 1.0
		if scores != nil {
			score = scores[i]
		}
		if c.q.Sort == ByScore && len(c.best) == c.keep && score*s.mostLinked < c.best[0].rank {
			continue // most of them: with all links that a page of the shard has, it would not do
		}
		r := ranked{shard: number, score: s.worth(d, score)}
		switch c.q.Sort {
		case ByOldest:
			r.rank = -float64(s.cols.from[d])
		case ByNewest:
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
	for _, f := range c.q.Facets {
		if f != collectionFacet {
			out[f] = spare.commonest(c.tallies[f], c.q.Top)
			continue
		}
		list := make([]Count, 0, len(c.sources))
		for name, n := range c.sources {
			list = append(list, Count{name, n})
		}
		slices.SortFunc(list, compareCounts)
		out[f] = list[:min(len(list), c.q.Top)]
	}
	for _, list := range c.tallies {
		for _, t := range list {
			t.of = nil
			spare.tallies = append(spare.tallies, t)
		}
	}
	return out
}
