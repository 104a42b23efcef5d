package cli

import (
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"varve"
	"varve/archive/bag"
	"varve/archive/catalog"
	"varve/cluster"
	"varve/coherence/statement"
	"varve/serve/retention"
)

func newRetentionCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "retention",
		Short: "How long captures are kept: rules, holds, reviews, deletion, export with proof",
		Long: `A retention rule says for how many days the crawls of a collection are kept. It deletes nothing: when the time of a crawl
is over, it is due for review, and a person approves its deletion or keeps it for longer. An approval can be withdrawn for
seven days; then 'varve retention delete' carries it out. Whole crawls go, or files that were imported; WARC files are not rewritten.

A hold (litigation, inquiry) keeps captures by collection, address and time. It beats every rule and every approval, and 'varve access
purge' does not remove what is under it. A crawl whose content later crawls stand for (revisits) stays as long as these do.

All decisions are in <archive>/retention/decisions.jsonl, which only grows, and in the audit log.`,
	}
	c.AddCommand(newRetentionListCommand(), newRetentionRuleCommand(), newRetentionEndCommand(), newRetentionHoldCommand(), newRetentionReleaseCommand(), newRetentionReviewCommand(),
		newRetentionKeepCommand(), newRetentionApproveCommand(), newRetentionWithdrawCommand(), newRetentionDeleteCommand(), newRetentionExportCommand(), newRetentionCheckCommand())
	return c
}

func newRetentionListCommand() *cobra.Command {
	var place accessPlace
	var asJSON bool
	c := &cobra.Command{
		Use: "list", Short: "List rules, holds and what was deleted", Args: cobra.NoArgs,
		Long:    "Lists the retention rules and holds in force, and what was deleted.\n\nExit codes: 0 done, 1 decisions cannot be read (nothing is deleted then), 2 could not.",
		Example: "  varve retention list --archive archive",
		RunE: func(c *cobra.Command, _ []string) error {
			s, err := place.retention().State()
			if err != nil {
				return err
			}
			if err := printRetention(c.OutOrStdout(), s, asJSON); err != nil {
				return err
			}
			if s.Unread != nil {
				fmt.Fprintln(c.ErrOrStderr(), "varve: decisions cannot be read, and may be holds; nothing is deleted until they are mended:", s.Unread)
				return varve.ErrFindings
			}
			return nil
		},
	}
	place.flags(c)
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return c
}

func printRetention(w io.Writer, s *retention.State, asJSON bool) error {
	if asJSON {
		return PrintJSON(w, struct {
			Rules    []retention.Rule   `json:"rules"`
			Holds    []retention.Hold   `json:"holds"`
			Released []retention.Hold   `json:"released"`
			Gone     []retention.Review `json:"deleted"`
		}{s.Rules, s.Holds, s.Released, s.Gone})
	}
	out := tabwriter.NewWriter(w, 2, 0, 2, ' ', 0)
	for _, r := range s.Rules {
		fmt.Fprintf(out, "rule\t%s\t%s\tkept for %s\t%s\n", r.ID, orAll(r.Collection), count(int64(r.Days), "day"), oneLine(r.Reason))
	}
	for _, h := range s.Holds {
		prefix := h.Prefix
		if prefix == "" {
			prefix = "every address"
		}
		fmt.Fprintf(out, "hold\t%s\t%s\t%s\t%s: %s\n", h.ID, orAll(h.Collection), oneLine(prefix), oneLine(h.Matter), oneLine(h.Reason))
	}
	for _, g := range s.Gone {
		state := "deleted " + g.Done.Format(time.DateOnly)
		if g.Done.IsZero() {
			state = "deletion broken off: 'varve retention delete' finishes it"
		}
		fmt.Fprintf(out, "%s\t%s\t%s\t%s\t%s\n", state, g.Collection, g.Unit, count(g.Counts.Captures, "capture"), oneLine(g.Reason))
	}
	return out.Flush()
}

func orAll(collection string) string {
	if collection == "" {
		return "all collections"
	}
	return collection
}

