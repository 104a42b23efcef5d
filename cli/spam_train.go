package cli

import (
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"varve"
	"varve/learn"
	"varve/spam"
	"varve/spam/filter"
)

type spamTrainOptions struct {
	learnOptions
	out     string
	measure bool
	crawl   bool
	maxLoss float64
	json    bool
}

func newSpamTrainCommand() *cobra.Command {
	var o spamTrainOptions
	c := &cobra.Command{
		Use:   "train TABLE -o MODEL",
		Short: "Make a model from labelled hosts",
		Long: `Selects an ensemble from a library of learners and writes it as a model file, whose header (features, digest of the
training set, date, measures) can be read with a text editor; docs/formats/model.md describes it. With --measure
the model is first evaluated over folds, which takes as many times longer, and its header says the result.

The model carries a threshold for 'varve crawl --spam-filter': the lowest at which hosts of kinds that it has not seen lose no more than --max-loss
of their documents. It is chosen by what the model says of hosts held out in training. Name their kinds with --group (genre,
generator, domain): the threshold then allows for kinds that nobody has labelled. Tables of 'varve spam features' also tell
how large hosts are and who links whom, which the crawl takes into account.

Exit codes: 0 written, 1 stopped early, 2 could not.`,
		Example: `  varve spam train hosts.arff.gz -o spam.model --measure
  varve spam train features.csv --crawl --group genre -o spam.model   for varve crawl --spam-filter`,
		Args: needArgs(1, "a table"),
		RunE: func(c *cobra.Command, args []string) error { return runSpamTrain(c, args[0], &o) },
	}
	f := c.Flags()
	f.StringVarP(&o.out, "output", "o", "", "model file to write; nothing is overwritten")
	f.BoolVar(&o.crawl, "crawl", false, "only from features that a crawl can compute: a model for 'varve crawl --spam-filter'")
	f.Float64Var(&o.maxLoss, "max-loss", 0.005, "share of normal documents that a crawl may lose by the threshold of the model")
	f.BoolVar(&o.measure, "measure", false, "evaluate over folds first")
	f.BoolVar(&o.json, "json", false, "print the header as JSON")
	o.flags(c)
	return c
}

func runSpamTrain(c *cobra.Command, table string, o *spamTrainOptions) error {
	if o.out == "" {
		return UsageError(c, "needs -o MODEL")
	}
	cfg, err := o.config(c)
	if err != nil {
		return err
	}
	if !(o.maxLoss > 0 && o.maxLoss < 1) {
		return UsageError(c, fmt.Sprintf("--max-loss %g: a share above 0 and under 1", o.maxLoss))
	}
	s, guard, err := o.readGuarded(c, table)
	if err != nil {
		return err
	}
	cfg.Guard = guard
	if cfg.Guard.MaxLoss = o.maxLoss; !o.crawl {
		cfg.Guard.Links = nil // who links whom is among the features
	}
	if o.crawl {
		if s, err = crawlTime(s, table); err != nil {
			return err
		}
	}
	var measured *spam.Report
	if o.measure {
		if measured, err = spam.Evaluate(c.Context(), s, cfg); err != nil {
			return learnError(c, err)
		}
	}
	m, err := spam.Train(c.Context(), s, cfg, measured, time.Now())
	if err != nil {
		return learnError(c, err)
	}
	if err := NewFile(o.out, func(w io.Writer) error { return m.Write(w) }); err != nil {
		return err
	}
	if o.json {
		return PrintJSON(c.OutOrStdout(), m.Header)
	}
	return printModel(c.OutOrStdout(), o.out, m)
}

// crawlTime leaves of a table the features that a crawl can compute.
func crawlTime(s *learn.Set, table string) (*learn.Set, error) {
	out := filter.Select(s)
	if len(out.Attributes) == 0 {
		return nil, &varve.Error{
			Kind: varve.Invalid, Op: "read " + table, Msg: "it has none of the features that a crawl can compute", Hint: "make the table with 'varve spam features'",
		}
	}
	return out, nil
}

// printModel tells what a model was made from and of.
func printModel(w io.Writer, file string, m *learn.Model) error {
	fmt.Fprintf(w, "%s: %s, %d features, %s\n", file, count(int64(m.Rows), "host"), len(m.Attributes), m.Digest[:19])
	if auc, known := m.Measures["auc"]; known {
		fmt.Fprintf(w, "AUC %.4f, NDCG %.4f over folds\n", auc, m.Measures["ndcg"])
	}
	if t, known := spam.ThresholdOf(m); known {
		fmt.Fprintf(w, "threshold %.3f, for at most %.3g %% of normal documents lost: of hosts held out in training it would catch %.0f %% of the spam documents and lose %.2f %% of the normal ones\n",
			t.At, 100*t.MaxLoss, 100*t.Caught, 100*t.Lost)
		fmt.Fprintf(w, "a crawl takes %.3f: it refuses nobody on less than that unless --spam-threshold says so\n", t.InCrawl())
	}
	e, ok := m.Classifier.(*learn.Selected)
	if !ok {
		return nil
	}
	voices := slices.DeleteFunc(slices.Clone(e.Members), func(v learn.Voice) bool { return v.Weight == 0 })
	slices.SortStableFunc(voices, func(a, b learn.Voice) int {
		if a.Weight > b.Weight {
			return -1
		}
		return 1
	})
	for _, v := range voices {
		fmt.Fprintf(w, "  %.2f  %s (alone: AUC %.4f)\n", v.Weight, v.Name, v.AUC)
	}
	return nil
}
