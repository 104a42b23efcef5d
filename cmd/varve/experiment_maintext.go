package main

import (
	"encoding/json"

	"github.com/spf13/cobra"

	"varve"
	"varve/eval/maintext"
)

func newExperimentMaintextCommand() *cobra.Command {
	var data string
	var asJSON bool
	c := &cobra.Command{
		Use:   "maintext --data DIR",
		Short: "How well and how fast the main text of pages is found",
		Long: `Runs the ways of finding a main text over the public benchmark that comes with the source of go-trafilatura: about
980 real pages, each with pieces of text that must and must not be found. Printed are precision, recall, F1 and pages
per second of processor time: for the whole visible text, for our extractor, for the library alone, and for both on
the pages that the fast path answers for.
DIR is the source of the library: the output of  go list -m -f '{{.Dir}}' github.com/markusmobius/go-trafilatura

  varve experiment maintext --data go-trafilatura
  varve experiment maintext --data go-trafilatura --json

Exit codes: 0 run, 2 could not.`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			pages, err := maintext.Load(data)
			if err != nil {
				return &varve.Error{Kind: varve.Invalid, Op: c.CommandPath(), Msg: err.Error(), Hint: "--data must name the source folder of go-trafilatura"}
			}
			scores := maintext.Run(pages)
			if asJSON {
				return json.NewEncoder(c.OutOrStdout()).Encode(scores)
			}
			return maintext.Print(c.OutOrStdout(), scores)
		},
	}
	f := c.Flags()
	f.StringVar(&data, "data", "", "source folder of go-trafilatura (required)")
	f.BoolVar(&asJSON, "json", false, "print JSON")
	_ = c.MarkFlagRequired("data")
	return c
}