func newRetentionRuleCommand() *cobra.Command {
	var place accessPlace
	var r retention.Rule
	c := &cobra.Command{
		Use: "rule", Short: "Say how long crawls of a collection are kept", Args: cobra.NoArgs,
		Long: `Adds a retention rule for a collection, or for all that have none of their own. Of several the longest counts. The time runs from
the newest capture of a crawl. Nothing is deleted by it: see 'varve retention review'.

Exit codes: 0 added, 2 could not.`,
		Example: `  varve retention rule --collection press --days 3650 --reason "records schedule 4.2"`,
		RunE: func(c *cobra.Command, _ []string) error {
			got, err := place.retention().AddRule(r, place.by())
			if err == nil {
				_, err = fmt.Fprintf(c.OutOrStdout(), "rule %s: %s, kept for %s\n", got.ID, orAll(got.Collection), count(int64(got.Days), "day"))
			}
			return err
		},
	}
	place.flags(c)
	f := c.Flags()
	f.StringVar(&r.Collection, "collection", "", "only this collection")
	f.IntVar(&r.Days, "days", 0, "for how many days; needed")
	f.StringVar(&r.Reason, "reason", "", "why; needed")
	return c
}

func newRetentionEndCommand() *cobra.Command {
	var place accessPlace
	var reason string
	c := &cobra.Command{
		Use: "end ID", Short: "End a retention rule", Args: needArgs(1, "the id of a rule"),
		Long:    "Ends a retention rule: what it covered is kept until another rule says otherwise.\n\nExit codes: 0 ended, 2 could not.",
		Example: `  varve retention end a1b2c3d4 --reason "schedule revised"`,
		RunE: func(_ *cobra.Command, args []string) error {
			return place.retention().EndRule(args[0], place.by(), reason)
		},
	}
	place.flags(c)
	c.Flags().StringVar(&reason, "reason", "", "why; needed")
	return c
}

func newRetentionHoldCommand() *cobra.Command {
	var place accessPlace
	var h retention.Hold
	var from, to string
	c := &cobra.Command{
		Use: "hold [URL-PREFIX]", Short: "Keep captures from being deleted, whatever rules say", Args: cobra.MaximumNArgs(1),
		Long: `Puts captures under a hold: those of the addresses that begin with URL-PREFIX (a bare host takes its subdomains too; none means every
address), in one collection or all, of a time or all times. It holds for captures to come, too, and until it is released.

Exit codes: 0 added, 2 could not.`,
		Example: `  varve retention hold shop.example --matter "Doe v. Roe" --reason "letter of counsel, 2026-11-02"
  varve retention hold --collection press --from 2024-01-01T00:00:00Z --matter "inquiry 7" --reason "order of the committee"`,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				h.Prefix = args[0]
			}
			for _, t := range []struct {
				flag, text string
				at         *time.Time
			}{{"from", from, &h.From}, {"to", to, &h.To}} {
				if t.text == "" {
					continue
				}
				at, err := parseTime(t.text)
				if err != nil {
					return UsageError(c, "--"+t.flag+": "+err.Error())
				}
				*t.at = at
			}
			got, err := place.retention().AddHold(h, place.by())
			if err == nil {
				_, err = fmt.Fprintf(c.OutOrStdout(), "hold %s: %s\n", got.ID, oneLine(got.Matter))
			}
			return err
		},
	}
	place.flags(c)
	f := c.Flags()
	f.StringVar(&h.Matter, "matter", "", "the case or request; needed")
	f.StringVar(&h.Collection, "collection", "", "only in this collection")
	f.StringVar(&from, "from", "", "only captures from this time on, RFC 3339")
	f.StringVar(&to, "to", "", "only captures before this time, RFC 3339")
	f.StringVar(&h.Reason, "reason", "", "why; needed")
	return c
}

