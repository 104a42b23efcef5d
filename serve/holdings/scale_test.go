package holdings_test

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"runtime"
	"testing"
	"time"

	"varve/archive/catalog"
	"varve/lab/servetest"
	"varve/serve/holdings"
)

// Lists of very many crawls, and of very many collections: what a first look, a second process, and pages cost.
// VARVE_SCALE=1x100000,5000x1 sets collections and crawls in each.
func TestDrillScaleOfLists(t *testing.T) {
	if os.Getenv("VARVE_DRILL") == "" {
		t.Skip("VARVE_DRILL=1 runs it")
	}
	ctx := context.Background()
	for _, size := range servetest.Scale(t, [2]int{1, 5_000}, [2]int{1_000, 1}, [2]int{100, 50}) {
		size := struct{ collections, crawls int }{size[0], size[1]}
		t.Run(fmt.Sprintf("%dx%d", size.collections, size.crawls), func(t *testing.T) {
			dir := t.TempDir()
			if err := servetest.Many(dir, size.collections, size.crawls); err != nil {
				t.Fatal(err)
			}
			step := func(what string, do func(h *holdings.Holdings) error) func(h *holdings.Holdings) {
				return func(h *holdings.Holdings) {
					began, cpus := time.Now(), servetest.CPU()
					if err := do(h); err != nil {
						t.Fatalf("%s: %v", what, err)
					}
					used := servetest.CPU() - cpus
					runtime.GC()
					t.Logf("%-28s %6.2f s, %6.2f s CPU, %s", what, time.Since(began).Seconds(), used.Seconds(), servetest.RSS())
				}
			}
			all := step("catalogue made", func(h *holdings.Holdings) error {
				for {
					if pending, err := h.Look(ctx); err != nil || pending == 0 {
						return err
					}
				}
			})
			list := step("list of collections", func(h *holdings.Holdings) error { _, err := h.CollectionPage(ctx, 0, "", 25, 240); return err })
			newest := step("newest crawls", func(h *holdings.Holdings) error {
				p, err := h.Crawls(ctx, holdings.CrawlQuery{Limit: 50})
				if err == nil && (p.Total != size.collections*size.crawls || len(p.Items) != 50) {
					t.Errorf("%d crawls of %d", len(p.Items), p.Total)
				}
				return err
			})
			far := step("crawls far down", func(h *holdings.Holdings) error {
				_, err := h.Crawls(ctx, holdings.CrawlQuery{Skip: 4_900, Limit: 50})
				return err
			})
			for range 2 {
				h := holdings.Open(catalog.Open(dir), time.Now, slog.New(slog.DiscardHandler))
				for _, do := range []func(*holdings.Holdings){all, list, newest, far, newest} {
					do(h)
				}
				if err := h.Close(); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}
