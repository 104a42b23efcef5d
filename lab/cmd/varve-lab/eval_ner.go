package main

import (
	"context"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"varve/lab/eval"
	"varve/lab/eval/ner"
	"varve/lab/models"
	"varve/language/lexicon"
	"varve/language/mention"
	"varve/language/tag"
)

func newEvalNerCommand() *cobra.Command {
	var train, lang string
	var folds int
	return evaluation{
		use:   "ner --data FILE",
		short: "How well names are found",
		long: `Finds the names in English text and compares them with what people marked. FILE has a token and a BIO label on each line, a tab between
them, and a blank line after each sentence; comments '# newdoc id = ' begin documents. Types are compared by what they mean: the ORG of
UNER is our ORG or GROUP, the corporation of WNUT our ORG; types that FILE does not mark are left out.

The model that comes with the program has learned from uner-ewt-dev and wnut17-*; on these its figures say nothing. With --train DIR
a model is trained first on the sets of DIR without FILE, and with --folds N also, for each fold, on the others of FILE.
docs/models/mentions.md discusses the figures.

With --language de, es or fr the names of these languages are found, which is done by lists: no set at hand may feed a model of them.`,
		example: `  varve-lab eval ner --data ner/uner-ewt-test.tsv.gz
  varve-lab eval ner --data ../shared/data/ner/uner-ewt-dev.tsv.gz --train ../shared/data --folds 5
  varve-lab eval ner --data ../shared/data/ner/wnut17-dev.tsv.gz --train ../shared/data --json
  varve-lab eval ner --data ../shared/data/ner/NC/wikineural-val-de.tsv.gz --language de`,
		data: "a file of tokens and BIO labels (.tsv or .tsv.gz)",
		flags: func(f *pflag.FlagSet) {
			f.StringVar(&train, "train", "", "folder of data: train on it, without FILE, before measuring")
			f.StringVar(&lang, "language", "en", "of the text: en, or a language whose names are found by lists")
			f.IntVar(&folds, "folds", 0, "with --train: cross-validate with so many parts of FILE")
		},
		measure: func(ctx context.Context, data string) (eval.Report, error) {
			if lang != "en" {
				return ner.MeasureListed(ctx, data, lang)
			}
			if train == "" {
				return ner.Measure(data, mention.Default(), tag.Default())
			}
			return models.Validate(train, data, folds, lexicon.Default(), tag.Default(), mention.DefaultOptions())
		},
	}.command()
}
