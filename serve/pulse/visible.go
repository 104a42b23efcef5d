package pulse

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"varve/serve/access"
	"varve/serve/holdings"
)

// Limits of the counting of captures that a visitor may see.
const (
	mostCounted = 2_000_000             // captures looked at of one collection
	patience    = 40 * time.Millisecond // of a page for it; then it is told that counting goes on
)

// visible is what a class of visitors may see of a collection.
type visible struct {
	months []Month
	bytes  int64
	whole  bool // all captures were looked at
}

// counts are the countings under way.
type counts struct {
	now func() time.Time

	mu      sync.Mutex
	running map[countKey]chan struct{} // closed when it is done
	done    map[countKey]counted
	turn    sync.Mutex // one at a time
	under   sync.WaitGroup
}

type countKey struct {
	collection string
	class      class
}

type counted struct {
	visible
	state uint64 // of the index
	at    time.Time
	cost  time.Duration
}

// visible gives what the class may see of a collection; ok is false if that is not known yet.
func (d *Desk) visible(ctx context.Context, class class, collection string) (v visible, ok bool) {
	if d.cfg.Index == nil {
		return visible{}, true
	}
	_, state, err := d.cfg.Index.Size(collection)
	if err != nil {
		return visible{}, true
	}
	key := countKey{collection, class}
	if d.cfg.Background.Err() != nil {
		return d.counts.last(key) // the server is about to end
	}
	ready := d.counts.begin(key, state, func() visible { return d.count(access.With(d.cfg.Background, access.From(ctx)), collection) })
	if ready != nil {
		t := time.NewTimer(patience)
		defer t.Stop()
		select {
		case <-ready:
		case <-t.C:
		case <-ctx.Done():
		}
	}
	return d.counts.last(key)
}

// begin starts a counting unless the last one is still good; ready is closed when there is something new.
func (c *counts) begin(key countKey, state uint64, count func() visible) (ready chan struct{}) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.done) > mostKept {
		clear(c.done)
	}
	if r, ok := c.running[key]; ok {
		return r
	}
	if old, ok := c.done[key]; ok && (old.state == state || c.now().Sub(old.at) < worthCosts*old.cost) {
		return nil
	}
	ready = make(chan struct{})
	c.running[key] = ready
	c.under.Go(func() {
		c.turn.Lock()
		defer c.turn.Unlock()
		start := c.now()
		v := count()
		end := c.now()
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.running, key)
		c.done[key] = counted{v, state, end, end.Sub(start)}
		close(ready)
	})
	return ready
}

func (c *counts) last(key countKey) (visible, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	v, ok := c.done[key]
	return v.visible, ok
}

// count looks at the captures that a visitor may see, once.
func (d *Desk) count(ctx context.Context, collection string) visible {
	v := visible{whole: true}
	by, n := map[time.Time]*Month{}, 0
	for c, err := range d.cfg.Index.Captures(ctx, holdings.Query{Collection: collection}) {
		if err != nil || n == mostCounted {
			v.whole = false
			break
		}
		n++
		at := monthOf(c.Time)
		m := by[at]
		if m == nil {
			m = &Month{At: at}
			by[at] = m
		}
		m.Captures++
		if c.Status >= 200 && c.Status < 300 && holdings.IsPage(c.MIME) {
			m.Pages++
		}
		v.bytes += c.Length
	}
	for _, at := range slices.SortedFunc(maps.Keys(by), time.Time.Compare) {
		v.months = append(v.months, *by[at])
	}
	return v
}

// takeVisible takes what was counted.
func (c *Collection) takeVisible(v visible, ok bool) {
	switch {
	case !ok:
		c.Source = Counting
	case !v.whole:
		c.Source = Unknown
	default:
		c.Source, c.Bytes = FromVisible, v.bytes
		c.takeMonths(append([]Month{}, v.months...))
	}
}
