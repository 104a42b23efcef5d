package main

import (
	"encoding/json"
	"os"

	"github.com/spf13/cobra"

	"varve/lab/eval/warcspeed"
)

func newBenchCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "bench",
		Short: "Measure speed against named peers, in CPU time",
		Long: `Each benchmark runs Varve and its peers (another program, or the floor that does only
the unavoidable work) in one run, interleaved, and prints CPU time and ratios.`,
	}
	c.AddCommand(newBenchWarcCommand(), newBenchFrontierCommand(), newBenchCDXCommand(), newBenchTemporalCommand(), newBenchCrawlCommand(), newBenchCrawlFloorCommand(), newBenchSearchCommand(), newBenchGraphCommand(), newBenchSurveyCommand(), newBenchSoakCommand(), newBenchSparqlCommand(), newBenchLinkingCommand(), newBenchLanguageCommand(), newBenchScreensCommand(), newBenchNodesCommand(), newBenchNATSCommand())
	return c
}

func newBenchWarcCommand() *cobra.Command {
	var asJSON bool
	var size, rounds int
	c := &cobra.Command{
		Use:   "warc",
		Short: "Reading and writing WARC, beside inflate, deflate and zcat",
		Long: `Makes a WARC file of about --mb megabytes unpacked in a temporary folder and measures
reading (with and without digests), parallel scanning and writing.

Exit codes: 0 measured, 2 could not.`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			dir, err := os.MkdirTemp("", "varve-bench")
			if err != nil {
				return err
			}
			defer os.RemoveAll(dir)
			res, err := warcspeed.Run(warcspeed.Config{Dir: dir, RawMB: size, Rounds: rounds, Seed: 1}, c.ErrOrStderr())
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
	c.Flags().IntVar(&size, "mb", 250, "unpacked size of the file in megabytes")
	c.Flags().IntVar(&rounds, "rounds", 5, "how often each way is measured")
	return c
}
