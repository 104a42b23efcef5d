package main

import (
	"context"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"varve/lab/eval"
	"varve/lab/eval/dates"
)

func newEvalDatesCommand() *cobra.Command {
	o := dates.Options{Now: time.Now()}
	return evaluation{
		use:   "dates --data DIR",
		short: "How often the day of publication of pages is right",
		long: `Reads pages whose day of publication is known, and counts the right days, by the source that they were taken from. The half of the pages on which no rule was made
is measured apart. If Python has htmldate, it is asked about the same pages.

DIR is a folder with pages and a file pages.tsv: on each line the address, the file in the folder and the day (2006-01-02), with tabs between. Or it is the source of
go-htmldate, which comes with 1,000 pages (go mod download -json github.com/markusmobius/go-htmldate@latest prints where). docs/algorithms/text.md discusses the figures.`,
		example: `  varve-lab eval dates --data go-htmldate --python venv/bin/python
  varve-lab eval dates --data pages --wrong
  varve-lab eval dates --data pages --json`,
		data: "a folder with pages and pages.tsv (address, file, day), or the source of go-htmldate",
		flags: func(f *pflag.FlagSet) {
			f.StringVar(&o.Python, "python", "python3", "the Python that may have htmldate; empty to leave it out")
			f.BoolVar(&o.Wrong, "wrong", false, "list the pages that are not right, of the half that rules are made on")
		},
		measure: func(ctx context.Context, data string) (eval.Report, error) {
			pages, err := dates.Load(data)
			if err != nil {
				return nil, err
			}
			return dates.Measure(ctx, pages, o)
		},
	}.command()
}
