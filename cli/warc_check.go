package cli

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"varve"
	"varve/archive/warc"
	"varve/archive/warc/tool"
)

type warcCheckOptions struct {
	json     bool
	ruleList bool
	ignore   []string
}

func newWarcCheckCommand() *cobra.Command {
	var opts warcCheckOptions
	c := &cobra.Command{
		Use:   "check FILE...",
		Short: "Tell whether files are valid, and if not, what is wrong and where",
		Long: fmt.Sprintf(`Reads every record, verifies all digests, and holds the records against the standard.
Findings are printed one a line, then a summary of each file:

  $ varve warc check crawl.warc.gz
  crawl.warc.gz:2621: digest block-digest: block digest is sha1:W5NM..., the header says sha1:DVRK... (ISO 28500 5.8) [<urn:uuid:...>]
  crawl.warc.gz: 6 records, 2 captures, gzip, WARC/1.0: 1 finding (1 digest)

With --json one finding is printed a line, with the fields file, offset, record, class, rule, clause
and message, and nothing else on standard output. '-' reads standard input.

Clauses are those of ISO 28500:2017 (WARC 1.1); records of WARC 1.0 are judged by that edition.
Classes: syntax, spec, digest, framing, damage, advice. Advice tells what the standard only
recommends or leaves to others: it is no reason to call a file invalid. Damage in one record never
hides the next ones.
Record ids are compared within a file: up to %d of them are remembered. Segmented records are
put together over all files given.

Exit codes: 0 valid, 1 findings, 2 a file could not be read or holds no record. The worst wins.`, tool.MaxIDs),
		Example: `  varve warc check *.warc.gz
  varve warc check --ignore spec,framing old.warc
  zcat broken.warc.gz | varve warc check --json - | jq .rule`,
		RunE: func(c *cobra.Command, args []string) error { return runWarcCheck(c, opts, args) },
	}
	c.Flags().BoolVar(&opts.json, "json", false, "print one finding a line as JSON")
	c.Flags().BoolVar(&opts.ruleList, "rule-list", false, "explain all rules and stop")
	c.Flags().StringSliceVar(&opts.ignore, "ignore", nil, "classes of findings that do not count: syntax, spec, digest, framing, damage, advice")
	return c
}

func runWarcCheck(c *cobra.Command, opts warcCheckOptions, args []string) error {
	if opts.ruleList {
		return printRules(c.OutOrStdout(), opts.json)
	}
	if len(args) == 0 {
		return UsageError(c, "needs a file")
	}
	ignore, err := parseClasses(c, opts.ignore)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(c.OutOrStdout())
	defer out.Flush()
	print := printFinding(out, opts.json)
	progress, clear := newProgress(c)
	checker := tool.NewChecker(tool.CheckOptions{
		Workers: workers(), Ignore: ignore, Progress: progress,
		OnFinding: func(f warc.Finding) { clear(); print(f) },
	})
	var held []tool.FileCheck // whose verdict depends on files behind them
	valid := true
	summary := func(sum tool.FileCheck) {
		valid = valid && sum.Total() == 0
		if !opts.json {
			printSummary(out, sum)
		}
	}
	err = forEachInput(c, args, func(in *tool.Input) error {
		sum, err := checker.File(c.Context(), in)
		clear()
		switch {
		case err != nil:
			valid = valid && sum.Total() == 0
		case sum.Segmented:
			held = append(held, sum)
		default:
			summary(sum)
		}
		out.Flush()
		return err
	})
	checker.Finish(held)
	for _, sum := range held {
		summary(sum)
	}
	if err == nil && !valid {
		err = varve.ErrFindings
	}
	return err
}

func parseClasses(c *cobra.Command, names []string) ([]warc.Class, error) {
	known := []warc.Class{warc.Syntax, warc.Spec, warc.Digest, warc.Framing, warc.Damage, warc.Advice}
	var out []warc.Class
	for _, name := range names {
		if !slices.Contains(known, warc.Class(name)) {
			return nil, UsageError(c, fmt.Sprintf("%q is no class of findings (syntax, spec, digest, framing, damage, advice)", name))
		}
		out = append(out, warc.Class(name))
	}
	return out, nil
}

func printFinding(w io.Writer, asJSON bool) func(warc.Finding) {
	if asJSON {
		return func(f warc.Finding) { _ = PrintJSON(w, f) } // a closed pipe ends the program anyway
	}
	return func(f warc.Finding) {
		fmt.Fprintf(w, "%s:%d: %s %s: %s", f.File, f.Offset, f.Class, f.Rule, oneLine(f.Message))
		if f.Clause != "" {
			fmt.Fprintf(w, " (ISO 28500 %s)", f.Clause)
		}
		if f.RecordID != "" {
			fmt.Fprintf(w, " [%s]", oneLine(f.RecordID))
		}
		fmt.Fprintln(w)
	}
}

// oneLine keeps text from files from writing over the terminal.
func oneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return '?'
		}
		return r
	}, s)
}

func printSummary(w io.Writer, s tool.FileCheck) {
	fmt.Fprintf(w, "%s: %s, %s, %s, %s: ", s.File, count(s.Records, "record"), count(s.Captures, "capture"),
		packingName(s.Packing), strings.Join(s.Versions, "+"))
	if s.Total() == 0 {
		fmt.Fprint(w, "valid")
	} else {
		var parts []string
		for _, class := range []warc.Class{warc.Damage, warc.Digest, warc.Spec, warc.Syntax, warc.Framing} {
			if n := s.Findings[class]; n > 0 {
				parts = append(parts, fmt.Sprintf("%d %s", n, class))
			}
		}
		fmt.Fprintf(w, "%s (%s)", count(s.Total(), "finding"), strings.Join(parts, ", "))
	}
	if n := s.Findings[warc.Advice]; n > 0 {
		fmt.Fprintf(w, ", %s of advice", count(n, "piece"))
	}
	if s.NotCompared > 0 {
		fmt.Fprintf(w, "; %d record ids were not compared", s.NotCompared)
	}
	fmt.Fprintln(w)
}

func packingName(p warc.Compression) string {
	if p == warc.Plain {
		return "not packed"
	}
	return string(p)
}

func count(n int64, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

func printRules(w io.Writer, asJSON bool) error {
	if asJSON {
		for _, r := range tool.Rules() {
			if err := PrintJSON(w, r); err != nil {
				return err
			}
		}
		return nil
	}
	for _, r := range tool.Rules() {
		if _, err := fmt.Fprintf(w, "%-8s %-16s %-6s %s\n", r.Class, r.Rule, strings.Split(r.Clause, ",")[0], r.Meaning); err != nil {
			return err
		}
	}
	return nil
}
