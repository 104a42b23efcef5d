package gate

import (
	"container/list"

	"varve/crawl/spamfilter"
)

// recordCache holds the records of the hosts used last, up to a number of bytes. All are in the frontier, too.
type recordCache struct {
	most, used int64
	order      *list.List // the one used last in front
	at         map[string]*list.Element
}

type cached struct {
	host string
	rec  *spamfilter.Record
	size int64
}

func newRecordCache(most int64) *recordCache {
	return &recordCache{most: most, order: list.New(), at: map[string]*list.Element{}}
}

func (c *recordCache) get(host string) (*spamfilter.Record, bool) {
	e, ok := c.at[host]
	if !ok {
		return nil, false
	}
	c.order.MoveToFront(e)
	return e.Value.(*cached).rec, true //nolint:forcetypeassert // the list is ours
}

// put keeps a record, which must not be changed any more, and forgets the ones that were not used for longest.
func (c *recordCache) put(host string, rec *spamfilter.Record) {
	if e, ok := c.at[host]; ok {
		c.drop(e)
	}
	one := &cached{host, rec, rec.Size() + int64(len(host))}
	c.at[host] = c.order.PushFront(one)
	c.used += one.size
	for c.used > c.most && c.order.Len() > 1 {
		c.drop(c.order.Back())
	}
}

func (c *recordCache) drop(e *list.Element) {
	one := c.order.Remove(e).(*cached) //nolint:forcetypeassert // the list is ours
	delete(c.at, one.host)
	c.used -= one.size
}
