package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
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
	"varve/evolution/reformulate"
	"varve/evolution/stored"
	"varve/evolution/term"
)

func newEvolutionCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "evolution",
		Short: "Words, names and ideas through time",
		Long: `Follows words and names through the years of a collection. 'varve derive --units phrases' makes the tables that it reads; English only. What is found is kept in
derived/evolution of the collection (docs/formats/evolution.md): each of these commands brings it up to date first, and counts only years whose texts are others; thresholds that are not
the usual ones are counted in a temporary folder. How it is done, and how often that fails, is told in docs/algorithms/evolution.md.`,
	}
	c.AddCommand(newEvolutionBuildCommand(), newEvolutionTermsCommand(), newEvolutionNamesCommand(), newEvolutionReformulateCommand(), newEvolutionEmergingCommand())
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

// evolved is a collection whose words were followed through time.
type evolved struct {
	*stored.Tables
	col    *catalog.Collection
	texts  *archived.Texts
	report *stored.Report
	drop   func() error // removes tables of unusual thresholds
}

// chosen returns the one collection that was chosen, and its texts.
func (o *evolutionOptions) chosen() (*catalog.Collection, *archived.Texts, error) {
	cols, err := chosenCollections(o.archive, o.collection)
	if err != nil {
		return nil, nil, err
	}
	if len(cols) != 1 {
		return nil, nil, &varve.Error{Kind: varve.Invalid, Op: "evolution", Msg: fmt.Sprintf("there are %d collections", len(cols)), Hint: "name one with --collection"}
	}
	t, err := phrasesOf(cols[0])
	return cols[0], t, err
}

// phrasesOf returns the texts of a collection, read for their phrases.
func phrasesOf(col *catalog.Collection) (*archived.Texts, error) {
	files, err := col.Files()
	if err != nil {
		return nil, err
	}
	t := &archived.Texts{Dir: derivedDir(col)}
	t.Parts, err = derive.Parts(files)
	return t, err
}

// open brings the tables of the collection up to date and opens them. drop of the result must be called.
func (o *evolutionOptions) open(c *cobra.Command, thresholds stored.Options) (e *evolved, err error) {
	e = &evolved{drop: func() error { return nil }}
	if e.col, e.texts, err = o.chosen(); err != nil {
		return nil, err
	}
	cfg := stored.Config{Dir: stored.Dir(e.texts.Dir), Options: thresholds}
	if !stored.SameTables(thresholds, stored.Default()) {
		if cfg.Dir, err = os.MkdirTemp("", "varve-evolution-"); err != nil {
			return nil, err
		}
		e.drop = func() error { return os.RemoveAll(cfg.Dir) }
	}
	if e.report, err = buildEvolution(c.Context(), e.col, e.texts, cfg); err == nil {
		e.Tables, err = stored.Open(cfg.Dir, thresholds)
	}
	if err = ended(c, e.col, e.texts, err); err != nil {
		return nil, errors.Join(err, e.drop())
	}
	return e, nil
}

// buildEvolution brings tables up to date; those of the collection only if nobody else writes into it.
func buildEvolution(ctx context.Context, col *catalog.Collection, texts *archived.Texts, cfg stored.Config) (*stored.Report, error) {
	src := stored.Source{Documents: texts.Documents(ctx), Mark: texts.Mark(), Absent: func() int { return texts.Absent }}
	if cfg.Dir == stored.Dir(texts.Dir) && (cfg.Check || !stored.Current(cfg.Dir, src.Mark, cfg.Options)) {
		if !texts.Any() {
			return nil, noPhrases(col)
		}
		lock, err := col.Lock("varve evolution")
		if err != nil {
			return nil, err
		}
		defer lock.Unlock()
	}
	return stored.Build(ctx, src, cfg)
}

// evolveForServer follows the words of a collection through time, on one core, if its texts were read for their phrases.
func evolveForServer(ctx context.Context, col *catalog.Collection) error {
	texts, err := phrasesOf(col)
	if err != nil || !texts.Any() {
		return err
	}
	_, err = buildEvolution(ctx, col, texts, stored.Config{Dir: stored.Dir(texts.Dir), Cores: 1, Options: stored.Default()})
	return err
}

