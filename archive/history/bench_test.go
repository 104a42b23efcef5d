package history

import (
	"fmt"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"varve"
)

// BenchmarkRecord is the cost of one visit, recorded sixteen at a time: half of them first visits.
func BenchmarkRecord(b *testing.B) {
	s, err := Open(vfs.NewMem(), "h", Config{}, nil)
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	n := 0
	observation := func() Observation {
		n++
		page := n
		if n%2 == 0 {
			page = n / 2
		}
		at := epoch.Add(time.Duration(n) * time.Second)
		key := fmt.Sprintf("https://www.example.org/section-%d/page-%d.html", page%40, page)
		sum := fmt.Sprintf("%020d", page)
		return Observation{
			Key: key, URL: key, At: at, Status: 200, MIME: "text/html", Size: 15000, ETag: `"5f3c-61a2b3c4d5e6f"`,
			LastModified: "Thu, 01 Jan 2026 00:00:00 GMT", Digests: []Digest{{"sha1", sum}, {"sha256", sum + sum[:12]}},
			Record: Reference{
				URI: key, Date: at, ID: fmt.Sprintf("<urn:uuid:00000000-0000-4000-8000-%012x>", n),
				Location: varve.Location{File: "news-20260101000000-00017.warc.gz", Offset: int64(n) * 5000, Length: 4900},
			},
		}
	}
	batch := make([]Observation, 16)
	b.ReportAllocs()
	for b.Loop() {
		for i := range batch {
			batch[i] = observation()
		}
		if err := s.Record(batch); err != nil {
			b.Fatal(err)
		}
	}
	bytes, entries := 0, 0
	for e, err := range s.Entries("") {
		if err != nil {
			b.Fatal(err)
		}
		bytes += len(appendEntry(nil, &e))
		entries++
	}
	b.ReportMetric(float64(bytes)/float64(entries), "bytes/entry")
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/16, "ns/visit")
}
