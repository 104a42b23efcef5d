package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/spf13/cobra"

	"varve"
	"varve/archive/catalog"
	"varve/archive/warc"
	"varve/cluster"
	"varve/index/cdx"
)

type indexOptions struct {
	archive    string
	collection string
	rebuild    bool
	check      bool
	compact    bool
	workers    int
	to         string
	renew      bool // what is of an older format is built anew, however long that takes
	json       bool
}

func newIndexCommand() *cobra.Command {
	var o indexOptions
	c := &cobra.Command{
		Use:   "index",
		Short: "Build or refresh the indexes of collections",
		Long: `Brings the indexes of a collection up to its WARC files: which URL was captured when (cdx), and
which version of a page was valid when (temporal), and, where 'varve derive' made tables, the words
of all versions (fulltext, for 'varve search'). Only files that are new or changed are read; a
second run with nothing new takes moments. All of it is computed from the files of the collection and
can be deleted at any time.

It can be stopped and killed at any time: what was indexed stays, and the next run goes on. A damaged
index is noticed and the damaged parts are built anew; --check reads every block of it to be sure.

An index that an earlier version of Varve made answers as it is. It is built anew beside it, from all files: how long that takes is
told, the earlier one answers until the new one is whole, and a run that is stopped is gone on with by the next ('varve serve' does
it by itself, in the background).

With --to opensearch the indexes are brought up to date here first, and then what OpenSearch has of the collection ([index] of varve.toml says where it is): the words of all
versions and all captures, for 'varve serve --index opensearch'. Only years and files that are new or changed are sent; a run that is stopped, or that loses the server, is gone on with by
the next. --rebuild sends all anew.

Exit codes: 0 the indexes are up to date, 1 with findings (damaged or unreadable files; they are
named), or stopped early, 2 could not.`,
		Example: `  varve index --archive archive --collection news
  varve index                       all collections of the folder archive
  varve index --to opensearch       and what OpenSearch has of them
  varve index --check --compact     read all of the index, and make one run of it`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { o.renew = true; return runIndex(c, &o) },
	}
	f := c.Flags()
	f.StringVar(&o.archive, "archive", "archive", "the archive directory")
	f.StringVar(&o.collection, "collection", "", "the collection (default: all of them)")
	f.StringVar(&o.to, "to", cluster.KindEmbedded, "which indexes: embedded, those of the archive; opensearch, also those of the OpenSearch that [index] of varve.toml names")
	f.BoolVar(&o.rebuild, "rebuild", false, "throw the indexes away and build them anew")
	f.BoolVar(&o.check, "check", false, "read every block of the index, and build anew what is damaged")
	f.BoolVar(&o.compact, "compact", false, "merge the index into one run: smallest and fastest")
	f.IntVar(&o.workers, "workers", runtime.NumCPU(), "cores that read WARC files")
	f.BoolVar(&o.json, "json", false, "print one JSON object a collection")
	return c
}

// indexReport is what was done to one collection.
type indexReport struct {
	Collection string `json:"collection"`
	cdx.Report
	Index    cdx.Stats       `json:"index"`
	Renewed  []string        `json:"renewed,omitempty"` // indexes of an older format that are of today's now
	Versions *versionsReport `json:"versions,omitempty"`
	Text     *textReport     `json:"text,omitempty"`
	Sent     *sentReport     `json:"opensearch,omitempty"`
	Seconds  float64         `json:"seconds"`
}

func runIndex(c *cobra.Command, o *indexOptions) error {
	send, err := o.sender(c)
	if err != nil {
		return err
	}
	return eachCollection(c, o.archive, o.collection, func(col *catalog.Collection) (bool, error) {
		rep, err := indexLocked(c.Context(), col, o, c.ErrOrStderr())
		if err == nil && send != nil && c.Context().Err() == nil {
			rep.Sent, err = send(c.Context(), col)
		}
		if err != nil {
			return false, err
		}
		return len(rep.Failed) > 0 || rep.Damaged > 0, o.print(c.OutOrStdout(), rep)
	})
}

// eachCollection does something to one collection, or to each of an archive by itself, until an error or a signal ends it. What do finds to be wrong with one is told by the
// exit code at the end.
func eachCollection(c *cobra.Command, archive, name string, do func(*catalog.Collection) (findings bool, err error)) error {
	cols, err := chosenCollections(archive, name)
	if err != nil {
		return err
	}
	findings := false
	for _, col := range cols {
		found, err := do(col)
		if c.Context().Err() != nil {
			return Stopped(c)
		}
		if err != nil {
			return err
		}
		findings = findings || found
	}
	if findings {
		return varve.ErrFindings
	}
	return nil
}

