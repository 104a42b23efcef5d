package plan

import (
	"fmt"
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

// Groups without a seed wait for those with one, out of sight: a commit does not look at each of them. When the seeds' pages are
// visited they move on, in the order of their numbers.
func TestGroupsWithoutSeedsWaitAside(t *testing.T) {
	c, queue := planned(t)
	const others = 50
	seed := pageItem(0)
	seed.HopPath = ""
	items := []frontier.Item{seed}
	for i := range others {
		f := sampleFirst(true)
		f.group, f.round, f.placed, f.seq = uint32(i+1), 1, false, 1
		it := pageItem(i)
		it.Host = fmt.Sprintf("other%d.example", i)
		it.Key, it.Band, it.NotBefore, it.Meta = crawl.AgainKey("https://"+it.Host+"/"), bandAgain, farFuture, f.append(nil)
		items = append(items, it)
	}
	c.group("host:bench.example")
	for i := range others {
		c.group(fmt.Sprintf("host:other%d.example", i))
	}
	if _, err := queue.Add(items...); err != nil {
		t.Fatal(err)
	}
	if _, err := c.notes(); err != nil { // what a commit does
		t.Fatal(err)
	}
	if moved, err := c.advance(); moved || err != nil || len(c.touched) != 0 || len(c.aside) != others {
		t.Fatalf("moved %v, %d looked at, %d aside, %v", moved, len(c.touched), len(c.aside), err)
	}
	it, ok, err := queue.TakeKey(seed.Key, time.Now())
	if !ok || err != nil {
		t.Fatal(ok, err)
	}
	if _, err := queue.Finish(frontier.Result{Item: it, Verdict: frontier.Finished}); err != nil {
		t.Fatal(err)
	}
	if moved, err := c.advance(); !moved || err != nil {
		t.Fatal(moved, err)
	}
	for _, g := range c.numbers[1:] {
		if g.record.Now.Phase != crawl.PhaseRevisits {
			t.Errorf("%s is at its %s", g.record.Name, g.record.Now.Phase)
		}
	}
}
