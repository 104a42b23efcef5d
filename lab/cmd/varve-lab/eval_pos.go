package main

import (
	"context"

	"github.com/spf13/cobra"

	"varve/lab/eval"
	"varve/lab/eval/pos"
	"varve/language/tag"
)

func newEvalPosCommand() *cobra.Command {
	return evaluation{
		use:   "pos --data FILE",
		short: "How well words get their tags and lemmas",
		long: `Tags the words of an English treebank in CoNLL-U and compares tags of the Penn Treebank (column 5), universal tags (column 4) and lemmas
(column 3) with what people gave; the summary has the Penn tags. Words are those of the treebank; how well its text is cut into them
is measured beside it. docs/models/tags.md discusses the figures.`,
		example: `  varve-lab eval pos --data pos/ewt-dev.conllu.gz
  varve-lab eval pos --data pos/gum-dev.conllu.gz --json`,
		data:    "a file of CoNLL-U (.conllu or .conllu.gz)",
		measure: func(_ context.Context, data string) (eval.Report, error) { return pos.Measure(data, tag.Default()) },
	}.command()
}
