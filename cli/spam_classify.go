package cli

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"varve"
	"varve/learn"
	"varve/spam"
)

type spamClassifyOptions struct {
	model string
	least float64
	json  bool
}

func newSpamClassifyCommand() *cobra.Command {
	var o spamClassifyOptions
	c := &cobra.Command{
		Use:   "classify --model MODEL TABLE...",
		Short: "Give hosts a probability of being spam",
		Long: `Reads tables of host features, without or with labels (which are not looked at), and prints for each row
the probability that the host is spam. Columns are matched with the model's features by name.

Exit codes: 0 classified, 2 could not.`,
		Example: `  varve spam classify --model spam.model hosts.csv --least 0.5
  varve spam classify --model spam.model hosts.csv --json | jq -r 'select(.spam > 0.9) | .host'`,
		Args: needArgs(1, "a table"),
		RunE: func(c *cobra.Command, args []string) error { return runSpamClassify(c, args, &o) },
	}
	f := c.Flags()
	f.StringVar(&o.model, "model", "", "model file, from varve spam train")
	f.Float64Var(&o.least, "least", 0, "print only hosts with at least this probability")
	f.BoolVar(&o.json, "json", false, "print one JSON object per host")
	return c
}

func runSpamClassify(c *cobra.Command, tables []string, o *spamClassifyOptions) error {
	m, err := readModel(c, o.model)
	if err != nil {
		return err
	}
	for _, name := range tables {
		if err := classifyTable(c, m, name, o); err != nil {
			return err
		}
	}
	return nil
}

func classifyTable(c *cobra.Command, m *learn.Model, name string, o *spamClassifyOptions) error {
	f, err := os.Open(name)
	if err != nil {
		return &varve.Error{Kind: varve.NotFound, Op: "read " + name, Err: err, Hint: "name an ARFF or CSV file"}
	}
	defer f.Close()
	w := c.OutOrStdout()
	var written error
	err = spam.Classify(f, m, func(v spam.Verdict) error {
		if v.Spam < o.least {
			return nil
		}
		if o.json {
			written = PrintJSON(w, v)
		} else {
			_, written = fmt.Fprintf(w, "%.4f\t%d\t%s\n", v.Spam, v.Row, v.Host)
		}
		return written
	})
	if err != nil && written == nil {
		return tableError(name, err)
	}
	return err
}

// readModel opens a model file, or says how to make one.
func readModel(c *cobra.Command, name string) (*learn.Model, error) {
	const hint = "no model comes with Varve: make one with 'varve spam train TABLE -o MODEL'"
	if name == "" {
		return nil, &varve.Error{Kind: varve.Invalid, Op: c.CommandPath(), Msg: "needs --model MODEL", Hint: hint}
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, &varve.Error{Kind: varve.NotFound, Op: "read " + name, Err: err, Hint: hint}
	}
	defer f.Close()
	m, err := learn.ReadModel(f)
	if err != nil {
		return nil, &varve.Error{Kind: varve.Invalid, Op: "read " + name, Err: err, Hint: hint}
	}
	return m, nil
}
