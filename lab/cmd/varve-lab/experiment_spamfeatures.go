package main

import (
	"os"

	"github.com/spf13/cobra"

	"varve"
	"varve/cli"
	"varve/lab/eval/spamfeatures"
)

func newExperimentSpamFeaturesCommand() *cobra.Command {
	var asJSON bool
	cfg := spamfeatures.Config{}
	c := &cobra.Command{
		Use:   "spam-features",
		Short: "What each group of spam features is worth on a simulated web",
		Long: `Archives a simulated web of normal and spam hosts at several instants of its life, computes features as 'varve spam
features' does, and trains a random forest on each group of them, over folds that keep domains together. Printed
are AUC and NDCG of each group, and the CPU time of the steps.

Exit codes: 0 measured, 1 stopped early, 2 could not.`,
		Example: `  varve-lab experiment spam-features --hosts 400 --snapshots 3`,
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			dir, err := os.MkdirTemp("", "varve-experiment")
			if err != nil {
				return err
			}
			defer os.RemoveAll(dir)
			cfg.Dir = dir
			res, err := spamfeatures.Run(c.Context(), cfg, c.ErrOrStderr())
			if err != nil && c.Context().Err() != nil {
				return cli.Stopped(c)
			}
			if err != nil {
				return &varve.Error{Kind: varve.Invalid, Op: c.CommandPath(), Err: err, Hint: "choose more hosts, pages or snapshots"}
			}
			if asJSON {
				return cli.PrintJSON(c.OutOrStdout(), res)
			}
			return res.Print(c.OutOrStdout())
		},
	}
	f := c.Flags()
	f.IntVar(&cfg.Hosts, "hosts", 400, "hosts of the web")
	f.IntVar(&cfg.Pages, "pages", 20, "pages that are archived of a host, at most")
	f.IntVar(&cfg.Snapshots, "snapshots", 3, "instants at which it is archived")
	f.IntVar(&cfg.Terms, "terms", 200, "words of each language whose weights are features")
	f.IntVar(&cfg.Repeats, "repeats", 3, "how often the folds are drawn anew")
	f.Uint64Var(&cfg.Seed, "seed", 1, "of the web and the folds")
	f.BoolVar(&asJSON, "json", false, "print one JSON object")
	return c
}
