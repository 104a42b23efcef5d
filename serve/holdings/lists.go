package holdings

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"iter"
	"slices"
	"time"

	"varve"
	"varve/archive/catalog"
)

// newestCrawls is how many crawls a collection comes with.
const newestCrawls = 240

// CrawlQuery asks for crawls, the newest first.
type CrawlQuery struct {
	Collection string    // empty: of all
	State      State     // empty: in any
	Name       string    // in the plan of the collection, which must be given; empty: any
	From, To   time.Time // begun in this time, its end exclusive; zero: at any
	After      string    // Next of the page before; empty: from the newest
	Skip       int       // pass over so many
	Limit      int
}

// CrawlPage is a part of a list of crawls.
type CrawlPage struct {
	Items   []*Crawl
	Next    string // what to ask for the page after it; empty at the end
	Total   int    // crawls of the whole list; of one narrowed by name or time -1
	Pending int    // crawls that are not in the list yet, which is being made
}

// order is the part of the catalogue that a query reads.
func (q CrawlQuery) order() (prefix, from []byte) {
	switch {
	case q.Name != "":
		prefix = key(spaceName, q.Collection, q.Name)
	case q.Collection == "" || q.State != "":
		prefix = append(key(spaceState, q.Collection), stateBytes[q.State])
	default:
		prefix = key(spaceCrawl, q.Collection)
	}
	if !q.To.IsZero() {
		from = before(q.To.UnixNano() - 1)
	}
	return prefix, from
}

const cursorMark = "~" // no number, and no name of a collection, begins with it

func (q CrawlQuery) cursor() ([]byte, error) {
	b, err := base64.RawURLEncoding.DecodeString(q.After[min(1, len(q.After)):])
	if _, _, ok := idOf(b); err != nil || !ok || q.After[:1] != cursorMark {
		return nil, &varve.Error{Kind: varve.Invalid, Op: "list crawls", Msg: "the cursor cannot be used", Hint: "take next of the page before"}
	}
	return append(b, 0), nil // the place behind it
}

// Crawls lists crawls. What is on the page is as its files are now; which crawls there are besides, and their number, is
// as of the last look at their collection.
func (h *Holdings) Crawls(ctx context.Context, q CrawlQuery) (*CrawlPage, error) {
	if q.Collection != "" {
		c, err := h.archive.Collection(q.Collection)
		if err != nil {
			return nil, err
		}
		if err := h.lookAt(ctx, c); err != nil {
			return nil, err
		}
	} else {
		list, err := h.archive.Collections()
		if err != nil {
			return nil, listError(err)
		}
		if err := h.lookAround(ctx, list); err != nil {
			return nil, err
		}
	}
	var page *CrawlPage
	read := func() error {
		return h.with(func(cat *catalogue) (err error) {
			if page, err = h.crawls(cat, q); err == nil {
				h.total(cat, q, page)
			}
			return err
		})
	}
	if err := read(); err != nil {
		return nil, err
	}
	changed := slices.ContainsFunc(page.Items, func(k *Crawl) bool { return stampOf(k.dir) != k.stamp })
	if !changed {
		return page, nil
	}
	if err := h.soon(ctx, func(cat *catalogue) error { return h.recheck(cat, page.Items) }); err != nil {
		return nil, err
	}
	return page, read()
}

// lookAt brings the list of a collection up to date.
func (h *Holdings) lookAt(ctx context.Context, c *catalog.Collection) error {
	return h.soon(ctx, func(cat *catalogue) error {
		left := lookSteps
		_, err := h.refresh(cat, c, &left)
		return err
	})
}

// lookAround looks at the next part of the archive. Where a look does not get around and Run looks, it is left to that,
// but for new collections.
func (h *Holdings) lookAround(ctx context.Context, list []*catalog.Collection) error {
	if h.large.Load() && h.running.Load() {
		missing := false
		err := h.with(func(cat *catalogue) error {
			missing = slices.ContainsFunc(list, func(c *catalog.Collection) bool { return cat.row(c.Name) == nil })
			return nil
		})
		if err != nil || !missing {
			return err
		}
	}
	return h.soon(ctx, func(cat *catalogue) error {
		_, err := h.sweep(ctx, cat, list, lookSteps)
		return err
	})
}

