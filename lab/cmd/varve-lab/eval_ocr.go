package main

import (
	"context"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"varve/lab/eval"
	"varve/lab/eval/ocr"
)

func newEvalOCRCommand() *cobra.Command {
	var wrong bool
	return evaluation{
		use:   "ocr --data DIR",
		short: "How well badly scanned words are repaired",
		long: `Counts the words of the UN speeches (evolution/ungdc) and of English newspapers (ner/NC/hipe) below DIR, learns from them what the scanner does, and repairs
words that were judged by hand: how many errors become what was printed, and how many right words are broken. docs/algorithms/quality.md discusses the figures.`,
		example: `  varve-lab eval ocr --data ../shared/data
  varve-lab eval ocr --data ../shared/data --wrong
  varve-lab eval ocr --data ../shared/data --json`,
		data: "the folder that has evolution and ner",
		flags: func(f *pflag.FlagSet) {
			f.BoolVar(&wrong, "wrong", false, "list the words that did not come out right")
		},
		measure: func(_ context.Context, data string) (eval.Report, error) {
			documents, err := ocr.Load(data)
			if err != nil {
				return nil, err
			}
			return ocr.Measure(documents, ocr.Judged(), wrong)
		},
	}.command()
}
