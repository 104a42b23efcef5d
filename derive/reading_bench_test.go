package derive

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"varve/page"
)

// BenchmarkReading reads the HTML files below VARVE_PAGES as derive reads captures.
func BenchmarkReading(b *testing.B) {
	dir := os.Getenv("VARVE_PAGES")
	if dir == "" {
		b.Skip("VARVE_PAGES names no folder of HTML files")
	}
	var pages [][]byte
	size := 0
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".html" {
			return err
		}
		body, err := os.ReadFile(path)
		pages = append(pages, body)
		size += len(body)
		return err
	})
	if err != nil || len(pages) == 0 {
		b.Fatal("no pages", err)
	}
	a := &analyser{opts: (&Options{}).withDefaults(), page: page.NewReader()}
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		for _, body := range pages {
			p := &PageRow{}
			if _, err := a.read(context.Background(), answer{url: "http://page.example/a/b.html", mime: "text/html", at: time.Unix(1.7e9, 0), body: body}, p); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(float64(len(pages)*b.N)/b.Elapsed().Seconds(), "pages/s")
}