func newRetentionReleaseCommand() *cobra.Command {
	var place accessPlace
	var reason string
	c := &cobra.Command{
		Use: "release ID", Short: "End a hold", Args: needArgs(1, "the id of a hold"),
		Long:    "Ends a hold. Nothing is deleted by it: rules and reviews decide again.\n\nExit codes: 0 released, 2 could not.",
		Example: `  varve retention release a1b2c3d4 --reason "case closed 2027-03-01"`,
		RunE: func(_ *cobra.Command, args []string) error {
			return place.retention().Release(args[0], place.by(), reason)
		},
	}
	place.flags(c)
	c.Flags().StringVar(&reason, "reason", "", "why; needed")
	return c
}

func newRetentionReviewCommand() *cobra.Command {
	var place accessPlace
	var collection string
	var asJSON bool
	c := &cobra.Command{
		Use: "review", Short: "Say of each crawl whether it is kept, due, held or needed, and why", Args: cobra.NoArgs,
		Long: `Reads the index of one collection, or of all, and says of each crawl and each imported file what may become of it:
kept until a day, due for review, approved, held, needed by crawls that stay, or not known.

Exit codes: 0 nothing is due, 1 something is due for review, 2 could not.`,
		Example: "  varve retention review --collection press",
		RunE: func(c *cobra.Command, _ []string) error {
			cols, err := chosenCollections(place.archive, collection)
			if err != nil {
				return err
			}
			due := false
			out := tabwriter.NewWriter(c.OutOrStdout(), 2, 0, 2, ' ', 0)
			for _, col := range cols {
				list, err := judged(c.Context(), &place, col)
				if err != nil {
					return err
				}
				for _, v := range list {
					due = due || v.Status == retention.Due
					if asJSON {
						if err := PrintJSON(c.OutOrStdout(), v); err != nil {
							return err
						}
						continue
					}
					fmt.Fprintf(out, "%s\t%s\t%s\t%s\t%s\t%s\n", v.Status, v.Collection, v.Unit.Unit, count(v.Captures, "capture"), size(v.Bytes), v.Why())
				}
			}
			if err := out.Flush(); err != nil {
				return err
			}
			if due {
				return varve.ErrFindings
			}
			return nil
		},
	}
	place.flags(c)
	c.Flags().StringVar(&collection, "collection", "", "only this collection")
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON object a line")
	return c
}

func judged(ctx context.Context, place *accessPlace, col *catalog.Collection) ([]retention.Verdict, error) {
	s, err := place.retention().State()
	if err != nil {
		return nil, err
	}
	seen, err := retention.Look(ctx, col, s)
	if err != nil {
		return nil, err
	}
	return retention.Judge(seen.Units, seen.Needs, s, time.Now()), nil
}

// unitFlags are those of commands about one unit.
type unitFlags struct {
	accessPlace
	collection, reason string
}

func (o *unitFlags) flags(c *cobra.Command) {
	o.accessPlace.flags(c)
	c.Flags().StringVar(&o.collection, "collection", "", "its collection; needed")
	c.Flags().StringVar(&o.reason, "reason", "", "why; needed")
}

func (o *unitFlags) name(c *cobra.Command, unit string) (retention.UnitName, error) {
	if o.collection == "" {
		return retention.UnitName{}, UsageError(c, "needs --collection")
	}
	return retention.UnitName{Collection: o.collection, Unit: unit}, nil
}

func newRetentionKeepCommand() *cobra.Command {
	var o unitFlags
	var until string
	c := &cobra.Command{
		Use: "keep CRAWL", Short: "Keep a crawl for longer than its rule says", Args: needArgs(1, "a crawl or an imported file"),
		Long:    "Keeps a crawl, or an imported file, until a day; then it is due for review again. An approval of its deletion is withdrawn.\n\nExit codes: 0 kept, 2 could not.",
		Example: `  varve retention keep 20240301T030000Z --collection press --until 2030-01-01T00:00:00Z --reason "exhibition"`,
		RunE: func(c *cobra.Command, args []string) error {
			u, err := o.name(c, args[0])
			if err != nil {
				return err
			}
			at, err := parseTime(until)
			if err != nil {
				return UsageError(c, "--until: "+err.Error())
			}
			return o.retention().Keep(u, at, o.by(), o.reason)
		},
	}
	o.flags(c)
	c.Flags().StringVar(&until, "until", "", "until when, RFC 3339; needed")
	return c
}

