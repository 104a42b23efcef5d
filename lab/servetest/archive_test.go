package servetest

import (
	"context"
	"os"
	"testing"

	"varve/archive/catalog"
	"varve/crawl"
)

// The archive carries the dates it was told. With VARVE_DEMO_DIR the larger one is made there.
func TestSmall(t *testing.T) {
	if dir := os.Getenv("VARVE_DEMO_DIR"); dir != "" {
		if err := Demo(context.Background(), dir); err != nil {
			t.Fatal(err)
		}
		return
	}
	dir := t.TempDir()
	if err := Small(context.Background(), dir); err != nil {
		t.Fatal(err)
	}
	col, err := catalog.Open(dir).Collection("aachen")
	if err != nil {
		t.Fatal(err)
	}
	ids, err := col.Crawls()
	if err != nil || len(ids) != 3 || ids[0][:8] != "20260108" || ids[2][:8] != "20260309" {
		t.Fatalf("crawls %v, %v", ids, err)
	}
	crawlDir, err := col.CrawlDir(ids[1])
	if err != nil {
		t.Fatal(err)
	}
	rep, err := crawl.ReadReport(crawlDir)
	if err != nil || rep.Pages < 20 || rep.Started.Year() != 2026 || rep.Started.Month() != 2 {
		t.Errorf("report %+v, %v", rep, err)
	}
}
