package frontier

import (
	"fmt"
	"hash/maphash"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// TestFilter checks that no key that was added is ever called new, that new ones mostly are, and
// that the bound holds while it grows and when it is full.
func TestFilter(t *testing.T) {
	seed := maphash.MakeSeed()
	hash := func(kind string, i int) uint64 { return maphash.String(seed, fmt.Sprint(kind, i)) }
	for _, c := range []struct {
		keys     int
		bound    int64
		worst    float64 // share of new keys that may be looked up
		minUsed  int64
		expected int64
	}{
		{1000, 16 << 20, 0.001, 256 << 10, 0},
		{200_000, 16 << 20, 0.02, 1 << 20, 0},
		{100_000, 16 << 20, 0.01, 150 << 10, 100_000},
		{100_000, 128 << 10, 1, 128 << 10, 0}, // far too small: useless, not wrong
	} {
		f := newFilter(c.bound, c.expected)
		defer f.close()
		for i := range c.keys {
			f.add(hash("old", i))
		}
		for i := range c.keys {
			if f.surelyNew(hash("old", i)) {
				t.Fatalf("%+v: key %d was added and is called new", c, i)
			}
		}
		asked := 0
		for i := range 20000 {
			if !f.surelyNew(hash("new", i)) {
				asked++
			}
		}
		if share := float64(asked) / 20000; share > c.worst {
			t.Errorf("%+v: %.4f of the new keys are looked up", c, share)
		}
		if f.used > c.bound || f.used < c.minUsed {
			t.Errorf("%+v: %d bytes", c, f.used)
		}
	}
}

// TestRebuild opens a frontier again: until the filter is rebuilt keys are looked up, afterwards
// new ones are not, and no answer is wrong at any time.
func TestRebuild(t *testing.T) {
	fs := vfs.NewMem()
	f, err := Open(fs, "f", Config{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	const n = 10_000
	var items []Item
	for i := range n {
		items = append(items, url("a", i))
	}
	mustAdd(t, f, items...)
	if l := f.Stats().Lookups; l.Filter < n*99/100 {
		t.Errorf("lookups of new keys: %+v", l)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if f, err = Open(fs, "f", Config{}, nil); err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if r := mustAdd(t, f, append(items[:100:100], url("b", 1))...); r.Known != 100 || r.New != 1 {
		t.Errorf("while rebuilding: %+v", r)
	}
	for i := 0; !f.Stats().Rebuilt; i++ {
		if i > 10000 {
			t.Fatal("the filter is never rebuilt")
		}
		time.Sleep(time.Millisecond)
	}
	before := f.Stats().Lookups
	if r := mustAdd(t, f, items...); r.Known != n {
		t.Errorf("rebuilt: %+v", r)
	}
	for i := range 1000 {
		mustAdd(t, f, url("c", i))
	}
	after := f.Stats().Lookups
	if got := after.Filter - before.Filter; got < 950 {
		t.Errorf("%d of 1000 new keys were known as new: %+v", got, after)
	}
}

func TestRecent(t *testing.T) {
	r := newRecent(3)
	if len(r.slots) != 4 {
		t.Errorf("%d slots", len(r.slots))
	}
	r.put(1, "a", seen{state: Done})
	if _, ok := r.get(1, "b"); ok {
		t.Error("another key with the same hash was found")
	}
	r.put(5, "b", seen{state: Queued})
	if _, ok := r.get(1, "a"); ok {
		t.Error("a key that was overwritten was found")
	}
	if rec, ok := r.get(5, "b"); !ok || rec.state != Queued {
		t.Error("the newest key was not found")
	}
}
