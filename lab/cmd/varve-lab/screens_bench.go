package main

import (
	"os"

	"github.com/spf13/cobra"

	"varve/cli"
	"varve/lab/eval/screenspeed"
)

func newBenchScreensCommand() *cobra.Command {
	var asJSON bool
	var cfg screenspeed.Config
	c := &cobra.Command{
		Use:   "screens",
		Short: "What each screen costs the server on a large archive",
		Long: `Makes an archive of --captures captures and --crawls crawls up, serves it, asks for every screen, and prints the CPU
time of the server around each first request and around the next ones. The archive stays in --keep and is used again.

Exit codes: 0 measured, 2 could not.`,
		Example: "  varve-lab bench screens --captures 100000 --crawls 200 --docs 5000\n  varve-lab bench screens --keep /tmp/large",
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if cfg.Dir == "" {
				tmp, err := os.MkdirTemp("", "varve-bench")
				if err != nil {
					return err
				}
				defer os.RemoveAll(tmp)
				cfg.Dir = tmp
			}
			cfg.Log = c.ErrOrStderr()
			res, err := screenspeed.Run(c.Context(), cfg)
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
	c.Flags().IntVar(&cfg.Captures, "captures", 5_000_000, "captures of the archive")
	c.Flags().IntVar(&cfg.Crawls, "crawls", 2_000, "crawls of the archive")
	c.Flags().IntVar(&cfg.Docs, "docs", 60_000, "documents of the text index")
	c.Flags().StringVar(&cfg.Dir, "keep", "", "keep the archive in this folder, and use the one that is there")
	return c
}
