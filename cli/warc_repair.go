package cli

import (
	"bufio"
	"crypto/rand"
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"

	"varve"
	"varve/archive/warc"
	"varve/archive/warc/tool"
)

type warcRepairOptions struct {
	json bool
	out  string
	work tool.RepairOptions
}

func newWarcRepairCommand() *cobra.Command {
	var opts warcRepairOptions
	c := &cobra.Command{
		Use:   "repair IN -o OUT",
		Short: "Save all that can be read of a damaged file into a new one",
		Long: `Writes every record that can be read to a new file, one member each, and says what was
changed and what was lost. IN is never touched; OUT is packed as its name says (.warc.gz, .warc.zst,
.warc) and never overwritten.

  $ varve warc repair torn.warc.gz -o whole.warc.gz
  torn.warc.gz:881: damage cut-off: the file ends inside a compressed member, 187 bytes before ...
  torn.warc.gz:881: mended: the block is not whole: Content-Length was 553, 366 bytes are here; ...
  whole.warc.gz: 3 records, 2 unchanged, 1 mended; 187 bytes missing, 1 place of damage

Headers stay byte for byte what they were, except in records whose block is not whole. These get the
length they have, WARC-Truncated: unspecified, a recomputed block digest, no payload digest (it
names bytes that are gone), and a Varve-Repair-Note with the old values. A digest that does not fit a
whole block is evidence: it stays, and 'check' goes on telling it. '-' reads standard input.

--fix-uris takes target URIs out of angle brackets (wget 1.14 to 1.20) and escapes spaces in them.
--arc-to-warc writes the records of an ARC file as WARC/1.1 records with new ids.

Exit codes: 0 nothing had to be changed, 1 written with changes or losses, 2 could not.`,
		Example: `  varve warc repair torn.warc.gz -o whole.warc.gz
  varve warc repair --fix-uris wget.warc.gz -o fixed.warc.gz
  varve warc repair --arc-to-warc old.arc.gz -o new.warc.gz`,
		Args: exactArgs(1, "one file"),
		RunE: func(c *cobra.Command, args []string) error { return runWarcRepair(c, opts, args[0]) },
	}
	f := c.Flags()
	f.BoolVar(&opts.json, "json", false, "print the report as one JSON object")
	f.StringVarP(&opts.out, "output", "o", "", "the new file")
	f.BoolVar(&opts.work.FixURIs, "fix-uris", false, "mend target URIs")
	f.BoolVar(&opts.work.ArcToWarc, "arc-to-warc", false, "write ARC records as WARC")
	return c
}

// exactArgs is needArgs for a fixed number.
func exactArgs(n int, what string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) != n {
			return UsageError(c, "needs "+what)
		}
		return nil
	}
}

// repairOutput is the report with the details that the text output prints as lines.
type repairOutput struct {
	tool.RepairReport
	Output string         `json:"output"`
	Mends  []tool.Mend    `json:"mends"`
	Losses []warc.Finding `json:"losses"`
}

// maxDetails bounds what the JSON report lists; the counts are always whole.
const maxDetails = 10_000

func runWarcRepair(c *cobra.Command, opts warcRepairOptions, name string) error {
	if opts.out == "" {
		return UsageError(c, "needs -o OUT")
	}
	out := repairOutput{Output: opts.out, Mends: []tool.Mend{}, Losses: []warc.Finding{}}
	progress, clear := newProgress(c)
	defer clear()
	work := opts.work
	work.Packing = warc.Packing{Kind: packingOf(opts.out)}
	work.Random, work.TempDir, work.Progress = rand.Reader, filepath.Dir(opts.out), progress
	work.OnMend, work.OnLoss = out.listen(c.OutOrStdout(), name, opts.json, clear)
	err := oneInput(c, name, func(in *tool.Input) error {
		return NewFile(opts.out, func(w io.Writer) error {
			var err error
			buf := bufio.NewWriterSize(w, 256<<10)
			if out.RepairReport, err = tool.Repair(c.Context(), in, work, buf); err != nil {
				return err
			}
			return buf.Flush()
		})
	})
	if c.Context().Err() != nil {
		return Stopped(c)
	}
	if err != nil {
		return InputError(name, err)
	}
	if err := out.print(c.OutOrStdout(), opts.json); err != nil {
		return err
	}
	if out.Mended+out.Damage > 0 {
		return varve.ErrFindings
	}
	return nil
}

// listen prints changes and losses as they are met, or keeps them for the JSON report.
func (o *repairOutput) listen(w io.Writer, name string, asJSON bool, clear func()) (func(tool.Mend), func(warc.Finding)) {
	if asJSON {
		return func(m tool.Mend) {
				if len(o.Mends) < maxDetails {
					o.Mends = append(o.Mends, m)
				}
			}, func(f warc.Finding) {
				if len(o.Losses) < maxDetails {
					o.Losses = append(o.Losses, f)
				}
			}
	}
	return func(m tool.Mend) {
			clear()
			fmt.Fprintf(w, "%s:%d: mended: %s [%s]\n", name, m.Offset, oneLine(m.What), oneLine(m.RecordID))
		}, func(f warc.Finding) {
			clear()
			printFinding(w, false)(f)
		}
}

func (o *repairOutput) print(w io.Writer, asJSON bool) error {
	if asJSON {
		return PrintJSON(w, o)
	}
	_, err := fmt.Fprintf(w, "%s: %s, %d unchanged, %d mended", o.Output, count(o.Records, "record"), o.Unchanged, o.Mended)
	if o.Converted > 0 {
		fmt.Fprintf(w, ", %d converted from ARC", o.Converted)
	}
	fmt.Fprintf(w, "; %d bytes missing, %s of damage", o.Missing, count(o.Damage, "place"))
	if o.Digests > 0 {
		fmt.Fprintf(w, "; %s kept though its digest does not fit", count(o.Digests, "whole block"))
	}
	fmt.Fprintln(w)
	return err
}
