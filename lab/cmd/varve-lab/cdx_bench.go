package main

import (
	"os"

	"github.com/spf13/cobra"

	"varve/cli"
	"varve/lab/eval/cdxspeed"
)

func newBenchCDXCommand() *cobra.Command {
	var asJSON bool
	var dir string
	var most int64
	cfg := cdxspeed.Config{}
	c := &cobra.Command{
		Use:   "cdx",
		Short: "Building the index of captures, lookups and scans",
		Long: `Builds indexes of made-up captures, a tenth of --max and --max of them, and measures CPU time per
line and per lookup, latencies, blocks read, memory and disk. Twenty million take about five minutes
and 8 GB in the temporary folder, which are freed.

Exit codes: 0 measured, 2 could not.`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			tmp, err := os.MkdirTemp(dir, "varve-bench")
			if err != nil {
				return err
			}
			defer os.RemoveAll(tmp)
			cfg.Dir, cfg.Sizes = tmp, []int64{max(most/10, 100), max(most, 100)}
			res, err := cdxspeed.Run(c.Context(), cfg, c.ErrOrStderr())
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
	f := c.Flags()
	f.BoolVar(&asJSON, "json", false, "print one JSON object")
	f.Int64Var(&most, "max", 20_000_000, "captures of the largest index")
	f.IntVar(&cfg.Lookups, "lookups", 20_000, "lookups of each kind")
	f.IntVar(&cfg.Hosts, "hosts", 5_000, "hosts that the captures are spread over, unequally")
	f.StringVar(&dir, "dir", "", "where to put the data (default the temporary folder)")
	return c
}
