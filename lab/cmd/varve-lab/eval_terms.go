package main

import (
	"context"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"varve/lab/eval"
	"varve/lab/eval/terms"
)

func newEvalTermsCommand() *cobra.Command {
	var domain, lang string
	return evaluation{
		use:   "terms --data DIR --domain D --lang L",
		short: "How well the terms of a set of texts are found",
		long: `Finds the terms of the texts in DIR/acter-D-L.jsonl (JSON lines with a text each; .gz too) and compares them with the list DIR/D_L_terms.tsv (a
term, a tab, its class), as in ACTER: each form that a term has in the texts counts by itself, in lower case. The table has each measure by which
candidates can be ranked, all with the same candidates and the same number of forms taken; the last is the one that is used.
Candidates are found by tags in English and by shape elsewhere. docs/algorithms/terms.md discusses the figures.`,
		example: `  varve-lab eval terms --data ../shared/data/terms --domain wind --lang en
  varve-lab eval terms --data ../shared/data/terms --domain corp --lang fr --json`,
		data: "a folder with acter-D-L.jsonl and D_L_terms.tsv",
		name: func(string) string { return domain + "-" + lang },
		flags: func(f *pflag.FlagSet) {
			f.StringVar(&domain, "domain", "", "domain of the texts: corp, equi, wind ... (required)")
			f.StringVar(&lang, "lang", "en", "language of the texts (ISO 639-1)")
		},
		required: []string{"domain"},
		measure:  func(_ context.Context, data string) (eval.Report, error) { return terms.Measure(data, domain, lang) },
	}.command()
}
