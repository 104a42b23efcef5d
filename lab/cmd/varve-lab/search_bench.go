package main

import (
	"os"

	"github.com/spf13/cobra"

	"varve/cli"
	"varve/lab/eval/searchspeed"
)

func newBenchSearchCommand() *cobra.Command {
	var asJSON bool
	var dir, keep string
	cfg := searchspeed.Config{Seed: 1}
	c := &cobra.Command{
		Use:   "search",
		Short: "Derivatives, text index and search, beside plain Bleve term queries",
		Long: `Makes --docs pages up (words by Zipf's law, ten years, 500 hosts), indexes a tenth and then all of
them, and asks for terms, phrases, boolean conditions with dates, instants, facets and trends: wall time,
CPU time, and the CPU time of a plain Bleve term query over the same index that finds as many documents.
A part of the pages is written as WARC and derived. 200,000 pages take about ten minutes of
CPU and 3 GB in the temporary folder, which are freed.

Exit codes: 0 measured, 2 could not.`,
		Example: "  varve-lab bench search --docs 20000",
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if cfg.Keep = keep != ""; cfg.Keep {
				if err := os.MkdirAll(keep, 0o755); err != nil {
					return err
				}
				cfg.Dir = keep
			} else {
				tmp, err := os.MkdirTemp(dir, "varve-bench")
				if err != nil {
					return err
				}
				defer os.RemoveAll(tmp)
				cfg.Dir = tmp
			}
			res, err := searchspeed.Run(c.Context(), cfg, c.ErrOrStderr())
			if err != nil {
				return err
			}
			if asJSON {
				return cli.PrintJSON(c.OutOrStdout(), res)
			}
			res.Print(c.OutOrStdout())
			return nil
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	c.Flags().IntVar(&cfg.Docs, "docs", 200_000, "documents of the index")
	c.Flags().IntVar(&cfg.Pages, "pages", 0, "pages for derive (default: a fiftieth of the documents)")
	c.Flags().IntVar(&cfg.Queries, "queries", 40, "questions of each kind")
	c.Flags().IntVar(&cfg.Rounds, "rounds", 5, "how often each is asked")
	c.Flags().StringVar(&cfg.Kinds, "kinds", "", "only questions with this in their name, such as \"20 values\", of the whole index")
	c.Flags().StringVar(&dir, "dir", "", "where to put the data (default the temporary folder)")
	c.Flags().StringVar(&keep, "keep", "", "keep the indexes in this folder, and use those that are there")
	c.MarkFlagsMutuallyExclusive("dir", "keep")
	return c
}
