package cli

import (
	"cmp"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/term"

	"varve/crawl"
	"varve/text/layer"
)

// watchRun shows progress: a line that is rewritten on a terminal, a line now and then elsewhere. The function that it
// returns waits until nothing more is shown, which is after the end of the run.
func watchRun(run *crawl.Run, out io.Writer) (wait func()) {
	every, end := 10*time.Second, "\n"
	if f, ok := out.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		every, end = 500*time.Millisecond, "\r"
	}
	var shown sync.WaitGroup
	shown.Go(func() {
		tick := time.NewTicker(every)
		defer tick.Stop()
		for {
			select {
			case <-run.Done():
				if end == "\r" {
					fmt.Fprint(out, "\r", strings.Repeat(" ", 100), "\r")
				}
				return
			case <-tick.C:
				fmt.Fprintf(out, "%-100s%s", run.Progress(), end)
			}
		}
	})
	return shown.Wait
}

// printCounts writes a table of counts in one line, largest first.
func printCounts[K cmp.Ordered](out io.Writer, name string, m map[K]int64) {
	if len(m) == 0 {
		return
	}
	keys := slices.SortedFunc(maps.Keys(m), func(a, b K) int {
		return cmp.Or(cmp.Compare(m[b], m[a]), cmp.Compare(a, b))
	})
	fmt.Fprintf(out, "  %s:", name)
	for i, k := range keys {
		if i == 12 {
			fmt.Fprintf(out, " and %d more", len(keys)-i)
			break
		}
		fmt.Fprintf(out, " %v %d", k, m[k])
		if i+1 < len(keys) && i < 11 {
			fmt.Fprint(out, ",")
		}
	}
	fmt.Fprintln(out)
}

// maxShownGroups bounds the groups of a planned crawl that are printed; the report has more.
const maxShownGroups = 12

// printGroups writes what the revisits of each group found.
func printGroups(out io.Writer, groups []crawl.GroupReport) {
	for i, g := range groups {
		if i == maxShownGroups {
			fmt.Fprintf(out, "  and %d more groups: see report.json\n", len(groups)-i)
			return
		}
		fmt.Fprintf(out, "  %s, round %d: %d addresses by %s", g.Group, g.Round, g.Visited, g.Strategy)
		if g.Planned > 0 {
			fmt.Fprintf(out, "; %d revisited (%s): unchanged", g.Revisited, g.Revisit)
			for _, n := range layer.Names() {
				if k, ok := g.Unchanged[n]; ok {
					fmt.Fprintf(out, " %s %d,", n, k)
				}
			}
			if g.Vouched > 0 {
				fmt.Fprintf(out, " %d of them by the word of the server,", g.Vouched)
			}
			fmt.Fprintf(out, " changed %d, missing %d; %.1f %% forecast", g.Changed, g.Missing, 100*g.Forecast)
			if g.ForecastHigh > 0 {
				fmt.Fprintf(out, " (%.1f to %.1f)", 100*g.ForecastLow, 100*g.ForecastHigh)
			}
			fmt.Fprintf(out, ", %.1f %% found on the layer %s", 100*g.Actual, g.Layer)
		}
		fmt.Fprintln(out)
	}
}

// SizeText writes a number of bytes for people.
func SizeText(n int64) string {
	switch {
	case n >= 1e9:
		return fmt.Sprintf("%.1f GB", float64(n)/1e9)
	case n >= 1e6:
		return fmt.Sprintf("%.1f MB", float64(n)/1e6)
	case n >= 1e3:
		return fmt.Sprintf("%.1f KB", float64(n)/1e3)
	}
	return fmt.Sprintf("%d bytes", n)
}

// readRoots reads certificate authorities and adds them to those of the system.
func readRoots(file string) (*x509.CertPool, error) {
	pem, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	pool, err := x509.SystemCertPool()
	if err != nil {
		pool = x509.NewCertPool()
	}
	if !pool.AppendCertsFromPEM(pem) {
		return nil, errors.New("no certificate in it")
	}
	return pool, nil
}
