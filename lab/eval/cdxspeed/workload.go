package cdxspeed

import (
	"encoding/base32"
	"encoding/binary"
	"fmt"
	"iter"
	"strconv"
	"time"

	"varve/archive/cdxj"
	"varve/web/canon"
)

// workload is a made-up archive: pages 0..pages-1, each captured one to three times.
type workload struct {
	pages uint64
	hosts uint64
}

// mix spreads bits (the finaliser of splitmix64).
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

var paths = []string{"news", "article", "blog", "product", "images", "static/js", "wiki", "forum/thread"}

// url gives the address of a page; small host numbers have many pages.
func (w *workload) url(page uint64) string {
	h := mix(page)
	host := (h >> 40) * (h >> 40) >> 24 * w.hosts >> 24
	path := paths[h%uint64(len(paths))]
	return "https://www.site" + strconv.FormatUint(host, 10) + ".example.org/" + path + "/" + strconv.FormatUint(h>>20&0xfffffff, 36) + "-" + strconv.FormatUint(page, 10) + ".html"
}

// captures tells how often a page was captured: twice on average.
func captures(page uint64) uint64 { return 1 + mix(page^0xabcdef)%3 }

// visit walks the pages of a crawl in an order that is not theirs.
func (w *workload) visit(crawl uint64, f func(page uint64) bool) bool {
	const prime = 2_654_435_761 // larger than any number of pages here, so the walk meets each once
	step := prime % w.pages
	for gcd(step, w.pages) != 1 {
		step++
	}
	at := mix(crawl) % w.pages
	for range w.pages {
		if captures(at) > crawl && !f(at) {
			return false
		}
		at = (at + step) % w.pages
	}
	return true
}

func gcd(a, b uint64) uint64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

var epoch = time.Date(2010, 1, 1, 0, 0, 0, 0, time.UTC)

// record gives the capture of a page by a crawl.
func (w *workload) record(page, crawl uint64, r *cdxj.Record) {
	h := mix(page*3 + crawl)
	var sum [20]byte
	for i := 0; i < 20; i += 4 {
		binary.LittleEndian.PutUint32(sum[i:], uint32(mix(h+uint64(i))))
	}
	url := w.url(page)
	*r = cdxj.Record{
		Key: canon.SURT(url), URL: url, MIME: "text/html", Status: 200,
		Timestamp: cdxj.Timestamp(epoch.AddDate(int(crawl)*2, 0, 0).Add(time.Duration(h%31_000_000) * time.Second)),
		Digest:    "sha1:" + base32.StdEncoding.EncodeToString(sum[:]),
		Filename:  fmt.Sprintf("CRAWL-%d-2014%08d-%05d-host.warc.gz", crawl, page/40000, page/40000),
		Offset:    int64(h % 1_000_000_000), Length: int64(1000 + h>>32%100_000),
	}
}

// lines gives n lines in the order of crawls.
func (w *workload) lines(n int64) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		var r cdxj.Record
		var line []byte
		left := n
		for crawl := range uint64(3) {
			ok := w.visit(crawl, func(page uint64) bool {
				if left--; left < 0 {
					return false
				}
				w.record(page, crawl, &r)
				line = cdxj.Format{}.Append(line[:0], &r)
				return yield(line, nil)
			})
			if !ok {
				return
			}
		}
	}
}
