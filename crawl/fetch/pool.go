package fetch

import (
	"sync"
	"time"
)

// pool keeps idle connections: per host the newest is taken first, over all hosts the oldest goes
// when there are too many. Those past their time go by a timer that runs only while there are any.
type pool struct {
	cfg   Pool
	mu    sync.Mutex
	hosts map[connKey][]*conn // oldest first
	ring  conn                // ring.newer is the oldest of all, ring.older the newest
	count int
	timer *time.Timer
	done  bool
}

func newPool(cfg Pool) *pool {
	p := &pool{cfg: cfg, hosts: map[connKey][]*conn{}}
	p.ring.older, p.ring.newer = &p.ring, &p.ring
	return p
}

// get gives an idle connection that was quiet until now, or nil.
func (p *pool) get(key connKey) *conn {
	now := time.Now()
	for {
		c := p.pop(key)
		if c == nil || now.Before(c.until) && c.alive() {
			return c
		}
		c.close()
	}
}

func (c *conn) alive() bool {
	if c.h2 != nil {
		return c.h2.Err() == nil && c.h2.Available() > 0
	}
	return c.quiet()
}

func (p *pool) pop(key connKey) *conn {
	p.mu.Lock()
	defer p.mu.Unlock()
	list := p.hosts[key]
	if len(list) == 0 {
		return nil
	}
	return p.remove(key, len(list)-1)
}

// put takes a connection back. It, or the oldest, is closed when there are enough.
func (p *pool) put(c *conn) {
	keep := p.cfg.Idle
	if c.idle > 0 {
		keep = min(keep, c.idle)
	}
	c.until = time.Now().Add(keep)
	if surplus := p.add(c); surplus != nil {
		surplus.close()
	}
}

func (p *pool) add(c *conn) (surplus *conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.done || len(p.hosts[c.key]) >= p.cfg.PerHost {
		return c
	}
	p.hosts[c.key] = append(p.hosts[c.key], c)
	c.older, c.newer = p.ring.older, &p.ring
	c.older.newer, p.ring.older = c, c
	if p.count++; p.count > p.cfg.Total {
		surplus = p.remove(p.ring.newer.key, 0) // the oldest of all is the oldest of its host
	}
	if p.timer == nil && p.count > 0 {
		p.timer = time.AfterFunc(p.cfg.Idle, p.sweep)
	}
	return surplus
}

// remove takes the i-th connection of a host out. The emptied list stays until the sweep: its
// host mostly comes back at once.
func (p *pool) remove(key connKey, i int) *conn {
	list := p.hosts[key]
	c := list[i]
	copy(list[i:], list[i+1:])
	list[len(list)-1] = nil
	p.hosts[key] = list[:len(list)-1]
	c.older.newer, c.newer.older = c.newer, c.older
	c.older, c.newer = nil, nil
	p.count--
	return c
}

// sweep closes what is past its time and comes again while something is left.
func (p *pool) sweep() {
	for _, c := range p.expired(time.Now()) {
		c.close()
	}
}

func (p *pool) expired(now time.Time) (old []*conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for key, list := range p.hosts {
		for i := len(list) - 1; i >= 0; i-- {
			if !now.Before(list[i].until) {
				old = append(old, p.remove(key, i))
			}
		}
		if len(p.hosts[key]) == 0 {
			delete(p.hosts, key)
		}
	}
	p.timer = nil
	if p.count > 0 {
		p.timer = time.AfterFunc(p.cfg.Idle, p.sweep)
	}
	return old
}

// close closes all and keeps none from now on.
func (p *pool) close() {
	p.mu.Lock()
	p.done = true
	var all []*conn
	for c := p.ring.newer; c != &p.ring; c = c.newer {
		all = append(all, c)
	}
	p.hosts, p.count = map[connKey][]*conn{}, 0
	p.ring.older, p.ring.newer = &p.ring, &p.ring
	if p.timer != nil {
		p.timer.Stop()
		p.timer = nil
	}
	p.mu.Unlock()
	for _, c := range all {
		c.close()
	}
}
