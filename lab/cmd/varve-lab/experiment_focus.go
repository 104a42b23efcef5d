package main

import (
	"encoding/json"
	"errors"
	"io"

	"github.com/spf13/cobra"

	"varve"
	"varve/lab/eval"
	"varve/lab/eval/debates"
	"varve/lab/focus"
)

func newExperimentFocusCommand() *cobra.Command {
	var cfg focus.Config
	var data, speeches, states string
	var asJSON, coherent, other bool
	var changes float64
	c := &cobra.Command{
		Use:   "focus",
		Short: "What a crawl finds that knows what it is about",
		Long: `Lays films out as a web whose links are who plays in what, and crawls it for three topics from samples of seeds: breadth
first, by a topic as it was before modules, by all modules, without each of them, and with each way to update the score of a
URL that is found again. Printed are, as in the ARCOMEM paper (2014, tables 3 to 5 and figure 8), the share of pages with a term
of the definition, of 10, 50 and 100 terms of the seeds, average and highest similarity of those, relevant pages in 1,000 fetches
over time, and the share of films of the genre. Beside them stand crawls whose definition has the first 10 or 30 terms that a
reference crawl of 200 pages proposes, nobody looking. docs/algorithms/relevance.md discusses them. The same seed gives the same figures.

  varve-lab experiment focus --data shared/data/kb/movies.jsonl.gz
  varve-lab experiment focus --data movies.jsonl.gz --crawl 1000 --samples 2 --json

With --speeches the web is made of the speeches of a folder instead: passages, linked by the states and bodies that they name.

  varve-lab experiment focus --speeches ../shared/data/evolution

With --coherent it is asked what focus costs coherence, and the other way round: pages change while they are crawled, each is visited
and revisited, by a topic alone, for coherence alone, and with several leeways for both.

  varve-lab experiment focus --coherent --crawl 1500 --samples 3

Exit codes: 0 run, 2 could not.`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) (err error) {
			web, err := focusWeb(data, speeches, states)
			if err != nil {
				return err
			}
			if other {
				web.Topics = web.Other
			}
			if coherent {
				r, err := focus.RunCoherent(c.Context(), cfg, changes, web, priorityProgress(c.ErrOrStderr()))
				switch {
				case err != nil:
					return &varve.Error{Kind: varve.Invalid, Op: c.CommandPath(), Err: err}
				case asJSON:
					return json.NewEncoder(c.OutOrStdout()).Encode(r)
				}
				return r.Print(c.OutOrStdout())
			}
			r, err := focus.Run(c.Context(), cfg, web, priorityProgress(c.ErrOrStderr()))
			switch {
			case err != nil:
				return &varve.Error{Kind: varve.Invalid, Op: c.CommandPath(), Err: err}
			case asJSON:
				return json.NewEncoder(c.OutOrStdout()).Encode(r)
			}
			return r.Print(c.OutOrStdout())
		},
	}
	f := c.Flags()
	f.StringVar(&data, "data", "../shared/data/kb/movies.jsonl.gz", "file of films")
	f.StringVar(&speeches, "speeches", "", "folder with files of speeches; the web is made of them instead of films")
	f.StringVar(&states, "states", "../shared/data/kb/iso-codes/iso_3166-1.json.gz", "with --speeches: file of the names of states")
	f.IntVar(&cfg.Crawl, "crawl", 5000, "pages of a crawl")
	f.IntVar(&cfg.Samples, "samples", 5, "samples of seeds for each topic")
	f.IntVar(&cfg.Seeds, "seeds", 10, "seed pages in a sample")
	f.Uint64Var(&cfg.Seed, "seed", 1, "seed of chance")
	f.BoolVar(&other, "other-topics", false, "crawl for the topics on which the method was chosen, instead of those that test it")
	f.BoolVar(&coherent, "coherent", false, "measure focus and coherence together")
	f.Float64Var(&changes, "changes", 1, "with --coherent: mean number of changes of a page while the visits last")
	f.BoolVar(&asJSON, "json", false, "print one JSON object")
	return c
}

// focusWeb makes the web that is crawled.
func focusWeb(films, speeches, states string) (w *focus.Web, err error) {
	read := func(flag, file, hint string, make func(io.Reader) (*focus.Web, error)) (w *focus.Web, err error) {
		f, err := eval.Open(file, "")
		if err != nil {
			return nil, &varve.Error{Kind: varve.NotFound, Op: flag + " " + file, Err: err, Hint: hint}
		}
		defer func() { err = errors.Join(err, f.Close()) }()
		if w, err = make(f); err != nil {
			err = &varve.Error{Kind: varve.Invalid, Op: flag + " " + file, Err: err, Hint: hint}
		}
		return w, err
	}
	if speeches == "" {
		return read("--data", films, "the file of films: title, year, cast, genres, extract, a JSON object a line", focus.Films)
	}
	files, err := debates.Files(speeches)
	if err != nil {
		return nil, &varve.Error{Kind: varve.NotFound, Op: "--speeches " + speeches, Err: err}
	}
	return read("--states", states, "the file iso_3166-1.json of iso-codes", func(r io.Reader) (*focus.Web, error) { return focus.Speeches(files, r) })
}