func newRetentionApproveCommand() *cobra.Command {
	var o unitFlags
	c := &cobra.Command{
		Use: "approve CRAWL", Short: "Approve the deletion of a crawl that is due", Args: needArgs(1, "a crawl or an imported file"),
		Long: `Approves that a crawl, or an imported file, whose time is over is deleted. Nothing is deleted yet: for seven days the approval can be
withdrawn, and a hold still wins.

Exit codes: 0 approved, 2 could not (it is not due, is held, or is needed by crawls that stay).`,
		Example: `  varve retention approve 20150301T030000Z --collection press --reason "schedule 4.2, reviewed by eva"`,
		RunE: func(c *cobra.Command, args []string) error {
			u, err := o.name(c, args[0])
			if err != nil {
				return err
			}
			col, err := oneCollection(o.archive, o.collection)
			if err != nil {
				return err
			}
			list, err := judged(c.Context(), &o.accessPlace, col)
			if err != nil {
				return err
			}
			for _, v := range list {
				if v.UnitName == u {
					return o.retention().Approve(v, o.by(), o.reason)
				}
			}
			return &varve.Error{Kind: varve.NotFound, Op: "approve the deletion of " + args[0], Msg: "there is no such crawl or file in " + o.collection, Hint: "'varve retention review' lists them"}
		},
	}
	o.flags(c)
	return c
}

func newRetentionWithdrawCommand() *cobra.Command {
	var o unitFlags
	c := &cobra.Command{
		Use: "withdraw CRAWL", Short: "Take an approval back", Args: needArgs(1, "a crawl or an imported file"),
		Long:    "Takes the approval of a deletion back, until it was carried out.\n\nExit codes: 0 withdrawn, 2 could not.",
		Example: `  varve retention withdraw 20150301T030000Z --collection press --reason "asked by the history department"`,
		RunE: func(c *cobra.Command, args []string) error {
			u, err := o.name(c, args[0])
			if err != nil {
				return err
			}
			return o.retention().Withdraw(u, o.by(), o.reason)
		},
	}
	o.flags(c)
	return c
}

func newRetentionDeleteCommand() *cobra.Command {
	var place accessPlace
	var collection string
	var yes, asJSON bool
	c := &cobra.Command{
		Use: "delete", Short: "Delete what was approved at least seven days ago", Args: cobra.NoArgs,
		Long: `Deletes the crawls and imported files of a collection whose deletion was approved at least seven days ago, if that is still right: the
rule still says so, no hold is about them, and nothing that stays needs them. Without --yes it only says what it would delete.

Their WARC files and the folder of the crawl are removed, their lines are taken out of the index of captures, and what was computed from them is
removed. Names, sizes and SHA-256 of what went stay in retention/decisions.jsonl. Then run 'varve derive' and 'varve index' (a server that runs does it by itself).

Exit codes: 0 deleted, or nothing to delete, 1 something that was approved was left, 2 could not.`,
		Example: "  varve retention delete --collection press --yes",
		RunE: func(c *cobra.Command, _ []string) error {
			col, err := oneCollection(place.archive, collection)
			if err != nil {
				return err
			}
			return runRetentionDelete(c, &place, col, yes, asJSON)
		},
	}
	place.flags(c)
	c.Flags().StringVar(&collection, "collection", "", "the collection")
	c.Flags().BoolVar(&yes, "yes", false, "it cannot be undone")
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return c
}

