package cli

import (
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"varve"
	"varve/archive/warc/tool"
)

type warcStatOptions struct {
	json bool
	top  int
}

func newWarcStatCommand() *cobra.Command {
	var opts warcStatOptions
	c := &cobra.Command{
		Use:   "stat FILE...",
		Short: "Count what files hold: types, statuses, MIME types, hosts, months",
		Long: `Counts records and bytes of all files given together: by record type, and for captures by
HTTP status, MIME type, host, year and month; tells how well the files are packed, what revisits
saved, and which records are largest.

What revisits saved is known where the server announced a size (Content-Length); for the others
it is not guessed. 'varve warc dedup-report' looks the originals up instead. '-' reads standard input.

Exit codes: 0 counted, 1 counted but parts are damaged, 2 a file could not be read.`,
		Example: `  varve warc stat crawl-*.warc.gz
  varve warc stat --json crawl.warc.gz | jq '.hosts[:5]'`,
		Args: needArgs(1, "a file"),
		RunE: func(c *cobra.Command, args []string) error { return runWarcStat(c, opts, args) },
	}
	c.Flags().BoolVar(&opts.json, "json", false, "print one JSON object")
	c.Flags().IntVar(&opts.top, "top", 10, "how many rows of each table, and how many of the largest records")
	return c
}

func runWarcStat(c *cobra.Command, opts warcStatOptions, args []string) error {
	progress, clear := newProgress(c)
	stat := tool.NewStat(tool.StatOptions{Workers: workers(), Largest: opts.top, Progress: progress})
	err := forEachInput(c, args, func(in *tool.Input) error {
		err := stat.Add(c.Context(), in)
		clear()
		return err
	})
	if stat.Files > 0 {
		if printErr := printStat(c.OutOrStdout(), stat, opts); printErr != nil {
			return printErr
		}
	}
	if err == nil && stat.Findings > 0 {
		fmt.Fprintf(c.ErrOrStderr(), "varve: %s of damage: 'varve warc check' tells them\n", count(stat.Findings, "finding"))
		err = varve.ErrFindings
	}
	return err
}

func printStat(w io.Writer, s *tool.Stat, opts warcStatOptions) error {
	if opts.json {
		return PrintJSON(w, s)
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(t, "%s, %s, %s unpacked, %s in the files, ratio %.2f\n",
		count(int64(s.Files), "file"), count(s.Total.Records, "record"), size(s.Total.Raw), size(s.Total.Packed), s.Total.Ratio())
	printTally(t, "type", s.Types.ByRecords(), opts.top)
	printTally(t, "status", s.Statuses.ByRecords(), opts.top)
	printTally(t, "mime", s.MIMEs.ByRecords(), opts.top)
	printTally(t, "host", s.Hosts.ByRecords(), opts.top)
	printTally(t, "year", s.Years.ByName(), 100)
	printTally(t, "month", s.Months.ByName(), 60)
	if r := s.Revisits; r.Records > 0 {
		fmt.Fprintf(t, "\n%s saved %s (size known of %d)\n", count(r.Records, "revisit"), size(r.Saved), r.Sized)
	}
	if len(s.Largest) > 0 {
		fmt.Fprintf(t, "\nlargest\t\n")
		for _, b := range s.Largest {
			fmt.Fprintf(t, "%s\t %s %s:%d %s\n", size(b.Bytes), b.Type, b.File, b.Offset, oneLine(b.URL))
		}
	}
	return t.Flush()
}

// printTally prints the first rows and says how many there are.
func printTally(w io.Writer, title string, rows []tool.Row, top int) {
	if len(rows) == 0 {
		return
	}
	fmt.Fprintf(w, "\nrecords\tunpacked\tpacked\tratio\t %s\n", title)
	for i, r := range rows {
		if i == top {
			fmt.Fprintf(w, "\t\t\t\t ... %d more\n", len(rows)-top)
			break
		}
		fmt.Fprintf(w, "%d\t%s\t%s\t%.2f\t %s\n", r.Records, size(r.Raw), size(r.Packed), r.Ratio(), oneLine(r.Name))
	}
}
