package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"varve"
	"varve/archive/catalog"
	"varve/clock"
	"varve/curate/proposal"
	"varve/serve"
	"varve/serve/crawls"
	"varve/serve/holdings"
)

type proposeOptions struct {
	planListOptions
	from      string
	searches  string
	urls      []string
	list, ask bool
	who       string

	maxPages int64
	maxHops  int
	maxTime  time.Duration
	contact  string
	resolve  []string
}

func newDefineProposeCommand() *cobra.Command {
	var o proposeOptions
	c := &cobra.Command{
		Use:   "propose NAME",
		Short: "Propose what a planned crawl could be about, from a small first crawl",
		Long: `Fetches some pages around the seeds of a planned crawl (a reference crawl, kept in the collection as NAME-reference), and proposes from their texts what the crawl could be
about: terms that are frequent there and rare elsewhere, names, hosts that are linked to, languages, months that are named, the seeds' own pages. Each has a score (1 is the
best of its kind) and how often it was met. Nothing becomes part of the definition by itself:

  varve define propose flood --collection news                   fetch, and list proposals
  varve define propose flood --collection news --from all        from pages that the collection has
  varve define propose flood --collection news --list --ask      decide on each with a key: a accept, s strike, Enter later, q enough
  varve define accept flood term:flood 'name:Ahr Valley' --collection news
  varve define strike flood host:ads.example --collection news

What is accepted makes a new version of the definition; what is struck is not proposed again. Lists and what was struck are lines of
labels/proposals.jsonl, which only grows. Terms are known for some languages, names for English; what could not be looked for is listed.

Exit codes: 0 proposed, 1 stopped early, 2 could not (no such crawl, no pages with text).`,
		Args: needArgs(1, "the name of one planned crawl"),
		RunE: func(c *cobra.Command, args []string) error {
			return runDefinePropose(c.Context(), &o, args[0], c.InOrStdin(), c.OutOrStdout(), c.ErrOrStderr())
		},
	}
	o.addFlags(c)
	f := c.Flags()
	f.StringVar(&o.from, "from", "", "instead of a reference crawl, pages of the collection: all, or the id of a crawl")
	f.StringVar(&o.searches, "searches", "", "log of searches in the archive: an access log, or a search a line with a tab and how often; what pages have is proposed")
	f.StringArrayVar(&o.urls, "url", nil, "of these pages only those below this address; may be repeated")
	f.BoolVar(&o.list, "list", false, "print what was proposed before and is not decided; nothing is read")
	f.BoolVar(&o.ask, "ask", false, "ask for a key at each proposal")
	f.StringVar(&o.who, "who", "", "who asks (default your user name)")
	f.Int64Var(&o.maxPages, "max-pages", 200, "pages of the reference crawl")
	f.IntVar(&o.maxHops, "max-hops", 2, "links from a seed to a page of the reference crawl at most")
	f.DurationVar(&o.maxTime, "max-time", 10*time.Minute, "the reference crawl ends after this time")
	f.StringVar(&o.contact, "contact", "", "URL or mail address at which site owners reach you (default: that of the planned crawl)")
	f.StringArrayVar(&o.resolve, "resolve", nil, "PATTERN[:PORT]=ADDR[:PORT] instead of DNS; repeatable")
	return c
}

// desk is that of somebody who decides.
func (o *proposeOptions) desk() *crawls.Desk {
	place := accessPlace{archive: o.archive}
	if o.who == "" {
		o.who = place.by()
	}
	return &crawls.Desk{Archive: openArchive(o.archive), Audit: place.audit(), Now: now}
}

func runDefinePropose(ctx context.Context, o *proposeOptions, name string, in io.Reader, out, progress io.Writer) (err error) {
	desk := o.desk()
	var got crawls.Proposals
	if o.list {
		got, err = desk.Proposals(o.collection, name, nil)
	} else {
		got, err = o.propose(ctx, desk, name, progress)
	}
	if ctx.Err() != nil {
		fmt.Fprintf(progress, "Stopped before anything was proposed. The pages are kept: 'varve define propose %s --from all' reads them.\n", name)
		return varve.ErrFindings
	}
	if err != nil {
		return err
	}
	switch {
	case o.ask:
		return o.decide(desk, got, in, out)
	case o.json:
		return PrintJSON(out, got)
	}
	return printProposals(out, got)
}

