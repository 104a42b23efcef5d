package cdxj

import (
	"bytes"
	"encoding/base32"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// benchLines makes lines whose digests and offsets are random, as real ones are.
func benchLines(n int) (lines []string, keys []string) {
	rng := rand.New(rand.NewPCG(1, 1))
	for i := range n {
		var sum [20]byte
		for k := range sum {
			sum[k] = byte(rng.Uint32())
		}
		host, page := rng.IntN(200), rng.Uint32()
		key := fmt.Sprintf("org,example,site%d)/news/%x-%d.html", host, page, i)
		keys = append(keys, key)
		lines = append(lines, fmt.Sprintf(`%s 2014%010d {"url": "https://www.site%d.example.org/news/%x-%d.html", "mime": "text/html", "status": "200", "digest": "sha1:%s", "length": "%d", "offset": "%d", "filename": "CRAWL-2014-%05d-host.warc.gz"}`,
			key, 101000000+rng.IntN(9999), host, page, i, base32.StdEncoding.EncodeToString(sum[:]), rng.IntN(100_000), rng.IntN(1_000_000_000), i/40_000))
	}
	slices.Sort(lines)
	return lines, keys
}

// What the number of lines in a block and the level of packing cost and save.
func BenchmarkTable(b *testing.B) {
	lines, keys := benchLines(60_000)
	for _, size := range []int{25, 50, 100, 200, 1000, 3000} {
		for _, level := range []int{1, 3, 6} {
			var data, idx, fences bytes.Buffer
			start := cpu()
			w := NewTableWriter(&data, &idx, &fences, ZipOptions{Lines: size, Name: "x", Level: level})
			for _, l := range lines {
				if err := w.WriteLine([]byte(l)); err != nil {
					b.Fatal(err)
				}
			}
			if err := w.Close(); err != nil {
				b.Fatal(err)
			}
			packing := cpu() - start
			tab := openTable(b, &data, &idx, &fences)
			b.Run(fmt.Sprintf("lines=%d/level=%d", size, level), func(b *testing.B) {
				start := cpu()
				for i := 0; b.Loop(); i++ {
					key := keys[i*7919%len(keys)]
					if _, err := tab.Forward(key+" ", key+"!").Next(); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64((cpu()-start).Microseconds())/float64(b.N), "cpu-µs/lookup")
				b.ReportMetric(float64(data.Len()+idx.Len())/float64(len(lines)), "bytes/line")
				b.ReportMetric(float64(packing.Nanoseconds())/1000/float64(len(lines)), "cpu-µs/line-packed")
			})
		}
	}
}
