package cli

import (
	"errors"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"varve/coherence/evidence"
	"varve/coherence/report"
	"varve/text/layer"
)

type compareOptions struct {
	reader evidenceReader
	a, b   []string
	json   bool
	near   float64
	top    int
}

func newCoherenceCompareCommand() *cobra.Command {
	var o compareOptions
	c := &cobra.Command{
		Use:   "compare A B",
		Short: "What changed between two captures, layer by layer",
		Long: `Compares two captures page by page, as if they were visit and revisit of one crawl. A and B are WARC
or ARC files of any crawler, or directories of such files; -a and -b add more to a side.

A page is a distinct http or https address, as written, of any MIME type. Revisit records count with
the content they stand for, in either side, also if they do not name it: it is looked for by record
id, by address and date, by digest under the same address, by digest, and for a bare 304 it is the
nearest earlier capture. Of several captures of a page on a side, the ones with the page (status 2xx)
and nearest in time to the other side are compared.

Of each changed page the list has the coarsest layer on which it differs (bytes, dom, text, main) and
the defect: content, links (the set of links changed), missing (the page is an error now, or was), or
unknown (the original of a revisit is in neither side).

Exit codes: 0 compared, 1 compared but the files are damaged, 2 could not.`,
		Example: `  varve coherence compare monday.warc.gz tuesday.warc.gz
  varve coherence compare crawl-1/ crawl-2/ --json | jq '.changed[] | select(.defect == "links") | .url'`,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				o.a = append(o.a, args[0])
			}
			if len(args) > 1 {
				o.b = append(o.b, args[1])
			}
			if len(args) > 2 || len(o.a) == 0 || len(o.b) == 0 {
				return UsageError(c, "needs two captures, A and B; more files of a side come with -a and -b")
			}
			return runCompare(c, &o)
		},
	}
	f := c.Flags()
	f.BoolVar(&o.json, "json", false, "print one JSON object (docs/formats/coherence.md)")
	f.StringArrayVarP(&o.a, "a", "a", nil, "one more file or directory of side A; may be repeated")
	f.StringArrayVarP(&o.b, "b", "b", nil, "one more file or directory of side B; may be repeated")
	f.Float64Var(&o.near, "near", 0.8, "resemblance from which main texts are nearly the same, 0 to 1")
	f.IntVar(&o.top, "top", 20, "how many changed pages are listed for people")
	o.reader.flags(c)
	return c
}

func runCompare(c *cobra.Command, o *compareOptions) error {
	a, err := sourcesOf(o.a, 0)
	if err != nil {
		return err
	}
	b, err := sourcesOf(o.b, 1)
	if err != nil {
		return err
	}
	o.reader.lazy = true
	err = o.reader.read(c, append(a, b...), func(set *evidence.Set, dir string) (err error) {
		cmp, err := report.Compare(c.Context(), set, layer.Config{Near: o.near}, dir, workers())
		if err != nil {
			return evidenceError(c, err)
		}
		defer func() { err = errors.Join(err, cmp.Close()) }()
		if o.json {
			return cmp.WriteJSON(c.OutOrStdout())
		}
		return printComparison(c.OutOrStdout(), cmp, set, o.top)
	})
	if err != nil {
		return err
	}
	return o.reader.end(c)
}

func printComparison(w io.Writer, cmp *report.Comparison, set *evidence.Set, top int) error {
	fmt.Fprintf(w, "%s in both, %d only in A, %d only in B\n", count(cmp.Pages, "page"), cmp.OnlyA, cmp.OnlyB)
	if lost := set.Totals.Lost; lost > 0 {
		fmt.Fprintf(w, "%s without their original in these files\n", count(lost, "revisit"))
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(t, "\nlayer\tidentical\tof\tshare\t\n")
	for _, row := range []struct {
		name string
		n    int64
	}{
		{"bytes", cmp.Identical.Bytes},
		{"dom", cmp.Identical.DOM},
		{"text", cmp.Identical.Text},
		{"main", cmp.Identical.Main},
		{"links", cmp.Identical.Links},
	} {
		fmt.Fprintf(t, "%s\t%d\t%d\t%s\t\n", row.name, row.n, cmp.Pages, percent(row.n, cmp.Pages))
	}
	if err := t.Flush(); err != nil || cmp.Changed() == 0 {
		return err
	}
	fmt.Fprintf(w, "\n%s changed:\n", count(cmp.Changed(), "page"))
	n := 0
	err := cmp.Changes(func(ch report.Change) error {
		if n++; n > top {
			return errEnough
		}
		shown := ""
		if ch.Page != "" {
			shown = ", shown by " + oneLine(ch.Page)
		}
		_, err := fmt.Fprintf(w, "  %-7s %-5s %s%s\n", ch.Defect, ch.Layer, oneLine(ch.URL), shown)
		return err
	})
	if errors.Is(err, errEnough) {
		_, err = fmt.Fprintf(w, "  ... %d more: --top N or --json lists them\n", cmp.Changed()-int64(top))
	}
	return err
}

// errEnough ends a list early.
var errEnough = errors.New("enough")

// percent writes a share, or that there is nothing to share.
func percent(n, of int64) string {
	if of == 0 {
		return "-"
	}
	return fmt.Sprintf("%.1f %%", 100*float64(n)/float64(of))
}
