package frontier

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
)

var steps = flag.Int("steps", 400, "random operations per configuration in TestRandom")

// run is one random run of a frontier beside its model.
type run struct {
	t      *testing.T
	rnd    *rand.Rand
	fs     *vfs.MemFS
	cfg    Config
	f      *Frontier
	m      *model
	now    time.Time
	keys   []string
	hosts  []string
	flying map[string]bool
	taken  map[string]Item
}

var epoch = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// small is a configuration whose bounds are met all the time.
func small(o Order, c Combine) Config {
	return Config{
		Order: o, Combine: c, Buckets: 20, CacheBytes: 1 << 20, MemtableBytes: 256 << 10, FilterBytes: 64 << 10,
		RecentKeys: 8, MaxHosts: 3, HeadItems: 3, HeadBytes: 4 << 10, MaxItemBytes: 4096,
	}.WithDefaults()
}

// TestRandom makes thousands of random calls on a frontier on a file system that loses what was
// not synced, crashes it at random points, and compares everything with a trivial model.
func TestRandom(t *testing.T) {
	orders := []Order{BestFirst, BreadthFirst, DepthFirst, BestNewest}
	for i, c := range []Combine{First, Last, Max, Avg, Sum} {
		o := orders[i%len(orders)]
		t.Run(fmt.Sprintf("%s %s", o, c), func(t *testing.T) {
			t.Parallel()
			randomRun(t, small(o, c), int64(i+1), *steps)
		})
	}
}

func randomRun(t *testing.T, cfg Config, seed int64, n int) {
	r := &run{t: t, rnd: rand.New(rand.NewPCG(uint64(seed), 7)), fs: vfs.NewCrashableMem(), cfg: cfg, m: newModel(cfg), now: epoch}
	for i := range 8 {
		r.hosts = append(r.hosts, fmt.Sprintf("https://h%d.example:443", i))
	}
	for i := range 200 {
		r.keys = append(r.keys, fmt.Sprintf("%s/page/%d", r.host(i), i))
	}
	r.open()
	for i := range n {
		r.step()
		if i%100 == 0 {
			r.check()
		}
	}
	r.check()
	r.drain()
	if err := r.f.Close(); err != nil {
		t.Fatal(err)
	}
}

// host gives few hosts many URLs and many hosts few.
func (r *run) host(i int) string { return r.hosts[min(i%11, len(r.hosts)-1)] }

func (r *run) open() {
	f, err := Open(r.fs, "f", r.cfg, nil)
	if err != nil {
		r.t.Fatal(err)
	}
	r.f, r.flying, r.taken = f, map[string]bool{}, map[string]Item{}
}

func (r *run) check() {
	r.t.Helper()
	if err := r.m.diff(r.f, r.keys, r.hosts, r.flying); err != nil {
		r.t.Fatal(err)
	}
}

func (r *run) step() {
	r.now = r.now.Add(time.Duration(r.rnd.IntN(5)) * time.Second)
	switch p := r.rnd.IntN(100); {
	case p < 25:
		r.add()
	case p < 55:
		r.take()
	case p < 80:
		r.finish()
	case p < 87:
		r.update()
	case p < 90:
		r.giveBack()
	case p < 92:
		r.retire()
	case p < 94:
		r.list()
	case p < 96:
		r.crash()
	case p < 97:
		r.reopen()
	default:
		r.claim()
	}
}

func (r *run) item() Item {
	i := r.rnd.IntN(len(r.keys))
	it := Item{
		Key: r.keys[i], Host: r.host(i), Domain: "example", Via: fmt.Sprintf("via%d", r.rnd.IntN(9)), HopPath: "LLE"[:r.rnd.IntN(4)],
		Band: uint8(r.rnd.IntN(3)), Score: float64(r.rnd.IntN(101)) / 100, Depth: r.rnd.IntN(5),
	}
	switch r.rnd.IntN(6) {
	case 0:
		it.URL = it.Key + "#raw"
	case 1:
		it.Meta = []byte("meta")
	case 2:
		it.NotBefore = r.now.Add(time.Duration(r.rnd.IntN(20)) * time.Second)
	}
	return it
}

func (r *run) items(n int) []Item {
	out := make([]Item, r.rnd.IntN(n))
	for i := range out {
		out[i] = r.item()
	}
	return out
}

func (r *run) must(err error) {
	r.t.Helper()
	if err != nil {
		r.t.Fatal(err)
	}
}

func (r *run) add() {
	items := r.items(12)
	for _, it := range items {
		r.m.add(it, r.cfg.Combine, r.flying)
	}
	_, err := r.f.Add(items...)
	r.must(err)
}

func (r *run) take() {
	h := r.hosts[r.rnd.IntN(len(r.hosts))]
	want := r.m.next(h, r.now, r.flying)
	head, okHead, err := r.f.Head(h, r.now)
	r.must(err)
	it, ok, err := r.f.Take(h, r.now)
	r.must(err)
	if ok != (want != "") || it.Key != want {
		r.t.Fatalf("take %s: %q %v, want %q", h, it.Key, ok, want)
	}
	if !ok {
		if okHead && head.NotBefore.IsZero() {
			r.t.Fatalf("head of %s: %+v, but nothing to take", h, head)
		}
		return
	}
	if !okHead || head.Band != it.Band || head.Score != it.Score || !head.NotBefore.IsZero() {
		r.t.Fatalf("head of %s: %+v, took %+v", h, head, it)
	}
	if d := micro(it.Score) - r.m.urls[want].micro; d > 1e6/20 || d < -1e6/20 {
		r.t.Fatalf("take %s: score %v, want %v within a bucket", want, it.Score, r.m.urls[want].micro)
	}
	r.flying[it.Key], r.taken[it.Key] = true, it
}

