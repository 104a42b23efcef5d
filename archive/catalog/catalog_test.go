package catalog

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"varve/lab/attack"

	"varve"
)

func TestNamesNeverLeaveTheArchive(t *testing.T) {
	tally := attack.Count(t)
	tally.Try(1) // the crawl id
	a := Open(t.TempDir())
	for _, bad := range []string{"", ".", "..", "a/b", "../x", "a\\b", "a\x00", "-a", strings.Repeat("a", 101), "ä", "/etc", "a/../../b", "..\\..", "%2e%2e", "a\n", "a\r\nb", " a", "a ", "...", "\u202ea", "~root", "a:b", "a*", "a?"} {
		tally.Try(1)
		if c, err := a.Collection(bad); err == nil {
			t.Errorf("collection %q was taken: %s", bad, c.Dir())
		} else if varve.KindOf(err) != varve.Invalid {
			t.Errorf("%q: %v", bad, err)
		}
	}
	c, err := a.Collection("news.2026_x-1")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.CrawlDir("../../etc"); err == nil {
		t.Error("a crawl id left the collection")
	}
}

func TestCrawlIDsAreTheirOwn(t *testing.T) {
	c, err := Open(t.TempDir()).Collection("x")
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	var ids []string
	for range 3 {
		id, dir, err := c.NewCrawlID(now)
		if err != nil || filepath.Base(dir) != id {
			t.Fatal(id, dir, err)
		}
		ids = append(ids, id)
	}
	if got := strings.Join(ids, " "); got != "20260102T030405Z 20260102T030405Z-2 20260102T030405Z-3" {
		t.Errorf("ids %s", got)
	}
	if listed, err := c.Crawls(); err != nil || len(listed) != 3 {
		t.Errorf("listed %v, %v", listed, err)
	}
}

func TestSecondWriterIsTold(t *testing.T) {
	a := Open(t.TempDir())
	c, _ := a.Collection("x")
	lock, err := c.Lock("crawls/1/control.sock")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Lock("other"); varve.KindOf(err) != varve.Conflict || !strings.Contains(err.Error(), "crawls/1/control.sock") {
		t.Errorf("second lock: %v", err)
	}
	if err := lock.Unlock(); err != nil {
		t.Fatal(err)
	}
	again, err := c.Lock("third")
	if err != nil {
		t.Fatalf("after unlock: %v", err)
	}
	defer again.Unlock()
	if list, err := a.Collections(); err != nil || len(list) != 1 || list[0].Name != "x" {
		t.Errorf("collections %v, %v", list, err)
	}
}
