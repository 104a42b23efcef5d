package cli

import (
	"fmt"
	"os/user"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"varve"
	"varve/spam/label"
)

// newSpamLabelsSetCommand labels hosts from the command line: the way to overrule a filter.
func newSpamLabelsSetCommand() *cobra.Command {
	var o spamLabelsOptions
	var who, why string
	c := &cobra.Command{
		Use:   "set LABEL HOST...",
		Short: "Label hosts: spam, normal or undecided",
		Long: `Writes down what you decided about hosts, with who, when and why. Labels go before what a model says: a crawl with --spam-filter looks for new
ones every ten seconds. A host labelled normal that it had rejected is given back, and what was set aside of it is fetched; of a host
labelled spam nothing more is fetched. The latest label is in force; nothing is deleted.

Exit codes: 0 written, 2 could not.`,
		Example: `  varve spam labels set normal shop.example --collection news --why "a real shop, I bought there"
  varve spam labels set spam pills.example casino.example --collection news`,
		Args: needArgs(2, "a label and a host"),
		RunE: func(c *cobra.Command, args []string) error { return runSpamLabelsSet(c, &o, who, why, args) },
	}
	o.flags(c)
	c.Flags().StringVar(&who, "who", "", "who decided (default your user name)")
	c.Flags().StringVar(&why, "why", "", "what decided it")
	return c
}

func runSpamLabelsSet(c *cobra.Command, o *spamLabelsOptions, who, why string, args []string) error {
	verdict := label.Verdict(args[0])
	if !slices.Contains(label.Verdicts(), verdict) {
		return UsageError(c, fmt.Sprintf("the label %q: one of %v", args[0], label.Verdicts()))
	}
	if who == "" {
		if u, err := user.Current(); err == nil {
			who = u.Username
		}
	}
	var entries []label.Entry
	for _, arg := range args[1:] {
		host, err := label.Host(arg)
		if err != nil {
			return UsageError(c, err.Error())
		}
		entries = append(entries, label.Entry{Host: host, Label: verdict, Who: who, Why: why, When: time.Now().UTC()})
	}
	log, err := o.open()
	if err != nil {
		return err
	}
	if err := log.Append(entries...); err != nil {
		return &varve.Error{Kind: varve.Unavailable, Op: "write " + log.Path(), Err: err, Hint: "is the folder writable, and the disk not full?"}
	}
	if err := log.Unread(); err != nil {
		tellUnread(c, err)
	}
	if o.json {
		return PrintJSON(c.OutOrStdout(), map[string]any{"label": verdict, "hosts": len(entries), "file": log.Path()})
	}
	_, err = fmt.Fprintf(c.OutOrStdout(), "%s labelled %s in %s\n", count(int64(len(entries)), "host"), verdict, log.Path())
	return err
}