func runRetentionDelete(c *cobra.Command, place *accessPlace, col *catalog.Collection, yes, asJSON bool) error {
	book := place.retention()
	if !yes {
		s, err := book.State()
		if err != nil {
			return err
		}
		seen, err := retention.Look(c.Context(), col, s)
		if err != nil {
			return err
		}
		ready, left := retention.Ready(seen.Units, seen.Needs, s, time.Now())
		for _, v := range ready {
			fmt.Fprintf(c.OutOrStdout(), "would delete %s: %s, %s, %s\n", v.Unit.Unit, count(int64(len(v.Files)), "file"), count(v.Captures, "capture"), size(v.Bytes))
		}
		printLeft(c.OutOrStdout(), left)
		fmt.Fprintln(c.OutOrStdout(), "nothing was deleted: it cannot be undone, say so with --yes")
		return nil
	}
	got, err := book.Delete(c.Context(), retention.Order{Collection: col, By: place.by(), Drop: dropper(place.archive, col), Forget: func(ctx context.Context, name string) error {
		_, err := purgeKB(ctx, filepath.Join(place.archive, "kb"), name)
		if err == nil {
			_, err = cluster.Forget(ctx, place.archive, name)
		}
		return err
	}})
	if err != nil {
		return err
	}
	if asJSON {
		err = PrintJSON(c.OutOrStdout(), got)
	} else {
		for _, r := range got.Deleted {
			fmt.Fprintf(c.OutOrStdout(), "deleted %s: %s, %s\n", r.Unit, count(int64(len(r.Files)), "file"), count(r.Counts.Captures, "capture"))
		}
		printLeft(c.OutOrStdout(), got.Left)
		if len(got.Deleted) > 0 {
			_, err = fmt.Fprintf(c.OutOrStdout(), "'varve derive --collection %s' and 'varve index --collection %s' make tables and indexes anew\n", col.Name, col.Name)
		}
	}
	if err == nil && len(got.Left) > 0 {
		err = varve.ErrFindings
	}
	return err
}

func printLeft(w io.Writer, left []retention.Verdict) {
	for _, v := range left {
		fmt.Fprintf(w, "left %s: %s\n", v.Unit.Unit, v.Why())
	}
}

func newRetentionExportCommand() *cobra.Command {
	var place accessPlace
	var keys string
	var asJSON bool
	c := &cobra.Command{
		Use: "export HOLD DIR", Short: "Hand on what is under a hold, with proof", Args: needArgs(2, "the id of a hold and the folder to write"),
		Long: `Writes a bag (BagIt 1.0) of all that is under a hold: the whole WARC files with its captures and with the content that they stand for, as they
were written; a list of the captures; the folders of their crawls with reports, events and the signed statement of how each hangs together (made where the crawl was
measured and has none); the decisions of curators; the lines of the audit log about the matter with a chain of hashes; and a list of the files with their SHA-256, signed
with the archive's key. proof/README.txt says in plain words what it is and how anybody checks it.

What access rules withhold is in it, too: who may read the archive's disk may read all of it.

Exit codes: 0 written, 1 stopped early, 2 could not.`,
		Example: "  varve retention export a1b2c3d4 /mnt/handover/doe-v-roe\n  varve retention check /mnt/handover/doe-v-roe",
		RunE: func(c *cobra.Command, args []string) error {
			return runRetentionExport(c, &place, keys, args[0], args[1], asJSON)
		},
	}
	place.flags(c)
	c.Flags().StringVar(&keys, "keys", "", "directory of the keys (default: keys in the archive)")
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return c
}

