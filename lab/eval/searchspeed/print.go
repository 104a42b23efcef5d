package searchspeed

import (
	"fmt"
	"io"
	"text/tabwriter"
)

// Print writes the tables that docs/algorithms/search.md shows.
func (r *Result) Print(w io.Writer) {
	d := r.Derive
	fmt.Fprintf(w, "derive: %d pages, %.1f MB of HTML, %.1f s CPU: %.0f pages per CPU-second\n\n", d.Pages, float64(d.HTML)/1e6, d.CPU, d.PerCPU)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "documents\ttext MB\tindex CPU s\tdocs/CPU-s\tindex MB\tfacets MB\tpairs MB\tpeak RSS MB\topen CPU ms\topen heap MB\t")
	for _, s := range r.Sizes {
		fmt.Fprintf(t, "%d\t%.0f\t%.1f\t%.0f\t%.0f\t%.1f\t%.1f\t%d\t%.0f\t%.0f\t\n", s.Docs, float64(s.Texts)/1e6, s.CPU, s.PerCPU, float64(s.Bytes)/1e6, float64(s.Facets)/1e6, float64(s.Pairs)/1e6, s.PeakRSS>>20, s.Open, float64(s.OpenHeap)/1e6)
	}
	t.Flush()
	for _, s := range r.Sizes {
		fmt.Fprintf(w, "\n%d documents\n", s.Docs)
		t = tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
		fmt.Fprintln(t, "question\thits\tp50 ms\tp95 ms\tCPU ms\tBleve hits\tBleve CPU ms\tratio\tof rounds\tbar\twithout facets, CPU ms\tratio\t")
		for _, k := range s.Kinds {
			fmt.Fprintf(t, "%s\t%.0f\t%.2f\t%.2f\t%.3f\t%.0f\t%.3f\t%.2f\t%.2f-%.2f\t%s\t%s\n", k.Name, k.Hits, k.P50, k.P95, k.CPU, k.Found, k.Peer, k.Ratio, k.Least, k.Most, bar(k.Bar), plain(k))
		}
		t.Flush()
	}
}

func bar(b float64) string {
	if b == 0 {
		return "-"
	}
	return fmt.Sprintf("%.0f", b)
}

func plain(k Kind) string {
	if k.Plain == 0 {
		return "-\t-\t"
	}
	return fmt.Sprintf("%.3f\t%.2f\t", k.Plain, k.CPU/k.Plain)
}
