package cdxj

import (
	"io"
	"strings"
	"syscall"
	"testing"
	"time"
)

// cpu gives the processor time that the process has used; it does not depend on other processes
// as wall time does.
func cpu() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// perCPU runs f and reports how many lines it does in a second of processor time; f does n.
func perCPU(b *testing.B, n int, f func()) {
	b.ReportAllocs()
	start := cpu()
	for b.Loop() {
		f()
	}
	used := cpu() - start
	b.ReportMetric(float64(b.N)*float64(n)/used.Seconds(), "lines/cpu-s")
}

func BenchmarkParse(b *testing.B) {
	var r Record
	perCPU(b, 1, func() {
		if err := r.Parse(sample); err != nil {
			b.Fatal(err)
		}
	})
}

func BenchmarkParseLibrary(b *testing.B) {
	var r Record
	perCPU(b, 1, func() {
		text, _ := r.parseHead(sample)
		if err := r.parseJSON(text); err != nil {
			b.Fatal(err)
		}
	})
}

func BenchmarkWrite(b *testing.B) {
	r, _ := Parse(sample)
	w := NewWriter(io.Discard, Format{})
	perCPU(b, 1, func() {
		if err := w.Write(&r); err != nil {
			b.Fatal(err)
		}
	})
}

func BenchmarkReader(b *testing.B) {
	file := strings.Repeat(sample+"\n", 10000)
	perCPU(b, 10000, func() {
		for _, err := range NewReader(strings.NewReader(file)).All() {
			if err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkCDX(b *testing.B) {
	r, _ := Parse(sample)
	line := string(CDX11.Append(nil, &r))
	perCPU(b, 1, func() {
		if err := CDX11.ParseInto(&r, line); err != nil {
			b.Fatal(err)
		}
	})
}

func BenchmarkSorter(b *testing.B) {
	lines := randomLines(100000, 1)
	dir := b.TempDir()
	perCPU(b, len(lines), func() {
		s := NewSorter(dir, SortOptions{Memory: 4 << 20})
		for _, l := range lines {
			if err := s.Add([]byte(l)); err != nil {
				b.Fatal(err)
			}
		}
		for _, err := range s.Sorted() {
			if err != nil {
				b.Fatal(err)
			}
		}
		if err := s.Close(); err != nil {
			b.Fatal(err)
		}
	})
}

func BenchmarkZipWriter(b *testing.B) {
	lines := sortedLines(100000)
	perCPU(b, len(lines), func() {
		w := NewZipWriter(io.Discard, io.Discard, ZipOptions{Name: "x"})
		for _, l := range lines {
			if err := w.WriteLine([]byte(l)); err != nil {
				b.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			b.Fatal(err)
		}
	})
}

func BenchmarkZipLookup(b *testing.B) {
	lines := sortedLines(100000)
	z := zipOf(b, lines, ZipOptions{Name: "x", WACZ: true})
	target := lines[len(lines)/2]
	perCPU(b, 1, func() {
		for _, err := range z.Range(target, target+"!") {
			if err != nil {
				b.Fatal(err)
			}
		}
	})
}
