package cli

import (
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"varve"
	"varve/crawl"
	"varve/serve/crawls"
)

type planListOptions struct {
	archive, collection string
	json                bool
}

func newCrawlPlanCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "plan",
		Short: "List and show the planned crawls of a collection",
		Long: `Tells what is planned for a collection: the crawls of its collection.toml, and those that curators planned on
the screens of 'varve serve' (labels/definitions.jsonl). 'varve crawl --due' and 'varve crawl --definition NAME' run them.

  varve crawl plan list --collection news
  varve crawl plan show daily --collection news        as it can be pasted into collection.toml

Exit codes: 0 done, 2 could not (no such collection or crawl, a plan that cannot be read).`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(newCrawlPlanListCommand(), newCrawlPlanShowCommand())
	return c
}

func (o *planListOptions) addFlags(c *cobra.Command) {
	f := c.Flags()
	f.StringVar(&o.archive, "archive", "archive", "the archive directory")
	f.StringVar(&o.collection, "collection", "default", "the collection")
	f.BoolVar(&o.json, "json", false, "print JSON")
}

func newCrawlPlanListCommand() *cobra.Command {
	var o planListOptions
	c := &cobra.Command{
		Use:   "list",
		Short: "List the planned crawls of a collection, and when each is due",
		Long: `Lists the planned crawls of a collection: name, rhythm, last start, when due, where defined.

  varve crawl plan list --collection news --json

Exit codes: 0 done, 2 could not (no such collection, a plan that cannot be read).`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return runPlanList(&o, c.OutOrStdout(), c.ErrOrStderr()) },
	}
	o.addFlags(c)
	return c
}

// plannedLine is a planned crawl of the list.
type plannedLine struct {
	crawls.Entry
	Last time.Time `json:"last,omitzero"`
	Next time.Time `json:"next,omitzero"`
	Due  bool      `json:"due"`
}

func (o *planListOptions) desk() *crawls.Desk {
	return &crawls.Desk{Archive: openArchive(o.archive), Now: now}
}

func runPlanList(o *planListOptions, out, notes io.Writer) error {
	list, err := o.desk().List(o.collection)
	if err != nil {
		return err
	}
	col, err := openArchive(o.archive).Collection(o.collection)
	if err != nil {
		return err
	}
	last, err := crawl.LastStarted(col, now())
	if err != nil {
		return err
	}
	if _, trouble := crawl.ReadDefined(col); trouble != nil {
		fmt.Fprintf(notes, "varve: %v\n", trouble)
	}
	lines := make([]plannedLine, 0, len(list))
	for _, e := range list {
		l := plannedLine{Entry: e, Last: last[e.Name]}
		if every := time.Duration(e.Definition.Every); every > 0 && !e.Hidden {
			if l.Next = now().UTC().Truncate(time.Second); !l.Last.IsZero() {
				l.Next = l.Last.Add(every)
			}
			l.Due = !now().Before(l.Next)
		}
		lines = append(lines, l)
	}
	if o.json {
		return PrintJSON(out, lines)
	}
	return printPlan(out, lines)
}

func printPlan(out io.Writer, lines []plannedLine) error {
	if len(lines) == 0 {
		_, err := fmt.Fprintln(out, "Nothing is planned.")
		return err
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "NAME\tSEEDS\tEVERY\tLAST START\tNEXT\tDEFINED")
	for _, l := range lines {
		every, started, next, source := "when asked", "never", "-", string(l.Source)
		if l.Definition.Every > 0 {
			every = crawls.SpanText(time.Duration(l.Definition.Every))
		}
		if !l.Last.IsZero() {
			started = l.Last.Format(time.RFC3339)
		}
		if l.Due {
			next = "due"
		} else if !l.Next.IsZero() {
			next = l.Next.Format(time.RFC3339)
		}
		if l.By != "" {
			source += ", " + l.By
		}
		if l.Hidden {
			source += " (hidden: collection.toml goes before)"
		}
		fmt.Fprintf(w, "%s\t%d\t%s\t%s\t%s\t%s\n", l.Name, len(l.Definition.Seeds), every, started, next, source)
	}
	return w.Flush()
}

func newCrawlPlanShowCommand() *cobra.Command {
	var o planListOptions
	c := &cobra.Command{
		Use:   "show NAME",
		Short: "Print a planned crawl as TOML",
		Long: `Prints a planned crawl as it can be pasted into a collection.toml; with --json the whole definition, where it is
defined and who changed it when.

  varve crawl plan show daily --collection news >> archive/collections/news/collection.toml

Exit codes: 0 done, 2 could not (no such collection or crawl, a plan that cannot be read).`,
		Args: needArgs(1, "the name of one planned crawl"),
		RunE: func(c *cobra.Command, args []string) error { return runPlanShow(&o, args[0], c.OutOrStdout()) },
	}
	o.addFlags(c)
	return c
}

func runPlanShow(o *planListOptions, name string, out io.Writer) error {
	e, err := o.desk().Entry(o.collection, name)
	if err != nil {
		if varve.KindOf(err) == varve.NotFound && varve.HintOf(err) == "" {
			err = &varve.Error{Kind: varve.NotFound, Op: "varve crawl plan show", Err: err, Hint: "'varve crawl plan list --collection " + o.collection + "' lists what is planned"}
		}
		return err
	}
	text, err := e.Definition.TOML()
	if err != nil {
		return err
	}
	if !o.json {
		_, err = io.WriteString(out, text)
		return err
	}
	history, err := o.desk().History(o.collection, name)
	if varve.KindOf(err) == varve.NotFound {
		history, err = []crawl.Defined{}, nil
	}
	if err != nil {
		return err
	}
	return PrintJSON(out, struct {
		crawls.Entry
		TOML    string          `json:"toml"`
		History []crawl.Defined `json:"history"`
	}{e, text, history})
}
