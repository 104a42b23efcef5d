package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"varve"
	"varve/archive/catalog"
	"varve/derive"
	"varve/evolution"
	"varve/evolution/archived"
	"varve/evolution/emerging"
	"varve/evolution/name"
	"varve/evolution/term"
)

func newEvolutionCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "evolution",
		Short: "Words, names and ideas through time",
		Long: `Follows words and names through the years of a collection. 'varve derive --units phrases' makes the tables that it reads; English only. How it is done, and how
often that fails, is told in docs/algorithms/evolution.md.`,
	}
	c.AddCommand(newEvolutionTermsCommand(), newEvolutionNamesCommand(), newEvolutionEmergingCommand())
	return c
}

// evolutionOptions are those of all commands below evolution.
type evolutionOptions struct {
	archive, collection string
	show                int
	json                bool
}

func (o *evolutionOptions) flags(c *cobra.Command) {
	f := c.Flags()
	f.StringVar(&o.archive, "archive", "archive", "the archive directory")
	f.StringVar(&o.collection, "collection", "", "the collection (required if there are several)")
	f.IntVar(&o.show, "show", 20, "print so many; --json has all")
	f.BoolVar(&o.json, "json", false, "print one JSON object")
}

// texts returns the documents of the one collection that was chosen, and how to tell whether files had no table.
func (o *evolutionOptions) texts(ctx context.Context) (*catalog.Collection, *archived.Texts, evolution.Documents, error) {
	cols, err := chosenCollections(o.archive, o.collection)
	if err != nil {
		return nil, nil, nil, err
	}
	if len(cols) != 1 {
		return nil, nil, nil, &varve.Error{Kind: varve.Invalid, Op: "evolution", Msg: fmt.Sprintf("there are %d collections", len(cols)), Hint: "name one with --collection"}
	}
	files, err := cols[0].Files()
	if err != nil {
		return nil, nil, nil, err
	}
	t := &archived.Texts{Dir: derivedDir(cols[0])}
	if t.Parts, err = derive.Parts(files); err != nil {
		return nil, nil, nil, err
	}
	return cols[0], t, t.Documents(ctx), nil
}

// ended says how a command ends that has read texts.
func (o *evolutionOptions) ended(c *cobra.Command, col *catalog.Collection, t *archived.Texts, err error) error {
	switch {
	case c.Context().Err() != nil:
		return Stopped(c)
	case err != nil:
		return &varve.Error{Kind: varve.Unavailable, Op: "evolution of " + col.Name, Err: err, Hint: orElse(varve.HintOf(err), "'varve derive --check' makes damaged tables anew")}
	case t.Absent == len(t.Parts):
		return &varve.Error{Kind: varve.NotFound, Op: "evolution of " + col.Name, Msg: "there are no tables of phrases yet", Hint: "run 'varve derive --units phrases', or put it into [analyse] units of collection.toml"}
	}
	return nil
}

// left tells of files that were not looked at.
func left(w io.Writer, t *archived.Texts) error {
	if t.Absent > 0 {
		fmt.Fprintf(w, "  %d files have no table of phrases: run 'varve derive --units phrases'\n", t.Absent)
		return varve.ErrFindings
	}
	return nil
}

func newEvolutionTermsCommand() *cobra.Command {
	var o evolutionOptions
	t := term.Default()
	c := &cobra.Command{
		Use:   "terms [TERM]",
		Short: "Senses of words, year by year",
		Long: `Without a term: how many texts, terms and senses each year has, and the senses that held longest. A sense is terms that stand in lists with one another
("cars like bmw, audi and fiat").
With a term: how frequent it is each year, its paths (which senses it had when, each by the terms that represent it, and where they evolved), and the years in which the words around it
became others.

Exit codes: 0 printed, 1 some files were not looked at, 2 could not.`,
		Example: `  varve derive --collection debate --units phrases
  varve evolution terms --collection debate
  varve evolution terms --collection debate terrorism --json`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			word := ""
			if len(args) > 0 {
				word = strings.ToLower(args[0])
			}
			return runEvolutionTerms(c, &o, t, word)
		},
	}
	o.flags(c)
	f := c.Flags()
	f.IntVar(&t.MinPair, "min-pair", t.MinPair, "texts of a year with two terms in one list that make them neighbours")
	f.Float64Var(&t.MinCurvature, "min-curvature", t.MinCurvature, "curvature of the core of a sense, 0 to 1")
	f.Float64Var(&t.MinClusterSim, "min-cluster-sim", t.MinClusterSim, "how like senses of consecutive years are that are one, 0 to 1")
	f.Float64Var(&t.MinUnitSim, "min-unit-sim", t.MinUnitSim, "how like senses are that go on as one another, 0 to 1")
	f.IntVar(&t.MaxPaths, "max-paths", t.MaxPaths, "paths of a term that are looked for")
	f.Float64Var(&t.MinChange, "min-change", t.MinChange, "how much the words around a term must change, 0 to 1")
	return c
}

