package cdxspeed

import (
	"fmt"
	"io"
	"text/tabwriter"
)

// Print writes the table that docs/decisions shows.
func (r *Result) Print(w io.Writer) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "captures\tbuild lines/CPU-s\tseconds\tbytes/line\topen ms\tscan lines/CPU-s\traw lines/CPU-s\tpeak RSS MB\t")
	for _, x := range r.Rows {
		fmt.Fprintf(t, "%d\t%.0f\t%.0f\t%.1f\t%.1f\t%.0f\t%.0f\t%d\t\n", x.Lines, x.BuildRate, x.BuildWall, x.BytesALine, x.Open, x.ScanRate, x.LineRate, x.PeakRSS>>20)
	}
	t.Flush()
	fmt.Fprintln(w)
	t = tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "captures\tlookup\tCPU µs\tp99 CPU µs\tp50 µs\tp99 µs\tmax µs\tblocks, mean\tmost\t")
	for _, x := range r.Rows {
		for _, k := range []struct {
			name string
			l    Lookup
		}{{"exact", x.Exact}, {"closest", x.Closest}, {"not there", x.Missing}, {"first of a host", x.First}} {
			fmt.Fprintf(t, "%d\t%s\t%.0f\t%.0f\t%.0f\t%.0f\t%.0f\t%.2f\t%d\t\n", x.Lines, k.name, k.l.CPU, k.l.CPU99, k.l.P50, k.l.P99, k.l.Max, k.l.Mean, k.l.Blocks)
		}
	}
	t.Flush()
}
