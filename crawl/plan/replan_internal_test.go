package plan

import (
	"testing"
	"time"

	"varve/crawl"
	"varve/crawl/frontier"
	"varve/crawl/scope"
)

// A plan that is off, by its pace or by its time, while all revisits that are left are under way: there
// is nothing to order, and this is found once, not for ever.
func TestReplanNothing(t *testing.T) {
	const pages = 2 * minLeft
	for name, off := range map[string]func(*Stage, *group){
		"pace": func(_ *Stage, g *group) { g.lanes[0].record.Pace = 10 * (1 + g.lanes[0].planned) },
		"time": func(c *Stage, g *group) {
			c.def.RevisitTime = scope.Duration(time.Second)
			g.record.Now.Reference = time.Now().Add(-time.Hour)
		},
	} {
		t.Run(name, func(t *testing.T) {
			c, queue := planned(t)
			g := c.group("host:bench.example")
			g.record.Seeded = true
			var items []frontier.Item
			for i := range pages {
				f := sampleFirst(true)
				f.group, f.round, f.placed, f.seq = 0, 1, false, uint64(i)
				f.rate, f.at = 1.0/3600, time.Now().Add(time.Duration(i-pages)*time.Second)
				it := pageItem(i)
				it.Key, it.Band, it.NotBefore, it.Meta = crawl.AgainKey(it.Key), bandAgain, farFuture, f.append(nil)
				items = append(items, it)
			}
			if _, err := queue.Add(items...); err != nil {
				t.Fatal(err)
			}
			if _, err := c.advance(); err != nil {
				t.Fatal(err)
			}
			for range items {
				if _, ok, err := queue.Take("bench.example", time.Now()); err != nil || !ok {
					t.Fatalf("taken: %t, %v", ok, err)
				}
			}
			c.mu.Lock()
			off(c, g)
			c.touched[g] = struct{}{}
			c.mu.Unlock()
			done := make(chan error, 1)
			go func() { _, err := c.advance(); done <- err }()
			select {
			case err := <-done:
				if err != nil || g.record.Now.Replans != 1 {
					t.Errorf("%d plans, %v", g.record.Now.Replans, err)
				}
			case <-time.After(30 * time.Second):
				t.Fatalf("it plans for ever")
			}
		})
	}
}
