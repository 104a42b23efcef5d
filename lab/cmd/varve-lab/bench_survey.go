package main

import (
	"os"

	"github.com/spf13/cobra"

	"varve"
	"varve/cli"
	"varve/lab/eval/surveyspeed"
)

func newBenchSurveyCommand() *cobra.Command {
	var asJSON bool
	var dir string
	cfg := surveyspeed.Config{Seed: 1}
	c := &cobra.Command{
		Use:   "survey",
		Short: "Cost of all spam features of a large made-up collection",
		Long: `Makes up the working tables of a collection (hosts with power-law links, some pages each, in several snapshots) and computes
the table of all spam features from them, as 'varve spam features' does after it has read the WARC files: content, links,
words, compression, history. Printed: CPU time and peak memory of each pass. A hundred thousand hosts take some minutes
of CPU, 1 to 2 GB of memory and 2 GB of disk.

Exit codes: 0 measured, 1 stopped early, 2 could not.`,
		Example: `  varve-lab bench survey --hosts 100000
  varve-lab bench survey --hosts 10000 --snapshots 1 --json | jq '.steps[] | [.name, .cpu_seconds]'`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			tmp, err := os.MkdirTemp(dir, "varve-bench")
			if err != nil {
				return err
			}
			defer os.RemoveAll(tmp)
			cfg.Dir = tmp
			res, err := surveyspeed.Run(c.Context(), cfg, c.ErrOrStderr())
			if err != nil && c.Context().Err() != nil {
				return cli.Stopped(c)
			}
			if err != nil {
				return &varve.Error{Kind: varve.Invalid, Op: c.CommandPath(), Err: err, Hint: "choose at least 10 hosts, and a folder (--dir) with room"}
			}
			if asJSON {
				return cli.PrintJSON(c.OutOrStdout(), res)
			}
			return res.Print(c.OutOrStdout())
		},
	}
	f := c.Flags()
	f.BoolVar(&asJSON, "json", false, "print one JSON object")
	f.IntVar(&cfg.Hosts, "hosts", 100_000, "hosts of the collection")
	f.IntVar(&cfg.Pages, "pages", 2, "pages of a host, about")
	f.IntVar(&cfg.Links, "links", 15, "links of a host to others, about")
	f.IntVar(&cfg.Snapshots, "snapshots", 2, "snapshots; 1: no history")
	f.IntVar(&cfg.Terms, "terms", 200, "words whose weights are features")
	f.IntVar(&cfg.Fingerprints, "fingerprints", 32, "fingerprints of similarities")
	f.StringVar(&dir, "dir", "", "where tables are written to (default the temporary folder)")
	return c
}
