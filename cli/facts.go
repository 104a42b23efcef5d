package cli

import (
	"cmp"
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
	of, when  string
	most      int
}

func newFactsCommand() *cobra.Command {
	var o factsOptions
	c := &cobra.Command{
		Use:   "facts [FILE|URL|-]",
		Short: "Find who was what, from when to when, in one text or in a collection",
		Long: `Finds facts with the time in which they hold: who worked for which club, held which office, was married to whom, led or was a member of what, what was where, who acted in what. The
text is that of a file, of standard input (-), or of an address: its capture in the archive, the last one or that nearest to --at. Nothing is fetched from the web. English only. Without a text: what all
texts of a collection say, as 'varve derive --units facts' found it; --of names one person or thing, --when one time: who was what then.

Facts come from sentences, and from the rows of infoboxes, tables and lists of a page (HTML).

Each fact has its begin and its end, as far as the text tells them (earliest and latest day; the end is the first day on which it does not hold any more), a confidence, and as evidence the sentences
that say so; what several versions say counts more. What contradicts the rest, two marriages at once, is listed as rejected, that of a collection as alternatives. A sentence counts if it says what a fact begins, ends or lasts by in words like those of the relation: the relations are files that
you can write yourself (--relations FILE; docs/formats/relations.md), and what they do not know is not found.

Exit codes: 0 facts were looked for, 1 the language is not known, or files have no table of facts, 2 could not.`,
		Example: `  varve facts biography.txt
  varve facts https://example.org/about --collection news --at 2024-05-01 --json
  varve facts page.html --relations club.txt
  varve facts --collection news --of "Angela Merkel"
  varve facts --collection news --of Germany --when 2010-05-01 --json`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return runCollectionFacts(c, &o)
			}
			if o.of != "" || o.when != "" {
				return UsageError(c, "--of and --when are for the facts of a collection, without a text")
			}
			return runFacts(c, &o, args[0])
		},
	}
	f := c.Flags()
	f.StringVar(&o.archive, "archive", "archive", "the archive directory, for an address")
	collectionFlag(f, &o.collection)
	f.StringVar(&o.at, "at", "", "the capture of an address nearest to this time (default: the last)")
	f.StringVar(&o.lang, "lang", "", "language of the text, such as en (default: what it looks like)")
	f.StringVar(&o.date, "date", "", "date of the document (default: what it says of itself, else its capture, else today)")
	f.StringVar(&o.relations, "relations", "", "file of relations (default: those that come with the program)")
	f.Float64Var(&o.least, "confidence", fact.Default().Least, "only what is as sure as this, from 0 to 1")
	f.StringVar(&o.of, "of", "", "of a collection: only facts of this name, as texts write it")
	f.StringVar(&o.when, "when", "", "of a collection: only facts that hold or can hold then: a year, a month or a day")
	f.IntVar(&o.most, "most", 200_000, "of a collection: how many different statements are held, 0.5 KB each; what is left out is told")
	f.BoolVar(&o.json, "json", false, "print one JSON object")
	c.AddCommand(newFactsLearnCommand())
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
	found, report, err := fact.Find(c.Context(), read.Document, read.Text, what, topic, relations, settings, annotate.Harvest(*in, read.Title, relations)...)
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

// collectionFacts are the facts of a collection.
type collectionFacts struct {
	Collection   string      `json:"collection"`
	Of           string      `json:"of,omitempty"`
	When         string      `json:"when,omitempty"`
	Facts        []heldFact  `json:"facts"`
	Alternatives []fact.Fact `json:"alternatives"` // of which nothing is believed, since it contradicts the rest
	Rows         int64       `json:"rows"`         // of the table, that were read
	Left         int64       `json:"left,omitempty"`
	NoTable      int         `json:"files_without_table,omitempty"`
	Greedy       int         `json:"greedy,omitempty"`
	Crowded      int         `json:"crowded,omitempty"`
	report       *fact.Report
}

// heldFact is a fact, and whether it holds at the time that was asked for.
type heldFact struct {
	fact.Fact
	Sure bool `json:"sure,omitempty"` // holds then; else it can hold, by what is known
}

