package main

import (
	"encoding/json"
	"os"

	"github.com/spf13/cobra"

	"varve/lab/eval/frontiergrowth"
)

func newBenchFrontierCommand() *cobra.Command {
	var asJSON bool
	var dir string
	cfg := frontiergrowth.Config{Workers: 4}
	most := 0
	c := &cobra.Command{
		Use:   "frontier",
		Short: "Cost per URL of the crawl queue while it grows",
		Long: `Queues up to --max URLs of a made-up web and measures at 1, 2, 5, 10 and 20 million the
CPU time per inserted, known, re-ranked and taken URL, the memory and the disk. Twenty
million take about ten minutes and 4 GB in the temporary folder, which are freed.

Exit codes: 0 measured, 2 could not.`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			tmp, err := os.MkdirTemp(dir, "varve-bench")
			if err != nil {
				return err
			}
			defer os.RemoveAll(tmp)
			cfg.Dir, cfg.Sizes = tmp, frontiergrowth.Sizes(most)
			res, err := frontiergrowth.Run(c.Context(), cfg, c.ErrOrStderr())
			if err != nil {
				return err
			}
			if asJSON {
				return json.NewEncoder(c.OutOrStdout()).Encode(res)
			}
			res.Print(c.OutOrStdout())
			return nil
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	c.Flags().IntVar(&most, "max", 20_000_000, "largest number of queued URLs")
	c.Flags().IntVar(&cfg.Sample, "sample", 160_000, "known, re-ranked and taken URLs measured at each size")
	c.Flags().IntVar(&cfg.Hosts, "hosts", 20_000, "hosts that the URLs are spread over, unequally")
	c.Flags().StringVar(&dir, "dir", "", "where to put the data (default the temporary folder)")
	return c
}
