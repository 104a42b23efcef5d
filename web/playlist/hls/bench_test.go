package hls_test

import (
	"bytes"
	"fmt"
	"syscall"
	"testing"
	"time"

	"varve/web/playlist/hls"
)

// A recording of two hours in segments of 4 s.
func BenchmarkParse(b *testing.B) {
	var text bytes.Buffer
	text.WriteString("#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-TARGETDURATION:4\n#EXT-X-MAP:URI=\"init.mp4\"\n")
	for i := range 1800 {
		fmt.Fprintf(&text, "#EXTINF:4.000,\nvideo/1080p/segment-%06d.m4s\n", i)
	}
	text.WriteString("#EXT-X-ENDLIST\n")
	defer perCPU(b, text.Len())()
	for b.Loop() {
		p, err := hls.Parse(text.Bytes(), at, hls.Limits{})
		if err != nil || len(p.Segments) != 1800 {
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
