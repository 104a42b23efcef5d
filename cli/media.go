package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"varve"
	"varve/crawl/media/external"
	"varve/curate/curation"
)

// mediaOptions are the flags that all commands on media have.
type mediaOptions struct {
	archive, collection string
	json                bool
}

func newMediaCommand() *cobra.Command {
	o := &mediaOptions{}
	c := &cobra.Command{
		Use:   "media",
		Short: "Films and sounds: what pages show, what is archived, what to get",
		Long: `The list of the films and sounds of a collection, for curators. Crawls capture streams (HLS, DASH) and files by
themselves; what hides behind players of others is got by yt-dlp, and old formats are converted by ffmpeg, when
somebody asks for it: with 'varve media fetch', or on the screen Media.

'varve derive' finds what pages show, so it comes first. States: found, queued, failed, archived.
What people note is kept in collections/NAME/labels/media.jsonl, which only grows; what was asked for in
collections/NAME/media/queue.jsonl.

Exit codes of all: 0 done, 1 nothing was found or something could not be got, 2 could not.`,
		Example: `  varve media list --collection news --state found
  varve media annotate https://player.example/embed/7 --collection news --label keep --note "the vote of 3 March"
  varve media fetch https://player.example/embed/7 --collection news --contact https://my.library/crawler
  varve media tools`,
	}
	c.PersistentFlags().StringVar(&o.archive, "archive", "archive", "the archive directory")
	collectionFlag(c.PersistentFlags(), &o.collection)
	c.PersistentFlags().BoolVar(&o.json, "json", false, "print JSON")
	c.AddCommand(o.listCommand(), o.annotateCommand(), newMediaFetchCommand(o), newMediaJailCommand(), o.dropCommand(), o.toolsCommand())
	return c
}

// list is the list of the collection of the command.
func (o *mediaOptions) list(c *cobra.Command) (*curation.List, error) {
	col, err := oneCollection(o.archive, o.collection)
	if err != nil {
		return nil, err
	}
	return curation.Open(col.Dir(), now), nil
}

func (o *mediaOptions) listCommand() *cobra.Command {
	var q curation.Query
	var state string
	c := &cobra.Command{
		Use:   "list",
		Short: "List films and sounds",
		Long: `Lists the films and sounds of a collection in the order of their addresses: state, kind, length, label, title,
address, and the page that shows them.

Exit codes: 0 some were listed, 1 none, 2 could not.`,
		Example: `  varve media list --collection news
  varve media list --collection news --state found --kind player
  varve media list --collection news --text harbour --json`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			switch q.State = curation.State(state); q.State {
			case "", curation.Archived, curation.Queued, curation.Failed, curation.Found:
			default:
				return UsageError(c, "--state takes found, queued, failed or archived")
			}
			return o.runList(c, q)
		},
	}
	f := c.Flags()
	f.StringVar(&q.Text, "text", "", "only with this in title, description, text around, note or address")
	f.StringVar(&state, "state", "", "only found, queued, failed or archived")
	f.StringVar(&q.Kind, "kind", "", "only file, hls, dash or player")
	f.StringVar(&q.Service, "service", "", "only of this well-known player, such as youtube")
	f.StringVar(&q.Label, "label", "", "only with this label")
	f.BoolVar(&q.Parts, "parts", false, "also play lists that no page names: parts of streams")
	f.IntVar(&q.Limit, "limit", 100, "entries at most")
	f.IntVar(&q.Offset, "offset", 0, "entries to pass over")
	return c
}

func (o *mediaOptions) runList(c *cobra.Command, q curation.Query) error {
	l, err := o.list(c)
	if err != nil {
		return err
	}
	page, err := l.Entries(c.Context(), q)
	if page == nil {
		return &varve.Error{Kind: varve.Unavailable, Op: "list media", Err: err, Hint: "'varve derive --check' makes damaged tables anew"}
	}
	if err != nil {
		fmt.Fprintf(c.ErrOrStderr(), "varve: some lines cannot be read and are left out: %v\n", err)
	}
	if o.json {
		err = PrintJSON(c.OutOrStdout(), page)
	} else {
		err = printMedia(c.OutOrStdout(), page, q)
	}
	if err != nil {
		return err
	}
	if !page.Derived {
		fmt.Fprintln(c.ErrOrStderr(), "varve: what pages show is not known yet: run 'varve derive'")
	}
	if len(page.Entries) == 0 {
		return nothing(c, "no such film or sound is known")
	}
	return nil
}

