package cli

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"varve"
	"varve/archive/catalog"
	"varve/cluster"
	"varve/serve"
	"varve/serve/access"
	"varve/web/canon"
)

func newAccessCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "access",
		Short: "Who may see what: embargoes, reading room, takedown, purge, audit log",
		Long: `Rules withhold captures by collection, address and age. Among the rules that match a capture the one with the
longest address decides; a takedown (level blocked) always wins. Rules are append-only decisions in
<archive>/access/rules.jsonl; every change is in the audit log. A server that runs obeys at once.

Levels: open, reading-room (and curators), curators, blocked (nobody).`,
	}
	c.AddCommand(newAccessListCommand(), newAccessAddCommand(), newAccessLiftCommand(), newAccessCheckCommand(), newAccessAuditCommand(), newAccessPurgeCommand(), newAccessPersonCommand())
	return c
}

func newAccessListCommand() *cobra.Command {
	var place accessPlace
	var asJSON bool
	c := &cobra.Command{
		Use: "list", Short: "List the rules in force", Args: cobra.NoArgs,
		Long:    "Lists the rules in force, oldest first. Lines that cannot be read are named: while there are such, nothing is shown to anybody.\n\nExit codes: 0 done, 2 could not.",
		Example: "  varve access list --archive archive",
		RunE: func(c *cobra.Command, _ []string) error {
			rules := place.rules()
			list, err := rules.Rules()
			if err != nil {
				return err
			}
			if err := printAccessRules(c.OutOrStdout(), list, asJSON); err != nil {
				return err
			}
			if unread := rules.Unread(); unread != nil {
				return &varve.Error{
					Kind: varve.Unavailable, Op: "read access rules", Err: unread,
					Hint: "nothing of the archive is shown to anybody until these lines are mended or the file is restored: they may withhold anything",
				}
			}
			return nil
		},
	}
	place.flags(c)
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON object a line")
	return c
}

func printAccessRules(w io.Writer, list []access.Rule, asJSON bool) error {
	out := tabwriter.NewWriter(w, 2, 0, 2, ' ', 0)
	for _, r := range list {
		if asJSON {
			if err := PrintJSON(w, r); err != nil {
				return err
			}
			continue
		}
		collection, prefix := r.Collection, r.Prefix
		if collection == "" {
			collection = "all collections"
		}
		if prefix == "" {
			prefix = "every address"
		}
		fmt.Fprintf(out, "%s\t%s\t%s\t%s\t%s\n", r.ID, r.Describe(), collection, oneLine(prefix), oneLine(r.Reason))
	}
	return out.Flush()
}

func newAccessAddCommand() *cobra.Command {
	var place accessPlace
	var rule access.Rule
	var level, from, to string
	var preview bool
	c := &cobra.Command{
		Use:   "add [URL-PREFIX]",
		Short: "Withhold captures: embargo, reading room, takedown",
		Long: `Adds a rule for the addresses that begin with URL-PREFIX; a bare host takes its subdomains too, and no prefix
means every address. --preview says how many captures it would withhold, or open, and from whom, and adds nothing.

Exit codes: 0 added (or previewed), 2 could not.`,
		Example: `  varve access add https://example.com/private/ --level blocked --reason "letter of 2026-11-02" --archive archive
  varve access add https://example.com/private/ --level blocked --reason "letter of 2026-11-02" --preview
  varve access add --collection news --embargo 365 --reason "agreement with the publisher"
  varve access add press.example --level reading-room --reason "legal deposit"`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				rule.Prefix = args[0]
			}
			rule.Level = access.Level(level)
			for _, t := range []struct {
				flag, text string
				at         *time.Time
			}{{"from", from, &rule.From}, {"to", to, &rule.To}} {
				if t.text == "" {
					continue
				}
				at, err := parseTime(t.text)
				if err != nil {
					return UsageError(c, "--"+t.flag+": "+err.Error())
				}
				*t.at = at
			}
			if preview {
				return previewRule(c, &place, rule)
			}
			got, err := place.rules().Add(rule, place.by(), access.Admin, time.Now())
			if err != nil {
				return err
			}
			return printAccessRules(c.OutOrStdout(), []access.Rule{got}, false)
		},
	}
	place.flags(c)
	f := c.Flags()
	f.StringVar(&rule.Collection, "collection", "", "only in this collection")
	f.StringVar(&level, "level", "", "who may see it: open, reading-room, curators, blocked")
	f.IntVar(&rule.Embargo, "embargo", 0, "days in which only curators see a capture")
	f.StringVar(&from, "from", "", "only captures from this time on, RFC 3339")
	f.StringVar(&to, "to", "", "only captures before this time, RFC 3339")
	f.StringVar(&rule.Reason, "reason", "", "why; needed")
	f.BoolVar(&preview, "preview", false, "say what it would change, and add nothing")
	return c
}

