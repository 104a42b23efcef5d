package reranking

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"text/tabwriter"
)

// Print writes the report as a table for people.
func (r *Report) Print(w io.Writer) error {
	c := r.Config
	fmt.Fprintf(w, "A web of %d pages on %d hosts, %d topics with %d subtopics; %.1f%% of its pages are relevant (cosine over %g).\n",
		c.Pages, c.Hosts, c.Topics, c.Subtopics, 100*r.Relevant, c.Over)
	fmt.Fprintf(w, "Each row is the mean of %d crawls of %d pages from %d seeds; batches of %d pages; seed %d.\n\n",
		c.Tried*c.Samples, c.Crawl, c.Seeds, c.Batch, c.Seed)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "batch\tbl\tupdate\tharvest\tgain on FIRST\twins\tsimilarity\tsubtopics\tpaper: harvest\tsimilarity\tsubtopics")
	for _, row := range r.Rows {
		fmt.Fprintf(t, "%s\t%d\t%s\t%.4f\t%+.4f ± %.4f\t%d/%d\t%.4f\t%.4f\t%s\n", yesNo(row.Batch), row.Balance, row.name(),
			row.Mean.Harvest, row.Gain, row.GainErr, row.Wins, len(row.Crawls), row.Mean.Similarity, row.Mean.Subtopics, row.paper())
	}
	return t.Flush()
}

func (row *Row) name() string {
	if row.Bound != "" {
		return row.Bound
	}
	return string(row.Update)
}

func (row *Row) paper() string {
	if row.Paper == nil {
		return "-\t-\t-"
	}
	return fmt.Sprintf("%.4f\t%.4f\t%.4f", row.Paper.Harvest, row.Paper.Similarity, row.Paper.Subtopics)
}

// CSV writes one line per crawl, for statistics elsewhere.
func (r *Report) CSV(w io.Writer) error {
	out := csv.NewWriter(w)
	_ = out.Write([]string{"way", "batch", "balance", "crawl", "pages", "harvest", "similarity", "subtopics"}) // Error below
	for _, row := range r.Rows {
		for i, o := range row.Crawls {
			_ = out.Write([]string{
				row.name(), yesNo(row.Batch), strconv.Itoa(row.Balance), strconv.Itoa(i + 1), strconv.Itoa(o.Pages),
				number(o.Harvest), number(o.Similarity), number(o.Subtopics),
			})
		}
	}
	out.Flush()
	return out.Error()
}

func number(f float64) string { return strconv.FormatFloat(f, 'f', 6, 64) }

func yesNo(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}
