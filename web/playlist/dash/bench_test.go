package dash_test

import (
	"bytes"
	"fmt"
	"syscall"
	"testing"
	"time"

	"varve/web/playlist/dash"
)

// A manifest of 8 representations with a timeline of 1800 segments each.
func BenchmarkParse(b *testing.B) {
	var text bytes.Buffer
	text.WriteString(`<MPD type="static" mediaPresentationDuration="PT2H"><Period>`)
	for i := range 8 {
		fmt.Fprintf(&text, `<AdaptationSet mimeType="video/mp4"><SegmentTemplate timescale="1000" media="%d/$Time$.m4s" initialization="%d/init.mp4"><SegmentTimeline>`, i, i)
		for j := range 1800 {
			fmt.Fprintf(&text, `<S t="%d" d="4000"/>`, 4000*j)
		}
		text.WriteString(`</SegmentTimeline></SegmentTemplate><Representation id="r" bandwidth="1"/></AdaptationSet>`)
	}
	text.WriteString(`</Period></MPD>`)
	defer perCPU(b, text.Len())()
	for b.Loop() {
		m, err := dash.Parse(text.Bytes(), at, dash.Limits{})
		if err != nil {
			b.Fatal(err)
		}
		n := 0
		for _, s := range m.Periods[0].Sets {
			list, _ := s.Reps[0].Segments(noon, 10_000)
			n += len(list)
		}
		if n != 8*1800 {
			b.Fatal(n)
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
