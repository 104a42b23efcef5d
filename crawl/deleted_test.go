package crawl_test

import (
	"os"
	"strings"
	"testing"
	"time"

	"varve/archive/warc"
)

// Somebody deletes the folder of a crawl that runs. The process lives, the crawl ends with an error that names the
// folder, and the WARC files are sound.
func TestDeletedCrawlFolder(t *testing.T) {
	s := simulateSpec(t, flatSite(t, 300), 5)
	place := placeIn(t.TempDir())
	run := start(t, newEngine(t, s, noDelay()), place, hostScope(s.Seeds()...))
	for end := time.Now().Add(time.Minute); run.Progress().Pages < 20 && time.Now().Before(end); {
		select {
		case <-run.Done():
			t.Fatal("the crawl was over too early")
		case <-time.After(time.Millisecond):
		}
	}
	if err := os.RemoveAll(place.Dir); err != nil {
		t.Fatal(err)
	}
	select {
	case <-run.Done():
	case <-time.After(90 * time.Second):
		t.Fatalf("the crawl does not end: %+v", run.Progress())
	}
	if _, err := run.Wait(); err == nil || !strings.Contains(err.Error(), place.Dir) {
		t.Errorf("it ended with %v", err)
	}
	n := 0
	eachRecord(t, place.WarcDir, func(*warc.Record) { n++ })
	if n < 20 {
		t.Errorf("%d records", n)
	}
}
