package cli

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	"varve"
	"varve/crawl"
	"varve/crawl/relevance"
	"varve/serve/crawls"
)

func newDefineCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "define",
		Short: "Say what a planned crawl is about",
		Long: `Keeps what the crawls of a collection are about: keywords wanted and unwanted, names, reference pages, events, languages,
addresses, and how much each way of judging counts. A crawl that knows it takes pages and links near it first.

  varve define check flood.toml                                    whether the file can be taken
  varve define set flood flood.toml --collection news --seed https://news.example/
  varve define show flood --collection news                        what is in force, and its versions
  varve define propose flood --collection news                     proposals from a small first crawl
  varve define accept flood term:dyke --collection news            makes one part of it; strike: never again

Versions are lines of labels/definitions.jsonl, which only grows; each crawl names the one it ran with ("revision" in its
definition.json). 'varve docs definitions' has the format.

Exit codes: 0 done, 2 could not (no such collection or crawl, a definition that is wrong: with line and reason).`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(newDefineCheckCommand(), newDefineSetCommand(), newDefineShowCommand(), newDefineProposeCommand(), newDefineAcceptCommand(), newDefineStrikeCommand())
	return c
}

// readAbout reads what a crawl is about from a file; "-" is the input.
func readAbout(path string, in io.Reader) (a relevance.About, err error) {
	var text []byte
	if path == "-" {
		text, err = io.ReadAll(io.LimitReader(in, maxAbout+1))
	} else {
		text, err = os.ReadFile(path)
	}
	if err == nil && len(text) > maxAbout {
		err = fmt.Errorf("it has more than %d bytes", maxAbout)
	}
	if err == nil {
		a, err = relevance.Parse(string(text))
	}
	if err != nil {
		return a, &varve.Error{Kind: varve.Invalid, Op: path, Err: err, Hint: "'varve docs definitions' has the format"}
	}
	return a, nil
}

// maxAbout bounds a file: a line of the journal holds it whole.
const maxAbout = 3 << 20

func newDefineCheckCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "check FILE.toml",
		Short: "Tell whether a definition can be taken",
		Long: `Reads what a crawl is to be about and tells the first thing that is wrong, with line and reason.

Exit codes: 0 it can be taken, 2 it cannot.`,
		Args: needArgs(1, "a TOML file"),
		RunE: func(c *cobra.Command, args []string) error {
			a, err := readAbout(args[0], c.InOrStdin())
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(c.OutOrStdout(), "%s: %d keywords, %d names, %d reference pages, %d events, %d patterns, %d languages\n",
				args[0], len(a.Keywords), len(a.Entities), len(a.References), len(a.Events), len(a.Patterns), len(a.Languages))
			return err
		},
	}
}

type defineOptions struct {
	planListOptions
	seeds   []string
	contact string
	note    string
}

func newDefineSetCommand() *cobra.Command {
	var o defineOptions
	c := &cobra.Command{
		Use:   "set NAME FILE.toml",
		Short: "Put a definition in force for a planned crawl",
		Long: `Makes a file what a planned crawl is about, as a new version. A crawl that is not planned yet needs --seed; a collection
that is not there yet is begun then. A crawl that stands
in collection.toml is changed there, in [crawl.NAME.about].

  varve define set flood flood.toml --collection news --note "names of the valleys"

Exit codes: 0 done, 2 could not.`,
		Args: needArgs(2, "the name of a crawl and a TOML file"),
		RunE: func(c *cobra.Command, args []string) error {
			return runDefineSet(&o, args[0], args[1], c.InOrStdin(), c.OutOrStdout())
		},
	}
	o.addFlags(c)
	f := c.Flags()
	f.StringArrayVar(&o.seeds, "seed", nil, "a seed of a crawl that is not planned yet; may be repeated")
	f.StringVar(&o.contact, "contact", "", "how site owners reach you: a URL or mail address; needed once for crawls of the public web")
	f.StringVar(&o.note, "note", "", "why it is changed")
	return c
}

