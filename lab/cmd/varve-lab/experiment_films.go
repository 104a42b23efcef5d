package main

import (
	"github.com/spf13/cobra"

	"varve"
	"varve/lab/eval"
	"varve/lab/films"
)

func newExperimentFilmsCommand() *cobra.Command {
	var c films.Config
	var data string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "films",
		Short: "How well namesakes are told apart: actors by their last names",
		Long: `In the extract of each film the names of its cast are cut to the last name; candidates are all persons of the other films with it; right is the cast list. The
base is made of all films but the one at hand. Printed is the accuracy of the prior, with similarity, coherence and time added, and with each left out in turn, with
intervals; by number of candidates, and apart for persons who are in one other film only. docs/entities.md discusses the figures. The same seed gives the same figures.

  varve-lab experiment films
  varve-lab experiment films --films 0 --json

Exit codes: 0 run, 2 could not.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			list, err := films.Read(data)
			if err == nil {
				var r films.Result
				if r, err = films.Run(cmd.Context(), list, c); err == nil {
					return eval.Write(cmd.OutOrStdout(), eval.SetName(data), r, asJSON)
				}
			}
			return &varve.Error{Kind: varve.Invalid, Op: cmd.CommandPath(), Err: err, Hint: "--data must name movies.jsonl.gz"}
		},
	}
	f := cmd.Flags()
	f.StringVar(&data, "data", "../shared/data/kb/movies.jsonl.gz", "the set of films")
	f.IntVar(&c.Films, "films", 4000, "films that are looked at, by chance; 0 is all")
	f.StringVar(&c.Half, "half", "test", "test: films of odd number; dev: those by which the settings were chosen; \"\": all")
	f.Uint64Var(&c.Seed, "seed", 1, "seed of the choice of films")
	f.BoolVar(&asJSON, "json", false, "print JSON; the last line is the summary")
	return cmd
}
