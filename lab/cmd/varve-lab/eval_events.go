package main

import (
	"context"

	"github.com/spf13/cobra"

	"varve/lab/eval"
	"varve/lab/eval/events"
)

func newEvalEventsCommand() *cobra.Command {
	return evaluation{
		use:   "events --data DIR",
		short: "How well events are found: who did what to whom, when, where",
		long: `Finds the events of 300 sentences of treebanks and compares them with what a person marked before there was an extractor. DIR has the folder pos with
gum-train, gum-dev and ewt-dev (.conllu or .conllu.gz); the labels come with the program, without texts.

A third of the sentences, by the hash of their names, was looked at while the rules were written. The first table, and the line at the end, are of the rest. Beside the figures stands a plain
way: every verb whose lemma is a trigger in the development third, with the nearest names. docs/algorithms/events.md discusses the figures.`,
		example: `  varve-lab eval events --data ../shared/data
  varve-lab eval events --data ../shared/data --json`,
		data:    "the folder that has pos/gum-train.conllu, pos/gum-dev.conllu and pos/ewt-dev.conllu, packed or not",
		name:    func(string) string { return "events" },
		measure: func(ctx context.Context, data string) (eval.Report, error) { return events.Measure(ctx, data) },
	}.command()
}
