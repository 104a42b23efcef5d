// Package enginetest is what every engine of a crawl on many nodes must do.
package enginetest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"varve/crawl/nodes/engine"
)

// Run tests an engine. Join returns one more handle on the same, new crawl each time that open is called.
func Run(t *testing.T, open func(t *testing.T) (join func() engine.Engine)) {
	for name, test := range map[string]func(*testing.T, func() engine.Engine){
		"table": table, "race": race, "watch": watch, "log": log, "follow": follow, "trim": trim, "shelf": shelf,
	} {
		t.Run(name, func(t *testing.T) { test(t, open(t)) })
	}
}

func must[T any](t *testing.T) func(v T, err error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// table: a write names what it replaces.
func table(t *testing.T, join func() engine.Engine) {
	ctx, a, b := t.Context(), join(), join()
	if _, err := a.Get(ctx, "k.1"); !errors.Is(err, engine.ErrNotFound) {
		t.Fatalf("a key that is not there: %v", err)
	}
	one := must[uint64](t)(a.Put(ctx, "k.1", []byte("x"), 0))
	if _, err := b.Put(ctx, "k.1", []byte("y"), 0); !errors.Is(err, engine.ErrConflict) {
		t.Fatalf("created twice: %v", err)
	}
	two := must[uint64](t)(b.Put(ctx, "k.1", []byte("y"), one))
	if two <= one {
		t.Errorf("revision %d after %d", two, one)
	}
	if _, err := a.Put(ctx, "k.1", []byte("z"), one); !errors.Is(err, engine.ErrConflict) {
		t.Fatalf("written over another's: %v", err)
	}
	if err := a.Delete(ctx, "k.1", one); !errors.Is(err, engine.ErrConflict) {
		t.Fatalf("deleted another's: %v", err)
	}
	soon(t, "the value that was written last", func() bool {
		e, err := a.Get(ctx, "k.1")
		return err == nil && string(e.Value) == "y" && e.Revision == two
	})
	must[uint64](t)(a.Put(ctx, "k.2", nil, 0))
	must[uint64](t)(a.Put(ctx, "kk.3", nil, 0))
	soon(t, "two keys with the prefix", func() bool {
		list, err := b.List(ctx, "k.")
		return err == nil && len(list) == 2 && list[0].Key == "k.1" && list[1].Key == "k.2"
	})
	if err := b.Delete(ctx, "k.1", two); err != nil {
		t.Fatal(err)
	}
	soon(t, "that a key is deleted", func() bool {
		_, err := a.Get(ctx, "k.1")
		return errors.Is(err, engine.ErrNotFound)
	})
	if _, err := a.Put(ctx, "k.1", []byte("w"), two); !errors.Is(err, engine.ErrConflict) {
		t.Fatalf("renewed what was deleted: %v", err)
	}
	if rev := must[uint64](t)(a.Put(ctx, "k.1", []byte("new"), 0)); rev <= two {
		t.Errorf("revision %d of a key that was deleted at %d", rev, two)
	}
	soon(t, "all keys", func() bool {
		list, err := b.List(ctx, "")
		return err == nil && len(list) == 3
	})
}

// soon waits for what reads may be behind with.
func soon(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for range 200 {
		if ok() {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("%s cannot be read", what)
}

// race: of many who write at once, one is first.
func race(t *testing.T, join func() engine.Engine) {
	ctx := t.Context()
	var mu sync.Mutex
	var won, lost int
	var all sync.WaitGroup
	for i := range 8 {
		h := join()
		all.Go(func() {
			_, err := h.Put(ctx, "only", fmt.Appendf(nil, "%d", i), 0)
			mu.Lock()
			defer mu.Unlock()
			switch {
			case err == nil:
				won++
			case errors.Is(err, engine.ErrConflict):
				lost++
			default:
				t.Error(err)
			}
		})
	}
	all.Wait()
	if won != 1 || lost != 7 {
		t.Errorf("%d won, %d lost", won, lost)
	}
}

// watch: what is there, and then each change.
func watch(t *testing.T, join func() engine.Engine) {
	ctx, end := context.WithCancel(t.Context())
	a, b := join(), join()
	rev := must[uint64](t)(a.Put(ctx, "w.old", []byte("1"), 0))
	must[uint64](t)(a.Put(ctx, "x.other", []byte("1"), 0))
	seen, over := make(chan engine.Entry, 16), make(chan error)
	go func() { over <- b.Watch(ctx, "w.", func(e engine.Entry) { seen <- e }) }()
	next := func(want string) {
		t.Helper()
		e := <-seen
		got := e.Key + "=" + string(e.Value)
		if e.Value == nil {
			got = e.Key + " gone"
		}
		if got != want {
			t.Fatalf("saw %q, want %q", got, want)
		}
	}
	next("w.old=1")
	rev = must[uint64](t)(a.Put(ctx, "w.old", []byte("2"), rev))
	next("w.old=2")
	must[uint64](t)(a.Put(ctx, "w.new", []byte(""), 0))
	next("w.new=")
	if err := a.Delete(ctx, "w.old", rev); err != nil {
		t.Fatal(err)
	}
	next("w.old gone")
	end()
	if err := <-over; err == nil {
		t.Error("a watch ended without its context")
	}
}

func say(subject, text string) engine.Message {
	return engine.Message{Subject: subject, Data: []byte(text)}
}

// log: one order, by subject, from a place.
func log(t *testing.T, join func() engine.Engine) {
	ctx, a, b := t.Context(), join(), join()
	if last := must[uint64](t)(a.Last(ctx)); last != 0 {
		t.Fatalf("an empty log ends at %d", last)
	}
	first := must[uint64](t)(a.Append(ctx, say("in.1", "a")))
	end := must[uint64](t)(b.Append(ctx, say("in.2", "b"), say("in.1", "c"), say("log.x", "d")))
	if last := must[uint64](t)(a.Last(ctx)); last != end || end != first+3 {
		t.Fatalf("first %d, appended up to %d, last %d", first, end, last)
	}
	read := func(subjects []string, after, upTo uint64) string {
		t.Helper()
		var out []string
		before := after
		err := b.Read(ctx, subjects, after, upTo, func(m engine.Message) error {
			if m.Seq <= before || !slices.Contains(subjects, m.Subject) {
				t.Errorf("message %d of %s behind %d", m.Seq, m.Subject, before)
			}
			before = m.Seq
			out = append(out, string(m.Data))
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return strings.Join(out, "")
	}
	for _, c := range []struct {
		subjects    []string
		after, upTo uint64
		want        string
	}{
		{[]string{"in.1"}, 0, end, "ac"},
		{[]string{"in.1", "log.x"}, first, end, "cd"},
		{[]string{"in.1", "in.2", "log.x"}, 0, end - 1, "abc"},
		{[]string{"in.9"}, 0, end, ""},
		{nil, 0, end, ""},
		{[]string{"in.1"}, end, end, ""},
	} {
		if got := read(c.subjects, c.after, c.upTo); got != c.want {
			t.Errorf("%v behind %d up to %d: %q, want %q", c.subjects, c.after, c.upTo, got, c.want)
		}
	}
	enough := errors.New("enough")
	if err := a.Read(ctx, []string{"in.1"}, 0, end, func(engine.Message) error { return enough }); !errors.Is(err, enough) {
		t.Errorf("an error of who reads: %v", err)
	}
}

// follow: what is there, and what comes.
func follow(t *testing.T, join func() engine.Engine) {
	ctx, end := context.WithCancel(t.Context())
	a, b := join(), join()
	must[uint64](t)(a.Append(ctx, say("f.1", "a"), say("f.2", "b")))
	got, over := make(chan string, 1000), make(chan error)
	go func() {
		over <- b.Follow(ctx, []string{"f.1", "f.3"}, 0, func(m engine.Message) error { got <- string(m.Data); return nil })
	}()
	if s := <-got; s != "a" {
		t.Fatalf("got %q", s)
	}
	var more []engine.Message
	for i := range 300 {
		more = append(more, say(fmt.Sprintf("f.%d", 1+i%3), fmt.Sprint(i)))
	}
	must[uint64](t)(a.Append(ctx, more...))
	for i := range 300 {
		if i%3 == 1 {
			continue
		}
		if s := <-got; s != fmt.Sprint(i) {
			t.Fatalf("got %q, want %d", s, i)
		}
	}
	end()
	if err := <-over; err == nil {
		t.Error("it ended without its context")
	}
}

// trim: what is trimmed is gone, and nothing else.
func trim(t *testing.T, join func() engine.Engine) {
	ctx, a := t.Context(), join()
	must[uint64](t)(a.Append(ctx, say("t.1", "a"), say("t.2", "b")))
	mid := must[uint64](t)(a.Append(ctx, say("t.1", "c")))
	end := must[uint64](t)(a.Append(ctx, say("t.1", "d"), say("t.2", "e")))
	if err := a.Trim(ctx, "t.1", mid); err != nil {
		t.Fatal(err)
	}
	var out []string
	if err := a.Read(ctx, []string{"t.1", "t.2"}, 0, end, func(m engine.Message) error { out = append(out, string(m.Data)); return nil }); err != nil {
		t.Fatal(err)
	}
	if s := strings.Join(out, ""); s != "bde" {
		t.Errorf("left %q, want bde", s)
	}
	if last := must[uint64](t)(a.Last(ctx)); last != end {
		t.Errorf("the log ends at %d, want %d", last, end)
	}
}

// shelf: objects are whole.
func shelf(t *testing.T, join func() engine.Engine) {
	ctx, a, b := t.Context(), join(), join()
	if _, err := a.Fetch(ctx, "none"); !errors.Is(err, engine.ErrNotFound) {
		t.Fatalf("an object that is not there: %v", err)
	}
	large := strings.Repeat("0123456789abcdef", 40_000)
	if err := a.Store(ctx, "range.7", strings.NewReader(large)); err != nil {
		t.Fatal(err)
	}
	r := must[io.ReadCloser](t)(b.Fetch(ctx, "range.7"))
	if got := must[[]byte](t)(io.ReadAll(r)); string(got) != large {
		t.Errorf("%d bytes came back, want %d", len(got), len(large))
	}
	r.Close()
	broken := errors.New("broken")
	if err := a.Store(ctx, "half", io.MultiReader(strings.NewReader("abc"), failing{broken})); err == nil {
		t.Error("half an object was stored")
	}
	if _, err := a.Fetch(ctx, "half"); !errors.Is(err, engine.ErrNotFound) {
		t.Errorf("half an object: %v", err)
	}
	for range 2 {
		if err := b.Remove(ctx, "range.7"); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := a.Fetch(ctx, "range.7"); !errors.Is(err, engine.ErrNotFound) {
		t.Errorf("a removed object: %v", err)
	}
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }
