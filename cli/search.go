package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"varve"
	"varve/archive/catalog"
	"varve/index/fulltext"
	"varve/index/renew"
	"varve/language/variant"
	"varve/serve/search"
)

type searchOptions struct {
	archive    string
	collection string
	values     url.Values
	limit      int
	group      bool
	json       bool
	unchecked  bool
	export     exportFlags
}

func newSearchCommand() *cobra.Command {
	o := searchOptions{values: url.Values{}}
	c := &cobra.Command{
		Use:   "search [QUERY...]",
		Short: "Find versions of pages by text, time and facets",
		Long: `Finds the versions of pages that say something, were valid at some time, and are of some host,
language or type. A query has words, "phrases", AND, OR, NOT, prefix*, "near words"~5, and title:,
anchor:, url: or text: before a word. Facets are conditions in it, too: lang:de, host:example.org, and what
analyses of the collection brought, such as person:"Angela Merkel", place:Ber*, or numbers: opinion:<-0.3 is of a
whole page, opinion:<-0.3 about:"rent law" of what it says about just that, about:* about anything. Capitals make no difference
there. An unknown one is refused with a list of those there are. Signs beside words are passed over. Without a query everything fits
that the other conditions let through. If nothing fits, it says what a wider question would find: at any
time, with words spelled otherwise, with each word alone.

A version is valid from its first capture until another one was met. --asof asks what was valid at an
instant; --from and --to ask for a span that the validity meets (--relation intersects), lies in
(within), covers (contains) or begins in (begins: first seen then).

--export prints all results, not only the first ones, as a table or as JSON lines. --export-warc and
--export-wacz copy the records of all captures of each result into a new file, with what revisits refer to,
a warcinfo record that says what was asked and when, and a list of the files they come from; pages come with
the captures of their parts that replay would show. The archive stays as it is.

It reads the text index, which 'varve derive' and then 'varve index' make: first every byte of it, to be sure that it
answers right (one of over 512 MB once a day; --unchecked spares it), and one that is damaged is built anew.

Exit codes: 0 found, 1 nothing found, 2 could not.`,
		Example: `  varve search "climate law" --collection news --asof 2024-05-01
  varve search 'title:minister -resigns' --from 2023 --to 2024-06 --facets host,lang --trend month
  varve search '"prime minister" OR chancellor' --lang de,en --group --json
  varve search 'title:law' --from 2024 --export csv > laws.csv
  varve search 'title:law' --from 2024 --export-warc laws.warc.gz
  varve search 'person:"Angela Merkel" opinion:<-0.3 about:"rent law"' --trend month --facets person,place
  varve search --facets person --prefix ang --limit 0
  varve search --lang de -- -sport`,
		Args: cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error { return runSearch(c, &o, args) },
	}
	c.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return &varve.Error{Kind: varve.Invalid, Op: c.CommandPath(), Msg: err.Error(), Hint: "see 'varve search --help'; a query that begins with a dash comes behind two: varve search -- -sport"}
	})
	f := c.Flags()
	f.StringVar(&o.archive, "archive", "archive", "the archive directory")
	f.StringVar(&o.collection, "collection", "", "the collection, or several by comma (default: all that have a text index)")
	for name, what := range map[string]string{
		"from": "begin of a span: 2014, 2014-05, 2014-05-01, RFC 3339", "to": "its end, included", "relation": "intersects, within, contains or begins",
		"asof": "an instant at which it was valid", "facets": "count by these: " + strings.Join(fulltext.Facets(), ", ") + ", and those that analyses brought", "facet": "only this value of a facet that an analysis brought, as NAME:VALUE; -NAME:VALUE for all but it", "prefix": "count only names of facets that begin so, capitals apart", "trend": "count by day, month or year of the first capture",
		"sort": "oldest, newest, or most:FACET of numbers, as most:relevance or most:relevance:flood (default: best)", "cursor": "go on behind an earlier answer",
		"host": "only these hosts; -NAME for all but it; none for unknown", "domain": "likewise domains", "mime": "likewise types", "lang": "likewise languages", "year": "likewise years of the first capture", "crawl": "likewise crawls",
		"coherence": "likewise verdicts of coherence (none for unknown)", "spam": "likewise labels of hosts: spam, normal, none",
	} {
		f.Var(valueFlag{o.values, name}, name, what)
	}
	f.IntVar(&o.limit, "limit", 10, "results, at most 1,000; 0 for counts only")
	f.BoolVar(&o.group, "group", false, "put versions and pages that nearly repeat a better result under it")
	f.BoolVar(&o.json, "json", false, "print the answer as JSON")
	f.BoolVar(&o.unchecked, "unchecked", false, "answer without reading all of the text index first: faster, and damage in it may pass")
	f.StringVar(&o.export.table, "export", "", "print all results: csv or jsonl")
	f.StringVar(&o.export.warc, "export-warc", "", "copy the records of all results into this new WARC file")
	f.StringVar(&o.export.wacz, "export-wacz", "", "likewise into a new WACZ package")
	f.BoolVar(&o.export.parts, "parts", true, "pages come with their pictures, style sheets, scripts and fonts; --parts=false leaves them out")
	c.MarkFlagsMutuallyExclusive("export", "export-warc", "export-wacz", "json")
	return c
}

