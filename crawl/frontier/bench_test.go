package frontier

import (
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// BenchmarkPage is the share of the frontier in the crawl of one page with 80 links: 60 of the
// navigation, that are on every page, 16 to pages seen some time ago, 4 new. Pages are finished 16
// to a commit. The file system is memory, so that processor time is seen and not the disk.
func BenchmarkPage(b *testing.B) {
	f, err := Open(vfs.NewMem(), "f", Config{}, nil)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	page := func(n int) Item {
		it := url("www.example.org", n)
		it.Via = "https://www.example.org/index.html"
		return it
	}
	for i := range 1000 {
		if _, err := f.Add(page(i)); err != nil {
			b.Fatal(err)
		}
	}
	next := 1000
	links := func() []Item {
		out := make([]Item, 0, 80)
		for i := range 60 {
			out = append(out, page(i))
		}
		for i := range 16 {
			out = append(out, page((next*7919+i*104729)%next))
		}
		for range 4 {
			out = append(out, page(next))
			next++
		}
		return out
	}
	b.ReportAllocs()
	var group []Result
	for b.Loop() {
		it, ok, err := f.Take("www.example.org", epoch)
		if err != nil || !ok {
			b.Fatal(ok, err)
		}
		group = append(group, Result{Item: it, Outcome: Outcome{Status: 200, Size: 15000, At: epoch}, Links: links()})
		if len(group) == 16 {
			if _, err := f.Finish(group...); err != nil {
				b.Fatal(err)
			}
			group = group[:0]
		}
	}
	b.ReportMetric(float64(f.Stats().Lookups.Store)/float64(b.N), "storelookups/op")
	b.ReportMetric(float64(f.Stats().Lookups.Recent)/float64(b.N), "recent/op")
}
