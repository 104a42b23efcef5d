package cli

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"varve"
	"varve/archive/catalog"
	"varve/index/temporal"
	"varve/serve/versions"
)

type versionsOptions struct {
	archive, collection string
	ask                 versions.Params
	json                bool
}

func newVersionsCommand() *cobra.Command {
	var o versionsOptions
	c := &cobra.Command{
		Use:   "versions [URL]",
		Short: "Ask which versions of pages were valid when",
		Long: `Answers questions about time from the temporal index: versions that were valid at an instant (--at), or
that lie to a span of time (--from, --to) as --relation says:

  intersects   valid at some instant of the span
  inside       valid within the span only
  contains     valid throughout the span

Without a question all versions of the URL are listed. A URL may have a star as in 'varve cdx'. By
--validity a version is valid from its first capture to that of another version (nominal), to its own
last capture (inferred), or where captures witness or servers assert it (proven).

Times are dates (2014-05-01), times (2014-05-01T12:00:00Z) or 4 to 14 digits.
Exit codes: 0 answered, 1 nothing was found, 2 could not.`,
		Example: `  varve versions --at 2014-05-01 --collection news
  varve versions https://example.org/ --collection news
  varve versions '*.example.org' --relation inside --from 2014-05-01 --to 2014-06-01 --validity proven`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				o.ask.URL = args[0]
			}
			return runVersions(c, &o)
		},
	}
	f := c.Flags()
	f.StringVar(&o.archive, "archive", "archive", "the archive directory")
	collectionFlag(f, &o.collection)
	f.StringVar(&o.ask.At, "at", "", "an instant")
	f.StringVar(&o.ask.From, "from", "", "begin of a span")
	f.StringVar(&o.ask.To, "to", "", "end of a span; it does not belong to it")
	f.StringVar(&o.ask.Relation, "relation", "", "intersects, inside or contains (default intersects)")
	f.StringVar(&o.ask.Validity, "validity", "", "nominal, inferred or proven (default nominal)")
	f.StringVar(&o.ask.Match, "match", "", "exact, prefix, host or domain")
	f.StringVar(&o.ask.MIME, "mime", "", "only of this type; text/ takes all of text")
	f.StringVar(&o.ask.Status, "status", "", "only of this HTTP status; 3 takes all redirects")
	f.StringVar(&o.ask.Limit, "limit", "1000", "answers at most")
	f.BoolVar(&o.ask.Count, "count", false, "only count; mime and status do not matter then")
	f.StringVar(&o.ask.Start, "start", "", "the number of the first version: where an earlier answer ended")
	f.BoolVar(&o.json, "json", false, "print one JSON object")
	return c
}

func runVersions(c *cobra.Command, o *versionsOptions) error {
	q, err := o.ask.Query()
	if err != nil {
		return err
	}
	col, err := oneCollection(o.archive, o.collection)
	if err != nil {
		return err
	}
	answer, err := o.answer(c.Context(), col, q)
	if errors.Is(err, temporal.ErrDamaged) || errors.Is(err, temporal.ErrVersion) {
		err = mend(c.ErrOrStderr(), "temporal index", col, err, func() error { return reindexVersions(c.Context(), col) })
		if err == nil {
			answer, err = o.answer(c.Context(), col, q)
		}
	}
	if c.Context().Err() != nil {
		return Stopped(c)
	}
	if err != nil {
		return err
	}
	if o.json {
		err = PrintJSON(c.OutOrStdout(), answer)
	} else {
		printVersions(c.OutOrStdout(), answer)
	}
	if err == nil && answer.Count == 0 {
		return nothing(c, "collection %s has no such version", col.Name)
	}
	return err
}

// answer asks the index. Whatever it reads is checked.
func (o *versionsOptions) answer(ctx context.Context, col *catalog.Collection, q temporal.Query) (*versions.Answer, error) {
	ix, err := temporal.Open(col.IndexDir("temporal"))
	if err != nil {
		e := &varve.Error{Kind: varve.Unavailable, Op: "versions of collection " + col.Name, Err: err, Hint: "varve index --collection " + col.Name}
		if errors.Is(err, temporal.ErrNotBuilt) {
			e.Kind = varve.NotFound
		}
		return nil, e
	}
	defer ix.Close()
	return versions.Ask(ctx, ix, q, o.ask.Count)
}

func printVersions(w io.Writer, a *versions.Answer) {
	if a.Versions == nil {
		fmt.Fprintln(w, a.Count)
		return
	}
	for _, v := range a.Versions {
		end := "now"
		if !v.Valid.To.IsZero() {
			end = v.Valid.To.Format("2006-01-02T15:04:05Z")
		}
		proof := ""
		if v.Evidence != "" {
			proof = " " + v.Evidence
		}
		fmt.Fprintln(w, oneLine(fmt.Sprintf("%s .. %s%s  %d %s %s  x%d  %s",
			v.Valid.From.Format("2006-01-02T15:04:05Z"), end, proof, v.Status, v.MIME, v.Digest, v.Captures, v.URL)))
	}
	if a.Next != "" {
		fmt.Fprintf(w, "... more: --start %s\n", a.Next)
	}
}