// valueFlag puts a flag where a query of the API has its parameter.
type valueFlag struct {
	values url.Values
	name   string
}

func (v valueFlag) String() string     { return "" }
func (v valueFlag) Type() string       { return "string" }
func (v valueFlag) Set(s string) error { v.values.Add(v.name, s); return nil }

// localTexts are the text indexes of an archive, for whoever can read its files.
type localTexts struct {
	archive *catalog.Archive
	check   bool      // every byte of an index is read before it answers
	said    io.Writer // told of what is damaged
	open    map[string]*fulltext.Index
}

func (o *searchOptions) texts(c *cobra.Command) *localTexts {
	return &localTexts{openArchive(o.archive), !o.unchecked, c.ErrOrStderr(), map[string]*fulltext.Index{}}
}

// Sources opens the text indexes. A command ends soon, so they are not closed.
func (t *localTexts) Sources(ctx context.Context, collections ...string) ([]fulltext.Source, error) {
	named := len(collections) > 0
	if !named {
		all, err := t.archive.Collections()
		if err != nil {
			return nil, err
		}
		for _, c := range all {
			collections = append(collections, c.Name)
		}
	}
	var out []fulltext.Source
	for _, name := range collections {
		ix, err := t.text(ctx, name)
		if !named && varve.KindOf(err) == varve.NotFound {
			continue
		}
		if err != nil {
			return nil, err
		}
		out = append(out, fulltext.Source{Name: name, Index: ix})
	}
	if len(out) == 0 {
		return nil, noTextIndex(append(collections, "NAME")[0])
	}
	return out, nil
}

// Spellings reads the words that collections wrote otherwise at another time.
func (t *localTexts) Spellings(_ context.Context, collections ...string) (out []variant.Pair, err error) {
	return search.ReadSpellings(t.archive, collections)
}

func noTextIndex(collection string) error {
	return &varve.Error{
		Kind: varve.NotFound, Op: "search in " + collection, Msg: "there is no text index",
		Hint: "make it: varve derive --collection " + collection + " && varve index --collection " + collection,
	}
}

// missing says what to do about a collection without a text index, or without anything.
func (t *localTexts) missing(collection string) error {
	all, err := t.archive.Collections()
	if err != nil || len(all) == 0 || slices.ContainsFunc(all, func(c *catalog.Collection) bool { return c.Name == collection }) {
		return noTextIndex(collection)
	}
	var names []string
	for _, c := range all {
		names = append(names, c.Name)
	}
	return &varve.Error{Kind: varve.NotFound, Op: "search in " + collection, Msg: "there is no such collection", Hint: "there are: " + strings.Join(names, ", ")}
}

// text opens the text index of a collection. One that is damaged is built anew.
func (t *localTexts) text(ctx context.Context, collection string) (*fulltext.Index, error) {
	if ix := t.open[collection]; ix != nil {
		return ix, nil
	}
	col, err := t.archive.Collection(collection)
	if err != nil {
		return nil, err
	}
	dir := col.IndexDir("fulltext")
	if _, err := os.Stat(filepath.Join(dir, "manifest.json")); err != nil {
		return nil, t.missing(collection)
	}
	if t.check {
		err = verifyText(ctx, dir)
	}
	var ix *fulltext.Index
	if err == nil {
		ix, err = fulltext.Open(dir)
	}
	if err != nil && ctx.Err() == nil {
		err = mend(t.said, "text index", col, err, func() error { return reindexText(ctx, col, "varve search") })
		if err == nil {
			ix, err = fulltext.Open(dir)
		}
	}
	if err != nil {
		return nil, err
	}
	t.open[collection] = ix
	return ix, nil
}