func runRetentionExport(c *cobra.Command, place *accessPlace, keys, id, dir string, asJSON bool) (err error) {
	book := place.retention()
	s, err := book.State()
	if err != nil {
		return err
	}
	hold, ok := s.Hold(id)
	if !ok {
		return &varve.Error{Kind: varve.NotFound, Op: "export hold " + id, Msg: "there is no such hold", Hint: "'varve retention list' shows them"}
	}
	temp, err := os.MkdirTemp("", "varve-hold-*")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(temp)) }()
	x := &retention.Export{
		Archive: openArchive(place.archive), Hold: hold, By: place.by(), Software: "varve " + Version, Keys: keyring(keys, place.archive),
		State: func(_ context.Context, col *catalog.Collection, crawl string) error {
			o := statementOptions{keys: keys}
			o.archive, o.collection, o.crawl = place.archive, col.Name, crawl
			quiet := &cobra.Command{}
			quiet.SetContext(c.Context())
			quiet.SetOut(io.Discard)
			quiet.SetErr(io.Discard)
			return runStatement(quiet, &o, nil)
		},
	}
	items, cfg, err := book.Prepare(c.Context(), x, temp)
	if err != nil {
		return err
	}
	progress, clear := newProgress(c)
	cfg.Progress = progress
	sum, err := bag.Write(c.Context(), filepath.Clean(dir), items, cfg)
	clear()
	switch {
	case c.Context().Err() != nil:
		return Stopped(c)
	case errors.Is(err, fs.ErrExist):
		return &varve.Error{Kind: varve.Conflict, Op: "write " + dir, Err: err, Hint: "choose another folder: nothing is written over"}
	case err != nil:
		return &varve.Error{Kind: varve.Unavailable, Op: "write " + dir, Err: err, Hint: "'varve audit' tells which files are not what they were"}
	}
	if err := place.note("hold exported", hold.ID, hold.ID+": "+hold.Matter+": "+sum.Path); err != nil {
		return err
	}
	if asJSON {
		return PrintJSON(c.OutOrStdout(), sum)
	}
	_, err = fmt.Fprintf(c.OutOrStdout(), "%s: %d files, %s; 'varve retention check %s' checks it\n", sum.Path, sum.Files, size(sum.Bytes), sum.Path)
	return err
}

func newRetentionCheckCommand() *cobra.Command {
	var keyFile string
	var asJSON bool
	c := &cobra.Command{
		Use: "check DIR", Short: "Check an export of a hold", Args: needArgs(1, "the folder of an export"),
		Long: `Checks the bag that 'varve retention export' wrote: every file against the manifests, the signature of the list of files, the list against the
manifest, and the lines of the audit log against the chain of hashes. It needs no archive.

Exit codes: 0 as it was handed on, 1 findings, 2 could not be read.`,
		Example: "  varve retention check /mnt/handover/doe-v-roe --key 1f2e3d4c5b6a7988.pub.pem",
		RunE: func(c *cobra.Command, args []string) error {
			key, err := publicKey(keyFile)
			if err != nil {
				return err
			}
			progress, clear := newProgress(c)
			rep, err := retention.CheckExport(c.Context(), args[0], key, progress)
			clear()
			if c.Context().Err() != nil {
				return Stopped(c)
			}
			if err != nil {
				return &varve.Error{Kind: varve.Unavailable, Op: "check " + args[0], Err: err, Hint: "name the folder that holds bagit.txt and proof"}
			}
			if asJSON {
				err = PrintJSON(c.OutOrStdout(), rep)
			} else {
				for _, f := range rep.Findings {
					fmt.Fprintf(c.OutOrStdout(), "%s: %s\n", oneLine(f.File), oneLine(f.Message))
				}
				inv := &rep.Inventory
				_, err = fmt.Fprintf(c.OutOrStdout(), "%s: hold %s (%s), %s in %s, signed %s with the key %s, %s of the audit log: %s\n", args[0], inv.Hold.ID, oneLine(inv.Hold.Matter),
					count(inv.Captures, "capture"), count(int64(len(inv.Files)), "file"), inv.Made.Format(time.RFC3339), oneLine(inv.Signature.KeyID), count(int64(rep.Audit), "line"), validOr(len(rep.Findings)))
			}
			if err == nil && len(rep.Findings) > 0 {
				err = varve.ErrFindings
			}
			return err
		},
	}
	c.Flags().StringVar(&keyFile, "key", "", "file of the public key that must have signed")
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return c
}

// publicKey reads a public key, or none.
func publicKey(path string) (ed25519.PublicKey, error) {
	if path == "" {
		return nil, nil
	}
	key, err := statement.ReadPublic(path)
	if err != nil {
		return nil, &varve.Error{Kind: varve.Invalid, Op: "read the key " + path, Err: err}
	}
	return key, nil
}
