package fulltext

import (
	"container/heap"
	"context"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
)

// Index answers queries. It is safe for concurrent use.
type Index struct {
	dir    string
	mu     sync.RWMutex
	shards []*shard
}

// Open opens the index in a folder. Without one it has no documents.
func Open(dir string) (*Index, error) {
	ix := &Index{dir: dir}
	return ix, ix.Refresh()
}

// Refresh opens what was built since. Shards that did not change stay open.
func (ix *Index) Refresh() error {
	m, err := readManifest(ix.dir)
	if err != nil {
		return err
	}
	ix.mu.Lock()
	defer ix.mu.Unlock()
	var next []*shard
	for _, info := range m.Shards {
		i := slices.IndexFunc(ix.shards, func(s *shard) bool { return s.info == info })
		if i >= 0 {
			next = append(next, ix.shards[i])
			continue
		}
		s, err := openShard(ix.dir, info)
		if err != nil {
			for _, n := range next {
				if !slices.Contains(ix.shards, n) {
					err = errors.Join(err, n.close())
				}
			}
			return err
		}
		next = append(next, s)
	}
	for _, s := range ix.shards {
		if !slices.Contains(next, s) {
			err = errors.Join(err, s.close())
		}
	}
	ix.shards = next
	return err
}

// Close closes the index.
func (ix *Index) Close() error {
	ix.mu.Lock()
	defer ix.mu.Unlock()
	var err error
	for _, s := range ix.shards {
		err = errors.Join(err, s.close())
	}
	ix.shards = nil
	return err
}

// Docs is the number of documents.
func (ix *Index) Docs() int64 {
	ix.mu.RLock()
	defer ix.mu.RUnlock()
	var n int64
	for _, s := range ix.shards {
		n += int64(s.info.Docs)
	}
	return n
}

// Search answers a query.
func (ix *Index) Search(ctx context.Context, q Query) (*Answer, error) {
	if err := q.check(); err != nil {
		return nil, err
	}
	n, err := Parse(q.Text)
	if err != nil {
		return nil, err
	}
	after, err := parseCursor(q.Cursor)
	if err != nil {
		return nil, err
	}
	ix.mu.RLock()
	defer ix.mu.RUnlock()
	c := &collector{q: &q, after: after, keep: q.Limit + 1, counts: map[string]map[string]int64{}}
	if q.Group {
		c.keep = q.Limit*alikeReach + 1
	}
	w, err := ix.weigh(n)
	if err != nil {
		return nil, err
	}
	for i, s := range ix.shards {
		c.of += int64(s.info.Docs)
		if err := c.shard(ctx, w, n, i, s); err != nil {
			return nil, fmt.Errorf("search %s: %w", s.info.Year, err)
		}
	}
	out := &Answer{Total: c.total, Of: c.of, Facets: c.facets(), Trend: c.trend()}
	return out, ix.fill(out, n, &q, c.ranked())
}

// ranked is a hit on its way: where it is, and what it is ranked by.
type ranked struct {
	shard int
	doc   uint32
	score float64 // shown
	rank  float64 // by which hits are ordered, highest first
}

// better orders hits.
func (a ranked) better(b ranked) bool {
	if a.rank != b.rank {
		return a.rank > b.rank
	}
	if a.shard != b.shard {
		return a.shard < b.shard
	}
	return a.doc < b.doc
}

// best is a heap with the worst hit on top.
type best []ranked

func (b best) Len() int           { return len(b) }
func (b best) Less(i, j int) bool { return b[j].better(b[i]) }
func (b best) Swap(i, j int)      { b[i], b[j] = b[j], b[i] }
func (b *best) Push(x any)        { *b = append(*b, x.(ranked)) }
func (b *best) Pop() any          { last := (*b)[len(*b)-1]; *b = (*b)[:len(*b)-1]; return last }

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

func (c *collector) shard(ctx context.Context, w *weights, n Node, number int, s *shard) error {
	perFacet := make([][]int64, len(Facets()))
	for i, f := range Facets() {
		if slices.Contains(c.q.Facets, f) {
			perFacet[i] = make([]int64, len(s.cols.facets[i].names))
		}
	}
	days := newDays(c.q.Trend, s)
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
				c.count(Facets()[i], s.cols.facets[i].names[id], count)
			}
		}
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
func (c *collector) offer(s *shard, number int, doc uint32, score float64) {
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

// A cursor is the rank and place of the last hit that was shown.
func (r ranked) cursor() string {
	b := binary.BigEndian.AppendUint64(nil, math.Float64bits(r.rank))
	b = binary.BigEndian.AppendUint32(b, uint32(r.shard))
	return base64.RawURLEncoding.EncodeToString(binary.BigEndian.AppendUint32(b, r.doc))
}

func parseCursor(s string) (*ranked, error) {
	if s == "" {
		return nil, nil
	}
	b, err := base64.RawURLEncoding.DecodeString(s)
	if err != nil || len(b) != 16 {
		return nil, errors.New("the cursor is none that an answer gave")
	}
	return &ranked{rank: math.Float64frombits(binary.BigEndian.Uint64(b)), shard: int(binary.BigEndian.Uint32(b[8:])), doc: binary.BigEndian.Uint32(b[12:])}, nil
}
