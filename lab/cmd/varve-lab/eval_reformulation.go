package main

import (
	"context"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"varve/lab/eval"
	"varve/lab/eval/reformulation"
)

func newEvalReformulationCommand() *cobra.Command {
	o := reformulation.Default()
	return evaluation{
		use:   "reformulation --data DIR",
		short: "How well queries are said in the words of another time",
		long: `Reads the speeches in DIR (JSON lines with state, year and text; .gz too; also in its folder ungdc) and asks, for pairs of old and new names, what the new one was called before
the change. The pairs were written down before the method; a rule that looks at frequencies alone chooses those that count (lab/eval/reformulation/pairs.tsv), and the first twenty in the order of a
digest are the evaluation; the others and those of more.tsv are to choose settings by. Printed is at which place the old name is, beside the formula of the paper alone; in the summary accuracy is the share in the first three.
The speeches are tagged first, two seconds of CPU a megabyte; --keep a folder to do that once.`,
		example: `  varve-lab eval reformulation --data ../shared/data/evolution
  varve-lab eval reformulation --data ../shared/data/evolution --keep /tmp/phrases --json`,
		data: "a folder with speeches, *.jsonl.gz",
		flags: func(f *pflag.FlagSet) {
			f.StringVar(&o.Keep, "keep", "", "keep the phrases of the speeches in this folder, and use those that are there")
			f.IntVar(&o.Years, "years", o.Years, "of an era")
			f.IntVar(&o.Gap, "gap", o.Gap, "years on each side of a change that are in neither era")
			f.BoolVar(&o.Choosing, "choosing", false, "ask only for the pairs to choose settings by, so that those of the evaluation stay unseen")
			f.IntVar(&o.Company, "company", o.Company, "companions of a term that are compared")
		},
		measure: func(ctx context.Context, data string) (eval.Report, error) {
			return reformulation.Measure(ctx, data, o)
		},
	}.command()
}
