package frontier

import (
	"fmt"
	"slices"
	"testing"
	"time"
)

// What one frontier exports, another takes over; twice changes nothing; what it has of its own stays.
func TestMove(t *testing.T) {
	from, to := open(t, Config{}), open(t, Config{})
	var items []Item
	for i := range 40 {
		host := fmt.Sprintf("h%d.test", i%4)
		items = append(items, Item{Key: fmt.Sprintf("http://%s/%d", host, i), Host: host, Domain: host, Band: uint8(i % 3), Score: float64(i) / 40, HopPath: "L", Via: "http://v/", Depth: 2})
	}
	if _, err := from.Add(items...); err != nil {
		t.Fatal(err)
	}
	now := time.UnixMilli(1_700_000_000_000).UTC()
	if _, err := from.Finish(
		Result{Item: items[0], Outcome: Outcome{Status: 200, Size: 7, At: now, Digest: []byte("d"), Record: []byte("r")}},
		Result{Item: items[1], Verdict: Refused, Reason: "robots.txt"},
		Result{Item: items[4], Verdict: Later, NotBefore: now.Add(time.Hour)},
	); err != nil {
		t.Fatal(err)
	}
	if _, ok, err := from.Take("h0.test", now); !ok || err != nil { // in flight: queued
		t.Fatal(ok, err)
	}
	export := func(f *Frontier) (out []Entry) {
		t.Helper()
		err := f.Export(func(host, domain string) bool { return host == domain && host != "h3.test" }, func(e Entry) error {
			out = append(out, e)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	moved := export(from)
	if len(moved) != 30 {
		t.Fatalf("%d exported, want 30", len(moved))
	}
	for range 2 {
		for _, e := range moved {
			var err error
			switch e.State {
			case Queued:
				_, err = to.Add(e.Item)
			case Done:
				_, err = to.Absorb(Result{Item: e.Item, Outcome: e.Outcome, Links: []Item{items[3]}})
			case Dropped:
				_, err = to.Absorb(Result{Item: e.Item, Verdict: Refused, Reason: e.Reason})
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	if got := export(to); !slices.EqualFunc(got, moved, func(a, b Entry) bool { return fmt.Sprint(a) == fmt.Sprint(b) }) {
		t.Errorf("took over\n%v\nof\n%v", got, moved)
	}
	if s := to.Stats(); s.Queued != 29 || s.Done != 1 || s.Dropped != 1 { // one is the link
		t.Errorf("%+v", s)
	}
	// One in flight is nobody else's; one that is queued is taken out of its queue.
	it, ok, err := to.Take("h2.test", now)
	if !ok || err != nil {
		t.Fatal(ok, err)
	}
	e := moved[slices.IndexFunc(moved, func(e Entry) bool { return e.State == Queued && e.Item.Host == "h2.test" && e.Item.Key != it.Key })]
	if _, err := to.Absorb(Result{Item: it}, Result{Item: e.Item}); err != nil {
		t.Fatal(err)
	}
	if got, _ := to.Lookup(it.Key); got.State != InFlight {
		t.Errorf("one in flight is %v", got.State)
	}
	if got, _ := to.Lookup(e.Item.Key); got.State != Done {
		t.Errorf("one that is done elsewhere is %v", got.State)
	}
	if _, err := to.Finish(Result{Item: it}); err != nil {
		t.Error(err)
	}
}
