package object

import (
	"bytes"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A page of 100 KB without media is passed over; the same with some is parsed.
func BenchmarkUnlikely(b *testing.B) {
	page := []byte("<html><body>" + strings.Repeat("<p>Some words about <a href=\"/x\">videos</a> and more of them.</p>\n", 1500))
	defer perCPU(b, len(page))()
	for b.Loop() {
		if Likely(page) {
			b.Fatal("likely")
		}
	}
}

func BenchmarkExtract(b *testing.B) {
	text, err := os.ReadFile("testdata/article.html")
	if err != nil {
		b.Fatal(err)
	}
	page := bytes.Replace(text, []byte("</article>"), []byte(strings.Repeat("<p>Some words about <a href=\"/x\">videos</a> and more of them.</p>\n", 1500)+"</article>"), 1)
	defer perCPU(b, len(page))()
	for b.Loop() {
		if list, err := Extract(page, at, "text/html"); err != nil || len(list) == 0 {
			b.Fatal(err)
		}
	}
}

// perCPU reports megabytes per second of processor time, which other work on the machine does not change.
func perCPU(b *testing.B, size int) func() {
	used := func() time.Duration {
		var u syscall.Rusage
		if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
			return 0
		}
		return time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
	start := used()
	return func() { b.ReportMetric(float64(b.N)*float64(size)/1e6/(used()-start).Seconds(), "MB/cpu-s") }
}