// A text index of some size is read once a day at most: its files never change once they are built, and a search should
// not take a minute for what an hour ago was sound.
const (
	alwaysVerified = 512 << 20 // bytes of an index that is read each time
	verifiedFor    = 24 * time.Hour
	verifiedFile   = "verified" // in the folder of the index; its date is that of the last reading
)

// verifyText reads every byte of a text index, unless it is large and was found sound not long ago.
func verifyText(ctx context.Context, dir string) error {
	size, err := sizeOf(dir)
	if err != nil {
		return err
	}
	mark := filepath.Join(dir, verifiedFile)
	if size > alwaysVerified {
		built, err := os.Stat(filepath.Join(dir, "manifest.json"))
		if err != nil {
			return err
		}
		if m, err := os.Stat(mark); err == nil && m.ModTime().After(built.ModTime()) && time.Since(m.ModTime()).Abs() < verifiedFor {
			return nil
		}
	}
	if err := fulltext.Verify(ctx, dir); err != nil {
		return err
	}
	if size > alwaysVerified {
		_ = os.WriteFile(mark, nil, 0o644) // without it, the next search reads all again
	}
	return nil
}

// sizeOf returns the bytes of the files below a folder.
func sizeOf(dir string) (size int64, err error) {
	err = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			size += info.Size()
		}
		return err
	})
	return size, err
}

// mend says that an index is damaged and builds it anew.
func mend(w io.Writer, what string, col *catalog.Collection, cause error, build func() error) error {
	fmt.Fprintf(w, "varve: the %s of %s is built anew: %s\n", what, col.Name, oneLine(cause.Error()))
	if err := build(); err != nil {
		return &varve.Error{
			Kind: varve.Unavailable, Op: what + " of " + col.Name, Err: errors.Join(cause, err),
			Hint: orElse(varve.HintOf(err), "varve index --check --collection "+col.Name),
		}
	}
	return nil
}

func runSearch(c *cobra.Command, o *searchOptions, args []string) error {
	if len(args) > 0 {
		o.values.Set("q", strings.Join(args, " "))
	}
	o.values.Set("limit", strconv.Itoa(o.limit))
	o.values.Set("group", strconv.FormatBool(o.group))
	q, err := search.Parse(o.values)
	if err != nil {
		return err
	}
	if o.export.any() {
		return runSearchExport(c, o, q)
	}
	texts := o.texts(c)
	a, err := search.Ask(c.Context(), texts, o.collection, q)
	if err != nil {
		return err
	}
	if o.json {
		err = PrintJSON(c.OutOrStdout(), a)
	} else {
		printAnswer(c.OutOrStdout(), a)
		also, trouble := search.AlsoWritten(c.Context(), texts, o.collection, q, a.Total)
		if err = trouble; err != nil {
			return err
		}
		printAlso(c.OutOrStdout(), also)
		if a.Total == 0 {
			printWider(c.OutOrStdout(), search.Widen(c.Context(), texts, o.collection, q))
		}
	}
	if err == nil && a.Total == 0 {
		return varve.ErrFindings
	}
	return err
}

