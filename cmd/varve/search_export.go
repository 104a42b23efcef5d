package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/spf13/cobra"

	"varve"
	"varve/archive/catalog"
	"varve/archive/wacz"
	"varve/index/fulltext"
	"varve/serve/search"
)

// exportFlags say where the whole result goes instead of a page of it.
type exportFlags struct{ table, warc, wacz string }

func (e *exportFlags) any() bool { return e.table != "" || e.warc != "" || e.wacz != "" }

// runSearchExport writes all hits.
func runSearchExport(c *cobra.Command, o *searchOptions, col *catalog.Collection, q fulltext.Query) error {
	texts := localTexts{catalog.Open(o.archive)}
	n := 0
	var err error
	switch {
	case o.export.table != "":
		if _, known := search.Formats[o.export.table]; !known {
			return usageError(c, fmt.Sprintf("--export %q: it is csv or jsonl", o.export.table))
		}
		n, err = search.WriteHits(c.Context(), c.OutOrStdout(), o.export.table, texts, col.Name, q, search.MaxExport)
	case o.export.warc != "":
		n, err = exportRecords(c.Context(), o.export.warc, texts, col, q, o.values)
	default:
		n, err = exportPackage(c.Context(), o.export.wacz, texts, col, q, o.values)
	}
	if err != nil {
		return err
	}
	if n == 0 {
		return varve.ErrFindings
	}
	if o.export.table == "" {
		fmt.Fprintf(c.ErrOrStderr(), "%s: %s\n", orElse(o.export.warc, o.export.wacz), count(int64(n), "record"))
	}
	return nil
}

// exportRecords writes a new WARC file; one that is there is not touched.
func exportRecords(ctx context.Context, path string, texts search.Texts, col *catalog.Collection, q fulltext.Query, asked url.Values) (n int, err error) {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return 0, &varve.Error{Kind: varve.Invalid, Op: "write " + path, Err: err, Hint: "name a file that does not exist, ending in .warc.gz"}
	}
	defer func() {
		if err = errors.Join(err, f.Close()); err != nil || n == 0 {
			err = errors.Join(err, os.Remove(path))
		}
	}()
	r := search.Records{
		Texts: texts, Collection: col.Name, Path: col.FilePath, Software: "varve " + version, Asked: asked.Encode(), Random: rand.Reader, Now: time.Now,
	}
	return r.Write(ctx, f, q, search.MaxExport)
}

// exportPackage makes the same file and packs it.
func exportPackage(ctx context.Context, path string, texts search.Texts, col *catalog.Collection, q fulltext.Query, asked url.Values) (n int, err error) {
	dir, err := os.MkdirTemp(filepath.Dir(path), ".varve-export-")
	if err != nil {
		return 0, &varve.Error{Kind: varve.Unavailable, Op: "write " + path, Err: err}
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	file := filepath.Join(dir, "search.warc.gz")
	if n, err = exportRecords(ctx, file, texts, col, q, asked); err != nil || n == 0 {
		return n, err
	}
	out, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return n, &varve.Error{Kind: varve.Invalid, Op: "write " + path, Err: err, Hint: "name a file that does not exist, ending in .wacz"}
	}
	err = packSearch(ctx, out, file, wacz.Config{
		Title: col.Name + ": " + asked.Get("q"), Description: "Records that a search found: " + asked.Encode(), Software: "varve " + version, Created: time.Now().UTC(),
		Workers: runtime.NumCPU(), SortMemory: 16 << 20,
	})
	if err = errors.Join(err, out.Close()); err != nil {
		err = errors.Join(err, os.Remove(path))
	}
	return n, err
}

func packSearch(ctx context.Context, out io.Writer, path string, cfg wacz.Config) (err error) {
	w, err := wacz.NewWriter(out, cfg)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil {
		return err
	}
	if err := w.AddWARC(ctx, filepath.Base(path), f, st.Size()); err != nil {
		return err
	}
	_, err = w.Finish(ctx)
	return err
}
