package main

import (
	"github.com/spf13/cobra"

	"varve"
	"varve/lab/models"
	"varve/language/tag"
)

func newTrainCommand() *cobra.Command {
	var data, out, wordfreq string
	c := &cobra.Command{
		Use:   "train --data DIR",
		Short: "Make the models of language/ and entity/kind anew",
		Long: `Makes the files that the product embeds to understand English text: lexicon, word classes, names, tags, mentions, frequencies of
words, opinions, and kinds of names. DIR has the folders pos, ner, linking, kb, typing, facts, evolution and sentiment; what is marked NC in them is not read. The same data gives the same bytes. It takes about eight
minutes of one processor. The product never needs it; 'make models' calls it.

How frequent words are in German, Spanish, French, Italian, Dutch and Portuguese (for terms) is not in DIR but in the package wordfreq of
PyPI, version 3.1.1: with --wordfreq those files are made anew, too; without it they stay as they are.

  varve-lab train --data ../shared/data --out .
  pip download wordfreq==3.1.1 --no-deps && varve-lab train --data ../shared/data --wordfreq wordfreq-3.1.1-py3-none-any.whl

Exit codes: 0 made, 2 could not.`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			made, err := models.Make(data, c.ErrOrStderr())
			if err == nil && wordfreq != "" {
				err = made.Wordfreq(wordfreq)
			}
			if err == nil {
				err = made.Write(out)
			}
			if err != nil {
				return &varve.Error{Kind: varve.Invalid, Op: c.CommandPath(), Msg: err.Error(), Hint: "--data must name a folder with pos, ner, linking, kb, evolution and sentiment, --out the root of the repository"}
			}
			return nil
		},
	}
	c.Flags().StringVar(&data, "data", "", "folder of data (required)")
	c.Flags().StringVar(&out, "out", ".", "root of the repository that the files are written below")
	c.Flags().StringVar(&wordfreq, "wordfreq", "", "wheel of wordfreq 3.1.1: the frequencies of words of other languages, too")
	_ = c.MarkFlagRequired("data")
	c.AddCommand(newTrainRoundsCommand())
	return c
}

func newTrainRoundsCommand() *cobra.Command {
	var data, set, out string
	var folds int
	c := &cobra.Command{
		Use:   "rounds --data DIR --set FILE --out OUT",
		Short: "Write what names are learned from and measured on, for other programs",
		Long: `Writes what 'eval ner --data FILE --train DIR --folds N' learns from and measures, so that another learner can be measured in the same way: for each fold
learned-0.tsv and measured-0.tsv with a token, its Penn tag as we find it and its label on each line. Where a set leaves open whether a name is
a company or a group, the label is ORG. lab/eval/ner/crfsuite.py trains CRFsuite on them.

  varve-lab train rounds --data ../shared/data --set ../shared/data/ner/uner-ewt-dev.tsv.gz --folds 3 --out /tmp/rounds
  python3 lab/eval/ner/crfsuite.py /tmp/rounds

Exit codes: 0 written, 2 could not.`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			t := tag.Default().NewTagger()
			rounds, err := models.Rounds(data, set, folds, t)
			if err == nil {
				err = models.ExportRounds(rounds, t, out)
			}
			if err != nil {
				return &varve.Error{Kind: varve.Invalid, Op: c.CommandPath(), Msg: err.Error(), Hint: "--data must name a folder with ner and linking, --set a file of tokens and BIO labels"}
			}
			return nil
		},
	}
	c.Flags().StringVar(&data, "data", "", "folder of data (required)")
	c.Flags().StringVar(&set, "set", "", "file that is measured (required)")
	c.Flags().StringVar(&out, "out", "", "folder that is written to (required)")
	c.Flags().IntVar(&folds, "folds", 0, "parts of the file for cross-validation; 0: nothing is learned from it")
	for _, name := range []string{"data", "set", "out"} {
		_ = c.MarkFlagRequired(name)
	}
	return c
}
