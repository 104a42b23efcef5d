package main

import (
	"context"

	"github.com/spf13/cobra"

	"varve/lab/eval"
	"varve/lab/eval/maintext"
)

func newEvalMaintextCommand() *cobra.Command {
	return evaluation{
		use:   "maintext --data DIR",
		short: "How well and how fast the main text of pages is found",
		long: `Runs the ways of finding a main text over a benchmark: the whole visible text, our extractor, go-trafilatura alone and with its
fallbacks, go-readability. Printed are precision, recall, F1 and pages per second of processor time.

DIR is the source of go-trafilatura, which comes with about 980 real pages, each with pieces of text that must and must not be
found (go list -m -f '{{.Dir}}' github.com/markusmobius/go-trafilatura). Or it has folders with a page (source.html) and the
main text that a person made of it (expected.html or expected.txt): precision and recall are then of words, as often as
they stand there, and the mean over pages. The summary of --json is about our extractor.`,
		example: `  varve-lab eval maintext --data go-trafilatura
  varve-lab eval maintext --data test-pages --json`,
		data: "the source folder of go-trafilatura, or a folder of folders, each with source.html and expected.html or expected.txt",
		measure: func(_ context.Context, data string) (eval.Report, error) {
			pages, err := maintext.Load(data)
			if err != nil {
				return nil, err
			}
			return maintext.Run(pages), nil
		},
	}.command()
}
