package cli

import (
	"errors"
	"os"

	"github.com/spf13/cobra"

	"varve/spam"
)

type spamEvalOptions struct {
	learnOptions
	train, test string
	repeats     int
	json        bool
}

func newSpamEvalCommand() *cobra.Command {
	var o spamEvalOptions
	c := &cobra.Command{
		Use:   "eval --train FILE [--test FILE]",
		Short: "How well spam is told from normal hosts",
		Long: `With two tables: trains on one and measures on the other. With --train alone (or the same file twice): parts
it into folds, trains on all but one and measures on that one, in turn; --repeats does it again
with other folds. Printed are AUC and NDCG of the ensemble, of each learner alone and of a plain random
forest; what was selected; precision and recall at thresholds; and the gain on the plain forest in paired
folds, with the interval of the corrected resampled t-test. Interrupted, it prints what it has so far.

Exit codes: 0 measured, 1 stopped early, 2 could not.`,
		Example: `  varve spam eval --train content.arff.gz --folds 5 --repeats 10
  varve spam eval --train 2006.arff.gz --test 2007.arff.gz --json | jq .auc`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return runSpamEval(c, &o) },
	}
	f := c.Flags()
	f.StringVar(&o.train, "train", "", "table to learn from")
	f.StringVar(&o.test, "test", "", "table to measure on; without it, folds of --train")
	f.IntVar(&o.repeats, "repeats", 1, "how often the folds are drawn anew")
	f.BoolVar(&o.json, "json", false, "print one JSON object")
	o.flags(c)
	return c
}

func runSpamEval(c *cobra.Command, o *spamEvalOptions) error {
	if o.train == "" {
		return UsageError(c, "needs --train FILE")
	}
	cfg, err := o.config(c)
	if err != nil {
		return err
	}
	cfg.Repeats = o.repeats
	train, err := o.read(c, o.train)
	if err != nil {
		return err
	}
	var r *spam.Report
	if o.test == "" || sameFile(o.train, o.test) {
		r, err = spam.Evaluate(c.Context(), train, cfg)
	} else {
		test, readErr := o.read(c, o.test)
		if readErr != nil {
			return readErr
		}
		r, err = spam.Test(c.Context(), train, test, cfg)
	}
	if r == nil {
		return learnError(c, err)
	}
	if o.json {
		return errors.Join(PrintJSON(c.OutOrStdout(), r), err)
	}
	return errors.Join(r.Print(c.OutOrStdout()), err)
}

// sameFile tells whether two names are of one file: a model is not measured on what it learnt from.
func sameFile(a, b string) bool {
	x, errX := os.Stat(a)
	y, errY := os.Stat(b)
	return errX == nil && errY == nil && os.SameFile(x, y)
}