// previewRule prints what a rule would change.
func previewRule(c *cobra.Command, place *accessPlace, rule access.Rule) (err error) {
	local := serve.OpenLocal(openArchive(place.archive))
	defer func() { err = errors.Join(err, local.Close()) }()
	rule.Role = access.Admin
	e, err := local.Effect(c.Context(), place.rules(), rule, time.Now())
	if err != nil {
		return err
	}
	w, least := c.OutOrStdout(), ""
	if e.More {
		least = "at least "
	}
	any := false
	for _, part := range []struct {
		access.Change
		says string
	}{
		{e.Withheld, "would be seen by readers no more"}, {e.Taken, "would be seen by nobody, curators and administrators included"}, {e.Opened, "that are withheld from readers now would be open to them"},
	} {
		if part.Captures == 0 {
			continue
		}
		any = true
		fmt.Fprintf(w, "%s%d captures of %d addresses %s\n", least, part.Captures, part.Pages, part.says)
		for _, url := range part.Examples {
			fmt.Fprintf(w, "  %s\n", oneLine(url))
		}
	}
	if !any {
		fmt.Fprintf(w, "nothing would change: the rule is about %d captures\n", e.Captures)
	}
	fmt.Fprintln(w, "nothing was added: leave out --preview to add it")
	return nil
}

func newAccessLiftCommand() *cobra.Command {
	var place accessPlace
	var reason string
	c := &cobra.Command{
		Use: "lift ID", Short: "End a rule", Args: needArgs(1, "the id of a rule"),
		Long:    "Ends a rule. What it withheld can be seen again at once. The log keeps both decisions.\n\nExit codes: 0 lifted, 2 could not.",
		Example: `  varve access lift A1B2C3D4 --reason "agreement of 2026-11-10"`,
		RunE: func(c *cobra.Command, args []string) error {
			if reason == "" {
				return UsageError(c, "needs --reason")
			}
			return place.rules().Lift(args[0], place.by(), reason, time.Now())
		},
	}
	place.flags(c)
	c.Flags().StringVar(&reason, "reason", "", "why; needed")
	return c
}

func newAccessCheckCommand() *cobra.Command {
	var place accessPlace
	var collection, at, role string
	var room, asJSON bool
	c := &cobra.Command{
		Use:   "check URL",
		Short: "Tell whether somebody may see a capture, and by which rule",
		Long: `Tells what the rules in force say about the capture of a URL at a time.

Exit codes: 0 may be seen, 1 withheld, 2 could not.`,
		Example: "  varve access check https://example.com/a --collection news --role viewer",
		Args:    needArgs(1, "a URL"),
		RunE: func(c *cobra.Command, args []string) error {
			when := time.Now()
			if at != "" {
				var err error
				if when, err = parseTime(at); err != nil {
					return UsageError(c, "--at: "+err.Error())
				}
			}
			set, err := place.rules().InForce()
			if err != nil {
				return err
			}
			v := set.Check(access.Visitor{Role: access.Role(role), ReadingRoom: room}, collection, canon.SURT(args[0]), when, time.Now())
			return printVerdict(c.OutOrStdout(), v, asJSON)
		},
	}
	place.flags(c)
	f := c.Flags()
	f.StringVar(&collection, "collection", "", "the collection of the capture")
	f.StringVar(&at, "at", "", "time of the capture, RFC 3339 (default: now)")
	f.StringVar(&role, "role", "viewer", "viewer, curator or admin")
	f.BoolVar(&room, "in-reading-room", false, "asked from the reading room")
	f.BoolVar(&asJSON, "json", false, "print one JSON object")
	return c
}

func printVerdict(w io.Writer, v access.Verdict, asJSON bool) error {
	var err error
	switch {
	case asJSON:
		err = PrintJSON(w, map[string]any{"allowed": v.Allowed, "rule": v.Rule})
	case v.Allowed:
		_, err = fmt.Fprintln(w, "may be seen")
	default:
		_, err = fmt.Fprintf(w, "withheld by rule %s: %s: %s\n", v.Rule.ID, v.Rule.Describe(), oneLine(v.Rule.Reason))
	}
	if err == nil && !v.Allowed {
		return varve.ErrFindings
	}
	return err
}

