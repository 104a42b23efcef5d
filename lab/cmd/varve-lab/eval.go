package main

import (
	"context"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"varve"
	"varve/lab/eval"
)

func newEvalCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "eval",
		Short: "Measure quality on data",
		Long: `Each evaluation reads a set of data (--data), which any other set of the same format can replace, and prints tables. With --json
it prints the same as one JSON object, and last a line of fixed form without blanks that a program can read:

  {"set":"ewt-dev","n":2001,"f1":0.71,"precision":0.7,"recall":0.72}

set is the name of the file or folder, n counts what was judged; tasks that answer questions have accuracy instead, those that
put numbers to things pearson.`,
	}
	c.AddCommand(newEvalLidCommand(), newEvalCharsetCommand(), newEvalSentencesCommand(), newEvalPosCommand(), newEvalNerCommand(), newEvalTimesCommand(), newEvalOCRCommand(), newEvalTermsCommand(), newEvalOpinionsCommand(), newEvalEventsCommand(), newEvalLinkingCommand(), newEvalLinkdatesCommand(), newEvalTypingCommand(), newEvalNewnamesCommand(), newEvalPicturesCommand(), newEvalMaintextCommand(), newEvalDatesCommand(), newEvalEvolutionCommand(), newEvalRenamesCommand(), newEvalReformulationCommand(), newEvalAcrossCommand(), newEvalEmergingCommand(), newEvalFactsCommand(), newEvalObjectsCommand(), newEvalNationCommand(), newEvalLanguageCommand())
	return c
}

// evaluation is one command below eval: what is its own. The frame adds --data, --json, errors and the line at the end.
type evaluation struct {
	use, short, long, example string
	data                      string                   // what --data names, for help and for errors
	name                      func(data string) string // of the set in the summary; nil: that of the file or folder
	required                  []string                 // flags that must be given beside --data
	flags                     func(*pflag.FlagSet)
	measure                   func(ctx context.Context, data string) (eval.Report, error)
}

func (e evaluation) command() *cobra.Command {
	var data string
	var asJSON bool
	c := &cobra.Command{
		Use: e.use, Short: e.short, Example: e.example, Args: cobra.NoArgs,
		Long: e.long + "\n\nExit codes: 0 measured, 2 could not.",
		RunE: func(c *cobra.Command, _ []string) error {
			r, err := e.measure(c.Context(), data)
			if err != nil {
				return &varve.Error{Kind: varve.Invalid, Op: c.CommandPath(), Msg: err.Error(), Hint: "--data must name " + e.data}
			}
			name := eval.SetName
			if e.name != nil {
				name = e.name
			}
			return eval.Write(c.OutOrStdout(), name(data), r, asJSON)
		},
	}
	f := c.Flags()
	f.StringVar(&data, "data", "", e.data+" (required)")
	f.BoolVar(&asJSON, "json", false, "print JSON; the last line is the summary")
	if e.flags != nil {
		e.flags(f)
	}
	for _, name := range append([]string{"data"}, e.required...) {
		_ = c.MarkFlagRequired(name)
	}
	return c
}