func printMedia(out io.Writer, page *curation.Part, q curation.Query) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for i := range page.Entries {
		e := &page.Entries[i]
		last := ""
		if e.Last != "" && e.State != curation.Archived {
			last = "; last attempt: " + clipText(e.Last, 100)
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%s%s\n", e.State, orDash(e.Kind), length(e.Seconds), orDash(e.Label), orDash(clipText(e.Title, 40)), e.URL, orDash(e.Page), last)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if shown := q.Offset + len(page.Entries); shown < page.Total {
		_, err := fmt.Fprintf(out, "%d of %d; --offset %d goes on\n", shown, page.Total, shown)
		return err
	}
	return nil
}

func orDash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

// length writes seconds as people read them.
func length(seconds float64) string {
	if seconds <= 0 {
		return "-"
	}
	return (time.Duration(seconds) * time.Second).String()
}

func clipText(s string, n int) string {
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	return string(r[:n-1]) + "…"
}

func (o *mediaOptions) annotateCommand() *cobra.Command {
	var n curation.Note
	c := &cobra.Command{
		Use:   "annotate URL",
		Short: "Note something about a film or sound",
		Long: `Adds a line to labels/media.jsonl: a label (one word; the last one counts), a note, or both. Nothing is ever
taken out.

Exit codes: 0 noted, 2 could not.`,
		Example: `  varve media annotate https://player.example/embed/7 --collection news --label keep
  varve media annotate https://player.example/embed/7 --collection news --note "rights cleared until 2030" --by anna`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			l, err := o.list(c)
			if err != nil {
				return err
			}
			n.URL = args[0]
			if err := l.Annotate(n); err != nil {
				return &varve.Error{Kind: varve.Invalid, Op: "annotate " + args[0], Err: err, Hint: "--label WORD, --note \"TEXT\", or both"}
			}
			return nil
		},
	}
	f := c.Flags()
	f.StringVar(&n.Label, "label", "", "one word, such as keep, ignore, rights")
	f.StringVar(&n.Text, "note", "", "a text")
	f.StringVar(&n.By, "by", os.Getenv("USER"), "who notes it")
	return c
}

func (o *mediaOptions) dropCommand() *cobra.Command {
	c := &cobra.Command{
		Use:     "drop URL...",
		Short:   "Take films and sounds out of the queue",
		Long:    "What was asked for and not yet got is not got any more.\n\nExit codes: 0 done, 2 could not.",
		Example: "  varve media drop https://player.example/embed/7 --collection news",
		Args:    cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			l, err := o.list(c)
			if err != nil {
				return err
			}
			for _, u := range args {
				if err := l.Drop(u, os.Getenv("USER")); err != nil {
					return &varve.Error{Kind: varve.NotFound, Op: "drop " + u, Err: err, Hint: "'varve media list --state queued' names what is in it"}
				}
			}
			return nil
		},
	}
	return c
}

func (o *mediaOptions) toolsCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "tools",
		Short: "Tell which external programs are installed",
		Long: `yt-dlp gets films behind players of others, ffmpeg converts old formats. Both are optional.

Exit codes: 0 all are there, 1 some are missing.`,
		Example: "  varve media tools",
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			t := external.Find()
			if o.json {
				if err := PrintJSON(c.OutOrStdout(), map[string]string{"yt-dlp": t.YTDLP, "ffmpeg": t.FFmpeg, "ffprobe": t.FFprobe}); err != nil {
					return err
				}
			} else {
				fmt.Fprintf(c.OutOrStdout(), "yt-dlp   %s\nffmpeg   %s\nffprobe  %s\n", orDash(t.YTDLP), orDash(t.FFmpeg), orDash(t.FFprobe))
			}
			err := t.Missing()
			if err == nil {
				return nil
			}
			fmt.Fprintf(c.ErrOrStderr(), "varve: %v\n       %s\n", err, varve.HintOf(err))
			return errors.Join(varve.ErrFindings)
		},
	}
}
