package serve_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"varve"
	"varve/archive/catalog"
	"varve/lab/servetest"
	"varve/serve"
)

// eventually asks until something holds.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for range 1500 {
		if holds() {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Fatal(what)
}

// A server derives collections and measures their crawls by itself, tries again what another process works on, and
// leaves large ones alone.
func TestPrepare(t *testing.T) {
	dir := t.TempDir()
	if err := servetest.Small(t.Context(), dir); err != nil {
		t.Fatal(err)
	}
	var calls atomic.Int64
	s := start(t, dir, func(c *serve.Config) {
		c.PrepareUpTo = 1 << 30
		c.Prepare = func(context.Context, *catalog.Collection) error {
			if calls.Add(1) <= 2 {
				return &varve.Error{Kind: varve.Conflict, Op: "derive", Msg: "somebody writes to it"}
			}
			return nil
		}
	})
	var list struct {
		Items []struct {
			ID        string          `json:"id"`
			Coherence json.RawMessage `json:"coherence"`
		}
	}
	eventually(t, "no crawl was measured", func() bool {
		status, b := s.get(s.ui + "/api/collections/aachen/crawls")
		if err := json.Unmarshal([]byte(b), &list); err != nil || status != http.StatusOK {
			t.Fatalf("%d, %v: %.200s", status, err, b)
		}
		for _, k := range list.Items {
			if k.Coherence == nil {
				return false
			}
		}
		return len(list.Items) > 0
	})
	done := calls.Load()
	if done < 3 {
		t.Errorf("prepared %d times, want more than the two that met somebody else", done)
	}
	time.Sleep(100 * time.Millisecond)
	if again := calls.Load(); again != done {
		t.Errorf("prepared %d times more although nothing changed", again-done)
	}
}

func TestPrepareLargeOrBroken(t *testing.T) {
	for name, limit := range map[string]int64{"too large": 10, "broken": 1 << 30} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			if err := servetest.Small(t.Context(), dir); err != nil {
				t.Fatal(err)
			}
			var calls atomic.Int64
			s := start(t, dir, func(c *serve.Config) {
				c.PrepareUpTo = limit
				c.Prepare = func(context.Context, *catalog.Collection) error {
					calls.Add(1)
					return errors.New("no space left")
				}
			})
			eventually(t, "nothing was indexed", func() bool { return s.captures(home) > 0 })
			time.Sleep(200 * time.Millisecond)
			if n, want := calls.Load(), map[string]int64{"too large": 0, "broken": 1}[name]; n != want {
				t.Errorf("prepared %d times, want %d", n, want)
			}
		})
	}
}
