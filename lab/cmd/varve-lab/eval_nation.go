package main

import (
	"context"
	"errors"
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"varve"
	"varve/lab/eval"
	"varve/lab/eval/lid"
	"varve/lab/eval/nation"
)

func newEvalNationCommand() *cobra.Command {
	var cities, list string
	var seed uint64
	var threshold float64
	return evaluation{
		use:   "nation --data PATH",
		short: "How well pages beyond a national domain are known as the nation's",
		long: `Makes pages of two national webs, of neighbours of the same language and of other countries, out of sentences of known languages and names of cities, and
measures each reason by which a page is taken for national, and all together. --list writes the pages with what each of them shows.
docs/algorithms/relevance.md discusses the figures.`,
		example: `  varve-lab eval nation --data lid --cities kb/cities.tsv.gz
  varve-lab eval nation --data lid --cities kb/cities.tsv.gz --list pages.tsv --json`,
		data: labelledLines,
		flags: func(f *pflag.FlagSet) {
			f.StringVar(&cities, "cities", "", "table of cities: id, name, country, feature, admin, population")
			f.StringVar(&list, "list", "", "write the pages to this file")
			f.Uint64Var(&seed, "seed", 1, "seed of chance")
			f.Float64Var(&threshold, "threshold", 0.5, "from which value on a page is taken for national")
		},
		measure: func(ctx context.Context, data string) (eval.Report, error) {
			lines, err := lid.Load(data)
			if err != nil {
				return nil, err
			}
			names, err := readCities(cities)
			if err != nil {
				return nil, &varve.Error{Kind: varve.NotFound, Op: "--cities " + cities, Err: err, Hint: "a table of GeoNames with a head, packed or not"}
			}
			pages, err := nation.Make(lines, names, seed)
			if err != nil {
				return nil, err
			}
			if list != "" {
				f, err := os.Create(list)
				if err != nil {
					return nil, err
				}
				if err := errors.Join(nation.List(f, pages), f.Close()); err != nil {
					return nil, err
				}
			}
			return nation.Measure(ctx, pages, names, threshold), nil
		},
	}.command()
}

func readCities(path string) (names map[string][]string, err error) {
	f, err := eval.Open(path, "cities.tsv.gz")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	return nation.Cities(f)
}
