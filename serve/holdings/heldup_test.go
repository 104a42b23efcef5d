package holdings_test

import (
	"context"
	"log/slog"
	"sync"
	"testing"
	"time"

	"varve/archive/catalog"
	"varve/lab/servetest"
	"varve/serve/holdings"
)

// Who reads lists gets an answer while the catalogue is being made and the disk does not answer; the answer says what is
// still to come.
func TestReadersDoNotWaitForTheCatalogue(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := servetest.Many(dir, 30, 2); err != nil {
		t.Fatal(err)
	}
	h := holdings.Open(catalog.Open(dir), time.Now, slog.New(slog.DiscardHandler))
	held, free := make(chan struct{}), make(chan struct{})
	var once sync.Once
	holdings.HoldUp(h, func() {
		once.Do(func() { close(held) })
		<-free
	})
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		h.Run(ctx, time.Hour)
	}()
	<-held
	type answer struct {
		what string
		err  error
	}
	answers := make(chan answer)
	ask := map[string]func() error{
		"collections": func() error {
			list, err := h.Collections(ctx)
			if err == nil && (len(list) != 30 || list[29].Pending == 0) {
				t.Errorf("%d collections, pending %d", len(list), list[len(list)-1].Pending)
			}
			return err
		},
		"page":       func() error { _, err := h.CollectionPage(ctx, 0, "", 25, 240); return err },
		"collection": func() error { _, err := h.Collection(ctx, "site-00003"); return err },
		"crawls":     func() error { _, err := h.Crawls(ctx, holdings.CrawlQuery{Limit: 50}); return err },
		"crawls of a collection": func() error {
			_, err := h.Crawls(ctx, holdings.CrawlQuery{Collection: "site-00003", Limit: 50})
			return err
		},
	}
	for what, do := range ask {
		go func() { answers <- answer{what, do()} }()
	}
	for range ask {
		select {
		case a := <-answers:
			if a.err != nil {
				t.Errorf("%s: %v", a.what, a.err)
			}
		case <-time.After(time.Minute):
			t.Fatal("somebody waits for the catalogue")
		}
	}
	close(free)
	if err := h.Complete(ctx); err != nil {
		t.Fatal(err)
	}
	page, err := h.Crawls(ctx, holdings.CrawlQuery{Limit: 5})
	if err != nil || page.Total != 60 || page.Pending != 0 {
		t.Errorf("%d crawls, %d pending, %v", page.Total, page.Pending, err)
	}
	cancel()
	<-ended
	if err := h.Close(); err != nil {
		t.Error(err)
	}
}
