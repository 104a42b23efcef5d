package main

import (
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"

	"varve"
	"varve/cli"
	"varve/lab/eval/soak"
)

func newBenchSoakCommand() *cobra.Command {
	var asJSON bool
	var cfg soak.Config
	c := &cobra.Command{
		Use:   "soak",
		Short: "Crawl for a long time and look for what grows",
		Long: `Crawls a changing simulated web again and again in one process, with revisits, history and index, and
counts goroutines, open files and live memory after each crawl, when everything was let go. The second
half of the crawls is compared with the first; the first three are not judged.

Exit codes: 0 nothing grew, 1 something did, or answers failed, 2 could not.`,
		Example: `  varve-lab bench soak --for 30m
  varve-lab bench soak --for 2m --preset news --json`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			dir, err := os.MkdirTemp("", "varve-soak")
			if err != nil {
				return err
			}
			defer os.RemoveAll(dir)
			cfg.Dir = dir
			cfg.Tell = func(r soak.Round) {
				fmt.Fprintf(c.ErrOrStderr(), "%4d  %5.0f s  %4d answers  %2d failed  %3d goroutines  %3d files  %6.1f MB live\n",
					r.N, r.Seconds, r.URLs, r.Failed, r.Goroutines, r.Files, float64(r.Heap)/1e6)
			}
			res, err := soak.Run(c.Context(), cfg)
			if c.Context().Err() != nil {
				res.Print(c.OutOrStdout())
				return cli.Stopped(c)
			}
			if err != nil {
				return err
			}
			if asJSON {
				err = cli.PrintJSON(c.OutOrStdout(), res)
			} else {
				res.Print(c.OutOrStdout())
			}
			if err == nil && (len(res.Leaks()) > 0 || res.Failed > 0) {
				err = varve.ErrFindings
			}
			return err
		},
	}
	f := c.Flags()
	f.DurationVar(&cfg.For, "for", 30*time.Minute, "how long; a crawl that was begun is ended")
	f.StringVar(&cfg.Preset, "preset", "news", "the simulated web ('varve-lab sim presets')")
	f.Int64Var(&cfg.Pages, "pages", 300, "pages of one crawl at most")
	f.DurationVar(&cfg.Delay, "delay", 5*time.Millisecond, "rest of a host between requests")
	f.BoolVar(&asJSON, "json", false, "print one JSON object")
	return c
}
