package main

import (
	"os"

	"github.com/spf13/cobra"

	"varve"
	"varve/cli"
	"varve/lab/eval/graphspeed"
)

func newBenchGraphCommand() *cobra.Command {
	var asJSON bool
	var dir string
	cfg := graphspeed.Config{Seed: 1}
	c := &cobra.Command{
		Use:   "graph",
		Short: "Cost of link features on a made-up host graph",
		Long: `Makes up a web with power-law degrees and measures the CPU time and the peak memory of each link feature: building the
graph, degrees, clustering, PageRank, TrustRank, supporters, and the similarities within it and with a second
snapshot. A million hosts and twenty million edges take some minutes, 1 GB of memory and 200 MB of disk.

Exit codes: 0 measured, 1 stopped early, 2 could not.`,
		Example: `  varve-lab bench graph --hosts 1000000 --edges 20000000
  varve-lab bench graph --hosts 100000 --edges 2000000 --json | jq '.steps[] | [.name, .cpu_seconds]'`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			tmp, err := os.MkdirTemp(dir, "varve-bench")
			if err != nil {
				return err
			}
			defer os.RemoveAll(tmp)
			cfg.Dir = tmp
			res, err := graphspeed.Run(c.Context(), cfg, c.ErrOrStderr())
			if err != nil && c.Context().Err() != nil {
				return cli.Stopped(c)
			}
			if err != nil {
				return &varve.Error{Kind: varve.Invalid, Op: c.CommandPath(), Err: err, Hint: "choose at least 2 hosts and 1 edge"}
			}
			if asJSON {
				return cli.PrintJSON(c.OutOrStdout(), res)
			}
			return res.Print(c.OutOrStdout())
		},
	}
	f := c.Flags()
	f.BoolVar(&asJSON, "json", false, "print one JSON object")
	f.IntVar(&cfg.Hosts, "hosts", 1_000_000, "nodes of the graph")
	f.IntVar(&cfg.Edges, "edges", 20_000_000, "links drawn; twins are dropped")
	f.IntVar(&cfg.Fingerprints, "fingerprints", 32, "fingerprints of similarities")
	f.StringVar(&dir, "dir", "", "where edges are spilled to (default the temporary folder)")
	return c
}
