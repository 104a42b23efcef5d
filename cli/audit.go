package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"varve"
	"varve/archive/catalog"
	"varve/archive/fixity"
	"varve/archive/warc"
	"varve/archive/warc/tool"
)

type auditOptions struct {
	archive, collection string
	share               float64
	deep                bool
	accept, why         string
	json                bool
}

func newAuditCommand() *cobra.Command {
	var o auditOptions
	c := &cobra.Command{
		Use:   "audit",
		Short: "Prove that the files of collections are still what they were",
		Long: `Reads the files of a collection, compares their SHA-256 with what was recorded when they came in, and
records what it found. Crawls and imports record new files by themselves; files that were put there by
other means are recorded by the first audit that meets them.

WARC, ARC and CDX files must never change. Curators' decisions (labels) only grow: new lines are fine,
old ones must be as they were. Findings are printed one a line:

  warc/20260301T0600-00001.warc.gz  changed: 1048571 bytes, recorded were 1048576
  warc/20260302T0600-00001.warc.gz  missing

A finding stays one until the file is right again, or somebody says that it is right as it is:
--accept FILE --why "restored from the second copy". Nothing is ever repaired by an audit.

Where the ledger itself is damaged, the lines that are left and the manifest say what a file has to
be. A file that none of them knows is 'disputed': it may be new, or an old one that changed. Compare it
with another copy and accept it; then --accept fixity.jsonl closes the matter, and new files are
recorded by themselves again.

The ledger is fixity.jsonl in the collection's folder, which only grows; manifest-sha256.txt beside it
has the same digests for other tools: sha256sum -c manifest-sha256.txt. What was done to a collection
as a whole (captures, imports, audits, bags) stands in events.jsonl.

Large archives are audited in shares: --share 0.05 every night reads the twentieth that was looked at
longest ago. --deep also reads every record of the WARC files looked at and verifies its own digests.

Exit codes: 0 all is as it was, 1 findings, or stopped early, 2 could not.`,
		Example: `  varve audit --archive archive --collection news
  varve audit --share 0.05                        all collections; for cron
  varve audit --collection news --accept warc/a.warc.gz --why "restored from the second copy"`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return runAudit(c, &o) },
	}
	f := c.Flags()
	f.StringVar(&o.archive, "archive", "archive", "the archive directory")
	f.StringVar(&o.collection, "collection", "", "the collection (default: all of them)")
	f.Float64Var(&o.share, "share", 0, "read only this share of the bytes, those looked at longest ago (0.05: a twentieth)")
	f.BoolVar(&o.deep, "deep", false, "also verify every record of the WARC files")
	f.StringVar(&o.accept, "accept", "", "record that this file is right as it is now; needs --why")
	f.StringVar(&o.why, "why", "", "the reason, kept in the ledger")
	f.BoolVar(&o.json, "json", false, "print one JSON object a collection")
	return c
}

// auditReport is one line of --json.
type auditReport struct {
	*fixity.Report
	Records  int64 `json:"records,omitempty"` // read by --deep
	Damaged  int64 `json:"damaged,omitempty"` // findings in records
	Unopened int   `json:"unopened,omitempty"`

	Unread string `json:"unread,omitempty"` // lines of references.jsonl
}

func runAudit(c *cobra.Command, o *auditOptions) error {
	switch {
	case o.share < 0 || o.share > 1:
		return UsageError(c, fmt.Sprintf("--share %v: it is a share between 0 and 1", o.share))
	case o.accept != "" && (o.why == "" || o.collection == ""):
		return UsageError(c, "--accept needs --collection and --why")
	}
	return eachCollection(c, o.archive, o.collection, func(col *catalog.Collection) (bool, error) { return auditOne(c, o, col) })
}

// auditOne audits a collection under its lock; found tells whether something is wrong with it.
func auditOne(c *cobra.Command, o *auditOptions, col *catalog.Collection) (found bool, err error) {
	lock, err := col.Lock("varve audit")
	if err != nil {
		return false, err
	}
	defer lock.Unlock()
	if o.accept != "" {
		return false, acceptFile(c, o, col)
	}
	progress, clear := newProgress(c)
	rep, err := fixity.Audit(c.Context(), col, fixity.Config{
		Share: o.share, Workers: workers(), By: operator(), Now: time.Now, Progress: progress,
	})
	clear()
	if err := errors.Join(err, c.Context().Err()); err != nil {
		return false, err
	}
	full := auditReport{Report: rep}
	if err := col.UnreadReferences(); err != nil {
		full.Unread = err.Error()
	}
	if o.deep {
		if err := o.readRecords(c, col, &full); err != nil {
			return false, err
		}
	}
	if err := o.print(c.OutOrStdout(), &full); err != nil {
		return false, err
	}
	found = rep.Bad() || full.Damaged > 0 || full.Unread != ""
	e := catalog.Event{
		Time: time.Now().UTC(), Type: "fixity check", Outcome: "success", Agent: agent(), By: operator(),
		Detail: fmt.Sprintf("%d of %d files, %d bytes", rep.Checked, rep.Files, rep.Bytes),
	}
	if found {
		e.Outcome = "findings"
		for _, f := range rep.Findings {
			e.Objects = append(e.Objects, f.File)
		}
	}
	return found, col.Note(e)
}

