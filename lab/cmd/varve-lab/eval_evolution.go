package main

import (
	"cmp"
	"context"
	"path/filepath"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"varve/evolution/term"
	"varve/lab/eval"
	"varve/lab/eval/evolution"
)

func newEvalEvolutionCommand() *cobra.Command {
	o := evolution.Options{Planted: 30, Terms: term.Default()}
	return evaluation{
		use:   "evolution --data DIR",
		short: "How well the senses of words are followed through time",
		long: `Reads the speeches in DIR (JSON lines with state, year and text; .gz too; also in its folder ungdc), finds the senses of words of each year and how they go on,
and prints how many of the senses WordNet has, too, how many of 30 pseudo-words (two words that become one in a year drawn by lot) are found within two years, and for how
many words that nothing was done to a change is told. docs/algorithms/evolution.md discusses the figures.
The speeches are tagged first, two seconds of CPU a megabyte; --keep a folder to do that once. The summary has of the pseudo-words n, precision, recall and f1, of the senses
cluster_precision, of the words that did not change alarms.`,
		example: `  varve-lab eval evolution --data ../shared/data/evolution
  varve-lab eval evolution --data ../shared/data/evolution --keep /tmp/phrases --seed 7 --json`,
		data: "a folder with speeches, *.jsonl.gz",
		flags: func(f *pflag.FlagSet) {
			f.StringVar(&o.WordNet, "wordnet", "", "WordNet (default: DIR/../kb/wordnet-3.0.tar.gz)")
			f.StringVar(&o.Keep, "keep", "", "keep the phrases of the speeches in this folder, and use those that are there")
			f.Uint64Var(&o.Seed, "seed", 1, "of what is drawn by lot")
			f.IntVar(&o.Planted, "planted", o.Planted, "pseudo-words")
			f.IntVar(&o.Terms.MinPair, "min-pair", o.Terms.MinPair, "speeches of a year that make two terms of one list neighbours")
			f.Float64Var(&o.Terms.MinCurvature, "min-curvature", o.Terms.MinCurvature, "curvature of the core of a sense")
			f.IntVar(&o.Terms.Window, "window", o.Terms.Window, "years before and from a change that are compared")
			f.Float64Var(&o.Terms.MinChange, "min-change", o.Terms.MinChange, "effect of a change: how much its company must change, 0 to 1, times the logarithm of how much more it is said")
		},
		measure: func(ctx context.Context, data string) (eval.Report, error) {
			o.WordNet = cmp.Or(o.WordNet, filepath.Join(data, "../kb/wordnet-3.0.tar.gz"))
			return evolution.Measure(ctx, data, o)
		},
	}.command()
}
