package main

import (
	"context"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	phrases "varve/evolution/emerging"
	"varve/lab/eval"
	"varve/lab/eval/emerging"
)

func newEvalEmergingCommand() *cobra.Command {
	o := emerging.Options{Phrases: phrases.Default()}
	return evaluation{
		use:   "emerging --data FILE",
		short: "How well it is told what begins to be used and goes on",
		long: `Reads titles of many years (id, year, venue, title, separated by tabs, below a line of names; .gz too) and tells, year by year and from the titles up to it, which noun phrases emerge. The truth
is a rule: the share of titles with a phrase in y..y+2 is at least ten times that of all years before y, at least 1 in 1,000, and in each later year above half of that. Printed are how many of those are flagged in y or y+1, how
many flags are of phrases for which the rule never holds, and the same for a plain threshold of frequency; then how many concepts that were planted in a stream of weeks are found, and which topics of WordNet's tree of
sciences are told to get a subtopic. docs/algorithms/evolution.md discusses the figures. In the summary n counts the phrases that emerge, precision is the share of flags that are not false.`,
		example: `  varve-lab eval emerging --data ../shared/data/evolution/acl-titles-2010.tsv.gz
  varve-lab eval emerging --data ../shared/data/evolution/acl-titles-2010.tsv.gz --seed 7 --json`,
		data: "a file of titles: id, year, venue and title, separated by tabs",
		flags: func(f *pflag.FlagSet) {
			f.StringVar(&o.WordNet, "wordnet", "", "WordNet (default: ../kb/wordnet-3.0.tar.gz beside the folder of FILE; without it the tree of sciences is left out)")
			f.Uint64Var(&o.Seed, "seed", 21, "of the stream, and of what is taken from the tree")
			f.Float64Var(&o.Phrases.MinProbability, "min-probability", o.Phrases.MinProbability, "from which on a phrase is flagged, 0 to 1")
		},
		measure: func(ctx context.Context, data string) (eval.Report, error) {
			if o.WordNet == "" {
				file := filepath.Join(filepath.Dir(data), "../kb/wordnet-3.0.tar.gz")
				if _, err := os.Stat(file); err == nil {
					o.WordNet = file
				}
			}
			return emerging.Measure(ctx, data, o)
		},
	}.command()
}
