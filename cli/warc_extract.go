package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	"varve"
	"varve/archive/warc"
	"varve/archive/warc/tool"
)

type warcExtractOptions struct {
	json   bool
	dir    string
	out    string
	url    string
	time   string
	offset int64
	work   tool.ExtractOptions
}

func newWarcExtractCommand() *cobra.Command {
	opts := warcExtractOptions{work: tool.ExtractOptions{Selection: tool.All()}}
	c := &cobra.Command{
		Use:   "extract FILE... (-d DIR | -o FILE --url URL [--time T] | -o FILE --offset N)",
		Short: "Write pages and other payloads to files",
		Long: `With -d, writes the content of every capture with a 2xx status into a directory, by address:

  $ varve warc extract crawl.warc.gz -d pages
  pages/example.com/index.html  http://example.com/
  pages/example.com/a@q=1.html  http://example.com/a?q=1

With -o, writes one capture: the one at --offset, or the one of --url nearest to --time (the latest
without --time). '-o -' writes to standard output.

Revisits get the body of their original, segmented records are joined, both within the files given.
Bodies are decoded (gzip, br, ...); --payload leaves them as they were sent. Names are made safe:
no address can lead out of the directory. A second capture of an address gets its time in
the name. Nothing is overwritten.

Exit codes: 0 written, 1 some captures have problems or a limit was reached, 2 could not.`,
		Example: `  varve warc extract *.warc.gz -d pages --url https://example.com/news/
  varve warc extract crawl.warc.gz -o - --url http://example.com/ --time 20260301`,
		Args: needArgs(1, "a file"),
		RunE: func(c *cobra.Command, args []string) error { return runWarcExtract(c, opts, args) },
	}
	f := c.Flags()
	f.BoolVar(&opts.json, "json", false, "print one line a file as JSON")
	f.StringVarP(&opts.dir, "dir", "d", "", "write all captures into this directory")
	f.StringVarP(&opts.out, "output", "o", "", "write one capture to this file; - for standard output")
	f.StringVar(&opts.url, "url", "", "with -d only addresses that start like this; with -o the address")
	f.StringVar(&opts.time, "time", "", "with -o: the capture nearest to this time (2026-03-01T10:00:00Z or 20260301100000, or the start of one)")
	f.Int64Var(&opts.offset, "offset", -1, "with -o: the record at this offset")
	f.BoolVar(&opts.work.Payload, "payload", false, "leave content codings in place")
	f.BoolVar(&opts.work.All, "all", false, "with -d: also captures with another status than 2xx")
	f.Int64Var(&opts.work.MaxSize, "max-size", 1<<30, "leave out bodies with more bytes")
	f.Int64Var(&opts.work.MaxFiles, "max-files", 1_000_000, "stop after so many files")
	f.Int64Var(&opts.work.MaxTotal, "max-total", 1<<40, "stop after so many bytes")
	return c
}

func runWarcExtract(c *cobra.Command, opts warcExtractOptions, args []string) error {
	want, err := opts.wanted(c)
	if err != nil {
		return err
	}
	inputs, closeAll, err := openInputs(c, args)
	if err != nil {
		return err
	}
	defer closeAll()
	progress, clear := newProgress(c)
	defer clear()
	opts.work.Workers, opts.work.Progress = workers(), progress
	opts.work.OnFile = func(e tool.Extracted) { clear(); printExtracted(c.OutOrStdout(), opts, e) }
	opts.work.OnProblem = func(p tool.Problem) {
		clear()
		fmt.Fprintf(c.ErrOrStderr(), "%s:%d: %s: %s\n", p.File, p.Offset, oneLine(p.URL), oneLine(p.Message))
	}
	if opts.dir != "" {
		opts.work.Selection.URL = opts.url
	}
	x, err := tool.NewExtractor(c.Context(), inputs, opts.work)
	if err != nil {
		return InputError(args[0], err)
	}
	if opts.dir != "" {
		return extractAll(c, x, opts)
	}
	return extractOne(c.Context(), c.OutOrStdout(), x, want, opts)
}

// wanted checks the flags for one capture.
func (o *warcExtractOptions) wanted(c *cobra.Command) (tool.Wanted, error) {
	want := tool.Wanted{Offset: o.offset, URL: o.url}
	if (o.dir == "") == (o.out == "") {
		return want, UsageError(c, "needs either -d DIR or -o FILE")
	}
	if o.dir != "" {
		if o.offset >= 0 || o.time != "" {
			return want, UsageError(c, "--offset and --time are for -o")
		}
		return want, nil
	}
	if (o.offset >= 0) == (o.url != "") {
		return want, UsageError(c, "-o needs either --offset or --url")
	}
	if o.time != "" {
		t, err := parseTime(o.time)
		if err != nil {
			return want, UsageError(c, err.Error())
		}
		want.Time = t
	}
	return want, nil
}

// parseTime reads a WARC date or leading digits of a 14-digit one.
func parseTime(s string) (time.Time, error) {
	if t, err := warc.ParseDate(s); err == nil {
		return t, nil
	}
	const digits = "20060102150405"
	if len(s) <= len(digits) {
		if t, err := time.Parse(digits[:len(s)], s); err == nil {
			return t, nil
		}
	}
	return time.Time{}, fmt.Errorf("%q is no time (2026-03-01T10:00:00Z or 20260301100000)", s)
}

func extractAll(c *cobra.Command, x *tool.Extractor, opts warcExtractOptions) error {
	folder, err := tool.OpenFolder(opts.dir)
	if err != nil {
		return InputError(opts.dir, err)
	}
	defer folder.Close()
	rep, err := x.Into(c.Context(), folder)
	if c.Context().Err() != nil {
		return Stopped(c)
	}
	limited := errors.Is(err, tool.ErrLimit)
	if err != nil && !limited {
		return InputError(opts.dir, err)
	}
	if limited {
		tellError(c, InputError(opts.dir, err))
	}
	if !opts.json {
		fmt.Fprintf(c.ErrOrStderr(), "%s, %s; %d captures with another status left out, %s\n",
			count(rep.Files, "file"), size(rep.Bytes), rep.Skipped, count(rep.Problems, "problem"))
	}
	if rep.Problems > 0 || limited {
		return varve.ErrFindings
	}
	return nil
}

func extractOne(ctx context.Context, stdout io.Writer, x *tool.Extractor, want tool.Wanted, opts warcExtractOptions) error {
	if opts.out == "-" {
		_, err := x.One(ctx, want, stdout)
		if err != nil {
			return InputError("the capture", err)
		}
		return nil
	}
	f, err := os.OpenFile(opts.out, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return WriteError(opts.out, err)
	}
	e, err := x.One(ctx, want, f)
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		_ = os.Remove(opts.out) // half a file helps nobody
		return InputError("the capture", err)
	}
	e.Path = opts.out
	printExtracted(stdout, opts, e)
	return nil
}

func printExtracted(w io.Writer, opts warcExtractOptions, e tool.Extracted) {
	if opts.json {
		_ = PrintJSON(w, e) // a closed pipe ends the program anyway
		return
	}
	if opts.dir != "" {
		e.Path = opts.dir + "/" + e.Path
	}
	fmt.Fprintf(w, "%s  %s", e.Path, oneLine(e.URL))
	if e.Original != "" {
		fmt.Fprintf(w, "  (revisit, original by %s)", e.Original)
	}
	if e.Segments > 0 {
		fmt.Fprintf(w, "  (%d segments)", e.Segments)
	}
	fmt.Fprintln(w)
}