func runDefineSet(o *defineOptions, name, path string, in io.Reader, out io.Writer) error {
	about, err := readAbout(path, in)
	if err != nil {
		return err
	}
	place := accessPlace{archive: o.archive}
	desk := &crawls.Desk{Archive: openArchive(o.archive), Audit: place.audit(), Now: now}
	for _, s := range o.seeds {
		if _, err := crawl.ParseSeed(s); err != nil {
			return &varve.Error{Kind: varve.Invalid, Op: "--seed " + s, Err: err}
		}
	}
	if err := o.beginCollection(desk, about.Purpose, place.by(), out); err != nil {
		return err
	}
	var p crawl.Planned
	var was time.Time
	switch e, err := desk.Entry(o.collection, name); {
	case err == nil:
		p, was = *e.Definition, e.At
	case varve.KindOf(err) == varve.NotFound && len(o.seeds) > 0:
		p.Name = name
	case varve.KindOf(err) == varve.NotFound && varve.HintOf(err) == "":
		return &varve.Error{Kind: varve.NotFound, Op: "varve define set", Err: err, Hint: "--seed URL plans it"}
	default:
		return err
	}
	if len(o.seeds) > 0 {
		p.Seeds = o.seeds
	}
	if o.contact != "" {
		p.Contact = o.contact
	}
	p.About, p.Revision = about, 0
	if err := desk.Save(o.collection, p, was, place.by(), o.note); err != nil {
		return err
	}
	history, err := desk.History(o.collection, name)
	if err != nil {
		return err
	}
	if o.json {
		return PrintJSON(out, map[string]any{"name": name, "revision": len(history), "about": about})
	}
	_, err = fmt.Fprintf(out, "Crawl %s of %s: version %d is in force.\n", name, o.collection, len(history))
	return err
}

// beginCollection makes the collection if there is none and seeds are given, as 'varve crawl' does.
func (o *defineOptions) beginCollection(desk *crawls.Desk, purpose, by string, out io.Writer) error {
	col, err := desk.Archive.Collection(o.collection)
	if err != nil || col.Exists() {
		return err
	}
	if len(o.seeds) == 0 {
		return &varve.Error{Kind: varve.NotFound, Op: "open collection " + o.collection, Msg: "there is no such collection", Hint: "with --seed URL it is begun, and the crawl planned; --collection and --archive name another"}
	}
	if err := desk.Begin(crawls.NewCollection{Name: o.collection, Purpose: purpose}, by); err != nil || o.json {
		return err
	}
	_, err = fmt.Fprintf(out, "Collection %s is begun in %s.\n", o.collection, o.archive)
	return err
}

func newDefineShowCommand() *cobra.Command {
	var o planListOptions
	c := &cobra.Command{
		Use:   "show NAME",
		Short: "Print what a planned crawl is about, and its versions",
		Long: `Prints what a planned crawl is about, as 'varve define set' takes it; before it, as comments, who changed it when.

Exit codes: 0 done, 2 could not (no such collection or crawl).`,
		Args: needArgs(1, "the name of one planned crawl"),
		RunE: func(c *cobra.Command, args []string) error { return runDefineShow(&o, args[0], c.OutOrStdout()) },
	}
	o.addFlags(c)
	return c
}

func runDefineShow(o *planListOptions, name string, out io.Writer) error {
	e, err := o.desk().Entry(o.collection, name)
	if err != nil {
		return err
	}
	history, err := o.desk().History(o.collection, name)
	if err != nil && varve.KindOf(err) != varve.NotFound {
		return err
	}
	if o.json {
		return PrintJSON(out, struct {
			Name     string          `json:"name"`
			Source   crawls.Source   `json:"source"`
			Revision int             `json:"revision"`
			About    relevance.About `json:"about"`
			History  []crawl.Defined `json:"history"`
		}{name, e.Source, len(history), e.Definition.About, history})
	}
	text, err := crawl.AboutTOML(e.Definition.About)
	if err != nil {
		return err
	}
	for i, h := range history {
		what := h.Note
		if h.Retired {
			what = "retired"
		}
		fmt.Fprintf(out, "# version %d, %s, %s %s\n", len(history)-i, h.At.Format(time.RFC3339), h.By, what)
	}
	if text == "" {
		text = "# nothing is said about what it is about\n"
	}
	_, err = io.WriteString(out, text)
	return err
}