func acceptFile(c *cobra.Command, o *auditOptions, col *catalog.Collection) error {
	look, err := fixity.Accept(c.Context(), col, o.accept, operator(), o.why, time.Now().UTC())
	if err != nil {
		kind := varve.Conflict
		if errors.Is(err, fs.ErrNotExist) {
			kind = varve.NotFound
		}
		return &varve.Error{Kind: kind, Op: "accept " + o.accept, Err: err, Hint: "name the file as 'varve audit' prints it"}
	}
	if look.Outcome == fixity.Removed {
		if err := dropReference(col, look.File); err != nil {
			return err
		}
	}
	if o.json {
		return PrintJSON(c.OutOrStdout(), look)
	}
	_, err = fmt.Fprintf(c.OutOrStdout(), "%s  %s\n", look.File, look.Outcome)
	return err
}

// dropReference takes a file that lay elsewhere out of the collection.
func dropReference(col *catalog.Collection, path string) error {
	refs, err := col.References()
	if err != nil {
		return err
	}
	for _, r := range refs {
		if r.Path == path {
			r.Gone = true
			return col.AddReferences(r)
		}
	}
	return nil
}

// readRecords verifies the records of all WARC files of a collection.
func (o *auditOptions) readRecords(c *cobra.Command, col *catalog.Collection, rep *auditReport) error {
	files, err := col.WARCs()
	if err != nil {
		return err
	}
	progress, clear := newProgress(c)
	print := printFinding(c.OutOrStdout(), o.json)
	checker := tool.NewChecker(tool.CheckOptions{
		Workers: workers(), Ignore: []warc.Class{warc.Spec, warc.Syntax, warc.Framing, warc.Advice}, Progress: progress,
		OnFinding: func(f warc.Finding) { clear(); print(f) },
	})
	for _, f := range files {
		err := withInput(f, func(in *tool.Input) error {
			sum, err := checker.File(c.Context(), in)
			clear()
			rep.Damaged += sum.Total()
			rep.Records += sum.Records
			return err
		})
		if err := c.Context().Err(); err != nil {
			return err
		}
		if err != nil { // one file that cannot be read does not keep the others from being checked
			rep.Unopened++
			rep.Damaged++
			fmt.Fprintln(c.ErrOrStderr(), oneLine(err.Error()))
		}
	}
	return nil
}

// withInput opens a file of a collection for a tool.
func withInput(f catalog.File, do func(*tool.Input) error) (err error) {
	in, err := tool.OpenFrom(f.Path, f.From)
	if err == nil {
		err = errors.Join(do(in), in.Close())
	}
	if err != nil {
		return InputError(f.Path, err)
	}
	return nil
}

func (o *auditOptions) print(w io.Writer, r *auditReport) error {
	if o.json {
		return PrintJSON(w, r)
	}
	for _, f := range r.Findings {
		line := f.File + "  " + string(f.Outcome)
		if f.Why != "" {
			line += ": " + f.Why
		}
		fmt.Fprintln(w, oneLine(line))
	}
	if r.Unread != "" {
		fmt.Fprintln(w, oneLine(r.Unread)+": the files of these lines are missing in the collection")
	}
	for _, l := range r.BadLines {
		fmt.Fprintln(w, "ledger: "+oneLine(l))
	}
	var parts []string
	for _, k := range slices.SortedFunc(maps.Keys(r.Outcomes), func(a, b fixity.Outcome) int { return cmp.Compare(a, b) }) {
		parts = append(parts, fmt.Sprintf("%d %s", r.Outcomes[k], k))
	}
	line := fmt.Sprintf("%s: %d of %d files read, %s", r.Collection, r.Checked, r.Files, size(r.Bytes))
	if len(parts) > 0 {
		line += " (" + strings.Join(parts, ", ") + ")"
	}
	if r.Records > 0 {
		line += fmt.Sprintf("; %s, %d damaged", count(r.Records, "record"), r.Damaged)
	}
	if !r.Oldest.IsZero() {
		line += "; every file was looked at since " + r.Oldest.UTC().Format(time.RFC3339)
	}
	_, err := fmt.Fprintln(w, line)
	return err
}
