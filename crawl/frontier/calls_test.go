package frontier

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"

	"varve/archive/durable"
)

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
	db, err := pebble.Open("f", &pebble.Options{FS: fs, Logger: durable.Logger(nil, "test")})
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
	for range 2 {
		if err := f.Close(); err != nil {
			t.Error(err)
		}
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