// chosenCollections gives one collection, or all of an archive.
func chosenCollections(archive, name string) ([]*catalog.Collection, error) {
	a := openArchive(archive)
	if name == "" {
		cols, err := a.Collections()
		if err == nil && len(cols) == 0 {
			err = &varve.Error{
				Kind: varve.NotFound, Op: "archive " + archive, Msg: "it has no collections",
				Hint: "name the right one with --archive; 'varve crawl' and 'varve import' make collections",
			}
		}
		return cols, err
	}
	col, err := a.Collection(name)
	if err == nil && !col.Exists() {
		err = &varve.Error{
			Kind: varve.NotFound, Op: "collection " + name, Msg: "there is none in " + archive,
			Hint: "'varve import' and 'varve crawl' make it; --archive names the archive",
		}
	}
	return []*catalog.Collection{col}, err
}

// indexLocked takes the lock of a collection and refreshes its indexes.
func indexLocked(ctx context.Context, col *catalog.Collection, o *indexOptions, progress io.Writer) (*indexReport, error) {
	lock, err := col.Lock("varve index")
	if err != nil {
		return nil, err
	}
	defer lock.Unlock()
	if o.rebuild {
		if err := errors.Join(cdx.Remove(nil, col.IndexDir("cdx")), os.RemoveAll(col.IndexDir("temporal")), os.RemoveAll(col.IndexDir("fulltext"))); err != nil {
			return nil, WriteError(col.IndexDir("cdx"), err)
		}
	}
	return refreshIndexes(ctx, col, o, progress)
}

// refreshIndexes brings all indexes of a collection up to its files. The caller holds the lock.
func refreshIndexes(ctx context.Context, col *catalog.Collection, o *indexOptions, progress io.Writer) (*indexReport, error) {
	start := time.Now()
	rep := &indexReport{Collection: col.Name}
	files, err := indexFiles(col)
	if err != nil {
		return nil, err
	}
	line := newIndexLine(progress)
	b, err := openBuilder(col, o.workers, line, &rep.Problems)
	if err != nil {
		return nil, err
	}
	if o.check {
		err = o.checkAll(ctx, col, b, rep)
	}
	if err == nil {
		problems := rep.Problems
		rep.Report, err = b.Refresh(ctx, files)
		rep.Problems = append(problems, rep.Problems...)
	}
	if err == nil && o.compact {
		err = b.Compact(ctx)
	}
	err = errors.Join(err, b.Close())
	line.clear()
	if err != nil && ctx.Err() == nil {
		return nil, &varve.Error{Kind: varve.Unavailable, Op: "index collection " + col.Name, Err: err, Hint: "run it again: it goes on where it was"}
	}
	if ctx.Err() == nil {
		if rep.Versions, err = refreshVersions(ctx, col, false, line); err != nil && ctx.Err() == nil {
			return nil, err
		}
	}
	if ctx.Err() == nil && o.renew {
		if err := rep.renew(ctx, col, o, line); err != nil && ctx.Err() == nil {
			return nil, err
		}
	}
	if older := textOlder(col); ctx.Err() == nil && (o.renew || !older) {
		if older {
			rep.Renewed = append(rep.Renewed, "words")
		}
		if rep.Text, err = refreshText(ctx, col, line); err != nil && ctx.Err() == nil {
			return nil, err
		}
	}
	if err := col.UnreadReferences(); err != nil {
		rep.Failed = append(rep.Failed, cdx.FailedFile{Name: filepath.Base(col.ReferencesFile()), Err: err.Error() + ": the files of these lines are missing in the collection until they are mended"})
	}
	rep.Seconds = time.Since(start).Seconds()
	return rep, rep.count(col)
}

// renew replaces what is of an older format, after all that is new can be found.
func (r *indexReport) renew(ctx context.Context, col *catalog.Collection, o *indexOptions, line *indexLine) error {
	done, err := renewCaptures(ctx, col, o, line)
	if err != nil || !done {
		return err
	}
	r.Renewed = append(r.Renewed, "captures")
	before := r.Versions
	r.Versions, err = refreshVersions(ctx, col, false, line)
	if r.Versions != nil && before != nil {
		r.Versions.Older = r.Versions.Older || before.Older
	}
	return err
}

