package frontier

import (
	"context"
	"errors"
	"testing"
)

// What was refused comes back by a find for a more urgent band, once for each, and counters follow; what a curator barred, or what is
// done, does not.
func TestReopened(t *testing.T) {
	f := open(t, Config{})
	guess := func(n int) Item {
		it := url("a", n)
		it.Band, it.HopPath, it.Via = 3, "X", "https://a/app.js"
		return it
	}
	link := func(n int) Item {
		it := url("a", n)
		it.Band, it.HopPath, it.Via = 2, "LL", "https://a/page"
		return it
	}
	mustAdd(t, f, guess(1), guess(2), guess(3), guess(4))
	if _, err := f.Update(context.Background(), []ScoreUpdate{{Item: guess(2), Blacklist: true, Reason: "curator"}}); err != nil {
		t.Fatal(err)
	}
	if err := f.Drop(guess(1), "guess"); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Finish(Result{Item: guess(3), Outcome: Outcome{Status: 404}}); err != nil {
		t.Fatal(err)
	}
	if r := mustAdd(t, f, guess(1)); r.Known != 1 {
		t.Errorf("a guess again: %+v", r)
	}
	if r := mustAdd(t, f, link(1), link(2), link(3)); r != (Report{Reopened: 1, Known: 2}) {
		t.Errorf("links: %+v", r)
	}
	e, err := f.Lookup(link(1).Key)
	if err != nil || e.State != Queued || e.Item.HopPath != "LL" || e.Item.Via != "https://a/page" {
		t.Errorf("reopened as %+v (%v)", e, err)
	}
	if s := f.Stats(); s.Dropped != 1 || s.Queued != 2 || s.Seen() != 4 {
		t.Errorf("counters %+v", s)
	}
	// A link that is refused stays so, for links.
	if err := f.Drop(link(1), "robots"); err != nil {
		t.Fatal(err)
	}
	if r := mustAdd(t, f, link(1), guess(1)); r.Known != 2 {
		t.Errorf("refused link: %+v", r)
	}
	if _, err := f.Finish(Result{Item: link(1), Outcome: Outcome{Status: 200}}); !errors.Is(err, ErrSettled) {
		t.Errorf("finished in the same band: %v", err)
	}
	part := link(1)
	part.Band, part.HopPath = 1, "LE"
	if _, err := f.Finish(Result{Item: part, Outcome: Outcome{Status: 200}}); err != nil {
		t.Errorf("a part of a page, fetched by the page: %v", err)
	}
	if s := f.Stats(); s.Dropped != 1 || s.Done != 2 || s.Queued != 1 {
		t.Errorf("counters %+v", s)
	}
}

// A guess that is in flight when a link to it is found is not lost when it is refused as a guess, nor by a crash in between.
func TestFoundBetterInFlight(t *testing.T) {
	for _, crash := range []bool{false, true} {
		f := open(t, Config{})
		it := url("a", 1)
		it.Band, it.HopPath = 3, "X"
		mustAdd(t, f, it)
		taken, ok, err := f.Take("a", epoch)
		if err != nil || !ok {
			t.Fatal(err)
		}
		better := it
		better.Band, better.HopPath = 2, "LL"
		if r := mustAdd(t, f, better); r.Updated != 1 {
			t.Errorf("%+v", r)
		}
		if crash {
			f.Return(it.Key)
		} else if err := f.Drop(taken, "pages were executed"); err != nil {
			t.Fatal(err)
		}
		again, ok, err := f.Take("a", epoch)
		if err != nil || !ok || again.HopPath != "LL" || again.Band != 2 {
			t.Errorf("crash %t: %+v %t %v", crash, again, ok, err)
		}
		if err := f.Drop(again, "robots"); err != nil {
			t.Fatal(err)
		}
		if s := f.Stats(); s.Dropped != 1 || s.Queued != 0 {
			t.Errorf("crash %t: counters %+v", crash, s)
		}
	}
}
