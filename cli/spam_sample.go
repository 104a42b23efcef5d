package cli

import (
	"fmt"
	"math"
	"slices"

	"github.com/spf13/cobra"

	"varve"
	"varve/learn"
	"varve/spam"
	"varve/spam/label"
)

type spamSampleOptions struct {
	archive, collection string
	model, by           string
	n                   int
	uncertain           float64
	seed                uint64
	json                bool
}

func newSpamSampleCommand() *cobra.Command {
	var o spamSampleOptions
	c := &cobra.Command{
		Use:   "sample TABLE",
		Short: "Choose hosts to label next",
		Long: `Chooses hosts of a table of features that nobody has labelled. With a model, half of them are those it is least certain of (spamicity near
one half, members of the ensemble that disagree), most uncertain first; the others are drawn at random from ten strata of
spamicity, so that people also look at what the model is sure of. Without a model, all are drawn from ten strata of size (--by names the
column). Hosts with a class in the table, or a label in --collection, are left out.

Exit codes: 0 chosen, 2 could not.`,
		Example: `  varve spam features --collection news -o hosts.csv
  varve spam sample hosts.csv --collection news -n 30                     the first ones
  varve spam sample hosts.csv --collection news --model spam.model -n 30  what would teach most`,
		Args: needArgs(1, "a table"),
		RunE: func(c *cobra.Command, args []string) error { return runSpamSample(c, args[0], &o) },
	}
	f := c.Flags()
	f.StringVar(&o.archive, "archive", "archive", "the archive directory")
	f.StringVar(&o.collection, "collection", "", "collection whose labelled hosts are left out")
	f.StringVar(&o.model, "model", "", "model file, from varve spam train")
	f.StringVar(&o.by, "by", "host.pages", "column of the strata where there is no model")
	f.IntVarP(&o.n, "number", "n", 30, "hosts to choose")
	f.Float64Var(&o.uncertain, "uncertain", 0.5, "share of them that the model is least certain of")
	f.Uint64Var(&o.seed, "seed", 1, "the same seed chooses the same")
	f.BoolVar(&o.json, "json", false, "print one JSON object per host")
	return c
}

func runSpamSample(c *cobra.Command, table string, o *spamSampleOptions) error {
	if o.n < 1 || o.uncertain < 0 || o.uncertain > 1 {
		return UsageError(c, "-n is at least 1, --uncertain from 0 to 1")
	}
	all, err := o.candidates(c, table)
	if err != nil {
		return err
	}
	w := c.OutOrStdout()
	for _, one := range spam.Choose(all, o.n, o.uncertain, o.seed) {
		if o.json {
			err = PrintJSON(w, map[string]any{"host": one.Host, "spam": finite(one.Spamicity), "disagreement": one.Disagreement, "stratum": one.Stratum, "why": one.Why})
		} else if math.IsNaN(one.Spamicity) {
			_, err = fmt.Fprintf(w, "%s\t%s %d\n", one.Host, one.Why, one.Stratum)
		} else {
			_, err = fmt.Fprintf(w, "%s\t%.3f\t%.3f\t%s\n", one.Host, one.Spamicity, one.Disagreement, one.Why)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// candidates are the hosts of the table that nobody labelled.
func (o *spamSampleOptions) candidates(c *cobra.Command, table string) ([]spam.Candidate, error) {
	var all []spam.Candidate
	var hosts *spam.Hosts
	if o.model != "" {
		m, err := readModel(c, o.model)
		if err != nil {
			return nil, err
		}
		if hosts, err = readHosts(c, table, m); err != nil {
			return nil, err
		}
		all = spam.Weigh(m, hosts)
	} else {
		var err error
		if hosts, err = readHosts(c, table, nil); err != nil {
			return nil, err
		}
		k := slices.IndexFunc(hosts.Set.Attributes, func(a learn.Attribute) bool { return a.Name == o.by })
		if k < 0 {
			return nil, UsageError(c, fmt.Sprintf("--by %s: the table has no such column of numbers", o.by))
		}
		all = spam.Spread(hosts, hosts.Set.Columns[k])
	}
	labelled, err := o.labelled()
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(all, func(one spam.Candidate) bool {
		_, known := labelled[one.Host]
		return known || one.Host == "" || hosts.Labels[one.Row] != ""
	}), nil
}

func (o *spamSampleOptions) labelled() (map[string]label.Entry, error) {
	if o.collection == "" {
		return nil, nil
	}
	col, err := openArchive(o.archive).Collection(o.collection)
	if err != nil {
		return nil, err
	}
	latest, err := label.Open(col.Dir()).Latest()
	if err != nil {
		return nil, &varve.Error{Kind: varve.Invalid, Op: "read labels of " + o.collection, Err: err, Hint: "docs/formats/labels.md describes the file"}
	}
	return latest, nil
}
