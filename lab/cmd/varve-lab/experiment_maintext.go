package main

import (
	"encoding/json"

	"github.com/spf13/cobra"

	"varve"
	"varve/lab/eval/maintext"
)

func newExperimentMaintextCommand() *cobra.Command {
	var data, folders string
	var asJSON bool
	c := &cobra.Command{
		Use:   "maintext (--data DIR | --benchmark DIR)",
		Short: "How well and how fast the main text of pages is found",
		Long: `Runs the ways of finding a main text over the public benchmark that comes with the source of go-trafilatura: about
980 real pages, each with pieces of text that must and must not be found. Printed are precision, recall, F1 and pages
per second of processor time: for the whole visible text, for our extractor, for the library alone and with its
fallbacks, for go-readability, and for ours and the library on the pages that the fast path answers for.
DIR is the source of the library: the output of  go list -m -f '{{.Dir}}' github.com/markusmobius/go-trafilatura

With --benchmark, DIR has folders with a page (source.html) and the main text that a person made of it (expected.html
or expected.txt). Precision and recall are then of words, as often as they stand there, and the mean over pages.

  varve-lab experiment maintext --data go-trafilatura
  varve-lab experiment maintext --benchmark test-pages
  varve-lab experiment maintext --data go-trafilatura --json

Exit codes: 0 run, 2 could not.`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			load, dir, hint := maintext.Load, data, "--data must name the source folder of go-trafilatura"
			if folders != "" {
				load, dir, hint = maintext.LoadFolders, folders, "--benchmark must name a folder of folders, each with source.html and expected.html or expected.txt"
			}
			pages, err := load(dir)
			if err != nil {
				return &varve.Error{Kind: varve.Invalid, Op: c.CommandPath(), Msg: err.Error(), Hint: hint}
			}
			scores := maintext.Run(pages)
			if asJSON {
				return json.NewEncoder(c.OutOrStdout()).Encode(scores)
			}
			return maintext.Print(c.OutOrStdout(), scores)
		},
	}
	f := c.Flags()
	f.StringVar(&data, "data", "", "source folder of go-trafilatura")
	f.StringVar(&folders, "benchmark", "", "folder of pages with their main text")
	f.BoolVar(&asJSON, "json", false, "print JSON")
	c.MarkFlagsOneRequired("data", "benchmark")
	c.MarkFlagsMutuallyExclusive("data", "benchmark")
	return c
}