func (r *run) result() (Result, bool) {
	var it Item
	if r.rnd.IntN(8) == 0 { // one that was not taken
		it = r.item()
		if u := r.m.urls[it.Key]; u != nil && u.state != Queued {
			_, err := r.f.Finish(Result{Item: it})
			if !errors.Is(err, ErrSettled) {
				r.t.Fatalf("finish of a settled URL: %v", err)
			}
			return Result{}, false
		}
		it.NotBefore = time.Time{}
	} else {
		keys := slices.Sorted(maps.Keys(r.taken))
		if len(keys) == 0 {
			return Result{}, false
		}
		it = r.taken[keys[r.rnd.IntN(len(keys))]]
	}
	res := Result{Item: it, Links: r.items(8)}
	switch r.rnd.IntN(5) {
	case 0:
		res.Verdict, res.NotBefore = Later, r.now.Add(time.Duration(r.rnd.IntN(30))*time.Second)
		res.Item.Meta = []byte("again")
		if r.rnd.IntN(3) == 0 {
			res.NotBefore = time.Time{}
		}
	case 1:
		res.Verdict, res.Reason = Refused, "robots"
	default:
		res.Outcome = Outcome{Status: 200, Size: int64(r.rnd.IntN(1000)), Digest: []byte{1, 2}, At: r.now, Failed: r.rnd.IntN(4) == 0}
	}
	return res, true
}

func (r *run) finish() {
	var batch []Result
	in := map[string]bool{}
	for range 1 + r.rnd.IntN(3) {
		if res, ok := r.result(); ok && !in[res.Item.Key] {
			in[res.Item.Key] = true
			batch = append(batch, res)
		}
	}
	for _, res := range batch {
		delete(r.flying, res.Item.Key)
		delete(r.taken, res.Item.Key)
		r.m.finish(res)
		for _, l := range res.Links {
			// A link to a URL that this batch ends later finds it in flight.
			r.m.add(l, r.cfg.Combine, r.flying)
		}
	}
	_, err := r.f.Finish(batch...)
	r.must(err)
}

func (r *run) update() {
	var us []ScoreUpdate
	for _, it := range r.items(6) {
		u := ScoreUpdate{Item: it, Blacklist: r.rnd.IntN(4) == 0, Reason: "curator"}
		if r.rnd.IntN(2) == 0 {
			u.Combine = Avg
		}
		us = append(us, u)
		old := r.m.urls[it.Key]
		how := u.Combine
		setDefault(&how, Last)
		switch {
		case !u.Blacklist:
			r.m.add(it, how, r.flying)
		case old == nil || old.state == Queued && !r.flying[it.Key]:
			it.Band = 0 // nothing brings it back
			r.m.finish(Result{Item: it, Verdict: Refused, Reason: u.Reason})
		}
	}
	_, err := r.f.Update(context.Background(), us)
	r.must(err)
}

func (r *run) giveBack() {
	for k := range r.flying {
		r.f.Return(k)
		delete(r.flying, k)
		delete(r.taken, k)
		return
	}
}

func (r *run) retire() {
	h := r.hosts[r.rnd.IntN(len(r.hosts))]
	if s, err := r.f.HostStats(h); err != nil || s.Domain == "" {
		return // not known yet
	}
	r.m.retired[h] = !r.m.retired[h]
	r.must(r.f.Retire(h, r.m.retired[h]))
}

// claim takes hosts by turns and gives them back; with three resident hosts it meets the bound.
func (r *run) claim() {
	names, err := r.f.Claim(r.now, 1+r.rnd.IntN(3))
	r.must(err)
	for _, n := range names {
		if r.m.next(n, r.now, r.flying) == "" {
			r.t.Fatalf("claimed %s has nothing to take", n)
		}
		r.f.Release(n)
	}
}

func (r *run) list() {
	h := r.hosts[r.rnd.IntN(len(r.hosts))]
	var got []Listed
	for cursor := ""; ; {
		page, next, err := r.f.List(h, cursor, 1+r.rnd.IntN(5))
		r.must(err)
		got = append(got, page...)
		if cursor = next; next == "" {
			break
		}
	}
	var want []*modelURL
	for _, u := range r.m.urls {
		if u.item.Host == h && u.state == Queued {
			want = append(want, u)
		}
	}
	if len(got) != len(want) {
		r.t.Fatalf("list of %s has %d URLs, want %d", h, len(got), len(want))
	}
	var ready []*modelURL
	for _, l := range got {
		if (l.State == InFlight) != r.flying[l.Key] || l.Host != h {
			r.t.Fatalf("list: %+v", l)
		}
		if l.NotBefore.IsZero() {
			ready = append(ready, r.m.urls[l.Key])
		}
	}
	if !slices.IsSortedFunc(ready, r.m.compare) {
		r.t.Fatalf("list of %s is not in order", h)
	}
}
