package cli

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"varve"
	"varve/archive/catalog"
	"varve/crawl"
	"varve/curate/selection"
	"varve/serve"
	"varve/serve/extract"
)

type selectOptions struct {
	archive, collection string
	json                bool
	note                string
	from                string
	state               string
	limit               int
	warc, wacz          string
	undecided, parts    bool
	selection.Definition
}

func newSelectCommand() *cobra.Command {
	o := &selectOptions{}
	c := &cobra.Command{
		Use:   "select",
		Short: "Choose versions of pages for a final archive",
		Long: `A topic proposes versions of pages by their relevance, a curator includes and excludes, and what is
chosen is copied into new WARC files; the archive stays as it is. Decisions are kept in
collections/NAME/labels/selection-NAME.jsonl, which only grows.

Exit codes of all: 0 done, 1 nothing was found, 2 could not.`,
		Example: `  varve select propose elections --collection news --topic "election parliament vote" --threshold 0.15
  varve select list elections --collection news --state proposed
  varve select include elections --collection news https://news.example/2024/results
  varve select exclude elections --collection news https://news.example/games --note "a card game"
  varve select export elections --collection news --warc elections.warc.gz --undecided`,
	}
	c.PersistentFlags().StringVar(&o.archive, "archive", "archive", "the archive directory")
	collectionFlag(c.PersistentFlags(), &o.collection)
	c.PersistentFlags().BoolVar(&o.json, "json", false, "print JSON")
	c.AddCommand(o.proposeCommand(), o.decideCommand(selection.Include), o.decideCommand(selection.Exclude), o.decideCommand(selection.Reset), o.listCommand(), o.exportCommand())
	return c
}

// selectError adds what to do next.
func selectError(op string, err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, selection.ErrNone):
		return &varve.Error{Kind: varve.NotFound, Op: op, Err: err, Hint: "'varve select propose NAME --topic \"...\"' makes one; 'varve select list' names them"}
	case errors.Is(err, selection.ErrNotProposed):
		return &varve.Error{Kind: varve.NotFound, Op: op, Err: err, Hint: "varve derive, then varve select propose NAME"}
	}
	return &varve.Error{Kind: varve.Invalid, Op: op, Err: err, Hint: "the table of versions comes from 'varve derive'"}
}

func (o *selectOptions) proposeCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "propose NAME",
		Short: "Define a selection and compute which versions it proposes",
		Long: `Computes the relevance of every version of every page to a topic: words (--topic), pages that are about it
(--example), or both, or by the definition of a planned crawl (--crawl), with all its modules. Versions from --threshold on are proposed. Without a topic the definition that is there is
computed again, after new crawls; decisions stay.

Exit codes: 0 some were proposed, 1 none, 2 could not.`,
		Example: `  varve select propose elections --topic "election parliament vote"
  varve select propose flood --crawl flood
  varve select propose elections --example https://news.example/2024/results --threshold 0.3`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return o.propose(c, args[0]) },
	}
	c.Flags().StringVar(&o.Topic, "topic", "", "words of the topic")
	c.Flags().StringVar(&o.Crawl, "crawl", "", "a planned crawl of the collection that says what it is about ('varve define'): its definition judges, as it stands now")
	c.Flags().StringSliceVar(&o.Examples, "example", nil, "addresses of pages that are about it")
	c.Flags().Float64Var(&o.Threshold, "threshold", 0, "relevance from which versions are proposed, 0 to 1 (default 0.1)")
	return c
}

