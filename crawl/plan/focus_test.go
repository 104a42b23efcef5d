package plan

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"varve/coherence"
	"varve/crawl"
	"varve/crawl/frontier"
	"varve/crawl/relevance"
)

// A planned crawl that knows what it is about visits relevant pages first, parts of pages before them, and takes note of scores that change
// while pages wait, also of those that no visit has asked for yet. With all of the leeway coherence alone orders.
func TestGuidedPlan(t *testing.T) {
	def := crawl.Definition{
		MaxPages: 1000, About: relevance.About{Keywords: []relevance.Keyword{{Word: "flood"}}},
		Coherence: crawl.Coherence{Revisit: coherence.Plan, Leeway: -1},
	}
	take := func(t *testing.T, def crawl.Definition, change func(f *frontier.Frontier, items []frontier.Item)) (order []int) {
		t.Helper()
		f, err := frontier.Open(vfs.NewMem(), "f", frontier.Config{Order: frontier.BreadthFirst}, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		c := New(def.WithDefaults(), Options{Rates: spread{}})
		if err := c.attach(fakeRun{f}); err != nil {
			t.Fatal(err)
		}
		var items []frontier.Item
		for i := range 20 {
			it := pageItem(i)
			if it.Score = float64(i*7%20) / 20; i == 13 {
				it.HopPath, it.Score = "LE", 0
			}
			items = append(items, it)
		}
		if _, err := f.Add(items...); err != nil {
			t.Fatal(err)
		}
		change(f, items)
		for range items {
			it, ok, err := c.Take("bench.example", time.Now())
			if err != nil || !ok {
				t.Fatal(ok, err)
			}
			order = append(order, slices.IndexFunc(items, func(i frontier.Item) bool { return i.Key == it.Key }))
			if len(order) == 1 {
				change(f, items)
			}
		}
		return order
	}
	rescore := func(t *testing.T, f *frontier.Frontier, it frontier.Item, score float64) {
		t.Helper()
		it.Score = score
		if _, err := f.Update(context.Background(), []frontier.ScoreUpdate{{Item: it}}); err != nil {
			t.Fatal(err)
		}
	}
	byScore := take(t, def, func(*frontier.Frontier, []frontier.Item) {})
	if byScore[0] != 13 || byScore[1] != 17 || byScore[2] != 14 || byScore[19] != 0 {
		t.Errorf("by relevance: %v", byScore)
	}
	changed := take(t, def, func(f *frontier.Frontier, items []frontier.Item) {
		rescore(t, f, items[0], 0.99) // in the first call nothing was learned yet, in the second the planner has it
		rescore(t, f, items[17], 0.01)
	})
	if changed[0] != 13 || changed[1] != 0 || changed[19] != 17 && changed[18] != 17 {
		t.Errorf("after a change: %v", changed)
	}
	def.Leeway = 1
	if free := take(t, def, func(*frontier.Frontier, []frontier.Item) {}); slices.Equal(free, byScore) {
		t.Errorf("with all of the leeway the order is that of relevance: %v", free)
	}
}
