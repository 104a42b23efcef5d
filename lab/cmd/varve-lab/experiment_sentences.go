package main

import (
	"encoding/json"

	"github.com/spf13/cobra"

	"varve"
	"varve/lab/eval/language"
	"varve/lab/eval/sentences"
)

func newExperimentSentencesCommand() *cobra.Command {
	var data string
	var asJSON bool
	c := &cobra.Command{
		Use:   "sentences --data DIR",
		Short: "How well text is cut into sentences",
		Long: `Joins sentences of known languages and finds their boundaries again, with our rules and with those of Unicode alone.
DIR is that of 'experiment language'. Its sentences were cut by a program that ends some of them after "Mr." and
"Prof.", so small differences say little.

  varve-lab experiment sentences --data lid
  varve-lab experiment sentences --data lid --json

Exit codes: 0 run, 2 could not.`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			lines, err := language.Load(data)
			if err != nil {
				return &varve.Error{Kind: varve.Invalid, Op: c.CommandPath(), Msg: err.Error(), Hint: "--data must name a folder with sentences-words.tsv.gz"}
			}
			scores := sentences.Measure(lines)
			if asJSON {
				return json.NewEncoder(c.OutOrStdout()).Encode(scores)
			}
			return sentences.Print(c.OutOrStdout(), scores)
		},
	}
	f := c.Flags()
	f.StringVar(&data, "data", "", "folder with sentences-words.tsv.gz (required)")
	f.BoolVar(&asJSON, "json", false, "print JSON")
	_ = c.MarkFlagRequired("data")
	return c
}