func (o *selectOptions) propose(c *cobra.Command, name string) error {
	col, err := oneCollection(o.archive, o.collection)
	if err != nil {
		return err
	}
	o.Name, o.By, o.At = name, "command line", time.Now().UTC()
	old, err := selection.Read(col.Dir(), name)
	if err == nil {
		warnLost(c, old)
	}
	if o.Crawl != "" {
		plan, err := crawl.ReadPlan(col)
		if err != nil {
			return err
		}
		planned, ok := plan.Crawls[o.Crawl]
		if !ok || !planned.Guided() {
			return &varve.Error{Kind: varve.NotFound, Op: "--crawl " + o.Crawl, Msg: "the plan of collection " + col.Name + " has no such crawl that says what it is about", Hint: "'varve define show NAME' prints what one is about"}
		}
		about := planned.About
		o.About, o.Topic = &about, strings.TrimSpace(strings.Join(append(planned.Topic, o.Topic), "\n"))
		if o.Threshold == 0 {
			o.Threshold = about.Relevant()
		}
	}
	switch {
	case o.Topic != "" || len(o.Examples) > 0 || o.About != nil:
		_, err = selection.Define(col.Dir(), o.Definition)
	case err == nil && o.Threshold > 0:
		old.Threshold, old.By, old.At = o.Threshold, o.By, o.At
		_, err = selection.Define(col.Dir(), old.Definition)
	}
	if err != nil {
		return selectError("define "+name, err)
	}
	p, err := selection.Propose(c.Context(), col.Dir(), name, nil)
	if err != nil {
		return selectError("propose "+name, err)
	}
	if o.json {
		err = PrintJSON(c.OutOrStdout(), p)
	} else {
		fmt.Fprintf(c.OutOrStdout(), "%s: %d of %d versions proposed\n", name, p.Proposed, p.Versions)
		for _, t := range p.Terms[:min(10, len(p.Terms))] {
			fmt.Fprintf(c.OutOrStdout(), "  %5.3f  %s\n", t.Weight, oneLine(t.Word))
		}
	}
	if err == nil && p.Proposed == 0 {
		return varve.ErrFindings
	}
	return err
}

func (o *selectOptions) decideCommand(do string) *cobra.Command {
	c := &cobra.Command{
		Use:   do + " NAME URL...",
		Short: map[string]string{selection.Include: "Include pages", selection.Exclude: "Exclude pages", selection.Reset: "Take decisions about pages back"}[do],
		Long: "Decides on all versions of pages, or with --from on the version that begins at an instant, as 'varve select list --json' tells it.\n\n" +
			"Exit codes: 0 decided, 2 could not.",
		Example: "  varve select " + do + " elections https://news.example/2024/results",
		Args:    cobra.MinimumNArgs(2),
		RunE: func(c *cobra.Command, args []string) error {
			col, err := oneCollection(o.archive, o.collection)
			if err != nil {
				return err
			}
			var from time.Time
			if o.from != "" {
				if from, err = time.Parse(time.RFC3339Nano, o.from); err != nil {
					return UsageError(c, fmt.Sprintf("--from %q is no time (RFC 3339)", o.from))
				}
			}
			var list []selection.Decision
			for _, u := range args[1:] {
				list = append(list, selection.Decision{Do: do, URL: u, From: from, Note: o.note, By: "command line", At: time.Now().UTC()})
			}
			return selectError(do, selection.Decide(col.Dir(), args[0], list))
		},
	}
	c.Flags().StringVar(&o.note, "note", "", "why")
	c.Flags().StringVar(&o.from, "from", "", "only the version that begins at this instant (RFC 3339)")
	return c
}

func (o *selectOptions) listCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "list [NAME]",
		Short: "List selections, or the versions of one",
		Long:  "Lists the versions of a selection, the most relevant first, with what was decided. Without a name it lists the selections.\n\nExit codes: 0 some were listed, 1 none, 2 could not.",
		Example: `  varve select list
  varve select list elections --state proposed --limit 50`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			col, err := oneCollection(o.archive, o.collection)
			if err != nil {
				return err
			}
			if len(args) == 0 {
				return o.listNames(c, col)
			}
			return o.listItems(c, col, args[0])
		},
	}
	c.Flags().StringVar(&o.state, "state", "", "only included, excluded, proposed or below")
	c.Flags().IntVar(&o.limit, "limit", 100, "versions at most; 0 for all")
	return c
}

func (o *selectOptions) listNames(c *cobra.Command, col *catalog.Collection) error {
	names, err := selection.Names(col.Dir())
	if err != nil {
		return selectError("list selections", err)
	}
	for _, name := range names {
		s, counts, err := selection.Each(c.Context(), col.Dir(), name, nil, nil)
		if err != nil && !errors.Is(err, selection.ErrNotProposed) {
			return selectError("read "+name, err)
		}
		if o.json {
			if err := PrintJSON(c.OutOrStdout(), map[string]any{"name": name, "definition": s.Definition, "counts": counts}); err != nil {
				return err
			}
			continue
		}
		warnLost(c, s)
		fmt.Fprintf(c.OutOrStdout(), "%s: %d included, %d excluded, %d proposed from %g on\n", name, counts.Included, counts.Excluded, counts.Proposed, s.Threshold)
	}
	if len(names) == 0 {
		return varve.ErrFindings
	}
	return nil
}

