package cli

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"varve"
	"varve/archive/catalog"
	"varve/archive/cdxj"
	"varve/curate/notes"
)

type noteOptions struct {
	archive, collection string
	crawl, url, at      string
	json                bool
}

func newNoteCommand() *cobra.Command {
	o := &noteOptions{}
	c := &cobra.Command{
		Use:   "note",
		Short: "Notes, decisions and questions about a collection, a crawl, a page or a capture",
		Long: `Keeps what people say about a collection and its parts: what was decided and why, what is not clear, who gave which
permission. A note is internal unless it is made public; then readers see it on the screens too. An open question is in
the in-tray ('varve tray') until somebody closes it.

Notes are lines of collections/NAME/labels/notes.jsonl, which only grows; they are audited ('varve audit') and go with
the collection into bags ('varve bag export').

Exit codes: 0 done, 2 could not.`,
		Example: `  varve note add --collection law --url https://ministry.example/law --kind question "Was the annex ever online?"
  varve note list --collection law --open
  varve note answer 5e0b3f2a9c1d4e77 --collection law "Until April; see the version of 2026-03-01."
  varve note close 5e0b3f2a9c1d4e77 --collection law`,
	}
	f := c.PersistentFlags()
	f.StringVar(&o.archive, "archive", "archive", "the archive directory")
	f.StringVar(&o.collection, "collection", "", "the collection; may be left out if there is only one")
	f.BoolVar(&o.json, "json", false, "print JSON")
	c.AddCommand(o.addCommand(), o.listCommand(),
		o.actCommand(notes.Answer, "Answer a note"),
		o.actCommand(notes.Close, "Close a note: nothing is left to do"),
		o.actCommand(notes.Reopen, "Open a note again"),
		o.actCommand(notes.Publish, "Show a note to readers"),
		o.actCommand(notes.Withdraw, "Hide a note from readers"),
	)
	return c
}

// subjectFlags are those that name what a note is about.
func (o *noteOptions) subjectFlags(c *cobra.Command) {
	c.Flags().StringVar(&o.crawl, "crawl", "", "about this crawl, by its id")
	c.Flags().StringVar(&o.url, "url", "", "about this page")
	c.Flags().StringVar(&o.at, "at", "", "about one capture of the page: its time in 14 digits")
}

func (o *noteOptions) subject() (s notes.Subject, err error) {
	s = notes.Subject{Crawl: o.crawl, URL: o.url}
	if o.at != "" {
		if s.Time, err = cdxj.ParseTimestamp(o.at); err != nil {
			return s, &varve.Error{Kind: varve.Invalid, Op: "--at " + o.at, Err: err, Hint: "14 digits, as in replay addresses: 20260301030000"}
		}
	}
	return s, s.Check()
}

// book opens the notes of the collection that is named, or of the only one.
func (o *noteOptions) book() (*notes.Book, *catalog.Collection, error) {
	list, err := chosenCollections(o.archive, o.collection)
	if err != nil {
		return nil, nil, err
	}
	if len(list) > 1 {
		names := make([]string, 0, len(list))
		for _, c := range list {
			names = append(names, c.Name)
		}
		return nil, nil, &varve.Error{Kind: varve.Invalid, Op: "choose a collection", Msg: "there are several", Hint: "--collection " + strings.Join(names, " | ")}
	}
	return notes.Open(list[0].Dir(), now), list[0], nil
}

func (o *noteOptions) addCommand() *cobra.Command {
	var l notes.Line
	kind := ""
	c := &cobra.Command{
		Use:   "add TEXT",
		Short: "Write a note",
		Long: `Writes a note about the collection, or about what --crawl, --url, or --url with --at name. TEXT of - is read from standard
input; it has at most 8,000 bytes.

Exit codes: 0 kept, 2 could not.`,
		Example: `  varve note add --collection law --kind decision "Weekly from June on: the ministry publishes on Fridays."
  varve note add --collection law --url https://ministry.example/law --kind rights --link https://ministry.example/terms "May be shown in the reading room."`,
		Args: needArgs(1, "the text of the note, in quotes"),
		RunE: func(c *cobra.Command, args []string) error {
			b, col, err := o.book()
			if err != nil {
				return err
			}
			if l.Subject, err = o.subject(); err != nil {
				return err
			}
			if l.Text, err = noteText(c, args); err != nil {
				return err
			}
			l.Kind, l.By = notes.Kind(kind), onThisMachine()
			t, err := b.Add(l)
			t.Collection = col.Name
			return o.printOne(c, t, err)
		},
	}
	o.subjectFlags(c)
	c.Flags().StringVar(&kind, "kind", string(notes.Remark), "note, decision, question or rights")
	c.Flags().StringVar(&l.Link, "link", "", "to another: a web address, the id of a note, or crawl:ID")
	c.Flags().BoolVar(&l.Public, "public", false, "readers may see it")
	return c
}

// noteText is the text of the arguments, or of standard input.
func noteText(c *cobra.Command, args []string) (string, error) {
	if len(args) > 1 {
		return "", UsageError(c, "takes one text; put it into quotes")
	}
	if args[0] != "-" {
		return args[0], nil
	}
	b, err := io.ReadAll(io.LimitReader(c.InOrStdin(), notes.MaxText+1))
	if err != nil {
		return "", &varve.Error{Kind: varve.Unavailable, Op: "read the text", Err: err}
	}
	return string(b), nil
}

