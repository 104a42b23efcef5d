package websim

import (
	"sync"

	"varve/lab/websim/truth"
)

// bodyKey names a body: a version of a page in an encoding.
type bodyKey struct {
	id       PageID
	version  truth.Version
	encoding string
}

// cache keeps bodies that were made, up to a number of bytes, and drops the oldest first. Bodies
// are the same whenever they are made, so nothing depends on what is in it.
type cache struct {
	mu     sync.Mutex
	bodies map[bodyKey][]byte
	queue  []bodyKey // in order of arrival, from head on
	head   int
	used   int64
	limit  int64
}

func newCache(limit int64) *cache {
	return &cache{bodies: map[bodyKey][]byte{}, limit: limit}
}

// get gives a body from the cache, or makes it.
func (c *cache) get(k bodyKey, make func() []byte) []byte {
	c.mu.Lock()
	b, ok := c.bodies[k]
	c.mu.Unlock()
	if ok {
		return b
	}
	b = make()
	c.put(k, b)
	return b
}

const entryCost = 200 // bytes for key, queue and map, roughly

func (c *cache) put(k bodyKey, b []byte) {
	cost := int64(cap(b)) + entryCost
	if cost > c.limit/4 {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.bodies[k]; ok {
		return
	}
	for c.used+cost > c.limit && c.head < len(c.queue) {
		old := c.queue[c.head]
		c.used -= int64(cap(c.bodies[old])) + entryCost
		delete(c.bodies, old)
		c.head++
	}
	if c.head > 1024 && c.head > len(c.queue)/2 {
		c.queue = append(c.queue[:0], c.queue[c.head:]...)
		c.head = 0
	}
	c.bodies[k] = b
	c.queue = append(c.queue, k)
	c.used += cost
}
