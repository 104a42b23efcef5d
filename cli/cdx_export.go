package cli

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"varve/archive/catalog"
	"varve/archive/cdxj"
	"varve/archive/warc"
	"varve/index/cdx"
	"varve/web/canon"
)

type cdxExportOptions struct {
	cdxOptions
	format      string
	url         string
	match       string
	from, to    string
	notModified bool
}

func newCDXExportCommand() *cobra.Command {
	var o cdxExportOptions
	c := &cobra.Command{
		Use:   "export OUT",
		Short: "Write the index as CDX-11, CDXJ or ZipNum",
		Long: `Writes all captures of a collection, or those of a URL, domain or time, for other tools.

  cdxj     lines with JSON, sorted; OUT is a file, or - for standard output
  cdx      eleven columns and a header, sorted; the same
  zipnum   OUT is a new folder: cdx-00000.gz (3000 lines in a gzip member), cluster.idx and
           cluster.loc, as pywb and OpenWayback read them
  wacz     OUT is a new folder: index.cdx.gz and index.idx, as WACZ packages have them

Revisits by which a server said that nothing changed (304) are left out, since pywb and ReplayWeb.page show
blank pages for them; --not-modified keeps them.

Nothing is overwritten. Exit codes: 0 written, 1 stopped early, 2 could not.`,
		Example: `  varve cdx export --collection news news.cdxj
  varve cdx export --format zipnum --url '*.example.org' example-index`,
		Args: needArgs(1, "where to write"),
		RunE: func(c *cobra.Command, args []string) error { return runCDXExport(c, &o, args[0]) },
	}
	o.where(c)
	f := c.Flags()
	f.StringVar(&o.format, "format", "cdxj", "cdxj, cdx, zipnum or wacz")
	f.StringVar(&o.url, "url", "", "only captures of this URL, with a star as in 'varve cdx'")
	f.StringVar(&o.match, "match", "", "exact, prefix, host or domain")
	f.StringVar(&o.from, "from", "", "first timestamp, 1 to 14 digits")
	f.StringVar(&o.to, "to", "", "last timestamp, 1 to 14 digits")
	f.BoolVar(&o.notModified, "not-modified", false, "with revisits by which a server said that nothing changed (304); pywb and ReplayWeb.page show blank pages for them")
	f.BoolVar(&o.json, "json", false, "print one JSON object with the number of lines")
	return c
}

func runCDXExport(c *cobra.Command, o *cdxExportOptions, out string) error {
	q := cdx.Query{URL: o.url, Match: canon.Match(o.match), From: o.from, To: o.to}
	n, left := int64(0), int64(0)
	err := o.withIndex(func(ix *cdx.Index) (err error) {
		lines := func(write func([]byte) error) error {
			for line, err := range ix.Lines(c.Context(), q) {
				var r cdxj.Record
				if err == nil && !o.notModified && r.Parse(string(line)) == nil && r.IsNotModified() {
					left++
					continue
				}
				if err == nil {
					n++
					err = write(line)
				}
				if err != nil {
					return err
				}
			}
			return nil
		}
		switch o.format {
		case "cdxj", "cdx":
			return exportLines(c, out, o.format == "cdx", lines)
		case "zipnum", "wacz":
			return exportZipNum(out, o.format == "wacz", lines)
		}
		return UsageError(c, fmt.Sprintf("--format %q: want cdxj, cdx, zipnum or wacz", o.format))
	})
	if c.Context().Err() != nil {
		return Stopped(c)
	}
	if err != nil {
		return err
	}
	if o.json {
		return PrintJSON(c.ErrOrStderr(), map[string]any{"out": out, "lines": n, "notModified": left})
	}
	fmt.Fprintf(c.ErrOrStderr(), "%s: %d captures\n", out, n)
	if left > 0 {
		fmt.Fprintf(c.ErrOrStderr(), "%d revisits (304) left out: other players show blank pages for them; --not-modified keeps them\n", left)
	}
	return nil
}

// exportLines writes text.
func exportLines(c *cobra.Command, out string, cdx11 bool, lines func(func([]byte) error) error) error {
	write := func(w io.Writer) error {
		buf := bufio.NewWriterSize(w, 64<<10)
		if cdx11 {
			fmt.Fprintln(buf, cdxj.CDX11.Header())
		}
		var text []byte
		var r cdxj.Record
		err := lines(func(line []byte) error {
			if !cdx11 {
				text = append(text[:0], line...)
			} else {
				if err := r.Parse(string(line)); err != nil {
					return err
				}
				text = cdxj.CDX11.Append(text[:0], &r)
			}
			_, err := buf.Write(append(text, '\n'))
			return err
		})
		return errors.Join(err, buf.Flush())
	}
	if out == "-" {
		return write(c.OutOrStdout())
	}
	return NewFile(out, write)
}

// exportZipNum writes a folder, which has its name only once it is whole.
func exportZipNum(out string, wacz bool, lines func(func([]byte) error) error) (err error) {
	if _, err := os.Lstat(out); err == nil {
		return WriteError(out, os.ErrExist)
	}
	open := out + warc.OpenSuffix
	if err := os.Mkdir(open, 0o755); err != nil {
		return WriteError(out, err)
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.RemoveAll(open))
		}
	}()
	names := []string{"cdx-00000.gz", "cluster.idx"}
	o := cdxj.ZipOptions{Name: "cdx-00000.gz"}
	if wacz {
		names = []string{"index.cdx.gz", "index.idx"}
		o = cdxj.ZipOptions{Name: "index.cdx.gz", WACZ: true}
	}
	err = NewFile(filepath.Join(open, names[0]), func(data io.Writer) error {
		return NewFile(filepath.Join(open, names[1]), func(idx io.Writer) error {
			db, ib := bufio.NewWriterSize(data, 256<<10), bufio.NewWriter(idx)
			w := cdxj.NewZipWriter(db, ib, o)
			return errors.Join(lines(w.WriteLine), w.Close(), db.Flush(), ib.Flush())
		})
	})
	if err == nil && !wacz {
		err = NewFile(filepath.Join(open, "cluster.loc"), func(w io.Writer) error {
			_, err := cdxj.Shards{"cdx-00000.gz": {"cdx-00000.gz"}}.WriteTo(w)
			return err
		})
	}
	if err != nil {
		return err
	}
	if err := os.Rename(open, out); err != nil {
		return WriteError(out, err)
	}
	return warc.Disk{}.SyncDir(filepath.Dir(out))
}

func newCDXImportCommand() *cobra.Command {
	var o importOptions
	c := &cobra.Command{
		Use:   "import FILE...",
		Short: "Add CDX, CDXJ or ZipNum lines of other tools to a collection",
		Long: `Adds index lines for captures whose WARC files are not at hand. It is 'varve import' for files that
are index lines; others are refused. Of ZipNum give the data files (cdx-00000.gz, ...).

Exit codes: 0 all lines are in the collection, 1 some files are not (they are named), 2 could not.`,
		Example: `  varve cdx import --collection old heritrix.cdx
  varve cdx import --collection cc --in-place cdx-00000.gz cdx-00001.gz`,
		Args: needArgs(1, "index files"),
		RunE: func(c *cobra.Command, args []string) error { return runImport(c, &o, args, catalog.KindCDX) },
	}
	o.flags(c)
	return c
}
