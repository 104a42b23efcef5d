package frontier

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// Placed URLs come in the order of their ranks, whatever the order of the frontier, and after a restart too.
func TestPlace(t *testing.T) {
	for _, order := range []Order{BestFirst, BestNewest, BreadthFirst, DepthFirst} {
		t.Run(string(order), func(t *testing.T) {
			fs := vfs.NewMem()
			cfg := Config{Order: order, HeadItems: 8}
			f, err := Open(fs, "f", cfg, nil)
			if err != nil {
				t.Fatal(err)
			}
			const n = 100
			var places []Placement
			var want []string
			for i, rank := range rand.New(rand.NewPCG(1, 2)).Perm(n) {
				it := url("a", i)
				it.Band, it.NotBefore, it.Score = 0, epoch.AddDate(100, 0, 0), float64(i)/n
				mustAdd(t, f, it)
				places = append(places, Placement{Key: it.Key, Rank: uint64(rank), Meta: []byte{byte(i)}})
			}
			mustAdd(t, f, url("a", n))
			if got := takeAll(t, f, "a", epoch); got != fmt.Sprint(n) {
				t.Errorf("before they were placed %s was taken", got)
			}
			for part := range slices.Chunk(places, 30) {
				if _, err := f.Place(map[string][]byte{"x": {1}}, part...); err != nil {
					t.Fatal(err)
				}
			}
			if err := f.Close(); err != nil {
				t.Fatal(err)
			}
			if f, err = Open(fs, "f", cfg, nil); err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			slices.SortFunc(places, func(a, b Placement) int { return int(a.Rank) - int(b.Rank) })
			for _, p := range places {
				want = append(want, fmt.Sprint(p.Meta[0]))
			}
			want = append(want, fmt.Sprint(n))
			if got := takeAll(t, f, "a", epoch); got != strings.Join(want, " ") {
				t.Errorf("taken %s\nwant  %s", got, strings.Join(want, " "))
			}
			if notes, err := f.Notes(); err != nil || len(notes) != 1 || notes["x"][0] != 1 {
				t.Errorf("notes %v (%v)", notes, err)
			}
		})
	}
}

// What is in flight, settled or unknown needs no place.
func TestPlacePassesOver(t *testing.T) {
	f := open(t, Config{})
	mustAdd(t, f, url("a", 1), url("a", 2))
	flying, _, _ := f.Take("a", epoch)
	if err := f.Drop(url("a", 2), "no"); err != nil {
		t.Fatal(err)
	}
	r, err := f.Place(nil, Placement{Key: flying.Key}, Placement{Key: url("a", 2).Key}, Placement{Key: "never"})
	if err != nil || r != (Report{Known: 3}) {
		t.Errorf("report %+v (%v)", r, err)
	}
	if _, err := f.Place(nil, Placement{Key: flying.Key, Rank: rankMask + 1}); err == nil {
		t.Error("a rank that does not fit was accepted")
	}
}

func TestTakeKey(t *testing.T) {
	f := open(t, Config{HeadItems: 2})
	for i := range 10 {
		mustAdd(t, f, url("a", i))
	}
	late := url("a", 10)
	late.NotBefore = epoch.Add(time.Hour)
	mustAdd(t, f, late)
	for _, i := range []int{9, 0, 5} {
		if it, ok, err := f.TakeKey(url("a", i).Key, epoch); err != nil || !ok || it.Key != url("a", i).Key {
			t.Errorf("take %d: %+v %v %v", i, it, ok, err)
		}
	}
	for _, key := range []string{url("a", 9).Key, late.Key, "never"} {
		if _, ok, err := f.TakeKey(key, epoch); ok || err != nil {
			t.Errorf("%s was given out (%v)", key, err)
		}
	}
	f.Return(url("a", 5).Key)
	if got := takeAll(t, f, "a", epoch); got != "1 2 3 4 5 6 7 8" {
		t.Errorf("the rest is %s", got)
	}
	if _, ok, err := f.TakeKey(late.Key, epoch.Add(time.Hour)); !ok || err != nil {
		t.Errorf("not given out when due (%v)", err)
	}
}