// propose reads pages, after a reference crawl unless others are named.
func (o *proposeOptions) propose(ctx context.Context, desk *crawls.Desk, name string, progress io.Writer) (_ crawls.Proposals, err error) {
	e, err := desk.Entry(o.collection, name)
	if err != nil {
		return crawls.Proposals{}, err
	}
	archive := openArchive(o.archive)
	which := crawls.Which{Crawl: o.from, URLs: o.urls}
	if o.searches != "" {
		f, err := os.Open(o.searches)
		if err == nil {
			which.Searches, err = proposal.ReadSearches(f)
			err = errors.Join(err, f.Close())
		}
		if err != nil {
			return crawls.Proposals{}, &varve.Error{Kind: varve.Invalid, Op: "--searches " + o.searches, Err: err}
		}
	}
	switch o.from {
	case "all":
		which.Crawl = ""
	case "":
		which.Since = now()
		if err := o.refer(ctx, archive, e, progress); err != nil {
			return crawls.Proposals{}, err
		}
	}
	local := serve.OpenLocal(archive)
	defer func() { err = errors.Join(err, local.Close()) }()
	from := crawls.Library{Holdings: holdings.New(archive, now), Index: local, Contents: local}
	return desk.Propose(ctx, from, o.collection, name, which, o.who, nil)
}

// refer runs the reference crawl of a planned crawl.
func (o *proposeOptions) refer(ctx context.Context, archive *catalog.Archive, e crawls.Entry, progress io.Writer) error {
	col, err := archive.Collection(o.collection)
	if err != nil {
		return err
	}
	run := &crawlOptions{clock: clock.Real()}
	c := newCrawlCommandOf(run)
	flags := []string{"--archive=" + o.archive, "--collection=" + o.collection, "--capture=parser"}
	for _, r := range o.resolve {
		flags = append(flags, "--resolve="+r)
	}
	if err := c.ParseFlags(flags); err != nil {
		return err
	}
	run.flags = c.Flags()
	def := crawls.Reference(*e.Definition, o.maxPages, o.maxHops, o.maxTime)
	if o.contact != "" {
		def.Contact = o.contact
	}
	fmt.Fprintf(progress, "Reference crawl of %s: up to %d pages, %s.\n", e.Name, o.maxPages, o.maxTime)
	if err := run.run(ctx, col, def, "", io.Discard, progress); err != nil && !errors.Is(err, varve.ErrFindings) {
		return err // that it did not get all is what its limits are for
	}
	return nil
}

// why says in words how a proposal was met.
func why(p proposal.Proposal, pages int) string {
	switch p.Kind {
	case proposal.Host:
		return fmt.Sprintf("%d pages of %d hosts link to %d addresses there", p.Pages, p.Hosts, p.Addresses)
	case proposal.Search:
		return fmt.Sprintf("searched for %d times, on %d of %d pages", p.Count, p.Pages, pages)
	case proposal.National:
		return fmt.Sprintf("%d pages; the first: %s", p.Pages, p.URL)
	case proposal.Example:
		return "page of a seed"
	case proposal.Language:
		return fmt.Sprintf("of %d of %d pages", p.Pages, pages)
	case proposal.Month:
		return fmt.Sprintf("named on %d of %d pages", p.Pages, pages)
	case proposal.Name:
		return fmt.Sprintf("%s, on %d of %d pages, %d times", p.Type, p.Pages, pages, p.Count)
	}
	if p.Near > 0 {
		return fmt.Sprintf("on %d of %d pages, %d times; on %d beside what is asked for", p.Pages, pages, p.Count, p.Near)
	}
	return fmt.Sprintf("on %d of %d pages, %d times", p.Pages, pages, p.Count)
}

