package main

import (
	"context"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"varve/lab/eval"
	"varve/lab/eval/objects"
)

func newEvalObjectsCommand() *cobra.Command {
	var cfg objects.Config
	return evaluation{
		use:   "objects --data DIR",
		short: "How well posts and comments are cut out of pages",
		long: `Recognises the pages of a folder (index.tsv: FILE, a tab, ADDRESS) and compares the web objects on them with those of truth.jsonl, which
the database of the software tells. With --before, a folder of the same site in another template, what is read there is taken
as known, expressions are learned anew on every second page, and measured on the others. With --unseen nothing is known of where objects stand. docs/algorithms/webapp.md discusses the figures.`,
		example: `  varve-lab eval objects --data wordpress
  varve-lab eval objects --data wordpress-2022 --before wordpress --json`,
		data: "a folder with index.tsv, truth.jsonl and the pages",
		flags: func(f *pflag.FlagSet) {
			f.StringVar(&cfg.Before, "before", "", "a folder of the same site in another template")
			f.BoolVar(&cfg.Unseen, "unseen", false, "take away what is known of where objects stand, and read by what is discovered on the pages")
			f.BoolVar(&cfg.Wrong, "wrong", false, "list what is not right")
		},
		measure: func(_ context.Context, data string) (eval.Report, error) { return objects.Measure(data, cfg) },
	}.command()
}
