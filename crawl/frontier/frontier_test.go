package frontier

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2"
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
	const hosts = 6000 // more than one step of a pass
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
	for turn := range 2 * hosts {
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

func TestUpdate(t *testing.T) {
	f := open(t, Config{})
	mustAdd(t, f, url("a", 1), url("a", 2), url("a", 3))
	up, out, fresh := url("a", 3), url("a", 1), url("a", 4)
	up.Score, fresh.Score = 0.9, 0.7
	r, err := f.Update(context.Background(), []ScoreUpdate{
		{Item: up}, {Item: out, Blacklist: true, Reason: "curator"}, {Item: fresh}, {Item: url("b", 9), Blacklist: true},
	})
	if err != nil || r != (Report{New: 1, Updated: 1, Dropped: 2}) {
		t.Errorf("report %+v (%v)", r, err)
	}
	if r := mustAdd(t, f, url("b", 9), out); r.Known != 2 {
		t.Errorf("blacklisted URLs were queued: %+v", r)
	}
	if got := takeAll(t, f, "a", epoch); got != "3 4 2" {
		t.Errorf("taken %s", got)
	}
	if e, err := f.Lookup(out.Key); err != nil || e.State != Dropped || e.Reason != "curator" {
		t.Errorf("lookup %+v (%v)", e, err)
	}
	if _, err := f.Update(context.Background(), []ScoreUpdate{{Item: up, Combine: "MIN"}}); err == nil {
		t.Error("an unknown update function was accepted")
	}
}

func TestFinish(t *testing.T) {
	f := open(t, Config{})
	mustAdd(t, f, url("a", 1))
	it, _, _ := f.Take("a", epoch)
	if e, _ := f.Lookup(it.Key); e.State != InFlight {
		t.Errorf("state %v, want inflight", e.State)
	}
	o := Outcome{Status: 404, Failed: true, Size: 321, At: epoch, Digest: []byte{1}, Record: []byte{2}}
	links := []Item{url("a", 1), url("b", 2), url("b", 2), {Key: "no host"}, url("b", 3)}
	r, err := f.FinishNoting([]byte("totals"), Result{Item: it, Outcome: o, Links: links})
	if err != nil || r != (Report{New: 2, Known: 2, Refused: 1}) {
		t.Errorf("report %+v (%v)", r, err)
	}
	e, err := f.Lookup(it.Key)
	if err != nil || e.State != Done || e.Outcome.Status != 404 || !e.Outcome.At.Equal(epoch) || e.Outcome.Record[0] != 2 {
		t.Errorf("lookup %+v (%v)", e, err)
	}
	if note, err := f.Note(); err != nil || string(note) != "totals" {
		t.Errorf("note %q (%v)", note, err)
	}
	if _, err := f.Finish(Result{Item: it}); !errors.Is(err, ErrSettled) {
		t.Errorf("finished twice: %v", err)
	}
	s := f.Stats()
	if s.Done != 1 || s.Failed != 1 || s.Bytes != 321 || s.Queued != 2 || s.Hosts != 2 || s.Active != 1 {
		t.Errorf("stats %+v", s)
	}
}

func TestRetire(t *testing.T) {
	f := open(t, Config{})
	mustAdd(t, f, url("a", 1), url("b", 1), url("b", 2))
	if err := f.Retire("b", true); err != nil {
		t.Fatal(err)
	}
	if names, err := f.Claim(epoch, 9); err != nil || len(names) != 1 || names[0] != "a" {
		t.Errorf("claimed %v (%v)", names, err)
	}
	if s := f.Stats(); s.Retired != 2 {
		t.Errorf("stats %+v", s)
	}
	if err := f.Retire("b", false); err != nil {
		t.Fatal(err)
	}
	select {
	case <-f.Ready():
	default:
		t.Error("nobody was woken")
	}
	if names, err := f.Claim(epoch, 9); err != nil || len(names) != 1 || names[0] != "b" {
		t.Errorf("claimed %v (%v)", names, err)
	}
}

func TestTopHosts(t *testing.T) {
	f := open(t, Config{MaxHosts: 5})
	for h := range 30 {
		var items []Item
		for i := range h + 1 {
			items = append(items, url(fmt.Sprintf("h%02d", h), i))
		}
		mustAdd(t, f, items...)
	}
	top, err := f.TopHosts(ByQueued, 4)
	if err != nil || len(top) != 4 {
		t.Fatalf("top %v (%v)", top, err)
	}
	for i, s := range top {
		if want := fmt.Sprintf("h%02d", 29-i); s.Host != want || s.Queued != int64(30-i) {
			t.Errorf("place %d: %s with %d, want %s", i, s.Host, s.Queued, want)
		}
	}
	if top, err := f.TopHosts(ByDone, 4); err != nil || len(top) != 0 {
		t.Errorf("top of nothing: %v (%v)", top, err)
	}
	all, next, err := f.Hosts("", 20)
	if err != nil || len(all) != 20 || next != "h19" {
		t.Fatalf("hosts: %d, next %q (%v)", len(all), next, err)
	}
	rest, next, err := f.Hosts(next, 20)
	if err != nil || len(rest) != 10 || next != "" || rest[0].Host != "h20" {
		t.Errorf("hosts: %d, next %q (%v)", len(rest), next, err)
	}
}

func TestListAll(t *testing.T) {
	f := open(t, Config{})
	mustAdd(t, f, url("a", 1), url("b", 1), url("a", 2))
	var got []string
	for cursor := ""; ; {
		page, next, err := f.List("", cursor, 2)
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range page {
			got = append(got, l.Key)
		}
		if cursor = next; next == "" {
			break
		}
	}
	if want := "https://a/1 https://a/2 https://b/1"; strings.Join(got, " ") != want {
		t.Errorf("listed %v, want %s", got, want)
	}
	if _, _, err := f.List("", "zz", 2); err == nil {
		t.Error("a wrong cursor was accepted")
	}
	if l, next, err := f.List("unknown", "", 2); err != nil || len(l) != 0 || next != "" {
		t.Errorf("unknown host: %v %q %v", l, next, err)
	}
}

// TestVersion opens frontiers that this program must not touch.
func TestVersion(t *testing.T) {
	fs := vfs.NewMem()
	db, err := pebble.Open("f", &pebble.Options{FS: fs, Logger: storeLog{}})
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Set(keyVersion, binary.AppendUvarint(nil, 7), pebble.Sync); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	_, err = Open(fs, "f", Config{}, nil)
	if !errors.Is(err, ErrVersion) || !strings.Contains(err.Error(), "7") {
		t.Errorf("opened format 7: %v", err)
	}
	f := open(t, Config{Order: DepthFirst})
	if f.Close() != nil || f.Close() != nil {
		t.Error("closing twice failed")
	}
	if _, err := f.Add(url("a", 1)); !errors.Is(err, ErrClosed) {
		t.Errorf("add to a closed frontier: %v", err)
	}
	if _, err := f.Note(); !errors.Is(err, ErrClosed) {
		t.Errorf("note of a closed frontier: %v", err)
	}
	mem := vfs.NewMem()
	if f, err = Open(mem, "f", Config{Order: DepthFirst}, nil); err != nil || f.Close() != nil {
		t.Fatal(err)
	}
	if _, err := Open(mem, "f", Config{}, nil); !errors.Is(err, ErrConfig) {
		t.Errorf("opened with another order: %v", err)
	}
}

func TestConfig(t *testing.T) {
	if err := (Config{}).WithDefaults().Validate(); err != nil {
		t.Error(err)
	}
	for _, c := range []Config{{Order: "sideways"}, {Combine: "MIN"}, {Buckets: -1}, {HeadItems: 1 << 20}, {SyncInterval: -1}, {MaxHosts: 1}} {
		if err := c.WithDefaults().Validate(); err == nil {
			t.Errorf("%+v was accepted", c)
		}
	}
}

func TestRefused(t *testing.T) {
	f := open(t, Config{MaxItemBytes: 300})
	long, deep, band := url("a", 1), url("a", 2), url("a", 3)
	long.Via, deep.Depth, band.Band = strings.Repeat("x", 300), -1, 16
	if r := mustAdd(t, f, Item{}, long, deep, band); r.Refused != 4 || f.Stats().Queued != 0 {
		t.Errorf("report %+v", r)
	}
}