func (h *Holdings) crawls(cat *catalogue, q CrawlQuery) (*CrawlPage, error) {
	prefix, from := q.order()
	if q.After != "" {
		after, err := q.cursor()
		if err != nil {
			return nil, err
		}
		if bytes.Compare(after, from) > 0 {
			from = after
		}
	}
	page := &CrawlPage{}
	var end []byte
	if !q.From.IsZero() {
		end = before(q.From.UnixNano() - 1)
	}
	skip, last := q.Skip, []byte(nil)
	err := cat.each(prefix, from, func(rest, v []byte) (bool, error) {
		if end != nil && bytes.Compare(rest, end) >= 0 {
			return false, nil
		}
		if skip > 0 {
			skip--
			return true, nil
		}
		if len(page.Items) == q.Limit {
			page.Next = cursorMark + base64.RawURLEncoding.EncodeToString(last)
			return false, nil
		}
		last = append(last[:0], rest...)
		k, err := h.item(cat, q.Collection, rest, v)
		page.Items = append(page.Items, k)
		return true, err
	})
	if err != nil {
		return nil, err
	}
	return page, nil
}

// item reads the crawl at a place of an order.
func (h *Holdings) item(cat *catalogue, collection string, rest, row []byte) (k *Crawl, err error) {
	id, name, ok := idOf(rest)
	if !ok {
		return nil, errDamaged
	}
	at := rest[:len(rest)-len(name)]
	if collection == "" {
		collection = string(bytes.TrimSuffix(name, []byte{0}))
	}
	if len(row) > 0 {
		k, err = decodeCrawl(collection, id, row)
	} else {
		k, err = cat.at(collection, at)
	}
	if err != nil {
		return nil, err
	}
	return k, h.own(k)
}

// own tells a crawl of a list where its files are.
func (h *Holdings) own(k *Crawl) error {
	c, err := h.archive.Collection(k.Collection)
	if err != nil {
		return err
	}
	k.from = h
	k.dir, err = c.CrawlDir(k.ID)
	return err
}

// total counts the crawls of a list.
func (h *Holdings) total(cat *catalogue, q CrawlQuery, page *CrawlPage) {
	add := func(_ string, row *listed) {
		page.Pending += row.Pending
		if q.State == "" {
			page.Total += row.Sum.Crawls
		} else {
			page.Total += row.Sum.States[q.State]
		}
	}
	if q.Collection == "" {
		cat.eachRow(add)
	} else if row := cat.row(q.Collection); row != nil {
		add(q.Collection, row)
	}
	if q.Name != "" || !q.From.IsZero() || !q.To.IsZero() {
		page.Total = -1
	}
}

// recheck reads those crawls of a page again whose files changed.
func (h *Holdings) recheck(cat *catalogue, items []*Crawl) error {
	for _, k := range items {
		if stampOf(k.dir) == k.stamp {
			continue
		}
		c, err := h.archive.Collection(k.Collection)
		if err != nil {
			return err
		}
		row := cat.copyOf(c.Name)
		old, err := cat.crawl(c.Name, k.ID)
		if err != nil {
			return err
		}
		if row == nil || old == nil {
			continue // it went just now
		}
		w := cat.change(c.Name, row)
		if err := errors.Join(h.list(w, c, k.ID, old), w.commit()); err != nil {
			return err
		}
	}
	return nil
}