// termsReport is what is printed of a collection.
type termsReport struct {
	Collection string        `json:"collection"`
	Years      []yearOfTerms `json:"years"`
	Units      []*term.Unit  `json:"units"`
	Absent     int           `json:"files_without_table,omitempty"`
}

type yearOfTerms struct {
	Year     int   `json:"year"`
	Texts    int   `json:"texts"`
	Terms    int   `json:"terms"`
	Edges    int   `json:"edges"`
	Clusters int   `json:"senses"`
	Pairs    int64 `json:"pairs"`
}

// termReport is what is printed of a term.
type termReport struct {
	Collection string        `json:"collection"`
	Term       string        `json:"term"`
	Frequency  []frequency   `json:"frequency"`
	Paths      []term.Path   `json:"paths"`
	Cut        bool          `json:"paths_cut,omitempty"` // there are more than --max-paths
	Changes    []term.Change `json:"changes"`
	Absent     int           `json:"files_without_table,omitempty"`
}

type frequency struct {
	Year  int     `json:"year"`
	Count int     `json:"count"`
	Per   float64 `json:"per_10000"` // of the phrases of the year
}

func runEvolutionTerms(c *cobra.Command, o *evolutionOptions, t term.Options, word string) error {
	col, texts, documents, err := o.texts(c.Context())
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "varve-evolution-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	years, numbers, err := slicesOf(documents, dir, t)
	if err = o.ended(c, col, texts, err); err != nil {
		return err
	}
	w := c.OutOrStdout()
	units := term.Units(years, t)
	if word == "" {
		r := &termsReport{Collection: col.Name, Years: []yearOfTerms{}, Units: units, Absent: texts.Absent}
		for _, s := range years {
			r.Years = append(r.Years, yearOfTerms{s.Year, s.Documents, len(s.Frequency), len(s.Edges), len(s.Clusters), s.Pairs})
		}
		slices.SortStableFunc(r.Units, func(a, b *term.Unit) int {
			return cmp.Or(cmp.Compare(b.To-b.From, a.To-a.From), cmp.Compare(a.From, b.From))
		})
		if o.json {
			return cmp.Or(PrintJSON(w, r), left(io.Discard, texts))
		}
		r.print(w, o.show)
		return left(w, texts)
	}
	r := &termReport{Collection: col.Name, Term: word, Frequency: []frequency{}, Absent: texts.Absent}
	if r.Paths, r.Cut = term.Paths(units, word, t); r.Paths == nil {
		r.Paths = []term.Path{}
	}
	for _, s := range years {
		r.Frequency = append(r.Frequency, frequency{s.Year, s.Frequency[word], 10_000 * float64(s.Frequency[word]) / float64(max(1, s.Words))})
	}
	company, err := term.ReadCompany(evolution.Years(dir, numbers...), numbers, []string{word}, term.Companions(years, 1000))
	if err = o.ended(c, col, texts, err); err != nil {
		return err
	}
	if r.Changes = company.Changes(word, t); r.Changes == nil {
		r.Changes = []term.Change{}
	}
	if !slices.ContainsFunc(r.Frequency, func(f frequency) bool { return f.Count > 0 }) {
		return &varve.Error{Kind: varve.NotFound, Op: "evolution of " + word, Msg: "no text of " + col.Name + " has it", Hint: "terms are nouns and noun phrases in the singular; 'varve evolution terms' shows some"}
	}
	if o.json {
		return cmp.Or(PrintJSON(w, r), left(io.Discard, texts))
	}
	r.print(w, o.show)
	return left(w, texts)
}

// slicesOf makes the slices of all years that documents have, which are put into a folder by year first.
func slicesOf(documents evolution.Documents, dir string, t term.Options) (out []*term.Slice, years []int, err error) {
	spool := evolution.NewSpool(dir)
	for d, err := range documents() {
		if err == nil {
			err = spool.Add(d)
		}
		if err != nil {
			return nil, nil, errors.Join(err, spool.Close())
		}
	}
	if err := spool.Close(); err != nil {
		return nil, nil, err
	}
	for _, y := range spool.Years() {
		s, err := term.Count(y, evolution.Years(dir, y), dir, t)
		if err != nil {
			return nil, nil, err
		}
		out = append(out, s)
	}
	return out, spool.Years(), nil
}