// checkAll reads all of the indexes and drops what is damaged.
func (o *indexOptions) checkAll(ctx context.Context, col *catalog.Collection, b *cdx.Builder, rep *indexReport) error {
	if err := checkVersions(col); err != nil {
		rep.Problems = append(rep.Problems, err.Error()+": the temporal index is built anew")
		if err := os.RemoveAll(col.IndexDir("temporal")); err != nil {
			return err
		}
	}
	return b.Check(ctx) // the text index is checked by every build
}

// count adds the size of the index to the report.
func (r *indexReport) count(col *catalog.Collection) error {
	ix, err := cdx.Open(col.IndexDir("cdx"))
	if err != nil {
		return err
	}
	defer ix.Close()
	r.Index, err = ix.Stats()
	return err
}

// openBuilder opens the index of a collection for writing.
func openBuilder(col *catalog.Collection, workers int, line *indexLine, problems *[]string) (*cdx.Builder, error) {
	b, err := cdx.NewBuilder(col.IndexDir("cdx"), cdx.Config{
		Workers: workers, OnProgress: line.file,
		OnProblem: func(s string) { *problems = append(*problems, s) },
		OnFinding: line.finding,
	})
	if err != nil {
		return nil, &varve.Error{
			Kind: varve.Unavailable, Op: "open index of " + col.Name, Err: err,
			Hint: "'varve index --rebuild' makes it anew from the WARC files",
		}
	}
	return b, nil
}

// indexFiles lists what is to be indexed.
func indexFiles(col *catalog.Collection) ([]cdx.File, error) {
	files, err := col.Files()
	out := make([]cdx.File, len(files))
	for i, f := range files {
		out[i] = cdx.File{Name: f.Name, Path: f.Path, Kind: cdx.Kind(f.Kind), From: f.From}
	}
	return out, err
}

func (o *indexOptions) print(w io.Writer, r *indexReport) error {
	if o.json {
		return PrintJSON(w, r)
	}
	for _, p := range r.Problems {
		fmt.Fprintf(w, "  mended: %s\n", oneLine(p))
	}
	for _, f := range r.Failed {
		fmt.Fprintf(w, "  %s: %s\n", oneLine(f.Name), oneLine(f.Err))
	}
	if r.Damaged > 0 {
		fmt.Fprintf(w, "  %d places of damage in WARC files: 'varve warc check FILE' names them\n", r.Damaged)
	}
	fmt.Fprintf(w, "%s: %d files: %d new, %d unchanged, %d gone or changed; %d captures added in %.1f s; the index has %d in %d runs (%s)\n",
		r.Collection, r.Files, r.Added, r.Unchanged, r.Dropped, r.Lines, r.Seconds, r.Index.Lines, r.Index.Runs, size(r.Index.Bytes))
	for _, what := range r.Renewed {
		fmt.Fprintf(w, "  the index of %s was of an earlier format, which answered until now; it is built anew\n", what)
	}
	if r.Index.Format < cdx.FormatVersion {
		fmt.Fprintf(w, "  the index is of an earlier format and answers; 'varve index' and 'varve serve' build it anew\n")
	}
	if v := r.Versions; v != nil {
		built := ""
		if v.Older {
			built = ", built anew by the rules of this version; the older ones answered until now"
		}
		fmt.Fprintf(w, "  %d versions of %d pages%s\n", v.Versions, v.Pages, built)
	}
	defer r.Sent.print(w)
	if t := r.Text; t != nil {
		for _, what := range t.Damaged {
			fmt.Fprintf(w, "  mended: text index: %s: built anew\n", oneLine(what))
		}
		fmt.Fprintf(w, "  text of %d versions, %d of them new or changed (%s)\n", t.Docs, t.Indexed, size(t.Bytes))
	}
	return nil
}

// indexLine shows which file is being read, if somebody watches.
type indexLine struct {
	w     io.Writer
	on    bool
	last  time.Time
	found int
}

func newIndexLine(w io.Writer) *indexLine { return &indexLine{w: w, on: IsTerminal(w)} }

func (l *indexLine) file(path string, n, of int) {
	if !l.on || time.Since(l.last) < progressEvery {
		return
	}
	l.last = time.Now()
	fmt.Fprintf(l.w, "\r\x1b[K%d of %d: %s", n+1, of, filepath.Base(path))
}

func (l *indexLine) finding(f warc.Finding) {
	if f.Class != warc.Damage {
		return
	}
	if l.found++; l.found <= 20 {
		l.clear()
		fmt.Fprintln(l.w, oneLine(f.Error()))
	}
}

func (l *indexLine) clear() {
	if l.on {
		fmt.Fprint(l.w, "\r\x1b[K")
	}
}
