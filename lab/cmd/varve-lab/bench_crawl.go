package main

import (
	"encoding/json"
	"fmt"
	"os/exec"

	"github.com/spf13/cobra"

	"varve"
	"varve/cli"
	"varve/lab/eval/crawlspeed"
)

func newBenchCrawlCommand() *cobra.Command {
	var asJSON bool
	var preset string
	var cfg crawlspeed.Config
	c := &cobra.Command{
		Use:   "crawl",
		Short: "Crawling, beside wget and beside a bare fetch-and-write loop",
		Long: `Serves a simulated host of 5,000 pages and 500 assets (flat5000), and then fifty hosts
(hosts50), in a process of its own, and captures each in turn with a bare loop that does only
the unavoidable (the floor), with wget --warc-file, and with varve crawl. Prints pages per
second of processor time of each, ratios, memory, and whether all pages were captured.

With --terms a crawl that is guided by a definition of so many terms is measured beside: words and pairs of words that
the pages have, common and rare. Printed is then also which share of its time the guiding takes.

  varve-lab bench crawl --preset hosts50 --terms 200

Exit codes: 0 measured and all targets met, 1 measured and a target missed, 2 could not.`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) (err error) {
			if cfg.Varve, cfg.Lab, err = programs(); err != nil {
				return err
			}
			cfg.Wget, _ = exec.LookPath("wget") // left out where it is missing
			cfg.Presets = []string{preset}
			if preset == "both" {
				cfg.Presets = []string{"flat5000", "hosts50"}
			}
			if cfg.Rounds < 1 {
				return cli.UsageError(c, "--rounds must be at least 1")
			}
			if cfg.Terms < 0 || cfg.Terms > maxBenchTerms {
				return cli.UsageError(c, fmt.Sprintf("--terms must be between 0 and %d", maxBenchTerms))
			}
			res, err := crawlspeed.Run(c.Context(), cfg, c.ErrOrStderr())
			if err != nil {
				return err
			}
			if asJSON {
				err = json.NewEncoder(c.OutOrStdout()).Encode(res)
			} else {
				res.Print(c.OutOrStdout())
			}
			if err == nil && !res.Met() {
				err = varve.ErrFindings
			}
			return err
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	c.Flags().IntVar(&cfg.Rounds, "rounds", 3, "how often each way is measured")
	c.Flags().IntVar(&cfg.Terms, "terms", 0, "terms of a definition, to measure a guided crawl beside; 0: none is")
	c.Flags().StringVar(&preset, "preset", "both", "the sites: flat5000, hosts50, both, or another preset of 'varve-lab sim presets'")
	c.Flags().StringVar(&cfg.Dir, "dir", "", "where to put the data (default the temporary folder)")
	return c
}

// maxBenchTerms is what a definition takes.
const maxBenchTerms = 10_000

// programs finds the product and this program, to be run as processes of their own.
func programs() (product, lab string, err error) {
	const hint = "'make lab' builds both programs into bin/"
	if product, err = cli.Beside("varve", hint); err != nil {
		return "", "", err
	}
	lab, err = cli.Beside("varve-lab", hint)
	return product, lab, err
}

// newBenchCrawlFloorCommand is the bare loop as a process of its own; bench crawl starts it.
func newBenchCrawlFloorCommand() *cobra.Command {
	return &cobra.Command{
		Use:    "crawl-floor PLAN ADDR FILE",
		Short:  "Fetch and write what a plan says, and nothing else",
		Hidden: true,
		Args:   cobra.ExactArgs(3),
		RunE:   func(_ *cobra.Command, args []string) error { return crawlspeed.Floor(args[0], args[1], args[2]) },
	}
}
