package main

import (
	"context"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"varve/lab/eval"
	"varve/lab/eval/times"
)

func newEvalTimesCommand() *cobra.Command {
	var wrong bool
	return evaluation{
		use:   "times --data FILE",
		short: "How well expressions of time are found and understood",
		long: `Finds expressions of time in the cases of Recognizers-Text (one JSON object a line) and compares places, types and values. A case is
right if all are equal and nothing else was found. Cases that are not judged are counted by reason. docs/algorithms/timex.md discusses the figures.`,
		example: `  varve-lab eval times --data timex/recognizers-en-D.jsonl.gz
  varve-lab eval times --data timex/recognizers-en-D.jsonl.gz --wrong
  varve-lab eval times --data timex/recognizers-en-D.jsonl.gz --json`,
		data:  "a file of cases, one JSON object a line (.jsonl or .jsonl.gz)",
		flags: func(f *pflag.FlagSet) { f.BoolVar(&wrong, "wrong", false, "list the cases that are not right") },
		measure: func(_ context.Context, data string) (eval.Report, error) {
			cases, err := times.Load(data)
			if err != nil {
				return nil, err
			}
			return times.Measure(cases, wrong)
		},
	}.command()
}
