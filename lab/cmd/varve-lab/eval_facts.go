package main

import (
	"fmt"
	"maps"
	"slices"

	"github.com/spf13/cobra"

	"varve"
	"varve/fact"
	"varve/lab/eval"
	"varve/lab/eval/facts"
)

func newEvalFactsCommand() *cobra.Command {
	var text, truth string
	var asJSON bool
	o := facts.Options{Settings: fact.Default()}
	c := &cobra.Command{
		Use:   "facts --text FILE --truth FILE",
		Short: "How well facts with their time are found",
		Long: `Finds facts in texts and compares them with a list: precision and recall before and after cleaning, with intervals of 95 %, at three settings; what cleaning does with contradictions
that were made up; and its cost by size of component. Half of the pages give the seeds for the other half. FILE of --text has a JSON object on each line, as kb/movies.jsonl (title, year, cast,
extract) or TimeQA (page, relation, paras, questions); --truth is a list of subject, relation, object, begin and end with tabs between them, which 'varve-lab eval facts convert' makes.
In the summary n counts the facts whose name is in the text, precision and recall are those of the standard setting after cleaning.

Exit codes: 0 measured, 2 could not.`,
		Example: `  varve-lab eval facts convert ../shared/data/kb/movies.jsonl.gz > films.tsv
  varve-lab eval facts --text ../shared/data/kb/movies.jsonl.gz --truth films.tsv`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			r, err := facts.Measure(c.Context(), text, truth, o)
			if err != nil {
				return &varve.Error{Kind: varve.Invalid, Op: c.CommandPath(), Msg: err.Error(), Hint: "--text must name films or pages of TimeQA, --truth a list that 'varve-lab eval facts convert' makes"}
			}
			return eval.Write(c.OutOrStdout(), eval.SetName(text), r, asJSON)
		},
	}
	f := c.Flags()
	f.StringVar(&text, "text", "", "films or pages of TimeQA, .jsonl or .jsonl.gz (required)")
	f.StringVar(&truth, "truth", "", "list of facts (required)")
	f.IntVar(&o.Pages, "pages", 0, "only so many pages, spread over the file (default: all)")
	f.IntVar(&o.Half, "half", 0, "judge only the first (1) or the second (2) half of the pages; the other one gives the seeds (default: both)")
	f.IntVar(&o.Offset, "offset", 0, "take each of --pages so many pages further on: another part of the same set")
	f.Float64Var(&o.Settings.Mu1, "mu1", o.Settings.Mu1, "how much candidates and patterns that go together are made alike")
	f.Uint64Var(&o.Seed, "seed", 1, "of what is drawn by chance: intervals, contradictions")
	f.BoolVar(&asJSON, "json", false, "print JSON; the last line is the summary")
	_ = c.MarkFlagRequired("text") // both are there
	_ = c.MarkFlagRequired("truth")
	c.AddCommand(&cobra.Command{
		Use:   "convert FILE",
		Short: "Make the list of facts that a set knows",
		Long: `Writes the facts that films or pages of TimeQA know, one a line with tabs between the columns: subject, relation, object, begin, end. Of a film each of its cast with a full name, at the
year of the film; of TimeQA the answers to questions, with the times that the question names ("from Jul 2001 to Jun 2002"). What is not converted is counted on standard error.

Exit codes: 0 all is converted, 2 could not.`,
		Example: `  varve-lab eval facts convert ../shared/data/facts/timeqa-train.jsonl.gz > timeqa.tsv`,
		Args:    cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			n, left, err := facts.Convert(args[0], c.OutOrStdout())
			if err != nil {
				return &varve.Error{Kind: varve.Invalid, Op: c.CommandPath(), Msg: err.Error(), Hint: "name films (kb/movies.jsonl) or pages of TimeQA"}
			}
			fmt.Fprintf(c.ErrOrStderr(), "%d facts\n", n)
			for _, why := range slices.Sorted(maps.Keys(left)) {
				fmt.Fprintf(c.ErrOrStderr(), "left out, %s: %d\n", why, left[why])
			}
			return nil
		},
	})
	return c
}
