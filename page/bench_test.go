package page_test

import (
	"testing"

	"varve/lab/eval/cpu"
	"varve/lab/websim"
	"varve/page"
	"varve/text/layer"
)

// pages gives HTML bodies of a simulated news site.
func pages(b *testing.B, n int) (in []page.Input, size int64) {
	spec, err := websim.Preset("layers")
	if err != nil {
		b.Fatal(err)
	}
	w, err := websim.New(spec, 3)
	if err != nil {
		b.Fatal(err)
	}
	at := w.Epoch().Add(30 * oneDay)
	for id := range websim.PageID(w.Len()) {
		if w.Page(id).Type != websim.HTML || len(in) == n {
			continue
		}
		if a := w.Get(w.URL(id, at), at); a.Status == 200 {
			in = append(in, page.Input{URL: w.URL(id, at), MIME: a.Get("Content-Type"), Body: a.Body})
			size += int64(len(a.Body))
		}
	}
	return in, size / int64(len(in))
}

// BenchmarkOf shows what each layer costs: pages per second of processor time.
func BenchmarkOf(b *testing.B) {
	in, size := pages(b, 50)
	for _, set := range []struct {
		name string
		want layer.Set
	}{
		{"bytes", layer.SetOf(layer.Bytes)},
		{"dom", layer.SetOf(layer.DOM)},
		{"text", layer.SetOf(layer.Text)},
		{"links", layer.SetOf(layer.Links)},
		{"cheap", layer.Cheap},
		{"all", layer.All},
	} {
		b.Run(set.name, func(b *testing.B) {
			r := page.NewReader()
			b.SetBytes(size)
			b.ReportAllocs()
			used, _ := cpu.Measure(func() error {
				for i := range b.N {
					r.Of(in[i%len(in)], set.want)
				}
				return nil
			})
			b.ReportMetric(float64(b.N)/used.CPU.Seconds(), "pages/cpu-s")
		})
	}
}
