package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"varve"
	"varve/archive/catalog"
	"varve/archive/intake"
)

type importOptions struct {
	archive, collection string
	inPlace             bool
	noIndex             bool
	noAccess            bool
	json                bool
	workers             int
}

func newImportCommand() *cobra.Command {
	var o importOptions
	c := &cobra.Command{
		Use:   "import PATH...",
		Short: "Add WARC, ARC, WACZ and CDX files of other tools to a collection",
		Long: `Adds files of Heritrix, wget, Browsertrix and others to a collection and indexes them. A PATH is a
file or a folder, of which all WARC, ARC, WACZ and CDX files are taken, also in folders below it.

Of a WACZ package the WARC files are copied, each compared with the hash in the manifest. A multi-WACZ
package gives those of all packages in it; the JSON file of a multi-WACZ names packages that lie beside
it. What is named there and is not at hand is refused.

Files are copied into the collection, whole and synced. With --in-place they stay where they are and
only a line about each is written (references.jsonl of the collection): for archives that are too
large to be copied. They must stay there.

CDX and CDXJ files, also gzipped (ZipNum), are for captures whose WARC files are not at hand: lines of
WARC files that are in the collection are passed over, since these are read themselves.

Of a folder of pywb the access rules are read too (acl/*.aclj; acl_paths, default_access and embargo of the
config.yaml above it) and become rules of the collection before its files come in: 'varve access list'. One
that cannot be said here stops the import.

It can be stopped and killed at any time and run again: files that are there already, with the same
name and content, are passed over. A file with the name of another is added under a new name.

Exit codes: 0 all files are in the collection, 1 some are not (they are named), or stopped early,
2 could not.`,
		Example: `  varve import --collection old /mnt/heritrix/warcs --in-place
  varve import --archive archive --collection news crawl-1.warc.gz crawl-2.warc.gz`,
		Args: needArgs(1, "files or folders"),
		RunE: func(c *cobra.Command, args []string) error { return runImport(c, &o, args, "") },
	}
	o.flags(c)
	return c
}

func (o *importOptions) flags(c *cobra.Command) {
	f := c.Flags()
	f.StringVar(&o.archive, "archive", "archive", "the archive directory")
	f.StringVar(&o.collection, "collection", "default", "the collection to add to; made if it is not there")
	f.BoolVar(&o.inPlace, "in-place", false, "leave the files where they are and refer to them")
	f.BoolVar(&o.noIndex, "no-index", false, "do not index now; 'varve index' does it later")
	f.BoolVar(&o.noAccess, "no-access", false, "do not read the access rules of pywb folders: what they withhold is open")
	f.IntVar(&o.workers, "workers", runtime.NumCPU(), "cores that read WARC files")
	f.BoolVar(&o.json, "json", false, "print one line a file as JSON, and one at the end")
}

// importSummary is the last line of --json.
type importSummary struct {
	Added   int          `json:"added"`
	There   int          `json:"there"`
	Refused int          `json:"refused"`
	Bytes   int64        `json:"bytes"`
	Index   *indexReport `json:"index,omitempty"`
}

// runImport adds files; only, if not empty, is the kind that is taken.
func runImport(c *cobra.Command, o *importOptions, paths []string, only catalog.Kind) error {
	col, err := openArchive(o.archive).Collection(o.collection)
	if err != nil {
		return err
	}
	lock, err := col.Lock("varve import")
	if err != nil {
		return err
	}
	defer lock.Unlock()
	if !o.noAccess {
		rules, err := readPywb(paths, o.collection)
		if err != nil {
			return err
		}
		added, err := rules.enforce(o.archive)
		if err != nil {
			return err
		}
		for _, s := range rules.told {
			fmt.Fprintln(c.ErrOrStderr(), "access rules of pywb:", oneLine(s))
		}
		if added > 0 {
			fmt.Fprintf(c.ErrOrStderr(), "access rules of pywb: %s added; 'varve access list' shows them\n", count(int64(added), "rule"))
		}
	}
	im, err := intake.New(col, intake.Options{InPlace: o.inPlace, Only: only, Now: now})
	if err != nil {
		return err
	}
	var sum importSummary
	for path, err := range filesUnder(c.Context(), paths) {
		var all []intake.File
		if err == nil {
			all, err = im.Bring(c.Context(), path)
		}
		if c.Context().Err() != nil {
			return Stopped(c)
		}
		if err != nil {
			all = append(all, intake.File{Path: path, Outcome: intake.Refused, Why: err.Error()})
		}
		for _, done := range all {
			sum.count(&done)
			if err := o.print(c.OutOrStdout(), &done); err != nil {
				return err
			}
		}
	}
	return o.finish(c, col, &sum)
}

