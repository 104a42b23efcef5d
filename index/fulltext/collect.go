package fulltext

import (
	"container/heap"
	"context"
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
	counts    map[string]map[string]int64
	points    map[int64]*Point
}

func (c *collector) part(ctx context.Context, w *weights, n Node, number int, s *part) error {
	days := newDays(c.q.Trend, s.shard)
	err := s.each(ctx, w, n, c.q, func(docs []uint32, scores []float64) {
		c.total += int64(len(docs))
		for i, f := range shardFacets {
			if slices.Contains(c.q.Facets, f) {
				c.facet(f, &s.cols.facets[i], docs)
			}
		}
		if slices.Contains(c.q.Facets, collectionFacet) && len(docs) > 0 {
			c.count(collectionFacet, s.source, int64(len(docs)))
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

// facet counts the names that documents have.
func (c *collector) facet(name string, f *facet, docs []uint32) {
	counts := make([]int64, len(f.names))
	for _, d := range docs {
		counts[f.of[d]]++
	}
	for id, n := range counts {
		if n > 0 {
			c.count(name, f.names[id], n)
		}
	}
}

func (c *collector) count(facet, name string, n int64) {
	if c.counts[facet] == nil {
		c.counts[facet] = map[string]int64{}
	}
	c.counts[facet][name] += n
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
func (c *collector) facets() map[string][]Count {
	if len(c.q.Facets) == 0 {
		return nil
	}
	out := map[string][]Count{}
	for _, f := range c.q.Facets {
		list := make([]Count, 0, len(c.counts[f]))
		for name, n := range c.counts[f] {
			list = append(list, Count{name, n})
		}
		slices.SortFunc(list, func(a, b Count) int {
			if a.Count != b.Count {
				return int(b.Count - a.Count)
			}
			return strings.Compare(a.Name, b.Name)
		})
		out[f] = list[:min(len(list), c.q.Top)]
	}
	return out
}
