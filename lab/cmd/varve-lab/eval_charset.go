package main

import (
	"context"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"varve/lab/eval"
	"varve/lab/eval/charset"
	"varve/lab/eval/lid"
)

func newEvalCharsetCommand() *cobra.Command {
	var sentences int
	var all bool
	return evaluation{
		use:   "charset --data PATH",
		short: "How often the encoding of an undeclared page is found",
		long: `Puts sentences of known languages into small pages, encodes them in the encodings that their languages were written in before
UTF-8, and detects these from the bytes alone. PATH is that of 'eval lid'; its held-out fifth is taken.`,
		example: `  varve-lab eval charset --data lid
  varve-lab eval charset --data lid --sentences 5 --json`,
		data: labelledLines,
		flags: func(f *pflag.FlagSet) {
			f.IntVar(&sentences, "sentences", 1, "sentences on a page")
			f.BoolVar(&all, "all", false, "take all lines, not only the held-out fifth")
		},
		measure: func(_ context.Context, data string) (eval.Report, error) {
			lines, err := labelled(data, all)
			if err != nil {
				return nil, err
			}
			return charset.Measure(lines, max(1, sentences)), nil
		},
	}.command()
}

// labelledLines says what --data names where lines of known languages are read.
const labelledLines = "a file of labelled lines (.tsv or .tsv.gz: language, kind, text), or a folder with sentences-words.tsv.gz"

// labelled reads lines of known languages, all or those that the model was not trained on.
func labelled(path string, all bool) ([]lid.Line, error) {
	lines, err := lid.Load(path)
	if err == nil && !all {
		lines = lid.HeldOut(lines)
	}
	return lines, err
}
