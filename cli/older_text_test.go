package cli

import (
	"context"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"varve/archive/catalog"
	"varve/index/fulltext"
	"varve/index/renew"
	"varve/serve"
)

// A text index of the format before answers at once, is built anew in the background, and then the new one gives the same answers. A build
// that fails leaves the old one.
func TestOlderTextServes(t *testing.T) {
	older(t)
	col, err := catalog.Open("archive").Collection("tiny")
	if err != nil {
		t.Fatal(err)
	}
	if !textOlder(col) {
		t.Fatal("the archive has nothing to be built anew: it shows nothing")
	}
	begun, allowed, built := make(chan struct{}), make(chan struct{}), make(chan error, 1)
	ctx, stop := context.WithCancel(t.Context())
	s, err := serve.Listen(ctx, serve.Config{
		Archive: "archive", Addr: "127.0.0.1:0", ReplayAddr: "localhost:0", Version: "test", Index: IndexForServer,
		Renew: func(ctx context.Context, c *catalog.Collection) error {
			if c.Name != "tiny" {
				return errors.New("there is no space left")
			}
			w := renew.Work{Index: "words", From: fulltext.FormatVersion - 1, To: fulltext.FormatVersion, Unit: "versions", Total: 1}
			if _, err := beginRenewal(c, "fulltext", w, newIndexLine(io.Discard)); err != nil { // as the work notes it at its beginning
				return err
			}
			close(begun)
			select {
			case <-allowed:
			case <-ctx.Done():
				return ctx.Err()
			}
			err := renewLocked(ctx, c)
			built <- err
			return err
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	var running sync.WaitGroup
	running.Go(func() { _ = s.Run(ctx) })
	defer func() { stop(); running.Wait() }()
	get := func(path string) string {
		t.Helper()
		resp, err := http.Get(strings.TrimSuffix(s.URL(), "/") + path)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		body, err := io.ReadAll(resp.Body)
		if err != nil || resp.StatusCode != http.StatusOK {
			t.Fatalf("%s: %s %v\n%s", path, resp.Status, err, body)
		}
		return string(body)
	}
	paths := []string{
		"/api/search?q=choplet&collection=tiny&facets=host,lang,spam&trend=month",
		"/api/search?q=%22the+old%22&collection=tiny", "/api/search?q=choplet&collection=foreign", "/api/search?facets=collection",
	}
	var first []string
	for _, p := range paths {
		first = append(first, get(p))
	}
	wait(t, "nobody begins to build it anew", begun)
	if !textOlder(col) {
		t.Error("it is there before it was made")
	}
	if tray := get("/api/tray"); !strings.Contains(tray, "the index of words is built anew (format 4 to 5)") {
		t.Errorf("the tray does not tell:\n%s", tray)
	}
	for i, p := range paths { // while it is being built
		if got := get(p); got != first[i] {
			t.Errorf("%s: before\n%s\nmeanwhile\n%s", p, first[i], got)
		}
	}
	close(allowed)
	if err := wait(t, "it is not built anew", built); err != nil {
		t.Fatal(err)
	}
	if textOlder(col) {
		t.Error("it is of the older format yet")
	}
	if files, err := filepath.Glob(filepath.Join(col.IndexDir("fulltext"), "*", "pairs")); err != nil || len(files) == 0 {
		t.Errorf("%v, %v", files, err)
	}
	for i, p := range paths {
		if got := get(p); got != first[i] {
			t.Errorf("%s: before\n%s\nafter\n%s", p, first[i], got)
		}
	}
	if left, err := os.ReadDir(col.IndexDir("fulltext")); err != nil || len(left) != 2 {
		t.Errorf("the old one is there yet: %v, %v", left, err)
	}
}
