package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"

	"varve"
	"varve/cli"
	"varve/lab/simulate"
)

// coherenceOptions are the flags of experiment coherence.
type coherenceOptions struct {
	figure       string
	pages, seeds int
	seed         uint64
	rates        string
	sites        []string
	lasts        time.Duration
	json, csv    bool
	plot         string
}

func newExperimentCoherenceCommand() *cobra.Command {
	var o coherenceOptions
	c := &cobra.Command{
		Use:   "coherence",
		Short: "How well captures hang together, by strategy",
		Long: `Compares crawl strategies by the coherence of what they capture, on simulated sites whose every change is
known. Figures:

  9            share of coherent pages of visit-revisit captures, from a static site to an unstable one: BFS-FIFO,
               BFS-LIFO, the threshold rule of the seed paper (figure 9 there), varve, and the best and worst that full
               knowledge of all changes could do; expected, and as the mean of --seeds simulated sites
  blur         single-visit strategies on presets of the simulated web: actual blur per page
  incoherence  visit-revisit strategies on the same: share of pages that changed between visit and revisit
  calibration  what a first crawl foretells of each page when its visits are over, against what its revisits find: of the
               pages foretold to stand with 90 %, do 90 %? Ten bins, Brier scores, intervals
  quality      measurable quality (pages that changed before their visit, after the capture began), as it is and as dates
               of pages tell it, beside inducible quality (pages that changed between visit and revisit), same visits
  cost         CPU microseconds per page of planning and foretelling
  crawl        real crawls of the simulated web through the crawl engine, against what the formula foretells

blur and incoherence have rates from full knowledge (oracle), learnt from a tenth of the pages (predictor), from what
visited pages say of their last change (learning), from the dates of a sitemap too (sitemap), or also from four earlier
captures, a week apart (later); and all pages known (offline) or found by links (online). docs/algorithms/coherence.md discusses the figures. The same seed
gives the same figures.

  varve-lab experiment coherence --figure 9 --plot figure9.svg
  varve-lab experiment coherence --figure 9 --rates zero-inflated --pages 300 --csv > figure9.csv
  varve-lab experiment coherence --figure incoherence --sites news,shop --seeds 5
  varve-lab experiment coherence --figure calibration --sites news --plot calibration.svg
  varve-lab experiment coherence --figure crawl --pages 100 --seeds 4

Exit codes: 0 run, 2 could not.`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return runExperimentCoherence(c, o) },
	}
	f := c.Flags()
	f.StringVar(&o.figure, "figure", "9", "9, blur, incoherence, calibration, quality, cost or crawl")
	f.IntVar(&o.pages, "pages", 0, "pages of a site; 0: 10,000 for figure 9, 150 for crawl, else all of the preset")
	f.Uint64Var(&o.seed, "seed", 1, "seed of the first site")
	f.IntVar(&o.seeds, "seeds", 0, "sites; 0: 30 for figure 9, else 20 of each kind")
	f.StringVar(&o.rates, "rates", "exponential", "figure 9: distribution of change rates, of exponential, pareto, uniform, zero-inflated, bimodal")
	f.StringSliceVar(&o.sites, "sites", nil, "blur, incoherence, calibration, quality: presets of the simulated web (default blog,news,shop,ministry,university)")
	f.DurationVar(&o.lasts, "lasts", 72*time.Hour, "blur, incoherence, calibration, quality: how long the visits of a capture take")
	f.BoolVar(&o.json, "json", false, "print one JSON object")
	f.BoolVar(&o.csv, "csv", false, "print one line per figure")
	f.StringVar(&o.plot, "plot", "", "also write a chart (SVG) to this file")
	c.MarkFlagsMutuallyExclusive("json", "csv")
	return c
}

func runExperimentCoherence(c *cobra.Command, o coherenceOptions) error {
	if o.plot != "" {
		if _, err := os.Lstat(o.plot); err == nil { // say so before the work, not after
			return cli.WriteError(o.plot, os.ErrExist)
		}
	}
	r, err := experimentCoherence(c, o)
	switch {
	case c.Context().Err() != nil:
		return c.Context().Err()
	case err != nil:
		return &varve.Error{Kind: varve.Invalid, Op: c.CommandPath(), Msg: err.Error(), Hint: "see '" + c.CommandPath() + " --help'"}
	}
	if o.plot != "" {
		if err := cli.NewFile(o.plot, r.Chart.SVG); err != nil {
			return err
		}
	}
	switch {
	case o.json:
		return cli.PrintJSON(c.OutOrStdout(), r)
	case o.csv:
		return r.CSV(c.OutOrStdout())
	}
	return r.Print(c.OutOrStdout())
}

// experimentCoherence runs the experiment of the figure that was asked for.
func experimentCoherence(c *cobra.Command, o coherenceOptions) (*simulate.Result, error) {
	progress := priorityProgress(c.ErrOrStderr())
	sites := simulate.SitesConfig{Sites: o.sites, Pages: o.pages, Seed: o.seed, Seeds: o.seeds, Lasts: o.lasts}
	var run func(context.Context, simulate.SitesConfig, func(done, all int)) (*simulate.Result, error)
	switch o.figure {
	case "9":
		return simulate.Figure9(c.Context(), simulate.Figure9Config{Pages: o.pages, Seed: o.seed, Seeds: o.seeds, Rates: o.rates}, progress)
	case "blur":
		run = simulate.Blur
	case "incoherence":
		run = simulate.Incoherence
	case "calibration":
		run = simulate.Calibration
	case "quality":
		run = simulate.Qualities
	case "cost":
		run = simulate.Costs
	case "crawl":
		return experimentCrawls(c, o, progress)
	default:
		return nil, fmt.Errorf("figure %q is not known; there are 9, blur, incoherence, calibration, quality, cost and crawl", o.figure)
	}
	return run(c.Context(), sites, progress)
}

// experimentCrawls runs real crawls; their files are gone afterwards.
func experimentCrawls(c *cobra.Command, o coherenceOptions, progress func(done, all int)) (*simulate.Result, error) {
	dir, err := os.MkdirTemp("", "varve-experiment-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	return simulate.Crawls(c.Context(), simulate.CrawlsConfig{Pages: o.pages, Seed: o.seed, Seeds: o.seeds, Dir: dir}, progress)
}
