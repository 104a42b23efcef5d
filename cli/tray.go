package cli

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"varve"
	"varve/serve/holdings"
	"varve/serve/review"
)

type trayOptions struct {
	archive, collection string
	all, json           bool
}

func newTrayCommand() *cobra.Command {
	o := &trayOptions{}
	c := &cobra.Command{
		Use:   "tray",
		Short: "What needs a look: failed crawls and seeds, drops, findings of audits, ...",
		Long: `Lists what somebody has to look at, worst first, with what to do about it:

  audit              a file is not what it was              host-unreachable   nothing came in three crawls
  disk               less than 10 GiB are free              pages-dropped      half the pages of the crawl before, or fewer
  crawl-failed       a crawl broke, or was killed           coherence-dropped  more than 10 points below the crawl before
  crawl-stopped      it ended with addresses left           overdue            a planned crawl did not run
  seed-failed        a seed is dead, blocked, unreachable   index-behind       files are not indexed for an hour
  seed-moved         it redirects to another site           unreadable         a plan, report or ledger cannot be read
  question           a note asks, and nobody closed it      derive-failed      captures are missing in the tables

It is computed from what is stored, so what is mended goes away by itself. Of the crawls of one definition
only the last one counts. Put aside what you know of with 'varve tray done' or 'varve tray snooze'; it comes
back when it went away and happens again, or when the snooze is over. Decisions are lines of
collections/NAME/labels/tray.jsonl. The screen In-tray of 'varve serve' shows the same.

Exit codes: 0 nothing is open, 1 something is, 2 could not.`,
		Example: `  varve tray --archive archive
  varve tray --json | jq -r '.open[] | [.weight, .kind, .what] | @tsv'
  varve tray || mail -s "the archive needs a look" curators@my.library
  varve tray snooze 5e0b3f2a9c1d4e77 --until 2027-01-15 --why "the owner was asked"`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return o.run(c) },
	}
	c.PersistentFlags().StringVar(&o.archive, "archive", "archive", "the archive directory")
	c.PersistentFlags().BoolVar(&o.json, "json", false, "print one JSON object")
	c.Flags().StringVar(&o.collection, "collection", "", "only of this collection, and of the archive as a whole")
	c.Flags().BoolVar(&o.all, "all", false, "also what was put aside")
	c.AddCommand(
		o.decideCommand(review.Done, "Put an alert aside for as long as it goes on"),
		o.decideCommand(review.Snooze, "Put an alert aside until a day"),
		o.decideCommand(review.Reopen, "Put an alert back into the tray"),
	)
	return c
}

func (o *trayOptions) desk(ctx context.Context) (*review.Desk, error) {
	if _, err := chosenCollections(o.archive, o.collection); err != nil {
		return nil, err
	}
	h := holdings.Open(openArchive(o.archive), now, slog.New(slog.DiscardHandler))
	if err := h.Complete(ctx); err != nil {
		return nil, err
	}
	return &review.Desk{Archive: o.archive, Holdings: h, Now: now, Disk: review.DiskOf}, nil
}

func (o *trayOptions) run(c *cobra.Command) error {
	d, err := o.desk(c.Context())
	if err != nil {
		return err
	}
	t, err := d.Tray(c.Context())
	if err != nil {
		return err
	}
	if o.collection != "" {
		other := func(a review.Alert) bool { return a.Collection != "" && a.Collection != o.collection }
		t.Open, t.Aside = slices.DeleteFunc(t.Open, other), slices.DeleteFunc(t.Aside, other)
	}
	if o.json {
		err = PrintJSON(c.OutOrStdout(), t)
	} else {
		err = o.print(c, t)
	}
	if err == nil && len(t.Open) > 0 {
		return varve.ErrFindings
	}
	return err
}

func (o *trayOptions) print(c *cobra.Command, t *review.Tray) error {
	w := c.OutOrStdout()
	where := ""
	if c.Flags().Changed("archive") {
		where = " --archive " + o.archive
	}
	for _, a := range t.Open {
		if err := printAlert(w, a, where); err != nil {
			return err
		}
	}
	if o.all {
		for _, a := range t.Aside {
			if err := printAlert(w, a, where); err != nil {
				return err
			}
		}
	}
	_, err := fmt.Fprintf(w, "%d open, %d put aside\n", len(t.Open), len(t.Aside))
	return err
}

// printAlert writes an alert as two or three lines; what comes from the web or from files is made safe to show.
func printAlert(w io.Writer, a review.Alert, where string) error {
	of := a.Collection
	if of == "" {
		of = "-"
	}
	lines := []string{
		fmt.Sprintf("%3d  %s  %s  %s  %s", a.Weight, a.ID, a.Kind, of, a.Subject),
		fmt.Sprintf("     %s (since %s)", a.What, a.Since.UTC().Format("2006-01-02 15:04")),
		"     " + a.Act,
	}
	if a.Command != "" {
		lines[2] += ": " + a.Command + where
	}
	if d := a.Decision; d != nil {
		said := fmt.Sprintf("     %s by %s on %s", d.Do, d.By, d.At.UTC().Format(time.DateOnly))
		if !d.Until.IsZero() {
			said += " until " + d.Until.UTC().Format(time.DateOnly)
		}
		if d.Why != "" {
			said += ": " + d.Why
		}
		lines = append(lines, said)
	}
	for i := range lines {
		lines[i] = oneLine(lines[i])
	}
	_, err := fmt.Fprintln(w, strings.Join(lines, "\n"))
	return err
}

// decideCommand makes the command of a decision.
func (o *trayOptions) decideCommand(do, short string) *cobra.Command {
	d := review.Decision{Do: do}
	var until string
	c := &cobra.Command{
		Use:     do + " ID",
		Short:   short,
		Long:    short + ". ID is the one that 'varve tray' prints. Who, when and why are kept; a later decision takes it back.\n\nExit codes: 0 done, 2 could not.",
		Example: "  varve tray " + do + " 5e0b3f2a9c1d4e77" + map[string]string{review.Snooze: " --until 2027-01-15"}[do] + ` --why "the owner was asked"`,
		Args:    needArgs(1, "the id of an alert"),
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) > 1 {
				return UsageError(c, "takes one id")
			}
			if do == review.Snooze {
				at, err := time.Parse(time.DateOnly, until)
				if err != nil {
					return UsageError(c, "--until needs a day, such as 2027-01-15")
				}
				d.Until = at
			}
			d.ID, d.By = args[0], operator()
			return o.decide(c, d)
		},
	}
	c.Flags().StringVar(&d.Why, "why", "", "the reason, kept with the decision")
	if do == review.Snooze {
		c.Flags().StringVar(&until, "until", "", "the day to be reminded on: 2027-01-15")
	}
	return c
}

func (o *trayOptions) decide(c *cobra.Command, d review.Decision) error {
	desk, err := o.desk(c.Context())
	if err != nil {
		return err
	}
	a, err := desk.Decide(c.Context(), d)
	if err != nil {
		return err
	}
	if o.json {
		return PrintJSON(c.OutOrStdout(), a)
	}
	_, err = fmt.Fprintln(c.OutOrStdout(), oneLine(fmt.Sprintf("%s  %s  %s  %s", a.ID, d.Do, a.Kind, a.Subject)))
	return err
}
