package main

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"varve"
	"varve/cli"
	"varve/lab/reranking"
)

// priorityOptions are the flags of experiment priority.
type priorityOptions struct {
	config    reranking.Config
	json, csv bool
}

func newExperimentPriorityCommand() *cobra.Command {
	var o priorityOptions
	c := &cobra.Command{
		Use:   "priority",
		Short: "Which way of updating the priority of queued URLs harvests most",
		Long: `Makes a web of pages with topics and subtopics, crawls it from seed pages of one topic, and compares the
update functions FIRST, AVG, MAX, SUM and LAST, with 1 and 5 URLs taken from a host at a time (bl), without and
with batches; breadth-first and an oracle are the bounds. Printed are harvest ratio (pages with a cosine over 0.333
to the topic), average similarity and subtopics reached, beside the figures of the ARCOMEM paper (2014).
docs/algorithms/priority.md discusses them. The same seed gives the same figures.

  varve-lab experiment priority
  varve-lab experiment priority --seed 2 --csv > crawls.csv
  varve-lab experiment priority --pages 6000 --hosts 200 --subtopics 60 --crawl 600

Exit codes: 0 run, 2 could not.`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return runExperimentPriority(c, o) },
	}
	f := c.Flags()
	f.Uint64Var(&o.config.Seed, "seed", 1, "seed of the generated web")
	f.IntVar(&o.config.Pages, "pages", 40_000, "pages of the web")
	f.IntVar(&o.config.Hosts, "hosts", 1_000, "hosts")
	f.IntVar(&o.config.Topics, "topics", 8, "topics")
	f.IntVar(&o.config.Subtopics, "subtopics", 300, "subtopics of each topic")
	f.IntVar(&o.config.Links, "links", 14, "mean outlinks of a page")
	f.Float64Var(&o.config.Navigation, "navigation", 0.6, "share of links inside a host that lead to its service pages; negative for none")
	f.IntVar(&o.config.Crawl, "crawl", 3_000, "pages of a crawl")
	f.IntVar(&o.config.Tried, "tried", 3, "topics that are crawled")
	f.IntVar(&o.config.Samples, "samples", 3, "samples of seeds for each topic")
	f.IntVar(&o.config.Seeds, "seeds", 20, "seed pages in a sample")
	f.IntVar(&o.config.Batch, "batch", 100, "pages of a batch")
	f.BoolVar(&o.json, "json", false, "print one JSON object")
	f.BoolVar(&o.csv, "csv", false, "print one line per crawl")
	c.MarkFlagsMutuallyExclusive("json", "csv")
	return c
}

func runExperimentPriority(c *cobra.Command, o priorityOptions) error {
	r, err := reranking.Run(c.Context(), o.config, priorityProgress(c.ErrOrStderr()))
	switch {
	case c.Context().Err() != nil:
		return c.Context().Err()
	case err != nil:
		return &varve.Error{Kind: varve.Invalid, Op: c.CommandPath(), Msg: err.Error(), Hint: "see '" + c.CommandPath() + " --help'"}
	case o.json:
		return json.NewEncoder(c.OutOrStdout()).Encode(r)
	case o.csv:
		return r.CSV(c.OutOrStdout())
	}
	return r.Print(c.OutOrStdout())
}

// priorityProgress tells on a terminal how many crawls are done.
func priorityProgress(w io.Writer) func(done, all int) {
	if !cli.IsTerminal(w) {
		return nil
	}
	return func(done, all int) {
		fmt.Fprintf(w, "\r%d of %d crawls", done, all)
		if done == all {
			fmt.Fprint(w, "\r\x1b[K")
		}
	}
}
