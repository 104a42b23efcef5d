package main

import (
	"context"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"varve/lab/eval"
	"varve/lab/eval/across"
)

func newEvalAcrossCommand() *cobra.Command {
	o := across.Default()
	return evaluation{
		use:   "across --data DIR",
		short: "Whether two collections are told to differ where they do, and only there",
		long: `Reads the speeches in DIR (JSON lines with state, year and text; .gz too; also in its folder ungdc) and makes two collections of them: speeches of states of the Group of 77, and of
all others. For the terms that about half of the speeches have, the twenty commonest companions of both are compared, with intervals that hold together. As control the states of the Group of 77 are
parted by lot into halves, which must not differ: in the summary alarms is the share of these comparisons in which some companion is told to.
The speeches are tagged first, two seconds of CPU a megabyte; --keep a folder to do that once.`,
		example: `  varve-lab eval across --data ../shared/data/evolution --keep /tmp/phrases`,
		data:    "a folder with speeches, *.jsonl.gz",
		flags: func(f *pflag.FlagSet) {
			f.StringVar(&o.Keep, "keep", "", "keep the phrases of the speeches in this folder, and use those that are there")
			f.IntVar(&o.From, "from", o.From, "the first year")
			f.IntVar(&o.To, "to", o.To, "the last year")
			f.Uint64Var(&o.Seed, "seed", o.Seed, "of what is drawn by lot")
		},
		measure: func(ctx context.Context, data string) (eval.Report, error) { return across.Measure(ctx, data, o) },
	}.command()
}
