package crawl_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"varve/crawl"
	"varve/crawl/polite"
	"varve/crawl/stages"
)

// Two crawls of one collection run beside each other: the one that starts later leaves the open
// file of the first alone, and also that of a crawl which was killed and not resumed yet.
func TestCrawlsOfOneCollection(t *testing.T) {
	t.Parallel()
	s := simulateSpec(t, flatSite(t, 30), 3)
	manners := polite.Fixed(3 * time.Millisecond)
	manners.IPConns, manners.IPDelay = 0, 0
	e := newEngine(t, s, manners)
	dir := t.TempDir()
	warcs := filepath.Join(dir, "warc")
	if err := os.MkdirAll(warcs, 0o755); err != nil {
		t.Fatal(err)
	}
	killed := filepath.Join(warcs, "one-2-20260101000000000-00000-varve.warc.gz.open")
	if err := os.WriteFile(killed, []byte("the tail of a crawl that can still be resumed"), 0o644); err != nil {
		t.Fatal(err)
	}
	begin := func(id string) *crawl.Run {
		place := crawl.Place{Dir: filepath.Join(dir, id), WarcDir: warcs}
		run, err := e.StartIn(context.Background(), id, place, hostScope(s.Seeds()...), crawl.Options{Stages: stages.Set{}.Of})
		if err != nil {
			t.Fatal(err)
		}
		return run
	}
	one := begin("one")
	eventually(t, "the first has begun", func() bool { return one.Progress().Pages > 2 })
	two := begin("two")
	for _, rep := range []*crawl.Report{wait(t, one), wait(t, two)} {
		if !rep.Complete || rep.Pages != 30 {
			t.Errorf("crawl %s: complete %v, %d pages", rep.Crawl, rep.Complete, rep.Pages)
		}
	}
	if err := os.Remove(killed); err != nil {
		t.Fatalf("the file of the killed crawl: %v", err)
	}
	got := recorded(t, warcs)
	if len(got) != 30 || twice(got) != 30 {
		t.Errorf("%d URLs, %d twice; each should be there from both crawls", len(got), twice(got))
	}
}
