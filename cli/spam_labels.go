package cli

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"varve"
	"varve/spam/label"
)

type spamLabelsOptions struct {
	archive, collection string
	json                bool
}

func (o *spamLabelsOptions) flags(c *cobra.Command) {
	c.Flags().StringVar(&o.archive, "archive", "archive", "the archive directory")
	collectionFlag(c.Flags(), &o.collection)
	c.Flags().BoolVar(&o.json, "json", false, "print one JSON object")
}

// open gives the labels of the collection.
func (o *spamLabelsOptions) open() (*label.Log, error) {
	col, err := oneCollection(o.archive, o.collection)
	if err != nil {
		return nil, err
	}
	return label.Open(col.Dir()), nil
}

func newSpamLabelsCommand() *cobra.Command {
	var o spamLabelsOptions
	c := &cobra.Command{
		Use:   "labels",
		Short: "What people decided about hosts: count, share, take in",
		Long: `Tells how many hosts of a collection are labelled, by whom, and how far those who judged the same hosts agree (Cohen's
kappa). Labels are made on the screen "Judge hosts" of 'varve serve', or with 'varve spam labels set', and lie in labels/spam.jsonl.

Exit codes: 0 told, 1 told, and lines of the file are no labels, 2 could not.`,
		Example: `  varve spam labels --collection news
  varve spam labels set normal shop.example --collection news --why "a real shop"
  varve spam labels export --collection news --who "National library" labels.jsonl
  varve spam labels import --collection news --from "National library" labels.jsonl`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return runSpamLabels(c, &o) },
	}
	o.flags(c)
	c.AddCommand(newSpamLabelsSetCommand(), newSpamLabelsExportCommand(), newSpamLabelsImportCommand())
	return c
}

// labelStats is what is printed of the labels of a collection.
type labelStats struct {
	Entries    int                   `json:"entries"`
	InForce    map[label.Verdict]int `json:"inForce"`
	People     map[string]int        `json:"people"` // entries of each
	Agreements []label.Agreement     `json:"agreements"`
	Unread     string                `json:"unread,omitempty"` // lines that are no entries
}

func runSpamLabels(c *cobra.Command, o *spamLabelsOptions) error {
	log, err := o.open()
	if err != nil {
		return err
	}
	all, err := log.All()
	if err != nil {
		return &varve.Error{Kind: varve.Invalid, Op: "read " + log.Path(), Err: err, Hint: "docs/formats/labels.md tells the format"}
	}
	s := labelStats{Entries: len(all), InForce: label.Count(label.Latest(all)), People: map[string]int{}, Agreements: label.Agreements(all)}
	for _, e := range all {
		s.People[e.Who]++
	}
	var bad error
	if err := log.Unread(); err != nil {
		s.Unread, bad = err.Error(), varve.ErrFindings
		tellUnread(c, err)
	}
	if o.json {
		return cmp.Or(PrintJSON(c.OutOrStdout(), s), bad)
	}
	w := c.OutOrStdout()
	fmt.Fprintf(w, "%d entries; in force: %d spam, %d normal, %d undecided; by %d people\n",
		s.Entries, s.InForce[label.Spam], s.InForce[label.Normal], s.InForce[label.Undecided], len(s.People))
	for _, a := range s.Agreements {
		if _, err := fmt.Fprintf(w, "  %s and %s: the same of %d of %d hosts, kappa %.2f\n", oneLine(a.A), oneLine(a.B), a.Same, a.Hosts, a.Kappa); err != nil {
			return err
		}
	}
	return bad
}

// tellUnread names lines of the label file that do not count.
func tellUnread(c *cobra.Command, err error) {
	for line := range strings.Lines(err.Error()) {
		fmt.Fprintln(c.ErrOrStderr(), "varve: "+oneLine(strings.TrimSpace(line)))
	}
	fmt.Fprintln(c.ErrOrStderr(), "   these lines do not count, all others do; mend them or take them out by hand")
}

func newSpamLabelsExportCommand() *cobra.Command {
	var o spamLabelsOptions
	var sharing label.Sharing
	c := &cobra.Command{
		Use:   "export FILE",
		Short: "Write labels to be given to others",
		Long: `Writes the labels of a collection that were decided here. Notes for colleagues stay here unless --notes is given; --who puts one
name in the place of all names of people.

Exit codes: 0 written, 2 could not.`,
		Example: `  varve spam labels export --collection news --who "National library" labels.jsonl`,
		Args:    needArgs(1, "the file to write"),
		RunE: func(c *cobra.Command, args []string) error {
			log, err := o.open()
			if err != nil {
				return err
			}
			var n int
			err = NewFile(args[0], func(w io.Writer) (err error) {
				n, err = log.Export(w, sharing)
				return err
			})
			if err != nil {
				return err
			}
			if o.json {
				return PrintJSON(c.OutOrStdout(), map[string]any{"file": args[0], "entries": n})
			}
			_, err = fmt.Fprintf(c.OutOrStdout(), "%s: %d entries\n", args[0], n)
			return err
		},
	}
	o.flags(c)
	f := c.Flags()
	sharing.Own = true
	f.BoolVar(&sharing.Latest, "latest", true, "only what is in force; --latest=false: all that was ever said")
	f.BoolVar(&sharing.Own, "own", true, "only what was decided here")
	f.BoolVar(&sharing.Undecided, "undecided", false, "also hosts nobody could tell")
	f.BoolVar(&sharing.Notes, "notes", false, "with the notes for colleagues")
	f.StringVar(&sharing.Who, "who", "", "one name for all people")
	return c
}

func newSpamLabelsImportCommand() *cobra.Command {
	var o spamLabelsOptions
	var from string
	c := &cobra.Command{
		Use:   "import FILE",
		Short: "Take in the labels of others",
		Long: `Adds the labels of another institution, marked with its name. What was decided here stays in force; hosts that they label
otherwise are told. Nothing is added twice.

Exit codes: 0 taken in, 1 taken in, with hosts that they label otherwise, 2 could not.`,
		Example: `  varve spam labels import --collection news --from "National library" labels.jsonl`,
		Args:    needArgs(1, "a label file"),
		RunE: func(c *cobra.Command, args []string) error {
			if from == "" {
				return UsageError(c, "needs --from, the name of those whose labels they are")
			}
			log, err := o.open()
			if err != nil {
				return err
			}
			f, err := os.Open(args[0])
			if err != nil {
				return &varve.Error{Kind: varve.NotFound, Op: "read " + args[0], Err: err}
			}
			defer f.Close()
			did, err := log.Import(f, from)
			if err != nil {
				return &varve.Error{Kind: varve.Invalid, Op: "read " + args[0], Err: err, Hint: "docs/formats/labels.md tells the format"}
			}
			if o.json {
				err = PrintJSON(c.OutOrStdout(), did)
			} else {
				fmt.Fprintf(c.OutOrStdout(), "%d added, %d were there\n", did.Added, did.Known)
				for _, host := range did.Conflicts {
					fmt.Fprintf(c.OutOrStdout(), "  %s: they label it otherwise; ours stays in force\n", oneLine(host))
				}
			}
			if err == nil && len(did.Conflicts) > 0 {
				err = varve.ErrFindings
			}
			return err
		},
	}
	o.flags(c)
	c.Flags().StringVar(&from, "from", "", "whose labels they are")
	return c
}
