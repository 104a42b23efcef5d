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
	perFacet := make([][]int64, len(shardFacets))
	for i, f := range shardFacets {
		if slices.Contains(c.q.Facets, f) {
			perFacet[i] = make([]int64, len(s.cols.facets[i].names))
		}
	}
	before := c.total
	days := newDays(c.q.Trend, s.shard)
	err := s.each(ctx, w, n, c.q, func(doc uint32, score float64) {
		c.total++
		for i, counts := range perFacet {
			if counts != nil {
				counts[s.cols.facets[i].of[doc]]++
			}
		}
		if days != nil {
			days.add(s.cols.from[doc])
		}
		if c.q.Limit > 0 {
			c.offer(s, number, doc, score)
		}
	})
	for i, counts := range perFacet {
		for id, count := range counts {
			if count > 0 {
				c.count(shardFacets[i], s.cols.facets[i].names[id], count)
			}
		}
	}
	if slices.Contains(c.q.Facets, collectionFacet) && c.total > before {
		c.count(collectionFacet, s.source, c.total-before)
	}
	if days != nil {
		c.addDays(days, s)
	}
	return err
}

func (c *collector) count(facet, name string, n int64) {
	if c.counts[facet] == nil {
		c.counts[facet] = map[string]int64{}
	}
	c.counts[facet][name] += n
}

// offer keeps a hit if it is among the best behind the cursor.
func (c *collector) offer(s *part, number int, doc uint32, score float64) {
	r := ranked{shard: number, doc: s.cols.number[doc], score: s.worth(doc, score)}
	switch c.q.Sort {
	case ByOldest:
		r.rank = -float64(s.cols.from[doc])
	case ByNewest:
		r.rank = float64(s.cols.from[doc])
	default:
		r.rank = r.score
	}
	if c.after != nil && !c.after.better(r) {
		return
	}
	if len(c.best) < c.keep {
		heap.Push(&c.best, r)
	} else if r.better(c.best[0]) {
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
