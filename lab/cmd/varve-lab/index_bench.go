package main

import (
	"os"

	"github.com/spf13/cobra"

	"varve/cli"
	"varve/lab/eval/temporalspeed"
)

func newBenchTemporalCommand() *cobra.Command {
	var asJSON bool
	var dir string
	cfg := temporalspeed.Config{}
	c := &cobra.Command{
		Use:   "temporal",
		Short: "Building the temporal index, and questions by their number of answers",
		Long: `Builds an index of made-up versions and measures questions about time: alive at an instant, inside,
contains, intersects. Ten million versions take about a minute and 1.5 GB in the temporary folder,
which are freed.

Exit codes: 0 measured, 2 could not.`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			tmp, err := os.MkdirTemp(dir, "varve-bench")
			if err != nil {
				return err
			}
			defer os.RemoveAll(tmp)
			cfg.Dir = tmp
			res, err := temporalspeed.Run(c.Context(), cfg, c.ErrOrStderr())
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
	f.Int64Var(&cfg.Versions, "versions", 10_000_000, "versions of the index")
	f.Int64Var(&cfg.Alive, "alive", 50_000, "versions that an instant should meet, about")
	f.IntVar(&cfg.Rounds, "rounds", 200, "questions of each kind")
	f.StringVar(&dir, "dir", "", "where to put the data (default the temporary folder)")
	return c
}
