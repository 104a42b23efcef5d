package main

import (
	"github.com/spf13/cobra"

	"varve"
	"varve/evolution/name"
	"varve/lab/eval"
	"varve/lab/eval/renames"
)

func newEvalRenamesCommand() *cobra.Command {
	var corpus []string
	var truth, keep string
	var asJSON bool
	c := &cobra.Command{
		Use:   "renames --corpus FILE... --truth FILE",
		Short: "How well former names are found",
		Long: `Reads speeches (JSON lines with state, year and text; .gz too) and a list of renamings (old, new, year, separated by tabs, below a line of titles), asks for the
former names of each new name, and prints at which place the old one is, and the year. Then everything that the filters let through, with what a person judged of it. No list of countries is used.
The speeches are tagged first, two seconds of CPU a megabyte; --keep a folder to do that once. In the summary n counts the renamings of the list, recall is the share of them in the first three
at a year within two, precision that of the judged pairs.

Exit codes: 0 measured, 2 could not.`,
		Example: `  varve-lab eval renames --corpus ../shared/data/evolution/ungdc/*.jsonl.gz --truth ../shared/data/evolution/renames-5.tsv`,
		RunE: func(c *cobra.Command, args []string) error {
			r, err := renames.Measure(c.Context(), append(corpus, args...), truth, keep, name.Default())
			if err != nil {
				return &varve.Error{Kind: varve.Invalid, Op: c.CommandPath(), Msg: err.Error(), Hint: "--corpus must name files of speeches, --truth a list of renamings"}
			}
			return eval.Write(c.OutOrStdout(), eval.SetName(truth), r, asJSON)
		},
	}
	f := c.Flags()
	f.StringArrayVar(&corpus, "corpus", nil, "files of speeches; those behind it count too (required)")
	f.StringVar(&truth, "truth", "", "list of renamings (required)")
	f.StringVar(&keep, "keep", "", "keep the phrases of the speeches in this folder, and use those that are there")
	f.BoolVar(&asJSON, "json", false, "print JSON; the last line is the summary")
	_ = c.MarkFlagRequired("corpus") // both are there
	_ = c.MarkFlagRequired("truth")
	return c
}