func (r *termsReport) print(w io.Writer, show int) {
	fmt.Fprintf(w, "%s: %d years\n", r.Collection, len(r.Years))
	for _, y := range r.Years {
		fmt.Fprintf(w, "  %d  %d texts, %d terms, %d neighbours in lists, %d senses\n", y.Year, y.Texts, y.Terms, y.Edges, y.Clusters)
	}
	fmt.Fprintf(w, "\nsenses that held longest, of %d\n", len(r.Units))
	for _, u := range r.Units[:min(show, len(r.Units))] {
		fmt.Fprintln(w, oneLine(fmt.Sprintf("  %d to %d  %s", u.From, u.To, strings.Join(u.Terms, ", "))))
	}
}

func (r *termReport) print(w io.Writer, show int) {
	fmt.Fprintf(w, "%s in %s, times in 10,000 phrases\n", r.Term, r.Collection)
	for _, f := range r.Frequency {
		fmt.Fprintf(w, "  %d  %.1f (%d)\n", f.Year, f.Per, f.Count)
	}
	fmt.Fprintf(w, "\npaths: %d\n", len(r.Paths))
	if r.Cut {
		fmt.Fprintln(w, "  there are more, some perhaps longer: --max-paths looks for more")
	}
	for _, p := range r.Paths[:min(show, len(r.Paths))] {
		for i, u := range p.Units {
			mark := " "
			if i > 0 && slices.ContainsFunc(p.Evolved, func(e term.Period) bool { return e.To == u.From }) {
				mark = "~" // evolved
			}
			fmt.Fprintln(w, oneLine(fmt.Sprintf("  %s %d to %d  %s", mark, u.From, u.To, strings.Join(u.Terms, ", "))))
		}
		fmt.Fprintln(w)
	}
	fmt.Fprintf(w, "changes of company: %d\n", len(r.Changes))
	for _, x := range r.Changes {
		fmt.Fprintln(w, oneLine(fmt.Sprintf("  %d (%.2f)  came: %s; went: %s", x.Year, x.Effect, strings.Join(x.New, ", "), strings.Join(x.Gone, ", "))))
	}
}

func newEvolutionNamesCommand() *cobra.Command {
	var o evolutionOptions
	n := name.Default()
	c := &cobra.Command{
		Use:   "names [NAME]",
		Short: "Former names of what is called otherwise now",
		Long: `With a name: what the same thing may have been called before, the likeliest first: names that went out of use when it came into use, in the same context. They are
proposals; the words that speak for each are told (@ is a host, + a neighbour in a list).
Without one: the pairs of names that the filters let through.

Exit codes: 0 printed, 1 some files were not looked at, 2 could not.`,
		Example: `  varve evolution names --collection debate "Sri Lanka"
  varve evolution names --collection debate --json`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			return runEvolutionNames(c, &o, n, strings.Join(args, " "))
		},
	}
	o.flags(c)
	f := c.Flags()
	f.IntVar(&n.MinDocuments, "min-texts", n.MinDocuments, "texts that must have a name")
	f.Float64Var(&n.MinScore, "min-score", n.MinScore, "score of pairs that are let through, 0 to 1")
	return c
}

// namesReport is what is printed of names.
type namesReport struct {
	Collection string           `json:"collection"`
	Name       string           `json:"name,omitempty"`
	Former     []name.Candidate `json:"former,omitempty"`
	Renamings  []name.Renaming  `json:"renamings,omitempty"`
	Absent     int              `json:"files_without_table,omitempty"`
}

func runEvolutionNames(c *cobra.Command, o *evolutionOptions, n name.Options, asked string) error {
	col, texts, documents, err := o.texts(c.Context())
	if err != nil {
		return err
	}
	names, err := name.Read(documents, n)
	if err = o.ended(c, col, texts, err); err != nil {
		return err
	}
	r := &namesReport{Collection: col.Name, Name: asked, Absent: texts.Absent}
	if asked == "" {
		r.Renamings = names.Renamings()
	} else {
		r.Former = names.Former(asked)
	}
	w := c.OutOrStdout()
	if o.json {
		return cmp.Or(PrintJSON(w, r), left(io.Discard, texts))
	}
	if asked != "" {
		fmt.Fprintf(w, "%s: %d names that it may have had before\n", asked, len(r.Former))
	}
	for _, f := range r.Former[:min(o.show, len(r.Former))] {
		fmt.Fprintln(w, oneLine(fmt.Sprintf("  %s  until %d, score %.2f; %s", f.Name, f.Year, f.Score, strings.Join(f.Shared, ", "))))
	}
	for _, x := range r.Renamings[:min(o.show, len(r.Renamings))] {
		fmt.Fprintln(w, oneLine(fmt.Sprintf("  %d  %s, now %s, score %.2f; %s", x.Year, x.Old, x.New, x.Score, strings.Join(x.Shared, ", "))))
	}
	return left(w, texts)
}

