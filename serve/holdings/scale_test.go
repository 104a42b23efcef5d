package holdings_test

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"varve/archive/catalog"
	"varve/serve/holdings"
	"varve/serve/servetest"
)

// cpu is the processor time of this process so far.
func cpu() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// rss is the memory that the process has, in MB.
func rss() string {
	b, _ := os.ReadFile("/proc/self/status")
	for line := range strings.Lines(string(b)) {
		if strings.HasPrefix(line, "VmRSS") {
			return strings.Join(strings.Fields(line)[1:], " ")
		}
	}
	return "unknown"
}

// Lists of very many crawls, and of very many collections, at full scale: what a first look, a second process, and
// pages cost.
func TestDrillScaleOfLists(t *testing.T) {
	if os.Getenv("VARVE_DRILL") == "" {
		t.Skip("VARVE_DRILL=1 runs it")
	}
	ctx := context.Background()
	for _, size := range []struct{ collections, crawls int }{{1, 100_000}, {5_000, 1}, {500, 200}} {
		t.Run(fmt.Sprintf("%dx%d", size.collections, size.crawls), func(t *testing.T) {
			dir := t.TempDir()
			if err := servetest.Many(dir, size.collections, size.crawls); err != nil {
				t.Fatal(err)
			}
			step := func(what string, do func(h *holdings.Holdings) error) func(h *holdings.Holdings) {
				return func(h *holdings.Holdings) {
					began, cpus := time.Now(), cpu()
					if err := do(h); err != nil {
						t.Fatalf("%s: %v", what, err)
					}
					used := cpu() - cpus
					runtime.GC()
					t.Logf("%-28s %6.2f s, %6.2f s CPU, %s", what, time.Since(began).Seconds(), used.Seconds(), rss())
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