func noPhrases(col *catalog.Collection) error {
	return &varve.Error{Kind: varve.NotFound, Op: "evolution of " + col.Name, Msg: "there are no tables of phrases yet", Hint: "run 'varve derive --units phrases', or put it into [analyse] units of collection.toml"}
}

// ended says how a command ends that has read texts.
func ended(c *cobra.Command, col *catalog.Collection, t *archived.Texts, err error) error {
	switch {
	case c.Context().Err() != nil:
		return Stopped(c)
	case varve.KindOf(err) == varve.NotFound || varve.KindOf(err) == varve.Conflict:
		return err
	case err != nil:
		return &varve.Error{Kind: varve.Unavailable, Op: "evolution of " + col.Name, Err: err, Hint: orElse(varve.HintOf(err), "'varve derive --check' and 'varve evolution build --check' make damaged tables anew")}
	case !t.Any():
		return noPhrases(col)
	}
	return nil
}

// left tells of files that were not looked at.
func left(w io.Writer, absent int) error {
	if absent > 0 {
		fmt.Fprintf(w, "  %d files have no table of phrases: run 'varve derive --units phrases'\n", absent)
		return varve.ErrFindings
	}
	return nil
}

func newEvolutionBuildCommand() *cobra.Command {
	var o evolutionOptions
	cfg := stored.Config{Options: stored.Default()}
	c := &cobra.Command{
		Use:   "build",
		Short: "Follow words, names and phrases through the years and keep what is found",
		Long: `Reads the tables of phrases and brings the tables in derived/evolution up to date: of each year its terms, which of them stand in lists together, and their senses; former names, and
phrases that begin to be used, of all years. A year whose texts are the same is not counted again. Killed at any moment, it goes on when it is run again.
'varve serve' does the same in the background for collections that it prepares, and shows what was found.

Exit codes: 0 the tables are up to date, 1 some files were not looked at, 2 could not.`,
		Example: `  varve derive --collection debate --units phrases
  varve evolution build --collection debate`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return runEvolutionBuild(c, &o, cfg) },
	}
	f := c.Flags()
	f.StringVar(&o.archive, "archive", "archive", "the archive directory")
	f.StringVar(&o.collection, "collection", "", "the collection (required if there are several)")
	f.IntVar(&cfg.Cores, "workers", runtime.NumCPU(), "cores to use")
	f.BoolVar(&cfg.Check, "check", false, "read every byte of the tables, and make anew what is damaged")
	f.BoolVar(&o.json, "json", false, "print one JSON object")
	return c
}

// builtReport is what is printed of a build.
type builtReport struct {
	Collection string `json:"collection"`
	*stored.Report
}

func runEvolutionBuild(c *cobra.Command, o *evolutionOptions, cfg stored.Config) error {
	col, texts, err := o.chosen()
	if err != nil {
		return err
	}
	cfg.Dir = stored.Dir(texts.Dir)
	rep, err := buildEvolution(c.Context(), col, texts, cfg)
	if err = ended(c, col, texts, err); err != nil {
		return err
	}
	w := c.OutOrStdout()
	if o.json {
		return cmp.Or(PrintJSON(w, builtReport{col.Name, rep}), left(io.Discard, rep.Absent))
	}
	for _, name := range rep.Mended {
		fmt.Fprintf(w, "  mended: %s was damaged: made anew\n", oneLine(name))
	}
	fmt.Fprintf(w, "%s: %d texts of %d years, %d of them counted in this run\n", col.Name, rep.Texts, rep.Years, rep.Counted)
	if len(rep.Stages) > 0 {
		fmt.Fprint(w, "  processor:")
		for i, s := range rep.Stages {
			if i > 0 {
				fmt.Fprint(w, ",")
			}
			fmt.Fprintf(w, " %s %.2f s", s.Job, s.CPU)
		}
		fmt.Fprintln(w)
	}
	if rep.Passed > 0 {
		fmt.Fprintf(w, "  for %d terms that came into use no older word was looked for: others are more frequent\n", rep.Passed)
	}
	return left(w, rep.Absent)
}

