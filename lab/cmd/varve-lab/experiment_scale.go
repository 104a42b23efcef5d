package main

import (
	"github.com/spf13/cobra"

	"varve/cli"
	"varve/lab/eval/nodescale"
)

func newExperimentScaleCommand() *cobra.Command {
	var asJSON bool
	cfg := nodescale.Config{}
	c := &cobra.Command{
		Use:   "scale",
		Short: "Who owns what, what moves and what travels in a crawl of many nodes",
		Long: `Simulates the ownership of a crawl of --nodes nodes with the functions of the product, on domains of very unequal size, with a node that
joins at half of the URLs and one that dies at three quarters, for 256, 1024 and 4096 partitions. docs/scale.md explains the columns.

Exit codes: 0 simulated, 2 could not.`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			all := nodescale.Run(cfg, 256, 1024, 4096)
			if asJSON {
				return cli.PrintJSON(c.OutOrStdout(), all)
			}
			nodescale.Print(c.OutOrStdout(), all)
			return nil
		},
	}
	f := c.Flags()
	f.IntVar(&cfg.Nodes, "nodes", 20, "nodes at the beginning")
	f.Int64Var(&cfg.URLs, "urls", 100_000_000, "URLs that are found")
	f.Int64Var(&cfg.Domains, "domains", 5_000_000, "pay-level domains")
	f.Float64Var(&cfg.Skew, "skew", 0.8, "how unequal domains are: size is rank to the power of minus this, below 1")
	f.Float64Var(&cfg.Elsewhere, "elsewhere", 0.1, "share of found URLs that lie in another domain")
	f.IntVar(&cfg.Batch, "batch", 20, "URLs of a message")
	f.Uint64Var(&cfg.Seed, "seed", 1, "of the simulation")
	f.BoolVar(&asJSON, "json", false, "print one JSON object")
	return c
}