// window gives the newest crawls of a collection, oldest first, with those that run and the newest that is not complete.
func (h *Holdings) window(cat *catalogue, name string, n int) ([]*Crawl, error) {
	page, err := h.crawls(cat, CrawlQuery{Collection: name, Limit: n})
	if err != nil {
		return nil, err
	}
	list := page.Items
	if page.Next != "" {
		var more []*Crawl
		for _, q := range []CrawlQuery{{State: Live, Limit: alwaysFresh}, {State: Stopped, Limit: 1}, {State: Interrupted, Limit: 1}} {
			q.Collection = name
			p, err := h.crawls(cat, q)
			if err != nil {
				return nil, err
			}
			more = append(more, p.Items...)
		}
		for _, k := range more {
			if !slices.ContainsFunc(list, func(x *Crawl) bool { return x.ID == k.ID }) {
				list = append(list, k)
			}
		}
		slices.SortFunc(list, func(a, b *Crawl) int { return bytes.Compare(place(a), place(b)) })
	}
	slices.Reverse(list)
	return list, nil
}

// Around lists the crawls of a collection that are next to one, and it, oldest first: at most n on each side.
func (h *Holdings) Around(_ context.Context, collection, id string, n int) ([]*Crawl, error) {
	var out []*Crawl
	err := h.with(func(cat *catalogue) error {
		here, err := cat.crawl(collection, id)
		if err != nil || here == nil {
			return err
		}
		prefix := key(spaceCrawl, collection)
		older, err := h.crawls(cat, CrawlQuery{Collection: collection, After: cursorMark + base64.RawURLEncoding.EncodeToString(place(here)), Limit: n})
		if err != nil {
			return err
		}
		out = older.Items
		slices.Reverse(out)
		out = append(out, here)
		err = cat.back(prefix, place(here), func(rest, v []byte) (bool, error) {
			k, err := h.item(cat, collection, rest, v)
			out = append(out, k)
			n--
			return n > 0, err
		})
		return errors.Join(err, h.own(here))
	})
	return out, err
}

// All lists all crawls of the collection, the newest first, reading a part at a time.
func (c *Collection) All(ctx context.Context) iter.Seq2[*Crawl, error] {
	return func(yield func(*Crawl, error) bool) {
		if c.from == nil {
			for _, k := range slices.Backward(c.Crawls) {
				if !yield(k, nil) {
					return
				}
			}
			return
		}
		q := CrawlQuery{Collection: c.Name, Limit: 2_000}
		for {
			var page *CrawlPage
			err := ctx.Err()
			if err == nil {
				err = c.from.with(func(cat *catalogue) (err error) {
					page, err = c.from.crawls(cat, q)
					return err
				})
			}
			if err != nil {
				yield(nil, err)
				return
			}
			for _, k := range page.Items {
				if !yield(k, nil) {
					return
				}
			}
			if q.After = page.Next; q.After == "" {
				return
			}
		}
	}
}

// CollectionPage is a part of the list of collections.
type CollectionPage struct {
	Items []*Collection // each with at most as many crawls as asked for
	Next  string        // what to ask for the page after it; empty at the end
	All   []*Collection // all, as Collections lists them
}

// CollectionPage lists collections by name: from a place on, or after a name, with their newest crawls.
func (h *Holdings) CollectionPage(ctx context.Context, skip int, after string, limit, crawls int) (*CollectionPage, error) {
	all, err := h.Collections(ctx)
	if err != nil {
		return nil, err
	}
	page := &CollectionPage{All: all}
	rest := all[min(skip, len(all)):]
	if after != "" {
		if after[:1] != cursorMark {
			return nil, &varve.Error{Kind: varve.Invalid, Op: "list collections", Msg: "the cursor cannot be used", Hint: "take next of the page before"}
		}
		i := slices.IndexFunc(all, func(c *Collection) bool { return c.Name > after[1:] })
		if i < 0 {
			i = len(all)
		}
		rest = all[i:]
	}
	if len(rest) > limit {
		page.Next = cursorMark + rest[limit-1].Name
		rest = rest[:limit]
	}
	for _, c := range rest {
		got, err := h.Collection(ctx, c.Name)
		if varve.KindOf(err) == varve.NotFound && err != nil {
			continue // it went just now
		}
		if err != nil {
			return nil, err
		}
		got.Crawls = got.Crawls[max(0, len(got.Crawls)-crawls):]
		page.Items = append(page.Items, got)
	}
	return page, nil
}
