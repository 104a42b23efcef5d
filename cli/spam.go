package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"

	"github.com/spf13/cobra"

	"varve"
	"varve/learn"
	"varve/spam"
)

func newSpamCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "spam",
		Short: "Learn to tell web spam from normal hosts",
		Long: `Learns from tables of host features with labels, measures how well, and classifies hosts. No model comes
with Varve: whose labels are right is for the institution to say.

  varve spam features --collection news -o hosts.arff measure the hosts of a collection
  varve spam eval --train hosts.arff.gz               how good would a model be?
  varve spam train hosts.arff.gz -o spam.model        make it
  varve spam classify --model spam.model new.csv      use it

The filter of a crawl ('varve crawl --spam-filter') is worth it where much of a web is spam of kinds that were labelled, and for archives that crawl the
same web again, which remember the verdicts. Of kinds that nobody labelled it keeps out a quarter of the spam documents, at 0.0 to 0.3 % of the normal ones lost and
1.4 to 1.5 times the CPU of the crawler, once; docs/algorithms/spam_filter.md has the figures.

Tables are ARFF or CSV, gzipped or not. The class is the nominal column "class" with the values spam
and another; hostid, host, hostname and assessmentscore are never features.`,
	}
	c.AddCommand(newSpamEvalCommand(), newSpamTrainCommand(), newSpamClassifyCommand(), newSpamFeaturesCommand(), newSpamSampleCommand(), newSpamExplainCommand(), newSpamLabelsCommand())
	return c
}

// learnOptions are the flags of all commands that learn.
type learnOptions struct {
	data    spam.Options
	library string
	ndcg    bool
	folds   int
	seed    uint64
}

func (o *learnOptions) flags(c *cobra.Command) {
	f := c.Flags()
	f.StringVar(&o.data.Class, "class", "class", "column with the label")
	f.StringSliceVar(&o.data.Drop, "drop", nil, "columns that are not features; may be repeated")
	f.StringVar(&o.data.Group, "group", "", "column whose equal values stay in one fold, such as the domain or the address")
	f.StringVar(&o.library, "library", "quick", "learners to select from: quick, or full (all of the LiWA paper; takes long)")
	f.BoolVar(&o.ndcg, "ndcg", false, "select for NDCG instead of AUC")
	f.IntVar(&o.folds, "folds", 5, "folds")
	f.Uint64Var(&o.seed, "seed", 1, "the same seed gives the same figures")
}

// config turns the flags into what the package wants; progress goes to the terminal.
func (o *learnOptions) config(c *cobra.Command) (spam.Config, error) {
	cfg := spam.Config{Folds: o.folds, NDCG: o.ndcg, Seed: o.seed, Progress: learnProgress(c.ErrOrStderr())}
	switch {
	case o.folds < 2 || o.folds > 100:
		return cfg, UsageError(c, fmt.Sprintf("--folds %d: from 2 to 100", o.folds))
	case o.library == "quick":
		cfg.Library = spam.Library()
	case o.library == "full":
		cfg.Library = spam.Full()
	default:
		return cfg, UsageError(c, fmt.Sprintf("--library %q: quick or full", o.library))
	}
	return cfg, nil
}

// read reads a table of labelled hosts and tells of rows without a label.
func (o *learnOptions) read(c *cobra.Command, file string) (*learn.Set, error) {
	s, _, err := o.readGuarded(c, file)
	return s, err
}

// readGuarded reads it with what a threshold needs to know of the hosts.
func (o *learnOptions) readGuarded(c *cobra.Command, file string) (*learn.Set, spam.Guard, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, spam.Guard{}, &varve.Error{Kind: varve.NotFound, Op: "read " + file, Err: err, Hint: "name an ARFF or CSV file"}
	}
	defer f.Close()
	s, guard, unlabelled, err := spam.Labelled(f, o.data)
	if err != nil {
		return nil, guard, tableError(file, err)
	}
	if unlabelled > 0 {
		fmt.Fprintf(c.ErrOrStderr(), "%s: %s without a label left out\n", file, count(int64(unlabelled), "row"))
	}
	return s, guard, nil
}

func tableError(file string, err error) error {
	return &varve.Error{Kind: varve.Invalid, Op: "read " + file, Err: err, Hint: "tables are ARFF, or CSV with names in the first line; see 'varve spam --help'"}
}

// learnError is what training gives: too few hosts, or stopped.
func learnError(c *cobra.Command, err error) error {
	if errors.Is(err, context.Canceled) {
		return err
	}
	return &varve.Error{Kind: varve.Invalid, Op: c.CommandPath(), Err: err, Hint: "a model needs some tens of hosts of both kinds"}
}

// learnProgress tells on a terminal how many trainings are done.
func learnProgress(w io.Writer) func(done, all int) {
	if !IsTerminal(w) {
		return nil
	}
	var mu sync.Mutex
	return func(done, all int) {
		mu.Lock()
		defer mu.Unlock()
		fmt.Fprintf(w, "\r\x1b[K%d of %d trainings", done, all)
		if done == all {
			fmt.Fprint(w, "\r\x1b[K")
		}
	}
}