func printProposals(out io.Writer, got crawls.Proposals) error {
	if got.At.IsZero() {
		_, err := fmt.Fprintf(out, "Nothing was proposed for %s yet.\n", got.Name)
		return err
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "SCORE\tKEY\tWHY\tPASSAGE")
	for _, p := range got.Open {
		fmt.Fprintf(w, "%.2f\t%s\t%s\t%.80s\n", p.Score, oneLine(p.Key), why(p, got.Pages), oneLine(p.Passage))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for _, m := range got.Missing {
		fmt.Fprintln(out, "not looked for: "+oneLine(m))
	}
	_, err := fmt.Fprintf(out, "%d proposals from %d pages (%s); version %d of the definition is in force.\n", len(got.Open), got.Pages, oneLine(got.From), got.Revision)
	return err
}

// decide asks for a key at each proposal. What was decided is kept at the end, in one version.
func (o *proposeOptions) decide(desk *crawls.Desk, got crawls.Proposals, in io.Reader, out io.Writer) (err error) {
	next, restore, err := keysOf(in)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, restore()) }()
	var accept, strike []string
	for _, p := range got.Open {
		fmt.Fprintf(out, "%.2f  %s  (%s)\r\n      %.160s\r\n      a accept, s strike, Enter later, q enough: ", p.Score, oneLine(p.Key), why(p, got.Pages), oneLine(p.Passage))
		key, err := next()
		if err == io.EOF {
			key = 'q'
		} else if err != nil {
			return err
		}
		fmt.Fprint(out, "\r\n")
		switch key {
		case 'a':
			accept = append(accept, p.Key)
		case 's':
			strike = append(strike, p.Key)
		}
		if key == 'q' || key == 3 { // Ctrl-C of a terminal that passes keys on
			break
		}
	}
	return o.settle(desk, got.Name, accept, strike, out)
}

// keysOf reads single keys: of a terminal as they are pressed, else the first letter of each line.
func keysOf(in io.Reader) (next func() (byte, error), restore func() error, err error) {
	if f, ok := in.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		was, err := term.MakeRaw(int(f.Fd()))
		if err != nil {
			return nil, nil, err
		}
		return bufio.NewReader(f).ReadByte, func() error { return term.Restore(int(f.Fd()), was) }, nil
	}
	lines := bufio.NewScanner(in)
	return func() (byte, error) {
		if !lines.Scan() {
			if lines.Err() != nil {
				return 0, lines.Err()
			}
			return 0, io.EOF
		}
		if s := strings.TrimSpace(lines.Text()); s != "" {
			return s[0], nil
		}
		return '\n', nil
	}, func() error { return nil }, nil
}

// settle keeps decisions and tells which version is in force.
func (o *proposeOptions) settle(desk *crawls.Desk, name string, accept, strike []string, out io.Writer) error {
	got, err := desk.Decide(o.collection, name, accept, strike, o.who, nil)
	if err != nil {
		return err
	}
	if o.json {
		return PrintJSON(out, got)
	}
	_, err = fmt.Fprintf(out, "Crawl %s of %s: %d accepted, %d struck, %d left; version %d is in force.\n", name, o.collection, len(accept), len(strike), len(got.Open), got.Revision)
	return err
}

func newDefineAcceptCommand() *cobra.Command {
	return newDecideCommand("accept", "Make proposals part of the definition of a planned crawl",
		"Makes what 'varve define propose' proposed part of the definition, as a new version: terms become keywords, names names, hosts URL patterns, months events, pages reference pages.",
		func(keys []string) (accept, strike []string) { return keys, nil })
}

func newDefineStrikeCommand() *cobra.Command {
	return newDecideCommand("strike", "Strike proposals for a planned crawl, for good",
		"Strikes what 'varve define propose' proposed: it is not proposed again. The definition stays as it is.",
		func(keys []string) (accept, strike []string) { return nil, keys })
}

func newDecideCommand(verb, short, long string, split func(keys []string) (accept, strike []string)) *cobra.Command {
	var o proposeOptions
	c := &cobra.Command{
		Use:   verb + " NAME KEY...",
		Short: short,
		Long:  long + "\n\n  varve define " + verb + " flood term:dyke 'name:Ahr Valley' --collection news\n\nExit codes: 0 done, 2 could not (no such crawl; a key that is not proposed: then nothing is changed).",
		Args:  cobra.MinimumNArgs(2),
		RunE: func(c *cobra.Command, args []string) error {
			accept, strike := split(args[1:])
			return o.settle(o.desk(), args[0], accept, strike, c.OutOrStdout())
		},
	}
	o.addFlags(c)
	c.Flags().StringVar(&o.who, "who", "", "who decides (default your user name)")
	return c
}
