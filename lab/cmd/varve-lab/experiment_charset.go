package main

import (
	"encoding/json"

	"github.com/spf13/cobra"

	"varve"
	"varve/lab/eval/charset"
	"varve/lab/eval/language"
)

func newExperimentCharsetCommand() *cobra.Command {
	var data string
	var sentences int
	var asJSON bool
	c := &cobra.Command{
		Use:   "charset --data DIR",
		Short: "How often the encoding of an undeclared page is found",
		Long: `Puts held-out sentences of known languages into small pages, encodes them in the encodings that their languages were
written in before UTF-8, and detects these from the bytes alone. DIR is that of 'experiment language'.

  varve-lab experiment charset --data lid
  varve-lab experiment charset --data lid --sentences 5 --json

Exit codes: 0 run, 2 could not.`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			lines, err := language.Load(data)
			if err != nil {
				return &varve.Error{Kind: varve.Invalid, Op: c.CommandPath(), Msg: err.Error(), Hint: "--data must name a folder with sentences-words.tsv.gz"}
			}
			scores := charset.Measure(lines, max(1, sentences))
			if asJSON {
				return json.NewEncoder(c.OutOrStdout()).Encode(scores)
			}
			return charset.Print(c.OutOrStdout(), scores)
		},
	}
	f := c.Flags()
	f.StringVar(&data, "data", "", "folder with sentences-words.tsv.gz (required)")
	f.IntVar(&sentences, "sentences", 1, "sentences on a page")
	f.BoolVar(&asJSON, "json", false, "print JSON")
	_ = c.MarkFlagRequired("data")
	return c
}
