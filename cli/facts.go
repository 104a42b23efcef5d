package cli

import (
	"fmt"
	"os"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"varve"
	"varve/derive"
	"varve/derive/annotate"
	"varve/fact"
	"varve/text/document"
)

type factsOptions struct {
	textOptions
	relations string
	least     float64
}

func newFactsCommand() *cobra.Command {
	var o factsOptions
	c := &cobra.Command{
		Use:   "facts FILE|URL|-",
		Short: "Find who was what, from when to when, in one text",
		Long: `Finds facts with the time in which they hold: who worked for which club, held which office, was married to whom, led or was a member of what, what was where, who acted in what. The
text is that of a file, of standard input (-), or of an address: its capture in the archive, the last one or that nearest to --at. Nothing is fetched from the web. English only.

Each fact has its begin and its end, as far as the text tells them (earliest and latest day; the end is the first day on which it does not hold any more), a confidence, and as evidence the sentences
that say so. What contradicts the rest, two marriages at once, is listed as rejected. A sentence counts if it says what a fact begins, ends or lasts by in words like those of the relation: the relations are files that
you can write yourself (--relations FILE; docs/formats/relations.md), and what they do not know is not found.

Exit codes: 0 facts were looked for, 1 the language is not known, 2 could not.`,
		Example: `  varve facts biography.txt
  varve facts https://example.org/about --collection news --at 2024-05-01 --json
  varve facts page.html --relations club.txt`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return runFacts(c, &o, args[0]) },
	}
	f := c.Flags()
	f.StringVar(&o.archive, "archive", "archive", "the archive directory, for an address")
	collectionFlag(f, &o.collection)
	f.StringVar(&o.at, "at", "", "the capture of an address nearest to this time (default: the last)")
	f.StringVar(&o.lang, "lang", "", "language of the text, such as en (default: what it looks like)")
	f.StringVar(&o.date, "date", "", "date of the document (default: what it says of itself, else its capture, else today)")
	f.StringVar(&o.relations, "relations", "", "file of relations (default: those that come with the program)")
	f.Float64Var(&o.least, "confidence", fact.Default().Least, "only what is as sure as this, from 0 to 1")
	f.BoolVar(&o.json, "json", false, "print one JSON object")
	return c
}

func runFacts(c *cobra.Command, o *factsOptions, what string) error {
	relations, err := fact.Relations()
	if o.relations != "" {
		relations, err = readRelations(o.relations)
	}
	if err != nil {
		return err
	}
	in, err := o.asked(c, what)
	if err != nil {
		return err
	}
	read, err := annotate.Analyse(c.Context(), *in, derive.Options{Document: document.Text}, fact.Units())
	if c.Context().Err() != nil {
		return Stopped(c)
	}
	if err != nil {
		return err
	}
	settings := fact.Default()
	settings.Least = o.least
	topic := fact.TopicOf(read.Title, read.Document)
	found, report, err := fact.Find(c.Context(), read.Document, read.Text, what, topic, relations, settings)
	if err != nil {
		return err
	}
	if o.json {
		err = PrintJSON(c.OutOrStdout(), struct {
			Text     string      `json:"text"`
			Topic    string      `json:"topic,omitempty"`
			Facts    []fact.Fact `json:"facts"`
			Rejected int         `json:"rejected"`
			Greedy   int         `json:"greedy,omitempty"`  // sets of contradictions too large to be resolved exactly
			Cut      int         `json:"cut,omitempty"`     // sentences with more names or times than were looked at
			Crowded  int         `json:"crowded,omitempty"` // facts left out, since too many share a name at once
			Missing  any         `json:"missing,omitempty"`
		}{read.Text, topic.Name, append([]fact.Fact{}, found...), report.Rejected, report.Greedy(), report.Cut, report.Crowded, read.Missing})
	} else {
		err = printFacts(c, found, relations, read.Text, report)
	}
	if err != nil {
		return err
	}
	if len(read.Missing) > 0 {
		fmt.Fprintln(c.ErrOrStderr(), read.Missing[0].Why)
		return varve.ErrFindings
	}
	return nil
}

func readRelations(path string) ([]fact.Relation, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, &varve.Error{Kind: varve.Invalid, Op: "read relations", Err: err, Hint: "docs/formats/relations.md says what such a file has"}
	}
	defer f.Close()
	list, err := fact.ReadRelations(f, path)
	if err == nil {
		err = fact.Check(list)
	}
	if err != nil {
		return nil, &varve.Error{Kind: varve.Invalid, Op: "read relations", Err: err, Hint: "docs/formats/relations.md says what such a file has"}
	}
	return list, nil
}

// printFacts writes a line for each fact, and the sentence that says it.
func printFacts(c *cobra.Command, found []fact.Fact, relations []fact.Relation, text string, report *fact.Report) error {
	title := map[string]string{}
	for _, r := range relations {
		title[r.Name] = r.Title
	}
	t := tabwriter.NewWriter(c.OutOrStdout(), 0, 0, 2, ' ', 0)
	for _, f := range found {
		e := f.Observations[0].Evidence[0]
		fmt.Fprintf(t, "%s\t%s\t%s\t%.2f\t%.100s\n", oneLine(f.Subject+" "+title[f.Relation]+" "+f.Object), day(f.Begin, "from"), day(f.End, "until"), f.Confidence, oneLine(text[e.Start:e.End]))
	}
	fmt.Fprintf(t, "%d facts; %d observations that contradict them are left out\n", len(found), report.Rejected)
	for _, line := range report.Limits() {
		fmt.Fprintln(t, line)
	}
	return t.Flush()
}

// day returns bounds in words: "from 2003-01-01..2003-12-31".
func day(b fact.Bounds, word string) string {
	switch {
	case b.Earliest == 0 && b.Latest == 0:
		return ""
	case b.Earliest == b.Latest:
		return fmt.Sprintf("%s %s", word, b.Earliest)
	}
	return fmt.Sprintf("%s %s..%s", word, b.Earliest, b.Latest)
}
