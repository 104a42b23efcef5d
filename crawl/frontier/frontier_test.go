package frontier

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// open makes a frontier in memory and closes it with the test.
func open(t *testing.T, cfg Config) *Frontier {
	t.Helper()
	f, err := Open(vfs.NewMem(), "f", cfg, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	})
	return f
}

func url(host string, n int) Item {
	return Item{Key: fmt.Sprintf("https://%s/%d", host, n), Host: host, Domain: host, Score: 0.5, Band: 1}
}

func mustAdd(t *testing.T, f *Frontier, items ...Item) Report {
	t.Helper()
	r, err := f.Add(items...)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// takeAll takes everything that a host gives and joins the last parts of the keys.
func takeAll(t *testing.T, f *Frontier, host string, now time.Time) string {
	t.Helper()
	var out []string
	for {
		it, ok, err := f.Take(host, now)
		if err != nil {
			t.Fatal(err)
		}
		if !ok {
			return strings.Join(out, " ")
		}
		out = append(out, it.Key[strings.LastIndexByte(it.Key, '/')+1:])
	}
}

// TestCombine works the example of the documentation: a URL found with 0.2, 0.6 and 0.4.
func TestCombine(t *testing.T) {
	for _, c := range []struct {
		how  Combine
		want []float64 // after each find
	}{
		{First, []float64{0.2, 0.2, 0.2}},
		{Last, []float64{0.2, 0.6, 0.4}},
		{Max, []float64{0.2, 0.6, 0.6}},
		{Avg, []float64{0.2, 0.4, 0.4}},
		{Sum, []float64{0.2, 0.8, 1}},
	} {
		t.Run(string(c.how), func(t *testing.T) {
			f := open(t, Config{Combine: c.how})
			it := url("a.example", 1)
			for i, s := range []float64{0.2, 0.6, 0.4} {
				it.Score = s
				mustAdd(t, f, it)
				e, err := f.Lookup(it.Key)
				if err != nil || e.Item.Score != c.want[i] {
					t.Errorf("after find %d: score %v (%v), want %v", i+1, e.Item.Score, err, c.want[i])
				}
			}
		})
	}
}

// TestAdaptive shows what adapting is for: a page first found from a poor page, then from a good
// one, overtakes a middling one with MAX, LAST, AVG and SUM, and does not with FIRST.
func TestAdaptive(t *testing.T) {
	for how, want := range map[Combine]string{First: "2 1", Last: "1 2", Max: "1 2", Avg: "1 2", Sum: "1 2"} {
		f := open(t, Config{Combine: how})
		poor, middling, good := url("a", 1), url("a", 2), url("a", 1)
		poor.Score, middling.Score, good.Score = 0.2, 0.4, 0.9
		mustAdd(t, f, poor, middling)
		mustAdd(t, f, good)
		if got := takeAll(t, f, "a", epoch); got != want {
			t.Errorf("%s: taken %s, want %s", how, got, want)
		}
	}
}

func TestOrder(t *testing.T) {
	for order, want := range map[Order]string{
		BestFirst:    "5 3 1 4 2 6",
		BestNewest:   "5 3 4 1 2 6",
		BreadthFirst: "5 1 2 3 4 6",
		DepthFirst:   "5 4 3 2 1 6",
	} {
		f := open(t, Config{Order: order, HeadItems: 2})
		for i, s := range []float64{0.5, 0.1, 0.9, 0.5} {
			it := url("a", i+1)
			it.Score = s
			mustAdd(t, f, it)
		}
		urgent, last := url("a", 5), url("a", 6)
		urgent.Band, last.Band, last.Score = 0, 2, 1
		mustAdd(t, f, urgent, last)
		if got := takeAll(t, f, "a", epoch); got != want {
			t.Errorf("%s: taken %s, want %s", order, got, want)
		}
	}
}

// TestPromotion finds a speculative URL again as a real link: it moves to the better band and
// says how it was really found.
func TestPromotion(t *testing.T) {
	f := open(t, Config{})
	guess, link := url("a", 1), url("a", 1)
	guess.Band, guess.HopPath, link.HopPath, link.Via = 2, "X", "LL", "https://a/index"
	mustAdd(t, f, guess, url("a", 2))
	if r := mustAdd(t, f, link); r.Updated != 1 {
		t.Errorf("report %+v", r)
	}
	it, _, err := f.Take("a", epoch)
	if err != nil || it.Key != guess.Key || it.Band != 1 || it.HopPath != "LL" || it.Via != link.Via {
		t.Errorf("took %+v (%v)", it, err)
	}
}

func TestRetryWaits(t *testing.T) {
	f := open(t, Config{})
	mustAdd(t, f, url("a", 1), url("a", 2))
	it, _, _ := f.Take("a", epoch)
	it.Meta = []byte("timeout")
	if err := f.Retry(it, epoch.Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	if got := takeAll(t, f, "a", epoch); got != "2" {
		t.Errorf("taken %q before the time", got)
	}
	hd, ok, err := f.Head("a", epoch)
	if err != nil || !ok || !hd.NotBefore.Equal(epoch.Add(time.Minute)) {
		t.Errorf("head %+v %v %v", hd, ok, err)
	}
	if names, err := f.Claim(epoch, 1); err != nil || len(names) != 0 {
		t.Errorf("claimed %v (%v) while everything waits", names, err)
	}
	if at, ok := f.NextDue(); !ok || !at.Equal(epoch.Add(time.Minute)) {
		t.Errorf("next due %v %v", at, ok)
	}
	names, err := f.Claim(epoch.Add(time.Minute), 1)
	if err != nil || len(names) != 1 {
		t.Fatalf("claimed %v (%v) when due", names, err)
	}
	again, ok, err := f.Take("a", epoch.Add(time.Minute))
	if err != nil || !ok || again.Key != it.Key || again.Attempts != 1 || string(again.Meta) != "timeout" {
		t.Errorf("took %+v %v %v", again, ok, err)
	}
}

// TestFair claims one host at a time: every host gets its turn before any gets a second one, also
// when there are more hosts than are listed or resident at a time, and after opening again.
func TestFair(t *testing.T) {
	fs, cfg := vfs.NewMem(), small(BestFirst, Max)
	f, err := Open(fs, "f", cfg, nil)
	if err != nil {
		t.Fatal(err)
	}
	const hosts = 4200 // more than one step of a pass
	var items []Item
	for i := range hosts {
		items = append(items, url(fmt.Sprintf("h%04d", i), 1), url(fmt.Sprintf("h%04d", i), 2))
	}
	mustAdd(t, f, items...)
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if f, err = Open(fs, "f", cfg, nil); err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	seen := map[string]int{}
	for turn := range hosts + 500 {
		names, err := f.Claim(epoch, 1)
		if err != nil || len(names) != 1 {
			t.Fatalf("turn %d: claimed %v (%v)", turn, names, err)
		}
		if seen[names[0]]++; seen[names[0]] > turn/hosts+1 {
			t.Fatalf("turn %d: %s came %d times", turn, names[0], seen[names[0]])
		}
		f.Release(names[0])
	}
	if s := f.Stats(); s.Resident > cfg.MaxHosts+1 || s.HeadBytes > cfg.HeadBytes {
		t.Errorf("resident %d hosts with %d bytes", s.Resident, s.HeadBytes)
	}
}

// TestBounds claims many hosts with long queues: the heads stay within their budget.
func TestBounds(t *testing.T) {
	cfg := Config{MaxHosts: 200, HeadBytes: 64 << 10, HeadItems: 50}
	f := open(t, cfg)
	for h := range 100 {
		var items []Item
		for i := range 60 {
			items = append(items, url(fmt.Sprintf("h%d", h), i))
		}
		mustAdd(t, f, items...)
		if _, err := f.Claim(epoch, 1); err != nil {
			t.Fatal(err)
		}
	}
	s := f.Stats()
	if s.HeadBytes > cfg.HeadBytes*5/4 {
		t.Errorf("heads take %d bytes of %d", s.HeadBytes, cfg.HeadBytes)
	}
	for h := range 100 {
		name := fmt.Sprintf("h%d", h)
		if got := takeAll(t, f, name, epoch); len(strings.Fields(got)) != 60 {
			t.Fatalf("host %s gave %s", name, got)
		}
	}
}