func printAnswer(w io.Writer, a *fulltext.Answer) {
	fmt.Fprintf(w, "%d of %d versions\n", a.Total, a.Of)
	for _, h := range a.Hits {
		fmt.Fprintf(w, "\n%s\n  %s\n", oneLine(orElse(h.Title, h.URL)), oneLine(h.URL))
		until := "now"
		if !h.Until.IsZero() {
			until = h.Until.Format("2006-01-02")
		}
		fmt.Fprintf(w, "  %s to %s, %d captures", h.From.Format("2006-01-02"), until, h.Captures)
		if h.Language != "" {
			fmt.Fprintf(w, ", %s", h.Language)
		}
		if n := len(h.Alike); n > 0 {
			fmt.Fprintf(w, "; %d more nearly the same", n)
		}
		fmt.Fprintln(w)
		var b strings.Builder
		for _, p := range h.Snippet {
			b.WriteString(p.Text)
		}
		if b.Len() > 0 {
			fmt.Fprintf(w, "  %s\n", oneLine(b.String()))
		}
		if len(h.Where) > 0 && !slices.Contains(h.Where, "text") {
			fmt.Fprintf(w, "  found in: %s\n", strings.Join(h.Where, ", "))
		}
	}
	shown := fulltext.Facets()
	for _, f := range slices.Sorted(maps.Keys(a.Facets)) {
		if !slices.Contains(shown, f) {
			shown = append(shown, f)
		}
	}
	for _, f := range shown {
		if len(a.Facets[f]) == 0 {
			continue
		}
		fmt.Fprintf(w, "\n%s\n", f)
		for _, n := range a.Facets[f] {
			fmt.Fprintf(w, "  %8d  %s\n", n.Count, oneLine(orElse(n.Name, "(unknown)")))
		}
	}
	if len(a.Trend) > 0 {
		fmt.Fprintf(w, "\n%-10s %8s %8s  share\n", "from", "found", "of")
		for _, p := range a.Trend {
			fmt.Fprintf(w, "%-10s %8d %8d  %5.2f %% %s\n", p.At.Format("2006-01-02"), p.Count, p.Of, 100*p.Share(), strings.Repeat("#", int(p.Share()*40+0.5)))
		}
	}
	if a.Cursor != "" {
		fmt.Fprintf(w, "\nmore: --cursor %s\n", a.Cursor)
	}
}

// printAlso tells how words were written at other times, and how to ask for both.
func printAlso(w io.Writer, list []search.Wider) {
	for _, x := range list {
		fmt.Fprintf(w, "\nAlso written %s: %d versions have one or the other: varve search '%s'\n", oneLine(x.Label), x.Count, oneLine(x.Text))
	}
}

// printWider tells whoever found nothing what the archive has instead.
func printWider(w io.Writer, list []search.Wider) {
	if len(list) == 0 {
		return
	}
	fmt.Fprint(w, "\nA little wider:\n")
	for _, x := range list {
		fmt.Fprintf(w, "  %8d  %s\n", x.Count, oneLine(x.Label))
	}
}

func orElse(s, other string) string {
	if strings.TrimSpace(s) == "" {
		return other
	}
	return s
}

// textReport is what became of the text index of a collection.
type textReport = fulltext.Report

// reindexText builds the damaged parts of the text index of a collection anew, for a reader that found them.
func reindexText(ctx context.Context, col *catalog.Collection, who string) (err error) {
	lock, err := col.Lock("text index by " + who)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lock.Unlock()) }()
	rep, err := refreshText(ctx, col, newIndexLine(io.Discard))
	if err == nil && rep == nil {
		err = errors.New("the table of versions is missing: varve derive --collection " + col.Name)
	}
	return err
}

// refreshText brings the text index up to the table of versions; nil if there is none.
func refreshText(ctx context.Context, col *catalog.Collection, line *indexLine) (*textReport, error) {
	table := filepath.Join(derivedDir(col), "versions.parquet")
	if _, err := os.Stat(table); err != nil {
		return nil, nil
	}
	dir := col.IndexDir("fulltext")
	told := func(p fulltext.Progress) { line.file(fmt.Sprintf("text of %s", p.Year), p.Done-1, p.Docs) }
	end := func() error { return renew.Forget(dir) } // that a killed process left
	if format, docs, older := fulltext.Older(dir); older {
		note, err := beginRenewal(col, "fulltext", renew.Work{Index: "words", From: format, To: fulltext.FormatVersion, Unit: "versions", Total: int64(docs)}, line)
		if err != nil {
			return nil, err
		}
		done := map[string]int{} // by year
		told = func(p fulltext.Progress) {
			done[p.Year] = p.Done
			sum := 0
			for _, n := range done {
				sum += n
			}
			note.At(int64(sum), int64(docs))
		}
		end = note.End
	}
	rep, err := fulltext.Build(ctx, dir, table, told)
	line.clear()
	if err == nil {
		err = end()
	}
	if err != nil {
		return nil, &varve.Error{Kind: varve.Unavailable, Op: "text index of " + col.Name, Err: err, Hint: orElse(varve.HintOf(err), "run it again: finished years stay")}
	}
	return &rep, relabel(ctx, col)
}
