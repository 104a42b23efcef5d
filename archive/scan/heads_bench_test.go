package scan_test

import (
	"os"
	"testing"

	"varve/archive/cdxj"
	"varve/archive/scan"
	"varve/archive/warc"
)

// What the index of captures costs: heads alone. VARVE_WARC names a file.
func BenchmarkHeads(b *testing.B) {
	path := os.Getenv("VARVE_WARC")
	if path == "" {
		b.Skip("VARVE_WARC names no file")
	}
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		err := scan.File(b.Context(), path, scan.Options{Name: "x", Policy: warc.Lenient()}, scan.Captures(func(*cdxj.Record) error { n++; return nil }))
		if err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(n)/float64(b.N), "captures/op")
}
