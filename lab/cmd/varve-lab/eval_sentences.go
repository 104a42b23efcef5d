package main

import (
	"context"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"varve/lab/eval"
	"varve/lab/eval/sentences"
)

func newEvalSentencesCommand() *cobra.Command {
	var lang string
	return evaluation{
		use:   "sentences --data PATH",
		short: "How well text is cut into sentences",
		long: `Cuts text into sentences, with our rules and with those of Unicode alone. PATH is a treebank in CoNLL-U, whose documents are put
together again as they were written, or that of 'eval lid', of which the sentences of each language are joined with blanks; these were
cut by a program that ends some of them after "Mr." and "Prof.", so small differences say little there. A sentence is found when
both its ends are.`,
		example: `  varve-lab eval sentences --data pos/gum-dev.conllu.gz
  varve-lab eval sentences --data lid --json`,
		data:  "a file of CoNLL-U (.conllu or .conllu.gz), or " + labelledLines,
		flags: func(f *pflag.FlagSet) { f.StringVar(&lang, "lang", "en", "language of a treebank") },
		measure: func(_ context.Context, data string) (eval.Report, error) {
			texts, err := sentences.Load(data, lang)
			if err != nil {
				return nil, err
			}
			return sentences.Measure(texts), nil
		},
	}.command()
}
