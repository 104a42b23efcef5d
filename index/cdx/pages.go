package cdx

import (
	"fmt"
	"slices"
)

// Pages tells how a query is cut into pages of some blocks each, so that clients can read a large
// answer in parts and in parallel. The blocks are those of the largest run; the lines of the others
// go where they belong by their order.
type Pages struct {
	Blocks int64 `json:"blocks"`
	Pages  int64 `json:"pages"`
	Size   int64 `json:"pageSize"` // blocks in a page
}

// Pages counts the pages of a query.
func (ix *Index) Pages(q Query, size int64) (Pages, error) {
	p, _, err := ix.pages(&q, size, -1)
	return p, err
}

// Page narrows a query to one of its pages, from 0. Starts gives the key and timestamp at which each
// of its blocks begins.
func (ix *Index) Page(q Query, n, size int64) (page Query, starts []string, err error) {
	p, starts, err := ix.pages(&q, size, n)
	if err == nil && (n < 0 || n >= p.Pages) {
		err = fmt.Errorf("there is no page %d: the query has %d pages", n, p.Pages)
	}
	return q, starts, err
}

// pages counts the pages and narrows q to page n, if there is one.
func (ix *Index) pages(q *Query, size, n int64) (p Pages, starts []string, err error) {
	p.Size = max(1, size)
	b, err := q.bounds()
	if err != nil {
		return p, nil, err
	}
	s, err := ix.acquire()
	if err != nil {
		return p, nil, err
	}
	defer s.release()
	runs, err := s.having(b)
	if err != nil || len(runs) == 0 {
		return p, nil, err
	}
	r := slices.MaxFunc(runs, func(a, c *run) int { return int(min(1, max(-1, a.info.Lines-c.info.Lines))) })
	first, end, err := r.table.Span(b.from, b.to)
	if err != nil {
		return p, nil, r.wrap(err)
	}
	p.Blocks = end - first
	p.Pages = (p.Blocks + p.Size - 1) / p.Size
	if n < 0 || n >= p.Pages {
		return p, nil, nil
	}
	return p, starts, r.wrap(r.narrow(q, &starts, first+n*p.Size, first, end, p.Size))
}

// narrow bounds q to the blocks from at on.
func (r *run) narrow(q *Query, starts *[]string, at, first, end, size int64) error {
	for block := at; block <= min(at+size, end-1); block++ {
		start, err := r.table.Start(block)
		if err != nil {
			return err
		}
		switch {
		case block == at+size:
			if q.Before == "" || start < q.Before {
				q.Before = start
			}
			return nil
		case block == at && at > first:
			q.After = max(q.After, start)
		}
		*starts = append(*starts, start)
	}
	return nil
}