func newAccessAuditCommand() *cobra.Command {
	var place accessPlace
	var asJSON bool
	c := &cobra.Command{
		Use:   "audit",
		Short: "Print and check the audit log",
		Long: `Prints the audit log and checks that each line follows from the one before it: every line has the hash of the
line before, so that one that was changed or taken out is noticed.

Exit codes: 0 whole, 1 a line does not fit, 2 could not.`,
		Example: "  varve access audit --archive archive",
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			broken := false
			for e, err := range place.audit().Entries() {
				if err != nil {
					broken = true
					fmt.Fprintln(c.ErrOrStderr(), "varve:", err)
				}
				if asJSON {
					err = PrintJSON(c.OutOrStdout(), e)
				} else {
					_, err = fmt.Fprintln(c.OutOrStdout(), oneLine(fmt.Sprintf("%s  %s  %s  %s %s  %s", e.Time.Format(time.RFC3339), e.By, e.Did, e.Collection, e.What, e.Detail)))
				}
				if err != nil {
					return err
				}
			}
			if broken {
				return varve.ErrFindings
			}
			return nil
		},
	}
	place.flags(c)
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON object a line")
	return c
}

func newAccessPurgeCommand() *cobra.Command {
	var place accessPlace
	var collection, reason string
	var yes bool
	c := &cobra.Command{
		Use:   "purge URL-PREFIX",
		Short: "Remove the bytes of captures for ever, leaving tombstones",
		Long: `Removes all records of the addresses that begin with URL-PREFIX from the WARC files of a collection. It is
the one exception to the rule that WARC files are never rewritten: each file with such records is written anew with a
tombstone (a metadata record: what was removed, when, by whom, why) in the place of each, compared, and put in the
place of the old one. Indexes, history and reports are derived; they are removed and built anew by 'varve index' and
later crawls. What the knowledge base was told of the collection is taken out of it ('varve kb export' tells it anew); graphs that
people loaded from elsewhere stay. An OpenSearch that varve.toml names forgets the collection first; where it cannot be reached, nothing is removed. A rule that blocks the prefix is added, so that it is not shown again should it be captured again.

Files that were imported in place are not touched: purge them where they lie, they are named. Where a hold ('varve retention') is about
one of the captures, or captures under a hold stand for their content, nothing is removed; they are withheld from everybody all the same.

Exit codes: 0 purged, 1 nothing matched or a file elsewhere has such records, 2 could not.`,
		Example: `  varve access purge https://example.com/private/ --collection news --reason "court order 7 O 12/26" --yes`,
		Args:    needArgs(1, "a URL prefix"),
		RunE: func(c *cobra.Command, args []string) error {
			if collection == "" || reason == "" {
				return UsageError(c, "needs --collection and --reason")
			}
			if !yes {
				return UsageError(c, "this cannot be undone: say so with --yes")
			}
			col, err := openArchive(place.archive).Collection(collection)
			if err != nil {
				return err
			}
			return runPurge(c, place, col, args[0], reason)
		},
	}
	place.flags(c)
	f := c.Flags()
	f.StringVar(&collection, "collection", "", "the collection; needed")
	f.StringVar(&reason, "reason", "", "why; needed")
	f.BoolVar(&yes, "yes", false, "it cannot be undone")
	return c
}

func runPurge(c *cobra.Command, place accessPlace, col *catalog.Collection, prefix, reason string) error {
	var told int64
	var indexed bool
	if col.Exists() {
		var err error
		if indexed, err = cluster.Forget(c.Context(), place.archive, col.Name); err != nil {
			return err
		}
		if told, err = purgeKB(c.Context(), filepath.Join(place.archive, "kb"), col.Name); err != nil {
			return err
		}
	}
	rep, err := access.Purge(c.Context(), access.PurgeOrder{
		Collection: col, Prefix: prefix, Reason: reason, By: place.by(), Now: time.Now(), Rules: place.rules(), Holds: place.retention(), Audit: place.audit(), Software: "varve " + Version,
		Recall: recaller(place.archive, col),
	})
	if err != nil {
		return err
	}
	fmt.Fprintf(c.OutOrStdout(), "%s removed from %s; 'varve index --collection %s' builds the index anew\n",
		count(rep.Records, "record"), count(int64(len(rep.Files)), "file"), col.Name)
	if told > 0 {
		fmt.Fprintf(c.OutOrStdout(), "%s about the collection removed from the knowledge base; 'varve kb export %s' tells them anew\n", count(told, "statement"), col.Name)
	}
	if indexed {
		fmt.Fprintf(c.OutOrStdout(), "OpenSearch has nothing of the collection any more; 'varve index --to opensearch --collection %s' loads it anew\n", col.Name)
	}
	for _, f := range rep.Elsewhere {
		fmt.Fprintf(c.OutOrStdout(), "not touched, it lies outside of the archive: %s\n", oneLine(f))
	}
	if rep.Records == 0 || len(rep.Elsewhere) > 0 {
		return varve.ErrFindings
	}
	return nil
}