func TestTakeBefore(t *testing.T) {
	f := open(t, Config{})
	due, urgent, plain := url("a", 1), url("a", 2), url("a", 3)
	due.Band, due.NotBefore, urgent.Band, plain.Band = 3, epoch, 0, 2
	mustAdd(t, f, plain, due, urgent)
	var got []string
	for {
		it, ok, err := f.TakeBefore("a", 2, epoch)
		if err != nil {
			t.Fatal(err)
		}
		if !ok {
			break
		}
		got = append(got, it.Key)
	}
	if len(got) != 1 || got[0] != urgent.Key {
		t.Errorf("taken %v", got)
	}
	f.Only("a", 1)
	if it, ok, err := f.TakeBefore("a", 2, epoch); err != nil || !ok || it.Key != due.Key {
		t.Errorf("the one that was due: %+v %v %v", it, ok, err)
	}
}

// A host whose URLs are barred is not claimed, and is again when the bar is gone.
func TestOnly(t *testing.T) {
	f := open(t, Config{})
	mustAdd(t, f, url("a", 1), url("b", 1))
	first := url("b", 2)
	first.Band = 0
	mustAdd(t, f, first)
	claims := func(want string) {
		t.Helper()
		names, err := f.Claim(epoch, 9)
		slices.Sort(names)
		if got := strings.Join(names, " "); err != nil || got != want {
			t.Errorf("claimed %q (%v), want %q", got, err, want)
		}
		for _, n := range names {
			f.Release(n)
		}
	}
	f.Only("", 1)
	claims("b")
	if _, ok, _ := f.Take("a", epoch); ok {
		t.Error("a barred URL was given out")
	}
	f.Only("", AllBands)
	f.Only("a", 1)
	claims("b")
	f.Only("a", AllBands)
	claims("a b")
	late := url("c", 1)
	late.Band, late.NotBefore = 0, epoch.AddDate(100, 0, 0)
	mustAdd(t, f, late)
	f.Only("c", 0)
	claims("a b") // and c sleeps
	if _, err := f.Place(nil, Placement{Key: late.Key}); err != nil {
		t.Fatal(err)
	}
	claims("a b")
	f.Only("c", AllBands)
	claims("a b c")
}

func TestWatch(t *testing.T) {
	f := open(t, Config{})
	var got []string
	f.Watch(func(s Step, it *Item) { got = append(got, fmt.Sprintf("%d %s %s %d", s, it.Key, it.Host, it.Band)) })
	a, better := url("a", 1), url("a", 1)
	better.Band = 0
	mustAdd(t, f, a, a, better)
	it, _, _ := f.Take("a", epoch)
	if err := f.Retry(it, epoch); err != nil {
		t.Fatal(err)
	}
	if err := f.Drop(it, "no"); err != nil {
		t.Fatal(err)
	}
	want := []string{"0 https://a/1 a 1", "1 https://a/1 a 1", "0 https://a/1 a 0", "1 https://a/1 a 0"}
	if !slices.Equal(got, want) {
		t.Errorf("told %q, want %q", got, want)
	}
}

// A URL that would wait for longer than any may was queued by a clock that has been set back: it is due. One that waits for
// good waits on.
func TestMaxWait(t *testing.T) {
	f := open(t, Config{MaxWait: time.Hour})
	soon, year, good := url("a", 1), url("b", 1), url("c", 1)
	soon.NotBefore, year.NotBefore, good.NotBefore = epoch.Add(time.Minute), epoch.AddDate(1, 0, 0), epoch.AddDate(7000, 0, 0)
	mustAdd(t, f, soon, year, good)
	for range 3 { // the hosts that sleep are looked at again
		hosts, err := f.Claim(epoch, 10)
		if err != nil {
			t.Fatal(err)
		}
		for _, h := range hosts {
			if h != "b" {
				t.Errorf("%s is claimed", h)
			}
			f.Release(h)
		}
	}
	for _, it := range []Item{soon, year, good} {
		_, ok, err := f.Take(it.Host, epoch)
		if err != nil || ok != (it.Host == "b") {
			t.Errorf("%s is taken: %v, %v", it.Host, ok, err)
		}
	}
}
