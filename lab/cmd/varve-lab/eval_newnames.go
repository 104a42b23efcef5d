package main

import (
	"context"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"varve/lab/eval"
	"varve/lab/eval/newnames"
)

func newEvalNewnamesCommand() *cobra.Command {
	var o newnames.Options
	return evaluation{
		use:   "newnames --data FILE",
		short: "How well names that no base knows are put together",
		long: `Holds actors out of the base and finds them again as one cluster each, in the extracts of films: in half of them by the last name alone, which others share. B-cubed against the casts, beside names as they are
written and each occurrence by itself. FILE has a film on each line: title, year, cast, extract. The settings were chosen on films of odd number; --even measures the others.`,
		example: `  varve-lab eval newnames --data ../shared/data/kb/movies.jsonl.gz --even`,
		data:    "a file of films (movies.jsonl.gz)",
		flags: func(f *pflag.FlagSet) {
			f.IntVar(&o.Films, "films", 4000, "films to read")
			f.IntVar(&o.Least, "least", 3, "films that must name an actor")
			f.BoolVar(&o.Even, "even", false, "films of even number")
		},
		measure: func(ctx context.Context, data string) (eval.Report, error) { return newnames.Measure(ctx, data, o) },
	}.command()
}