func runCollectionFacts(c *cobra.Command, o *factsOptions) error {
	var when fact.Time
	var err error
	if o.when != "" {
		if when, err = fact.ParseTime(o.when); err != nil {
			return &varve.Error{Kind: varve.Invalid, Op: "read --when", Err: err, Hint: "a year, a month or a day, such as 2010, 2010-05, 2010-05-01"}
		}
	}
	col, err := oneCollection(o.archive, o.collection)
	if err != nil {
		return err
	}
	j, _, err := annotate.FactsJob(col.Dir())
	if err != nil {
		return err
	}
	relations, err := annotate.RelationsOf(col.Dir())
	if err != nil {
		return err
	}
	files, err := col.Files()
	if err != nil {
		return err
	}
	parts, err := derive.Parts(files)
	if err != nil {
		return err
	}
	told := annotate.ToldFacts{Dir: derivedDir(col), Parts: parts, Job: j, Name: o.of, Most: o.most}
	found, report, err := told.Clean(c.Context(), relations)
	if c.Context().Err() != nil {
		return Stopped(c)
	}
	if err != nil {
		return err
	}
	out := collectionFacts{
		Collection: col.Name, Of: o.of, When: o.when, Facts: []heldFact{}, Alternatives: append([]fact.Fact{}, report.Denied...), Rows: told.Rows, Left: told.Left, NoTable: told.Absent,
		Greedy: report.Greedy(), Crowded: report.Crowded, report: report,
	}
	for _, f := range found {
		held := heldFact{Fact: f}
		if when.Known() {
			var possible bool
			if held.Sure, possible = f.At(when); !possible {
				continue
			}
		}
		if f.Confidence >= o.least {
			out.Facts = append(out.Facts, held)
		}
	}
	if o.json {
		err = PrintJSON(c.OutOrStdout(), out)
	} else {
		err = out.print(c, relations)
	}
	if err == nil && told.Absent > 0 {
		fmt.Fprintf(c.ErrOrStderr(), "%d files have no table of facts: 'varve derive --collection %s --units facts' makes it\n", told.Absent, col.Name)
		return varve.ErrFindings
	}
	return err
}

// print writes a line for each fact, and for each alternative to it.
func (o *collectionFacts) print(c *cobra.Command, relations []fact.Relation) error {
	title := titles(relations)
	t := tabwriter.NewWriter(c.OutOrStdout(), 0, 0, 2, ' ', 0)
	line := func(mark string, f *fact.Fact, say []fact.Observation) {
		for _, b := range say {
			fmt.Fprintf(t, "%s%s\t%s %s\t%.2f\t%s\n", mark, oneLine(f.Subject+" "+fact.Titled(title[f.Relation], f.Role)+" "+f.Object), b.Aspect, b.Time, b.Confidence, oneLine(b.Evidence[0].Document))
		}
	}
	for _, f := range o.Facts {
		mark := ""
		if o.When != "" && !f.Sure {
			mark = "perhaps: "
		}
		fmt.Fprintf(t, "%s%s\t%s %s\t%.2f\t%s\n", mark, oneLine(f.Subject+" "+fact.Titled(title[f.Relation], f.Role)+" "+f.Object), day(f.Begin, "from"), day(f.End, "until"), f.Confidence, oneLine(f.Observations[0].Evidence[0].Document))
		line("  or else: ", &f.Fact, f.Rejected)
	}
	for _, f := range o.Alternatives {
		line("not believed: ", &f, f.Rejected)
	}
	fmt.Fprintf(t, "%d facts of %d statements; %d statements contradict them\n", len(o.Facts), o.Rows, o.report.Rejected)
	if o.Left > 0 {
		fmt.Fprintf(t, "%d statements were not looked at: there are more than --most\n", o.Left)
	}
	for _, limit := range o.report.Limits() {
		fmt.Fprintln(t, limit)
	}
	return t.Flush()
}

// titles are what relations are called, by name.
func titles(relations []fact.Relation) map[string]string {
	out := map[string]string{}
	for _, r := range relations {
		out[r.Name] = r.Title
	}
	return out
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
	title := titles(relations)
	t := tabwriter.NewWriter(c.OutOrStdout(), 0, 0, 2, ' ', 0)
	for _, f := range found {
		e := f.Observations[0].Evidence[0]
		fmt.Fprintf(t, "%s\t%s\t%s\t%.2f\t%.100s\n", oneLine(f.Subject+" "+fact.Titled(title[f.Relation], f.Role)+" "+f.Object), day(f.Begin, "from"), day(f.End, "until"), f.Confidence, oneLine(cmp.Or(e.Said, text[e.Start:e.End])))
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
