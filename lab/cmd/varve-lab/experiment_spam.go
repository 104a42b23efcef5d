package main

import (
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"varve"
	"varve/cli"
	"varve/lab/eval/cpu"
	"varve/lab/eval/spamfilter"
)

type experimentSpamOptions struct {
	cfg    spamfilter.Config
	part   string
	shares []float64
	seeds  []uint
	json   bool
}

func newExperimentSpamCommand() *cobra.Command {
	var o experimentSpamOptions
	c := &cobra.Command{
		Use:   "spam",
		Short: "How well spam of unseen generators is told, and what a filtered crawl saves and loses",
		Long: `Generators: each generator of spam hosts in the simulated web is held out in turn, with a third of the generators of normal
hosts; a model that saw none of them judges their hosts in another world. Printed: AUC against the normal hosts held out and
against all, and how many would be rejected.

Crawls: the generators are parted at random into three; a model of two parts filters a crawl of a world of the third, each in turn,
in several splits with worlds of their own; then halves, and spam alone; the same crawl without a filter beside it. Printed: documents
and bytes saved, share of spam caught, share of normal documents lost; mean and worst of all splits. The threshold is
that of the model, chosen for --max-loss by kinds of hosts held out in training, unless --threshold sets it.

Calibration: what share of the hosts of unseen generators is spam where a model says 0.1, 0.2, and so on: with plain folds, with
folds by generator, with the curve for unseen kinds, and with links counted.

Shares: what the filter is worth where spam is rare. Worlds with each share of --shares, of generators that the model has not seen, all parts for each of
--seeds; documents saved and lost, and what the filter costs: CPU with it against without, the share of the assessor, and the same for a second crawl, which
remembers the verdicts of the first.

Worlds, models and crawls (the real engine, in virtual time) depend on the seed alone. Takes about eight minutes of CPU.

Exit codes: 0 run, 1 stopped early, 2 could not.`,
		Example: `  varve-lab experiment spam
  varve-lab experiment spam --part generators --hosts 800 --json
  varve-lab experiment spam --part crawls --splits 2 --max-loss 0.01
  varve-lab experiment spam --part shares --hosts 300 --crawled 120`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return runExperimentSpam(c, &o) },
	}
	f := c.Flags()
	f.StringVar(&o.part, "part", "all", "what to run: generators, crawls, calibration, shares or all")
	f.Float64SliceVar(&o.shares, "shares", []float64{0.05, 0.15, 0.4}, "shares of spam hosts in the worlds of --part shares")
	f.UintSliceVar(&o.seeds, "seeds", []uint{101, 202, 303}, "seeds of --part shares")
	f.IntVar(&o.cfg.Hosts, "hosts", 400, "hosts of the worlds that are learnt from and tested on")
	f.IntVar(&o.cfg.Crawled, "crawled", 150, "hosts of the worlds that are crawled")
	f.Float64Var(&o.cfg.Spam, "spam", 0.4, "share of spam hosts")
	f.Float64Var(&o.cfg.Scale, "scale", 0.5, "factor on the number of pages")
	f.IntVar(&o.cfg.Sample, "sample", 10, "text pages of a host in doubt before it is judged")
	f.Float64Var(&o.cfg.Threshold, "threshold", 0, "spamicity from which hosts are rejected; 0: that of each model")
	f.Float64Var(&o.cfg.MaxLoss, "max-loss", 0.005, "share of normal documents that the threshold of a model may lose, by kinds held out in training")
	f.IntVar(&o.cfg.Splits, "splits", 4, "how often the generators are parted, for crawls; each gives three trials")
	f.IntSliceVar(&o.cfg.Trials, "trials", nil, "numbers of the crawls to make, from 1 (default all)")
	f.Uint64Var(&o.cfg.Seed, "seed", 1, "the same seed gives the same figures")
	f.BoolVar(&o.json, "json", false, "print one JSON object")
	return c
}

func runExperimentSpam(c *cobra.Command, o *experimentSpamOptions) error {
	if !slices.Contains([]string{"all", "generators", "crawls", "calibration", "shares"}, o.part) {
		return cli.UsageError(c, fmt.Sprintf("--part %q: generators, crawls, calibration, shares or all", o.part))
	}
	if cli.IsTerminal(c.ErrOrStderr()) {
		o.cfg.Tell = func(step string) { fmt.Fprintf(c.ErrOrStderr(), "\r\x1b[K%s", step) }
	}
	dir, err := os.MkdirTemp("", "varve-experiment")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	r := &spamfilter.Result{Seed: o.cfg.Seed, Hosts: o.cfg.Hosts, Sample: o.cfg.Sample, Threshold: o.cfg.Threshold}
	usage, err := cpu.Measure(func() (err error) {
		if o.part == "all" || o.part == "generators" {
			if r.Generators, err = spamfilter.Generators(c.Context(), o.cfg); err != nil {
				return err
			}
		}
		if o.part == "all" || o.part == "crawls" {
			if r.Crawls, err = spamfilter.Crawls(c.Context(), o.cfg, dir); err != nil {
				return err
			}
		}
		if o.part == "all" || o.part == "calibration" {
			if r.Calibration, err = spamfilter.Calibrations(c.Context(), o.cfg); err != nil {
				return err
			}
		}
		if o.part == "all" || o.part == "shares" {
			var seeds []uint64
			for _, s := range o.seeds {
				seeds = append(seeds, uint64(s))
			}
			r.Shares, err = spamfilter.Shares(c.Context(), o.cfg, o.shares, seeds, dir)
		}
		return err
	})
	r.CPU, r.Wall = usage.CPU.Seconds(), usage.Wall.Seconds()
	if o.cfg.Tell != nil {
		o.cfg.Tell("")
	}
	if err != nil && c.Context().Err() == nil {
		return &varve.Error{Kind: varve.Invalid, Op: c.CommandPath(), Err: err, Hint: "--hosts from about 100 on, so that every generator has some"}
	}
	if o.json {
		return errors.Join(cli.PrintJSON(c.OutOrStdout(), r), err)
	}
	return errors.Join(r.Print(c.OutOrStdout()), err)
}
