package cdx

import (
	"fmt"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
)

func BenchmarkLookup(b *testing.B) {
	fsys := vfs.NewMem()
	bl := builder(b, fsys, Config{})
	var lines []string
	for i := range 200_000 {
		lines = append(lines, fmt.Sprintf(`org,example,site%d)/news/%x-%d.html 20140101000000 {"url": "https://www.site%d.example.org/news/%x-%d.html", "mime": "text/html", "status": "200", "digest": "sha1:%032X", "length": "%d", "offset": "%d", "filename": "CRAWL-2014-%05d-host.warc.gz"}`,
			i%50, i*7919, i, i%50, i*7919, i, i*104729, i%9999, i*31, i/1000))
	}
	addLines(b, bl, "x", lines)
	bl.Close()
	ix := open(b, fsys)
	at := time.Date(2015, 1, 1, 0, 0, 0, 0, time.UTC)
	b.Run("closest", func(b *testing.B) {
		b.ReportAllocs()
		for n := 0; b.Loop(); n++ {
			i := n * 7907 % 200_000
			if _, ok, err := ix.Closest(b.Context(), Query{URL: fmt.Sprintf("https://site%d.example.org/news/%x-%d.html", i%50, i*7919, i)}, at); !ok || err != nil {
				b.Fatal(i, ok, err)
			}
		}
	})
	b.Run("exact", func(b *testing.B) {
		b.ReportAllocs()
		for n := 0; b.Loop(); n++ {
			i := n * 7907 % 200_000
			for _, err := range ix.Query(b.Context(), Query{URL: fmt.Sprintf("https://site%d.example.org/news/%x-%d.html", i%50, i*7919, i)}) {
				if err != nil {
					b.Fatal(err)
				}
			}
		}
	})
}