func newEvolutionTermsCommand() *cobra.Command {
	var o evolutionOptions
	t := term.Default()
	c := &cobra.Command{
		Use:   "terms [TERM]",
		Short: "Senses of words, year by year",
		Long: `Without a term: how many texts, terms and senses each year has, and the senses that held longest. A sense is terms that stand in lists with one another
("cars like bmw, audi and fiat").
With a term: how frequent it is each year, its paths (which senses it had when, each by the terms that represent it, and where they evolved), and the years from which on it
is said more than before and among other words: it got a new use.

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
	f.Float64Var(&t.MinChange, "min-change", t.MinChange, "how much the words around a term must change, 0 to 1, times the logarithm of how much more it is said")
	return c
}

// termsReport is what is printed of a collection.
type termsReport struct {
	Collection string            `json:"collection"`
	Years      []stored.SliceRow `json:"years"`
	Units      []*term.Unit      `json:"units"`
	Absent     int               `json:"files_without_table,omitempty"`
}

// termReport is what is printed of a term.
type termReport struct {
	Collection string        `json:"collection"`
	Term       string        `json:"term"`
	Frequency  []frequency   `json:"frequency"`
	Paths      []term.Path   `json:"paths"`
	Cut        bool          `json:"paths_cut,omitempty"` // there are more than --max-paths
	Changes    []term.Change `json:"changes"`
	Companions int           `json:"companions"`    // terms that changes are seen by, the most frequent ones
	Of         int           `json:"companions_of"` // terms
	Absent     int           `json:"files_without_table,omitempty"`
}

type frequency struct {
	Year  int     `json:"year"`
	Count int     `json:"count"`
	Per   float64 `json:"per_10000"` // of the phrases of the year
}

// companions is how many of the most frequent terms the company of a term is counted by: of rarer ones it has too few to compare years with.
const companions = 1000

func runEvolutionTerms(c *cobra.Command, o *evolutionOptions, t term.Options, word string) (err error) {
	thresholds := stored.Default()
	thresholds.Terms = t
	e, err := o.open(c, thresholds)
	if err != nil {
		return err
	}
	defer func() { err = cmp.Or(err, e.drop()) }()
	years, err := e.Slices()
	if err != nil {
		return err
	}
	w := c.OutOrStdout()
	if word == "" {
		units, err := e.Units()
		if err != nil {
			return err
		}
		r := &termsReport{Collection: e.col.Name, Years: years, Units: slices.Clone(units), Absent: e.report.Absent}
		slices.SortStableFunc(r.Units, func(a, b *term.Unit) int {
			return cmp.Or(cmp.Compare(b.To-b.From, a.To-a.From), cmp.Compare(a.From, b.From))
		})
		if o.json {
			return cmp.Or(PrintJSON(w, r), left(io.Discard, r.Absent))
		}
		r.print(w, o.show)
		return left(w, r.Absent)
	}
	r, err := e.term(c.Context(), word, years, t)
	if err = ended(c, e.col, e.texts, err); err != nil {
		return err
	}
	if o.json {
		return cmp.Or(PrintJSON(w, r), left(io.Discard, r.Absent))
	}
	r.print(w, o.show)
	return left(w, r.Absent)
}

// term finds what is told of a term.
func (e *evolved) term(ctx context.Context, word string, years []stored.SliceRow, t term.Options) (*termReport, error) {
	r := &termReport{Collection: e.col.Name, Term: word, Frequency: []frequency{}, Absent: e.report.Absent}
	rows, err := e.Frequency(word)
	if err != nil {
		return nil, err
	}
	if len(rows) == 0 {
		return nil, &varve.Error{Kind: varve.NotFound, Op: "evolution of " + word, Msg: "no text of " + e.col.Name + " has it", Hint: "terms are nouns and noun phrases in the singular; 'varve evolution terms' shows some"}
	}
	for _, y := range years {
		f := frequency{Year: int(y.Year)}
		for _, row := range rows {
			if row.Year == y.Year {
				f.Count, f.Per = int(row.Count), 10_000*float64(row.Count)/float64(max(1, y.Phrases))
			}
		}
		r.Frequency = append(r.Frequency, f)
	}
	if r.Paths, r.Cut, err = e.Paths(word); err != nil {
		return nil, err
	}
	var by []string
	if by, r.Of, err = e.Frequent(companions); err != nil {
		return nil, err
	}
	r.Companions = len(by)
	company, err := term.ReadCompany(e.texts.Documents(ctx), e.Years(), []string{word}, by)
	if err != nil {
		return nil, err
	}
	r.Changes = company.Changes(word, t)
	if r.Paths == nil {
		r.Paths = []term.Path{}
	}
	if r.Changes == nil {
		r.Changes = []term.Change{}
	}
	return r, nil
}

func (r *termsReport) print(w io.Writer, show int) {
	fmt.Fprintf(w, "%s: %d years\n", r.Collection, len(r.Years))
	for _, y := range r.Years {
		fmt.Fprintf(w, "  %d  %d texts, %d terms, %d neighbours in lists, %d senses\n", y.Year, y.Texts, y.Terms, y.Edges, y.Senses)
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
	fmt.Fprintf(w, "new uses: %d, seen by the %d most frequent of %d terms\n", len(r.Changes), r.Companions, r.Of)
	for _, x := range r.Changes {
		fmt.Fprintln(w, oneLine(fmt.Sprintf("  %d (%.2f)  said %.1f times as often; came: %s; went: %s", x.Year, x.Effect, x.Step, strings.Join(x.New, ", "), strings.Join(x.Gone, ", "))))
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
	Collection string             `json:"collection"`
	Name       string             `json:"name,omitempty"`
	Former     []stored.FormerRow `json:"former,omitempty"`
	Later      []stored.FormerRow `json:"later,omitempty"`
	Renamings  []stored.FormerRow `json:"renamings,omitempty"`
	Dropped    int                `json:"dropped,omitempty"`
	Absent     int                `json:"files_without_table,omitempty"`
}

func runEvolutionNames(c *cobra.Command, o *evolutionOptions, n name.Options, asked string) (err error) {
	thresholds := stored.Default()
	thresholds.Names = n
	e, err := o.open(c, thresholds)
	if err != nil {
		return err
	}
	defer func() { err = cmp.Or(err, e.drop()) }()
	r := &namesReport{Collection: e.col.Name, Name: asked, Absent: e.report.Absent}
	r.Dropped, _ = e.Dropped()
	key := strings.ToLower(asked)
	if asked == "" {
		r.Renamings, err = e.Renamings()
	} else if r.Former, err = e.Former(key); err == nil {
		r.Later, err = e.Later(key)
	}
	if err = ended(c, e.col, e.texts, err); err != nil {
		return err
	}
	w := c.OutOrStdout()
	if o.json {
		return cmp.Or(PrintJSON(w, r), left(io.Discard, r.Absent))
	}
	if asked != "" {
		fmt.Fprintf(w, "%s: %d names that it may have had before\n", asked, len(r.Former))
	}
	for _, f := range r.Former[:min(o.show, len(r.Former))] {
		fmt.Fprintln(w, oneLine(fmt.Sprintf("  %s  until %d, score %.2f; %s", f.Old, f.Year, f.Score, strings.Join(f.Shared, ", "))))
	}
	if len(r.Later) > 0 {
		fmt.Fprintf(w, "%d names that it may have had since\n", len(r.Later))
	}
	for _, f := range r.Later[:min(o.show, len(r.Later))] {
		fmt.Fprintln(w, oneLine(fmt.Sprintf("  %s  from %d, score %.2f; %s", f.Name, f.Year, f.Score, strings.Join(f.Shared, ", "))))
	}
	for _, x := range r.Renamings[:min(o.show, len(r.Renamings))] {
		fmt.Fprintln(w, oneLine(fmt.Sprintf("  %d  %s, now %s, score %.2f; %s", x.Year, x.Old, x.Name, x.Score, strings.Join(x.Shared, ", "))))
	}
	if r.Dropped > 0 {
		fmt.Fprintf(w, "  %d rare names did not fit into memory, and were not followed\n", r.Dropped)
	}
	return left(w, r.Absent)
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
	Collection string               `json:"collection"`
	Texts      int                  `json:"texts"`
	Years      int                  `json:"years"`
	Emerging   []stored.EmergingRow `json:"emerging"` // the latest year first
	Dropped    int                  `json:"dropped,omitempty"`
	Absent     int                  `json:"files_without_table,omitempty"`
}

func runEvolutionEmerging(c *cobra.Command, o *evolutionOptions, t emerging.Options) (err error) {
	thresholds := stored.Default()
	thresholds.Emerging = t
	e, err := o.open(c, thresholds)
	if err != nil {
		return err
	}
	defer func() { err = cmp.Or(err, e.drop()) }()
	rows, err := e.Emerging()
	if err = ended(c, e.col, e.texts, err); err != nil {
		return err
	}
	r := &emergingReport{Collection: e.col.Name, Texts: e.Texts(), Years: len(e.Years()), Emerging: append([]stored.EmergingRow{}, rows...), Absent: e.report.Absent}
	_, r.Dropped = e.Dropped()
	slices.SortStableFunc(r.Emerging, func(a, b stored.EmergingRow) int { return cmp.Compare(b.Year, a.Year) })
	w := c.OutOrStdout()
	if o.json {
		return cmp.Or(PrintJSON(w, r), left(io.Discard, r.Absent))
	}
	r.print(w, o.show)
	return left(w, r.Absent)
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
		fmt.Fprintln(w, oneLine(fmt.Sprintf("  %d  %s  %d texts since %d%s; first %s", p.Year, p.Phrase, p.Texts, p.Begun, likely, strings.Join(p.First, ", "))))
	}
	if r.Dropped > 0 {
		fmt.Fprintf(w, "  %d rare phrases did not fit into memory, and were not followed\n", r.Dropped)
	}
}

func newEvolutionReformulateCommand() *cobra.Command {
	var o evolutionOptions
	r := reformulate.Default()
	var from, to int
	c := &cobra.Command{
		Use:   "reformulate WORD... --to YEAR",
		Short: "Say a query in the words of another time",
		Long: `Says what is asked in the words of one time in those of another: terms whose company then was like the company of each word now, that were used then and hardly are now. Terms with blanks in
them are quoted. A word that is as frequent then as now stays as it is. Each proposal has the words that speak for it (@ is a host, + a neighbour in a list); many are wrong
(docs/algorithms/evolution.md), so nothing is searched for by itself.

Exit codes: 0 printed, 1 nothing was found or some files were not looked at, 2 could not.`,
		Example: `  varve evolution reformulate --collection debate "african union" --from 2005 --to 1990
  varve evolution reformulate --collection debate "african union" summit --to 1990 --json`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return runEvolutionReformulate(c, &o, r, args, from, to) },
	}
	o.flags(c)
	f := c.Flags()
	f.IntVar(&from, "from", 0, "a year whose words are used; the last if not given")
	f.IntVar(&to, "to", 0, "a year in whose words it is said (required)")
	f.IntVar(&r.Years, "years", r.Years, "that are counted together around each")
	_ = c.MarkFlagRequired("to") // the flag is there
	return c
}

// reformulated is what is printed of a query.
type reformulated struct {
	Collection string                             `json:"collection"`
	From       [2]int                             `json:"from"` // years whose words are used
	To         [2]int                             `json:"to"`   // years in whose words it is said
	Query      []string                           `json:"query"`
	Terms      map[string][]reformulate.Candidate `json:"terms"`
	Same       []string                           `json:"same"` // terms that need no other word
	Sequences  []reformulate.Sequence             `json:"sequences"`
	Absent     int                                `json:"files_without_table,omitempty"`
}

func runEvolutionReformulate(c *cobra.Command, o *evolutionOptions, r reformulate.Options, query []string, from, to int) error {
	col, texts, err := o.chosen()
	if err != nil {
		return err
	}
	if !texts.Any() {
		return noPhrases(col)
	}
	if r.Years < 1 || r.Years > 100 {
		return &varve.Error{Kind: varve.Invalid, Op: "evolution of " + col.Name, Msg: fmt.Sprintf("--years %d", r.Years), Hint: "1 to 100"}
	}
	dir, err := os.MkdirTemp("", "varve-evolution-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir) // what is left is temporary
	spool := evolution.NewSpool(dir)
	for d, err := range texts.Documents(c.Context())() {
		if err == nil {
			err = spool.Add(d)
		}
		if err != nil {
			return ended(c, col, texts, errors.Join(err, spool.Close()))
		}
	}
	years := spool.Years()
	if err := spool.Close(); err != nil {
		return err
	}
	if len(years) == 0 {
		return noPhrases(col)
	}
	if from == 0 {
		from = years[len(years)-1]
	}
	era := func(year int) (*reformulate.Era, error) {
		first := min(max(year-r.Years/2, years[0]), max(years[0], years[len(years)-1]-r.Years+1))
		var in []int
		for _, y := range years {
			if y >= first && y < first+r.Years {
				in = append(in, y)
			}
		}
		return reformulate.Read(evolution.Years(dir, in...), first, first+r.Years-1, r)
	}
	t, err := era(from)
	if err != nil {
		return ended(c, col, texts, err)
	}
	then, err := era(to)
	if err != nil {
		return ended(c, col, texts, err)
	}
	if t.From <= then.To && then.From <= t.To {
		return &varve.Error{Kind: varve.Invalid, Op: "evolution of " + col.Name, Msg: fmt.Sprintf("the years %d to %d and %d to %d overlap", t.From, t.To, then.From, then.To), Hint: "years that lie further apart, or a smaller --years"}
	}
	out := &reformulated{Collection: col.Name, From: [2]int{t.From, t.To}, To: [2]int{then.From, then.To}, Terms: map[string][]reformulate.Candidate{}, Same: []string{}, Absent: texts.Absent}
	for _, q := range query {
		q = strings.ToLower(strings.Join(strings.Fields(q), " "))
		out.Query = append(out.Query, q)
		list, same := reformulate.Terms(q, t, then, max(1, o.show))
		if same {
			out.Same = append(out.Same, q)
		}
		out.Terms[q] = append([]reformulate.Candidate{}, list...)
	}
	out.Sequences = reformulate.Query(out.Query, t, then, 5)
	w := c.OutOrStdout()
	if o.json {
		return cmp.Or(PrintJSON(w, out), left(io.Discard, out.Absent))
	}
	fmt.Fprintf(w, "%s: words of %d to %d, said as in %d to %d\n", col.Name, t.From, t.To, then.From, then.To)
	found := false
	for _, q := range out.Query {
		switch {
		case slices.Contains(out.Same, q):
			fmt.Fprintln(w, oneLine("  "+q+": was said then, too"))
			found = true
		case len(out.Terms[q]) == 0:
			fmt.Fprintln(w, oneLine("  "+q+": nothing is known"))
		default:
			found = true
			fmt.Fprintln(w, oneLine("  "+q))
			for _, x := range out.Terms[q][:min(5, len(out.Terms[q]))] {
				fmt.Fprintln(w, oneLine(fmt.Sprintf("    %s  score %.2f, %d texts; %s", x.Term, x.Score, x.Texts, strings.Join(x.Shared, ", "))))
			}
		}
	}
	if len(out.Query) > 1 {
		for _, s := range out.Sequences {
			var words []string
			for _, x := range s.Terms {
				words = append(words, x.Term)
			}
			fmt.Fprintln(w, oneLine("  together: "+strings.Join(words, " · ")))
		}
	}
	if err := left(w, out.Absent); err != nil || found {
		return err
	}
	return varve.ErrFindings
}