func (s *importSummary) count(d *intake.File) {
	switch d.Outcome {
	case intake.Added:
		s.Added++
		s.Bytes += d.Bytes
	case intake.There:
		s.There++
	default:
		s.Refused++
	}
}

// finish indexes what was added and prints the end.
func (o *importOptions) finish(c *cobra.Command, col *catalog.Collection, sum *importSummary) error {
	if !o.noIndex && sum.Added+sum.There > 0 {
		rep, err := refreshIndexes(c.Context(), col, &indexOptions{workers: o.workers}, c.ErrOrStderr())
		if err != nil {
			return err
		}
		sum.Index = rep
	}
	if sum.Added > 0 {
		e := catalog.Event{Type: "ingestion", Outcome: "success", Detail: fmt.Sprintf("%d files, %d bytes", sum.Added, sum.Bytes)}
		if err := keepRecord(c.Context(), col, e); err != nil {
			return err
		}
		if err := sendImported(c.Context(), o.archive, col, c.ErrOrStderr()); err != nil {
			return err
		}
	}
	if o.json {
		if err := PrintJSON(c.OutOrStdout(), sum); err != nil {
			return err
		}
	} else {
		fmt.Fprintf(c.OutOrStdout(), "%d files added (%s), %d were there, %d refused\n", sum.Added, size(sum.Bytes), sum.There, sum.Refused)
		if sum.Index != nil {
			if err := new(indexOptions).print(c.OutOrStdout(), sum.Index); err != nil {
				return err
			}
		}
	}
	switch {
	case c.Context().Err() != nil:
		return Stopped(c)
	case sum.Added+sum.There == 0 && sum.Refused == 0:
		return &varve.Error{Kind: varve.NotFound, Op: "import", Msg: "no WARC, ARC, WACZ or CDX files there", Hint: "are the paths right?"}
	case sum.Refused > 0 || sum.Index != nil && (len(sum.Index.Failed) > 0 || sum.Index.Damaged > 0):
		return varve.ErrFindings
	}
	return nil
}

func (o *importOptions) print(w io.Writer, d *intake.File) error {
	if o.json {
		return PrintJSON(w, d)
	}
	line := d.Path + "  " + d.Outcome
	switch {
	case d.Why != "":
		line += ": " + d.Why
	case d.Name != "" && d.Name != filepath.Base(d.Path):
		line += " as " + d.Name
	}
	_, err := fmt.Fprintln(w, oneLine(line))
	return err
}

// filesUnder gives the files that are named, and those of folders whose names say what they are, in
// order. A path that cannot be read comes with its error.
func filesUnder(ctx context.Context, paths []string) func(func(string, error) bool) {
	return func(yield func(string, error) bool) {
		for _, p := range paths {
			err := filepath.WalkDir(p, func(path string, d fs.DirEntry, err error) error {
				if ctx.Err() != nil {
					return fs.SkipAll
				}
				if err != nil {
					if !yield(path, err) {
						return fs.SkipAll
					}
					return nil
				}
				_, known := catalog.KindOf(path)
				if d.IsDir() || path != p && !known && !strings.HasSuffix(strings.ToLower(path), ".wacz") {
					return nil
				}
				if !yield(path, nil) {
					return fs.SkipAll
				}
				return nil
			})
			if err != nil && !errors.Is(err, fs.SkipAll) && !yield(p, err) {
				return
			}
		}
	}
}
