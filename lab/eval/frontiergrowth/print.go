package frontiergrowth

import (
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"text/tabwriter"
)

// Print writes the table that docs/decisions shows.
func (r *Result) Print(w io.Writer) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "URLs\tinsert µs\tknown µs\tupdate µs\tpop+finish µs\tRSS MB\tdisk MB\tbytes/URL\tseconds\t")
	for _, x := range r.Rows {
		fmt.Fprintf(t, "%d\t%.2f\t%.2f\t%.2f\t%.2f\t%d\t%d\t%.0f\t%.0f\t\n",
			x.URLs, x.Insert, x.Known, x.Update, x.Pop, x.RSS>>20, x.Disk>>20, x.BytesPerURL, x.Seconds)
	}
	g := r.Growth
	fmt.Fprintf(t, "x%d\tx%.2f\tx%.2f\tx%.2f\tx%.2f\t\t\tx%.2f\t\t\n", g.URLs, g.Insert, g.Known, g.Update, g.Pop, g.BytesPerURL)
	t.Flush()
	fmt.Fprintf(w, "peak RSS %d MB; the configuration allows %d MB\n", r.PeakRSS>>20, r.Bound>>20)
	fmt.Fprintf(w, "opened in %.0f ms; filter complete after %.0f ms\n", r.Open, r.Rebuild)
}

// memory gives the resident memory of this process now and at its highest; zero where the system
// does not tell.
func memory() (now, peak int64) {
	b, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0, 0
	}
	for line := range strings.Lines(string(b)) {
		name, rest, _ := strings.Cut(line, ":")
		f := strings.Fields(rest)
		if len(f) != 2 || f[1] != "kB" {
			continue
		}
		kb, _ := strconv.ParseInt(f[0], 10, 64)
		switch name {
		case "VmRSS":
			now = kb << 10
		case "VmHWM":
			peak = kb << 10
		}
	}
	return now, peak
}
