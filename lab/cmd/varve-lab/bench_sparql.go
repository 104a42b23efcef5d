package main

import (
	"os"

	"github.com/spf13/cobra"

	"varve"
	"varve/cli"
	"varve/lab/eval/sparqlspeed"
)

func newBenchSparqlCommand() *cobra.Command {
	var asJSON bool
	var dir string
	cfg := sparqlspeed.Config{Seed: 1}
	c := &cobra.Command{
		Use:   "sparql",
		Short: "Loading and asking a knowledge base, beside Oxigraph",
		Long: `Makes up people of about --triples triples, loads them into a store of kb/triplestore and into Oxigraph, asks both the same twelve
shapes of queries, and prints CPU time, bytes on disk and ratios (Varve to Oxigraph: below 1 is cheaper). Oxigraph comes by pip, as the
Python that VARVE_OXIGRAPH names, or not: then the figures of Varve stand alone. Five million triples need about 2 GB of disk.

Exit codes: 0 measured, 1 stopped early, 2 could not.`,
		Example: `  varve-lab bench sparql
  varve-lab bench sparql --triples 50000000 --dir /var/tmp
  varve-lab bench sparql --triples 200000 --only "not exists" --json`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if cfg.Triples < 1 || cfg.Rounds < 1 {
				return &varve.Error{Kind: varve.Invalid, Op: c.CommandPath(), Msg: "no triples or no rounds", Hint: "both are 1 at least"}
			}
			tmp, err := os.MkdirTemp(dir, "varve-bench")
			if err != nil {
				return err
			}
			defer os.RemoveAll(tmp)
			cfg.Dir = tmp
			res, err := sparqlspeed.Run(c.Context(), cfg, c.ErrOrStderr())
			if err != nil && c.Context().Err() != nil {
				return cli.Stopped(c)
			}
			if err != nil {
				return err
			}
			if asJSON {
				return cli.PrintJSON(c.OutOrStdout(), res)
			}
			return res.Print(c.OutOrStdout())
		},
	}
	f := c.Flags()
	f.BoolVar(&asJSON, "json", false, "print one JSON object")
	f.IntVar(&cfg.Triples, "triples", 5_000_000, "triples, about")
	f.IntVar(&cfg.Rounds, "rounds", 3, "how often each shape is measured; the cheapest counts")
	f.StringVar(&cfg.Only, "only", "", "one shape, by its name")
	f.BoolVar(&cfg.Alone, "alone", false, "without Oxigraph")
	f.StringVar(&dir, "dir", "", "where the file and the stores go (default the temporary folder)")
	return c
}