func (o *noteOptions) listCommand() *cobra.Command {
	var q notes.Query
	kind := ""
	c := &cobra.Command{
		Use:     "list",
		Short:   "List notes, newest word first",
		Long:    "Lists notes with what was said and done about them, the newest word first. Without --collection those of all collections.\n\nExit codes: 0 listed, 2 could not.",
		Example: "  varve note list --open\n  varve note list --collection law --url https://ministry.example/law --json",
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if q.Kind = notes.Kind(kind); kind != "" && !slices.Contains(notes.Kinds(), q.Kind) {
				return UsageError(c, "--kind is note, decision, question or rights")
			}
			return o.list(c, q)
		},
	}
	o.subjectFlags(c)
	c.Flags().StringVar(&kind, "kind", "", "only notes of this kind")
	c.Flags().BoolVar(&q.Open, "open", false, "only questions that nobody has closed")
	c.Flags().BoolVar(&q.Public, "public", false, "only what readers may see")
	return c
}

func (o *noteOptions) list(c *cobra.Command, q notes.Query) error {
	cols, err := chosenCollections(o.archive, o.collection)
	if err != nil {
		return err
	}
	about, err := o.subject()
	if err != nil {
		return err
	}
	if about != (notes.Subject{}) {
		q.Subject = &about
	}
	all := []notes.Thread{}
	for _, col := range cols {
		list, err := notes.Open(col.Dir(), now).List(q)
		if err != nil {
			fmt.Fprintf(c.ErrOrStderr(), "%s: %v\n", col.Name, err)
		}
		for _, t := range list {
			t.Collection = col.Name
			all = append(all, t)
		}
	}
	slices.SortStableFunc(all, func(a, b notes.Thread) int { return b.Last.Compare(a.Last) })
	if o.json {
		return PrintJSON(c.OutOrStdout(), all)
	}
	for _, t := range all {
		if err := printNote(c.OutOrStdout(), t); err != nil {
			return err
		}
	}
	if len(all) == 0 {
		_, err = fmt.Fprintln(c.OutOrStdout(), "Nothing is noted.")
	}
	return err
}

// actCommand makes the command of an act.
func (o *noteOptions) actCommand(do notes.Act, short string) *cobra.Command {
	use, need := string(do)+" ID [TEXT]", 1
	if do == notes.Answer {
		use, need = "answer ID TEXT", 2
	}
	return &cobra.Command{
		Use:     use,
		Short:   short,
		Long:    short + ". ID is the one that 'varve note list' prints. Who, when and the text are kept; nothing is overwritten.\n\nExit codes: 0 done, 2 could not.",
		Example: "  varve note " + string(do) + ` 5e0b3f2a9c1d4e77 --collection law "see the version of 2026-03-01"`,
		Args:    needArgs(need, map[int]string{1: "the id of a note", 2: "the id of a note and a text"}[need]),
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) > 2 {
				return UsageError(c, "takes an id and one text; put it into quotes")
			}
			b, col, err := o.holding(args[0])
			if err != nil {
				return err
			}
			l := notes.Line{Do: do, Re: args[0], By: onThisMachine()}
			if len(args) == 2 {
				if l.Text, err = noteText(c, args[1:]); err != nil {
					return err
				}
			}
			t, err := b.Act(l)
			t.Collection = col.Name
			return o.printOne(c, t, err)
		},
	}
}

// holding finds the collection that has a note, if none is named.
func (o *noteOptions) holding(id string) (*notes.Book, *catalog.Collection, error) {
	if o.collection != "" {
		return o.book()
	}
	list, err := chosenCollections(o.archive, "")
	if err != nil {
		return nil, nil, err
	}
	for _, col := range list {
		b := notes.Open(col.Dir(), now)
		all, err := b.List(notes.Query{})
		if err != nil {
			fmt.Fprintf(os.Stderr, "%s: %v\n", col.Name, err)
		}
		if slices.ContainsFunc(all, func(t notes.Thread) bool { return t.ID == id }) {
			return b, col, nil
		}
	}
	return nil, nil, &varve.Error{Kind: varve.NotFound, Op: "find note " + id, Msg: "no collection has it", Hint: "'varve note list' lists them"}
}

func (o *noteOptions) printOne(c *cobra.Command, t notes.Thread, err error) error {
	if err != nil {
		return err
	}
	if o.json {
		return PrintJSON(c.OutOrStdout(), t)
	}
	return printNote(c.OutOrStdout(), t)
}

// printNote writes a thread; what people and the web wrote is made safe to show.
func printNote(w io.Writer, t notes.Thread) error {
	head := []string{t.ID, string(t.Kind)}
	switch {
	case t.Open():
		head = append(head, "open")
	case t.Closed:
		head = append(head, "closed")
	}
	if t.Public {
		head = append(head, "public")
	}
	about := strings.Join(strings.Fields(t.Collection+" "+t.Crawl+" "+t.URL), " ")
	if !t.Time.IsZero() {
		about += " at " + cdxj.Timestamp(t.Time)
	}
	lines := []string{strings.Join(append(head, about), "  "), fmt.Sprintf("    %s %s: %s", t.At.UTC().Format("2006-01-02 15:04"), t.By, t.Text)}
	if t.Link != "" {
		lines = append(lines, "    see "+t.Link)
	}
	for _, a := range t.Answers {
		lines = append(lines, fmt.Sprintf("    %s %s: %s %s", a.At.UTC().Format(time.DateOnly+" 15:04"), a.By, a.Do, a.Text))
	}
	for i := range lines {
		lines[i] = oneLine(lines[i])
	}
	_, err := fmt.Fprintln(w, strings.Join(lines, "\n"))
	return err
}

// onThisMachine is who works here; a machine that does not know is told of as such.
func onThisMachine() string { return cmp.Or(operator(), "somebody on this machine") }
