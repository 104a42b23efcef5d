package cli

import (
	"bufio"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"varve/archive/warc"
	"varve/archive/warc/tool"
)

type warcRecompressOptions struct {
	json  bool
	out   string
	to    string
	level int
	dict  string
}

func newWarcRecompressCommand() *cobra.Command {
	var opts warcRecompressOptions
	c := &cobra.Command{
		Use:   "recompress IN -o OUT [--to gzip|zstd|none]",
		Short: "Pack a file anew, one member per record, byte for byte the same records",
		Long: `Writes the records of IN to OUT, each as a member of its own, so that they can be read by
offset. Headers and blocks stay byte for byte the same: the SHA-256 of the unpacked stream is taken
before and after by an unpacker that knows nothing of records, compared, and printed.

  $ varve warc recompress whole.warc.gz -o members.warc.zst
  members.warc.zst: 6 records, gzip 2113 B -> zstd 3.0 kB, sha256 of 5120 unpacked bytes 4be1... the same

Without --to the packing follows from the name of OUT. A damaged file is refused ('varve warc repair'
is for those), and nothing is overwritten. '-' reads standard input.

Exit codes: 0 written and verified, 2 could not; then OUT is not there.`,
		Example: `  varve warc recompress one-member.warc.gz -o members.warc.gz
  varve warc recompress crawl.warc.gz -o crawl.warc.zst --level 3 --dict pages.dict`,
		Args: exactArgs(1, "one file"),
		RunE: func(c *cobra.Command, args []string) error { return runWarcRecompress(c, opts, args[0]) },
	}
	f := c.Flags()
	f.BoolVar(&opts.json, "json", false, "print the report as one JSON object")
	f.StringVarP(&opts.out, "output", "o", "", "the new file")
	f.StringVar(&opts.to, "to", "", "gzip, zstd or none; by the name of OUT if not given")
	f.IntVar(&opts.level, "level", 0, "gzip 1-9, zstd 1-4; 0 for the default")
	f.StringVar(&opts.dict, "dict", "", "file with a zstd dictionary (made by 'zstd --train')")
	return c
}

func runWarcRecompress(c *cobra.Command, opts warcRecompressOptions, name string) error {
	packing, err := opts.packing(c)
	if err != nil {
		return err
	}
	progress, clear := newProgress(c)
	defer clear()
	var rep tool.RecompressReport
	err = oneInput(c, name, func(in *tool.Input) error {
		return NewFile(opts.out, func(w io.Writer) error {
			buf := bufio.NewWriterSize(w, 256<<10)
			if rep, err = tool.Recompress(c.Context(), in, packing, progress, buf); err != nil {
				return err
			}
			if err := buf.Flush(); err != nil {
				return err
			}
			return verifyWritten(&rep, opts.out+warc.OpenSuffix)
		})
	})
	clear()
	if c.Context().Err() != nil {
		return Stopped(c)
	}
	if err != nil {
		return InputError(name, err)
	}
	if opts.json {
		return PrintJSON(c.OutOrStdout(), rep)
	}
	_, err = fmt.Fprintf(c.OutOrStdout(), "%s: %s, %s -> %s, sha256 of %d unpacked bytes %s before and after\n",
		opts.out, count(rep.Records, "record"), packed(rep.From, rep.Before), packed(rep.To, rep.After), rep.Raw, rep.Sum)
	return err
}

func packed(kind warc.Compression, n int64) string {
	if n < 0 {
		return packingName(kind)
	}
	return packingName(kind) + " " + size(n)
}

func verifyWritten(rep *tool.RecompressReport, name string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	return rep.Verify(f)
}

// packing checks the flags.
func (o *warcRecompressOptions) packing(c *cobra.Command) (warc.Packing, error) {
	p := warc.Packing{Kind: warc.Compression(o.to), Level: o.level}
	if o.out == "" {
		return p, UsageError(c, "needs -o OUT")
	}
	named := packingOf(o.out)
	if p.Kind == "" {
		p.Kind = named
	}
	most := map[warc.Compression]int{warc.Plain: 0, warc.Gzip: 9, warc.Zstd: 4}
	limit, known := most[p.Kind]
	switch {
	case p.Kind == "":
		return p, UsageError(c, "the name of OUT does not say how to pack it: give --to gzip, zstd or none")
	case !known:
		return p, UsageError(c, fmt.Sprintf("--to %q is not known (gzip, zstd, none)", o.to))
	case named != "" && named != p.Kind:
		return p, UsageError(c, fmt.Sprintf("%s is the name of a file packed with %s, not %s", o.out, named, p.Kind))
	case o.level < 0 || o.level > limit:
		return p, UsageError(c, fmt.Sprintf("--level %d: %s has 0 to %d", o.level, p.Kind, limit))
	case o.dict != "" && p.Kind != warc.Zstd:
		return p, UsageError(c, "--dict is for zstd")
	}
	if o.dict != "" {
		dict, err := os.ReadFile(o.dict)
		if err != nil {
			return p, InputError(o.dict, err)
		}
		p.Dictionary = dict
	}
	return p, nil
}
