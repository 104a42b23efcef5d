package main

import (
	"context"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"varve/lab/eval"
	"varve/lab/eval/opinions"
	"varve/lab/models"
	"varve/language/opinion"
)

func newEvalOpinionsCommand() *cobra.Command {
	var train string
	return evaluation{
		use:   "opinions --data FILE",
		short: "How well scores of opinions agree with people",
		long: `Scores texts and prints the correlation (Pearson's r) with the mean ratings that people gave. FILE has an id, a rating from -4 to 4 and a text on each
line, tabs between them, and a header. Beside the model stand what VADER's lexicon and rule say, and the mean valence of words.

The model that comes with the program has learned from vader-amazon, vader-movies and vader-tweets; on these its figures say nothing. With
--train DIR a model is trained first on the sets of DIR without FILE, and one by words alone. docs/models/opinions.md discusses the figures.`,
		example: `  varve-lab eval opinions --data sentiment/vader-nyt.tsv.gz
  varve-lab eval opinions --data ../shared/data/sentiment/vader-amazon.tsv.gz --train ../shared/data --json`,
		data: "a file of ids, ratings and texts (.tsv or .tsv.gz)",
		flags: func(f *pflag.FlagSet) {
			f.StringVar(&train, "train", "", "folder of data: train on it, without FILE, before measuring")
		},
		measure: func(_ context.Context, data string) (eval.Report, error) {
			if train == "" {
				return opinions.Measure(data, opinion.Default(), nil)
			}
			return models.ValidateOpinions(train, data, opinion.Default().Lexicon())
		},
	}.command()
}