// warnLost says which lines of a selection could not be read: what they decided does not count.
func warnLost(c *cobra.Command, s *selection.Selection) {
	if s.Lost != nil {
		fmt.Fprintf(c.ErrOrStderr(), "varve: warning: selection %s: %d lines cannot be read, and what they decided does not count:\n%v\n", s.Name, s.Lost.N, s.Lost)
	}
}

func (o *selectOptions) listItems(c *cobra.Command, col *catalog.Collection, name string) error {
	n := 0
	s, counts, err := selection.Each(c.Context(), col.Dir(), name, nil, func(it selection.Item) (bool, error) {
		if o.state != "" && string(it.State) != o.state {
			return true, nil
		}
		n++
		if o.json {
			return o.limit == 0 || n < o.limit, PrintJSON(c.OutOrStdout(), it)
		}
		fmt.Fprintf(c.OutOrStdout(), "%-8s  %.3f  %s  %s  %s\n", it.State, it.Relevance, it.From.Format("2006-01-02"), oneLine(it.URL), oneLine(it.Title))
		return o.limit == 0 || n < o.limit, nil
	})
	if err != nil {
		return selectError("list "+name, err)
	}
	warnLost(c, s)
	fmt.Fprintf(c.ErrOrStderr(), "%d included, %d excluded, %d proposed, %d below the threshold, %d pages decided on and not in the table\n",
		counts.Included, counts.Excluded, counts.Proposed, counts.Below, counts.Unlisted)
	if n == 0 {
		return varve.ErrFindings
	}
	return nil
}

func (o *selectOptions) exportCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "export NAME",
		Short: "Copy all captures of the chosen versions into a new WARC or WACZ file",
		Long: `Copies the records of all captures of what is included, byte for byte, with what revisits refer to, a warcinfo
record that says what was chosen how, and a list of the files they come from; pages come with the captures of
their parts that replay would show. --undecided takes what is proposed
and undecided too.

Exit codes: 0 written, 1 nothing is chosen, 2 could not.`,
		Example: "  varve select export elections --wacz elections.wacz --undecided",
		Args:    cobra.ExactArgs(1),
		RunE:    func(c *cobra.Command, args []string) error { return o.export(c, args[0]) },
	}
	c.Flags().StringVar(&o.warc, "warc", "", "the new WARC file")
	c.Flags().StringVar(&o.wacz, "wacz", "", "the new WACZ package")
	c.Flags().BoolVar(&o.undecided, "undecided", false, "with what is proposed and undecided")
	c.Flags().BoolVar(&o.parts, "parts", true, "pages come with their pictures, style sheets, scripts and fonts; --parts=false leaves them out")
	c.MarkFlagsOneRequired("warc", "wacz")
	c.MarkFlagsMutuallyExclusive("warc", "wacz")
	return c
}

func (o *selectOptions) export(c *cobra.Command, name string) (err error) {
	col, err := oneCollection(o.archive, o.collection)
	if err != nil {
		return err
	}
	s, err := selection.Read(col.Dir(), name)
	if err != nil {
		return selectError("export "+name, err)
	}
	warnLost(c, s)
	local := serve.OpenLocal(openArchive(o.archive))
	defer func() { err = errors.Join(err, local.Close()) }()
	prov := extract.Provenance{
		Software: "varve " + Version, Description: "versions that were chosen, copied byte for byte", Collections: []string{col.Name}, By: "command line", Now: time.Now(), Random: rand.Reader, Parts: o.parts,
		Asked: fmt.Sprintf("selection %s, topic %q, threshold %g, undecided proposals %v", name, s.Topic, s.Threshold, o.undecided),
	}
	sum, err := o.write(c.Context(), col, name, local, prov)
	if err != nil {
		return selectError("export "+name, err)
	}
	if sum.Records == 0 {
		return varve.ErrFindings
	}
	if o.json {
		return PrintJSON(c.OutOrStdout(), sum)
	}
	printCopied(c.ErrOrStderr(), orElse(o.warc, o.wacz), sum)
	return nil
}

func (o *selectOptions) write(ctx context.Context, col *catalog.Collection, name string, local *serve.Local, prov extract.Provenance) (extract.Summary, error) {
	return exportFile(ctx, orElse(o.warc, o.wacz), o.wacz != "", col.Name+": "+name, prov, func(w io.Writer) (extract.Summary, error) {
		return extract.Write(ctx, w, local, prov, extract.Chosen(ctx, col.Dir(), col.Name, name, o.undecided, true))
	})
}
