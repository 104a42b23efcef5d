package cli

import (
	"bufio"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"varve"
	"varve/archive/warc"
	"varve/archive/warc/tool"
)

type warcCatOptions struct {
	selection tool.Selection
	views     map[tool.View]*bool
}

func newWarcCatCommand() *cobra.Command {
	opts := warcCatOptions{selection: tool.All(), views: map[tool.View]*bool{}}
	c := &cobra.Command{
		Use:   "cat FILE...",
		Short: "Print records, whole or in part",
		Long: `Prints the selected records, header and block, exactly as they are stored. Without a
selection all records are printed.

  $ varve warc cat crawl.warc.gz --url http://example.com/ --type response --http
  HTTP/1.1 200 OK
  Content-Type: text/html
  ...

What is printed of a record: by default all of it; --headers its WARC header; --http the head of
its HTTP message; --payload the body without chunk framing; --content the body without any coding
(gzip, br, zstd, deflate); --raw its packed bytes, a small WARC file of their own (without the dictionary of a zstd file); --json one line
about it with header fields and HTTP head, without the block. '-' reads standard input.

Exit codes: 0 printed, 1 damage met or nothing selected, 2 could not.`,
		Example: `  varve warc cat crawl.warc.gz --headers | less
  varve warc cat crawl.warc.gz --offset 2012 --content > page.html
  varve warc cat crawl.warc.gz --record urn:uuid:d4ab1e5f-... --raw > one.warc.gz`,
		Args: needArgs(1, "a file"),
		RunE: func(c *cobra.Command, args []string) error { return runWarcCat(c, opts, args) },
	}
	f := c.Flags()
	f.Int64Var(&opts.selection.Offset, "offset", -1, "only the record at this offset")
	f.StringVar(&opts.selection.Type, "type", "", "only records of this type (response, request, ...)")
	f.StringVar(&opts.selection.URL, "url", "", "only records whose target URI starts like this")
	f.StringVar(&opts.selection.Record, "record", "", "only the record with this id")
	for _, v := range []struct {
		view tool.View
		help string
	}{
		{tool.ViewHeaders, "print WARC headers"},
		{tool.ViewHTTP, "print HTTP heads"},
		{tool.ViewPayload, "print bodies without chunk framing"},
		{tool.ViewContent, "print bodies without any coding"},
		{tool.ViewRaw, "print the packed bytes"},
		{tool.ViewJSON, "print one line a record as JSON"},
	} {
		opts.views[v.view] = f.Bool(string(v.view), false, v.help)
	}
	return c
}

func runWarcCat(c *cobra.Command, opts warcCatOptions, args []string) error {
	view, chosen := tool.ViewRecord, 0
	for v, on := range opts.views {
		if *on {
			view = v
			chosen++
		}
	}
	if chosen > 1 {
		return UsageError(c, "takes only one of --headers, --http, --payload, --content, --raw and --json")
	}
	if view == tool.ViewRaw && IsTerminal(c.OutOrStdout()) {
		return UsageError(c, "packed bytes are not for a terminal: send them to a file")
	}
	out := bufio.NewWriterSize(c.OutOrStdout(), 64<<10)
	var printed, findings int64
	err := forEachInput(c, args, func(in *tool.Input) error {
		res, err := tool.Cat(c.Context(), in, tool.CatOptions{
			Selection: opts.selection, View: view,
			OnFinding: func(f warc.Finding) { printFinding(c.ErrOrStderr(), false)(f) },
		}, out)
		printed += res.Records
		findings += res.Findings
		return err
	})
	if flushErr := out.Flush(); flushErr != nil && !errors.Is(flushErr, os.ErrClosed) {
		return flushErr
	}
	switch {
	case err != nil:
		return err
	case printed == 0:
		fmt.Fprintln(c.ErrOrStderr(), "varve: no record is selected")
		return varve.ErrFindings
	case findings > 0:
		return varve.ErrFindings
	}
	return nil
}
