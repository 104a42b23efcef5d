package cli

import (
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"varve"
	"varve/archive/warc"
	"varve/archive/warc/tool"
)

type warcDedupOptions struct {
	json bool
	top  int
}

func newWarcDedupCommand() *cobra.Command {
	var opts warcDedupOptions
	c := &cobra.Command{
		Use:   "dedup-report FILE...",
		Short: "Tell which payloads are stored twice, and whether revisits find their originals",
		Long: `Compares the payload digests of all captures in all files given (captures without a digest
are hashed). Tells how many are stored in full although the same payload is there already, what they
cost, which payloads waste most, and how the originals of revisits are found:

  record-id    by WARC-Refers-To
  uri-date     by WARC-Refers-To-Target-URI and -Date
  key-digest   the nearest earlier capture of the same index key with the same payload
  digest       any capture with the same payload

Empty payloads do not count. A revisit still stores the heads, so it saves some 500 bytes less
than the packed bytes told here.

Exit codes: 0 reported, 1 reported and some revisits have no original in the files, 2 could not.`,
		Example: `  varve warc dedup-report crawl-*.warc.gz
  varve warc dedup-report --json --top 100 *.warc.gz | jq .top`,
		Args: needArgs(1, "a file"),
		RunE: func(c *cobra.Command, args []string) error { return runWarcDedup(c, opts, args) },
	}
	c.Flags().BoolVar(&opts.json, "json", false, "print one JSON object")
	c.Flags().IntVar(&opts.top, "top", 10, "how many of the most wasteful payloads to name")
	return c
}

func runWarcDedup(c *cobra.Command, opts warcDedupOptions, args []string) error {
	inputs, closeAll, err := openInputs(c, args)
	if err != nil {
		return err
	}
	defer closeAll()
	progress, clear := newProgress(c)
	rep, err := tool.DedupReport(c.Context(), inputs, tool.DedupOptions{Workers: workers(), Top: opts.top, Progress: progress})
	clear()
	if c.Context().Err() != nil {
		return Stopped(c)
	}
	if err != nil {
		return InputError(args[0], err)
	}
	if err := printDedup(c.OutOrStdout(), rep, opts.json); err != nil {
		return err
	}
	if rep.Unresolved > 0 {
		return varve.ErrFindings
	}
	return nil
}

func printDedup(w io.Writer, r *tool.Dedup, asJSON bool) error {
	if asJSON {
		return PrintJSON(w, r)
	}
	fmt.Fprintf(w, "%s with %s", count(r.Captures, "capture"), count(r.Payloads, "different payload"))
	if r.Hashed > 0 {
		fmt.Fprintf(w, " (%d without a digest: computed)", r.Hashed)
	}
	fmt.Fprintf(w, "\nstored once more in full: %s, %s of payload, %s packed\n",
		count(r.Duplicates.Records, "capture"), size(r.Duplicates.Payload), size(r.Duplicates.Packed))
	fmt.Fprintf(w, "  of these of the same address: %d, %s of payload, %s packed\n",
		r.SameURL.Records, size(r.SameURL.Payload), size(r.SameURL.Packed))
	fmt.Fprintf(w, "revisits: %d, %d without an original in the files\n", r.Revisits, r.Unresolved)
	for _, step := range []warc.Step{warc.StepRecordID, warc.StepURIDate, warc.StepKeyDigest, warc.StepDigest} {
		if s, ok := r.Resolved[step]; ok {
			fmt.Fprintf(w, "  found by %s: %d, saved %s of payload\n", step, s.Records, size(s.Saved))
		}
	}
	if len(r.Top) == 0 {
		return nil
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(t, "\ncopies\tpayload\twasted packed\t first copy\n")
	for _, p := range r.Top {
		fmt.Fprintf(t, "%d\t%s\t%s\t %s %s:%d\n", p.Copies, size(p.Payload), size(p.Packed), oneLine(p.URL), p.File, p.Offset)
	}
	return t.Flush()
}
