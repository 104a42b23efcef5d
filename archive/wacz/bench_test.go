package wacz

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"

	"varve/archive/warc"
	"varve/lab/eval/cpu"
)

// manyPages makes a gzip WARC file of pages of about 20 kB, and tells its size unpacked.
func manyPages(tb testing.TB, n int) ([]byte, int64) {
	rng := rand.New(rand.NewPCG(1, 2))
	words := strings.Fields("archive coherence capture sediment layer page link crawl time change version record index")
	m := newMaker(tb, warc.Packing{Level: 1})
	var raw int64
	for i := range n {
		var b strings.Builder
		for b.Len() < 20_000 {
			fmt.Fprintf(&b, "<p>%s %d</p>", words[rng.IntN(len(words))], rng.Uint32())
		}
		uri := fmt.Sprintf("https://www.example.com/%d/%d", i%97, i)
		body := htmlDoc(fmt.Sprint("Page ", i), b.String())
		raw += int64(len(body))
		id := m.response(uri, 200, htmlType, body)
		m.request(uri, "GET", "", "", warc.FieldConcurrentTo, id)
	}
	return m.buf.Bytes(), raw
}

func BenchmarkWrite(b *testing.B) {
	data, raw := manyPages(b, 1000)
	b.ReportAllocs()
	used, err := cpu.Measure(func() error {
		for b.Loop() {
			writeOnce(b, data)
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(raw)*float64(b.N)/1e6/used.CPU.Seconds(), "MB/cpu-s")
}

func writeOnce(b *testing.B, data []byte) {
	w, err := NewWriter(io.Discard, Config{Dir: b.TempDir(), Created: testTime})
	if err != nil {
		b.Fatal(err)
	}
	if err := w.AddWARC(context.Background(), "a.warc.gz", bytes.NewReader(data), int64(len(data))); err != nil {
		b.Fatal(err)
	}
	if _, err := w.Finish(context.Background()); err != nil {
		b.Fatal(err)
	}
	w.Close()
}

// BenchmarkFloor is what cannot be left out: unpacking, and hashing the packed bytes twice.
func BenchmarkFloor(b *testing.B) {
	data, raw := manyPages(b, 1000)
	used, err := cpu.Measure(func() error {
		for b.Loop() {
			z, err := gzip.NewReader(bytes.NewReader(data))
			if err != nil {
				return err
			}
			if _, err := io.Copy(io.Discard, z); err != nil {
				return err
			}
			sumOf(data)
			sumOf(data)
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(raw)*float64(b.N)/1e6/used.CPU.Seconds(), "MB/cpu-s")
}

func BenchmarkLookup(b *testing.B) {
	data, _ := manyPages(b, 5000)
	pkg, _ := build(b, Config{}, packed{"a.warc.gz", data})
	p := open(b, pkg)
	b.ReportAllocs()
	i := 0
	used, err := cpu.Measure(func() error {
		for b.Loop() {
			i = (i + 1) % 5000
			n := 0
			for _, err := range p.Lookup(fmt.Sprintf("https://www.example.com/%d/%d", i%97, i)) {
				if err != nil {
					return err
				}
				n++
			}
			if n != 1 {
				return fmt.Errorf("%d captures of page %d", n, i)
			}
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(used.CPU.Microseconds())/float64(b.N), "cpu-us/op")
}
