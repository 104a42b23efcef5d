package report_test

import (
	"os"
	"path/filepath"
	"testing"
)

// Files of other crawlers, each compared with itself or with its like. The figures are what a reader
// of the files counts by hand.
func TestConformanceCompare(t *testing.T) {
	dir := os.Getenv("VARVE_SAMPLES")
	if dir == "" {
		t.Skip("VARVE_SAMPLES is not set: the sample files of other projects are not here")
	}
	for _, c := range []struct {
		a, b                string
		pages, onlyA, onlyB int
		bytes, text         int
	}{
		{"example.warc.gz", "example.warc.gz", 1, 0, 0, 1, 1},                     // a page and its revisit
		{"example.arc.gz", "example.warc.gz", 1, 0, 0, 1, 1},                      // the same page as ARC
		{"example.warc.gz", "example-wget-bad-target-uri.warc.gz", 1, 0, 0, 1, 1}, // the same page, addresses in angle brackets
		{"outbackcdx-test1.warc.gz", "outbackcdx-test2.warc.gz", 1, 0, 0, 1, 1},   // two crawls of wget, seconds apart
		{"cc.warc.gz", "test.warc.gz", 0, 1, 1, 0, 0},
		{"5mementos.warc", "5mementos.warc", 3, 0, 0, 3, 3},
		{"issue-493.warc", "issue-493.warc", 10, 0, 0, 10, 10},
		{"post-test.warc.gz", "post-test.warc.gz", 2, 0, 0, 2, 2}, // answers to POST
	} {
		got := compare(t, []string{filepath.Join(dir, c.a)}, []string{filepath.Join(dir, c.b)})
		if got.Pages != c.pages || got.OnlyA != c.onlyA || got.OnlyB != c.onlyB || got.Identical["bytes"] != c.bytes || got.Identical["text"] != c.text {
			t.Errorf("%s with %s: %+v, want %+v", c.a, c.b, got, c)
		}
	}
}