func newEvolutionEmergingCommand() *cobra.Command {
	var o evolutionOptions
	e := emerging.Default()
	c := &cobra.Command{
		Use:   "emerging",
		Short: "Phrases that begin to be used and go on",
		Long: `Tells year by year which noun phrases begin to be used and will probably go on, each from the texts up to its year, with the pages that have it first. What weighs is learned from the
collection's own past; where that is short, only what chance does not explain is told, without a probability. Many of the phrases do not last: docs/algorithms/evolution.md says how many.

Exit codes: 0 printed, 1 some files were not looked at, 2 could not.`,
		Example: `  varve derive --collection debate --units phrases
  varve evolution emerging --collection debate
  varve evolution emerging --collection debate --min-probability 0.7 --json`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return runEvolutionEmerging(c, &o, e) },
	}
	o.flags(c)
	f := c.Flags()
	f.Float64Var(&e.MinProbability, "min-probability", e.MinProbability, "from which on a phrase is told, 0 to 1")
	f.Float64Var(&e.MinShare, "min-share", e.MinShare, "share of the texts that it must have, 0 to 1")
	f.Float64Var(&e.Times, "times", e.Times, "how many times the share before that must be")
	return c
}

// emergingReport is what is printed of phrases that emerge.
type emergingReport struct {
	Collection string           `json:"collection"`
	Texts      int              `json:"texts"`
	Years      int              `json:"years"`
	Emerging   []emergingPhrase `json:"emerging"` // the latest year first
	Dropped    int              `json:"dropped,omitempty"`
	Absent     int              `json:"files_without_table,omitempty"`
}

type emergingPhrase struct {
	emerging.Flag
	First []string `json:"first"` // addresses
}

// firstPages is how many pages are told that have a phrase first.
const firstPages = 3

func runEvolutionEmerging(c *cobra.Command, o *evolutionOptions, e emerging.Options) error {
	col, texts, documents, err := o.texts(c.Context())
	if err != nil {
		return err
	}
	counts, err := emerging.Read(documents, e)
	if err = o.ended(c, col, texts, err); err != nil {
		return err
	}
	flags, err := counts.Flags()
	if err != nil {
		return err
	}
	var phrases []string
	for _, f := range flags {
		phrases = append(phrases, f.Phrase)
	}
	first, err := emerging.First(documents, phrases, firstPages)
	if err = o.ended(c, col, texts, err); err != nil {
		return err
	}
	r := &emergingReport{Collection: col.Name, Years: len(counts.Total), Emerging: []emergingPhrase{}, Dropped: counts.Dropped, Absent: texts.Absent}
	for _, n := range counts.Total {
		r.Texts += n
	}
	for _, f := range flags {
		r.Emerging = append(r.Emerging, emergingPhrase{f, first[f.Phrase]})
	}
	slices.SortStableFunc(r.Emerging, func(a, b emergingPhrase) int { return cmp.Compare(b.Year, a.Year) })
	w := c.OutOrStdout()
	if o.json {
		return cmp.Or(PrintJSON(w, r), left(io.Discard, texts))
	}
	r.print(w, o.show)
	return left(w, texts)
}

func (r *emergingReport) print(w io.Writer, show int) {
	fmt.Fprintf(w, "%s: %d phrases begin to be used in %d texts of %d years\n", r.Collection, len(r.Emerging), r.Texts, r.Years)
	if r.Years < 2 {
		fmt.Fprintln(w, "  one year has none before it to compare with")
	}
	for _, p := range r.Emerging[:min(show, len(r.Emerging))] {
		likely := ""
		if p.Probability > 0 {
			likely = fmt.Sprintf(", %.0f %% likely to last", 100*p.Probability)
		}
		fmt.Fprintln(w, oneLine(fmt.Sprintf("  %d  %s  %d texts since %d%s; first %s", p.Year, p.Phrase, p.Documents, p.Begun, likely, strings.Join(p.First, ", "))))
	}
	if r.Dropped > 0 {
		fmt.Fprintf(w, "  %d rare phrases did not fit into memory, and were not followed\n", r.Dropped)
	}
}
