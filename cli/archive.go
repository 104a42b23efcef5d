package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"varve"
	"varve/archive/catalog"
	"varve/archive/spool"
	"varve/archive/store"
	"varve/cluster"
)

// openArchive opens an archive, wherever its varve.toml says that its files lie.
func openArchive(dir string) *catalog.Archive {
	return catalog.OpenWith(dir, cluster.Objects(dir))
}

func newArchiveCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "archive",
		Short: "Where the WARC files of an archive lie: here, or in an object store",
		Long: `The WARC files of an archive lie in its directory, or in a bucket of an object store that speaks S3. varve.toml in
the archive directory says which:

  [store]
  kind = "s3"
  endpoint = "https://s3.example.org"
  bucket = "archive"

The keys come from the environment (VARVE_S3_ACCESS_KEY and VARVE_S3_SECRET_KEY, or those of AWS) or from a file that
credentials_file names; they are never printed. Crawls and imports write to the disk as ever and send each finished file
by themselves; all other commands and 'varve serve' read a file wherever it lies. Indexes and derivatives stay on the disk: they can
be built anew.`,
	}
	c.AddCommand(newArchiveStatusCommand(), newArchiveMigrateCommand(), newArchiveRescanCommand())
	return c
}

type archiveOptions struct {
	archive, collection string
	json                bool
}

func (o *archiveOptions) flags(c *cobra.Command) {
	f := c.Flags()
	f.StringVar(&o.archive, "archive", "archive", "the archive directory")
	f.StringVar(&o.collection, "collection", "", "the collection (default: all)")
	f.BoolVar(&o.json, "json", false, "print JSON")
}

// archiveStatus is where the files of a collection lie.
type archiveStatus struct {
	Collection string   `json:"collection"`
	Files      int      `json:"files"`
	Bytes      int64    `json:"bytes"`
	Here       int      `json:"here"`    // on the disk
	Stored     int      `json:"stored"`  // in the store
	Both       int      `json:"both"`    // in both
	Pending    int      `json:"pending"` // to be sent
	ToSend     int64    `json:"pendingBytes"`
	Missing    []string `json:"missing,omitempty"` // in the list, and not in the store; with --remote
	Unknown    []string `json:"unknown,omitempty"` // in the store, and not in the list; with --remote
	Unread     string   `json:"unread,omitempty"`  // lines of objects.jsonl that cannot be read
}

func (s *archiveStatus) bad() bool { return len(s.Missing)+len(s.Unknown) > 0 || s.Unread != "" }

type archiveReport struct {
	Kind        string          `json:"kind"`
	Store       string          `json:"store,omitempty"`
	Endpoint    string          `json:"endpoint,omitempty"`
	Tried       bool            `json:"tried"` // the store keeps its promises; with --remote
	Collections []archiveStatus `json:"collections"`
}

func newArchiveStatusCommand() *cobra.Command {
	var o archiveOptions
	var remote bool
	c := &cobra.Command{
		Use:   "status",
		Short: "Tell where the files of collections lie, and what waits to be sent",
		Long: `Tells for each collection how many WARC files lie on the disk, in the store, and in both, and how many wait to be sent.
This is read from the archive alone; the store is not asked.

--remote asks it: it tries the keys and the promises that an archive relies on (wrong digests are refused, nothing is replaced; a
small object is written and removed again), and compares the list of objects with what the store has.

Exit codes: 0 done, 1 files are missing in the store or unknown here, 2 could not: the error says what is wrong with keys, bucket,
region, clock or server.`,
		Example: `  varve archive status --archive archive
  varve archive status --remote --json`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return runArchiveStatus(c, &o, remote) },
	}
	o.flags(c)
	c.Flags().BoolVar(&remote, "remote", false, "ask the store")
	return c
}

func runArchiveStatus(c *cobra.Command, o *archiveOptions, remote bool) error {
	cfg, err := cluster.ReadStore(o.archive)
	if err != nil {
		return err
	}
	cols, err := chosenCollections(o.archive, o.collection)
	if err != nil {
		return err
	}
	rep := archiveReport{Kind: cfg.Kind, Collections: []archiveStatus{}}
	var far store.Store
	if cfg.Reachable() {
		s, err := cfg.Bare()
		if err != nil {
			return err
		}
		rep.Store, rep.Endpoint, far = s.String(), s.Endpoint(), s
		if remote {
			if err := s.Probe(c.Context()); err != nil {
				return err
			}
			rep.Tried = true
		}
	} else if remote {
		_, err := cfg.Bare()
		return err
	}
	found := false
	for _, col := range cols {
		s, err := statusOf(col, cfg.Kind == cluster.KindS3)
		if err == nil && remote {
			err = s.compare(c.Context(), col, far)
		}
		if err != nil {
			return err
		}
		found = found || s.bad()
		rep.Collections = append(rep.Collections, s)
	}
	if err := rep.print(c.OutOrStdout(), o.json); err != nil {
		return err
	}
	if found {
		return varve.ErrFindings
	}
	return nil
}

// statusOf counts the files of a collection; sends says whether those that only lie here are to be sent.
func statusOf(col *catalog.Collection, sends bool) (s archiveStatus, err error) {
	s.Collection = col.Name
	files, err := col.WARCs()
	if err != nil {
		return s, err
	}
	objects, err := col.Objects()
	if err != nil {
		return s, err
	}
	if err := col.UnreadObjects(); err != nil {
		s.Unread = err.Error()
	}
	for _, f := range files {
		info, err := f.Stat()
		if f.InPlace || err != nil {
			continue // audits find those that are gone
		}
		s.Files++
		s.Bytes += info.Size
		_, stored := objects[f.Name]
		if stored {
			s.Stored++
		}
		switch {
		case f.Stored:
		case stored:
			s.Here++
			s.Both++
		default:
			s.Here++
			if sends {
				s.Pending++
				s.ToSend += info.Size
			}
		}
	}
	return s, nil
}

// compare holds the list of objects against what the store has.
func (s *archiveStatus) compare(ctx context.Context, col *catalog.Collection, far store.Store) error {
	objects, err := col.Objects()
	if err != nil {
		return err
	}
	prefix := col.ObjectKey("")
	for info, err := range far.List(ctx, prefix) {
		if err != nil {
			return err
		}
		name := info.Key[len(prefix):]
		o, ok := objects[name]
		if !ok || o.Size != info.Size {
			s.Unknown = append(s.Unknown, name)
		}
		delete(objects, name)
	}
	for name := range objects {
		s.Missing = append(s.Missing, name)
	}
	slices.Sort(s.Missing)
	return nil
}

func (r *archiveReport) print(w io.Writer, asJSON bool) error {
	if asJSON {
		return PrintJSON(w, r)
	}
	where := "new files stay in the archive directory"
	if r.Kind == cluster.KindS3 {
		where = "new files go to " + r.Store + " at " + r.Endpoint
	}
	if r.Tried {
		where += "; the store was tried and keeps its promises"
	}
	fmt.Fprintln(w, where)
	for _, s := range r.Collections {
		fmt.Fprintf(w, "%s: %s, %s: %d here, %d in the store, %d in both", s.Collection, count(int64(s.Files), "file"), size(s.Bytes), s.Here, s.Stored, s.Both)
		if r.Kind == cluster.KindS3 {
			fmt.Fprintf(w, "; %d to be sent (%s)", s.Pending, size(s.ToSend))
		}
		fmt.Fprintln(w)
		for _, name := range s.Missing {
			fmt.Fprintf(w, "  missing in the store: %s\n", oneLine(name))
		}
		for _, name := range s.Unknown {
			fmt.Fprintf(w, "  in the store, and not in the list or of another size: %s ('varve archive rescan' takes it in)\n", oneLine(name))
		}
		if s.Unread != "" {
			fmt.Fprintf(w, "  %s\n", oneLine(s.Unread))
		}
	}
	return nil
}

type migrateOptions struct {
	archiveOptions
	to             string
	keep, readBack bool
	olderThan      time.Duration
	attempts       int

	moved, removed, swept int
	bytes                 int64
	refusals              []string
}

func newArchiveMigrateCommand() *cobra.Command {
	var o migrateOptions
	c := &cobra.Command{
		Use:   "migrate --to s3|directory",
		Short: "Move WARC files between the archive directory and the store, verified",
		Long: `Moves the finished WARC files of collections into the bucket that varve.toml names (--to s3), or back into the
archive directory (--to directory).

To s3: each file is hashed and compared with what was recorded when it came in (a file that changed is not sent: it is told),
sent with its SHA-256, which the server checks, and asked for afterwards; then it is noted in objects.jsonl. Local copies are
removed when the server has said once more that it has the file, unless keep_local of [store] or --keep keeps them (the default is
to keep them). --read-back also reads each object to its end before it counts as stored. Files of a crawl that can still be resumed
stay in any case. Uploads that broke off and that nobody resumed for --abandoned are removed from the bucket.

To directory: each object is fetched and its digest compared; then the object is deleted from the bucket. --keep leaves it there.

It can be stopped or killed at any moment and started again: it goes on where it was, a broken upload with the part that is
missing. A store that does not answer is asked again, with longer and longer waits.

Exit codes: 0 done, 1 some files were refused, or stopped early, 2 could not.`,
		Example: `  varve archive migrate --to s3 --collection news
  varve archive migrate --to directory`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return runMigrate(c, &o) },
	}
	o.flags(c)
	f := c.Flags()
	f.StringVar(&o.to, "to", "", "s3 or directory; needed")
	f.BoolVar(&o.keep, "keep", false, "keep the copies where the files were")
	f.BoolVar(&o.readBack, "read-back", false, "read each object to its end before it counts as stored")
	f.DurationVar(&o.olderThan, "abandoned", 7*24*time.Hour, "remove uploads from the bucket that broke off so long ago")
	f.IntVar(&o.attempts, "attempts", 8, "of each file, while the store does not answer")
	return c
}

func runMigrate(c *cobra.Command, o *migrateOptions) error {
	if o.to != cluster.KindS3 && o.to != cluster.KindDirectory {
		return UsageError(c, "needs --to s3 or --to directory")
	}
	cfg, err := cluster.ReadStore(o.archive)
	if err != nil {
		return err
	}
	far, err := cfg.Open()
	if err != nil {
		return err
	}
	cols, err := chosenCollections(o.archive, o.collection)
	if err != nil {
		return err
	}
	if bare, err := cfg.Bare(); err != nil {
		return err
	} else if err := bare.Probe(c.Context()); o.to == cluster.KindS3 && err != nil {
		return err
	}
	progress := c.ErrOrStderr()
	how := spool.Config{
		Store: far, KeepLocal: o.keep || cfg.Keeps(), ReadBack: o.readBack, Attempts: o.attempts, Now: time.Now,
		Log: func(format string, args ...any) { fmt.Fprintln(progress, oneLine(fmt.Sprintf(format, args...))) },
	}
	if IsTerminal(progress) {
		how.Progress = func(name string, n int64) { fmt.Fprintf(progress, "\r\x1b[K%s (%s)", name, size(n)) }
	}
	for _, col := range cols {
		var rep spool.Report
		switch {
		case o.to == cluster.KindS3:
			rep, err = spool.Push(c.Context(), col, how)
		case o.keep:
			rep, err = spool.Fetch(c.Context(), col, how)
		default:
			rep, err = spool.Recall(c.Context(), col, how)
		}
		o.moved, o.bytes, o.removed = o.moved+rep.Files, o.bytes+rep.Bytes, o.removed+rep.Removed
		for _, r := range rep.Refused {
			o.refusals = append(o.refusals, col.Name+"/"+r)
		}
		if c.Context().Err() != nil {
			return Stopped(c)
		}
		if err != nil {
			return err
		}
		if err := noteMigration(col, o.to, rep); err != nil {
			return err
		}
	}
	if o.to == cluster.KindS3 {
		if o.swept, err = far.Sweep(c.Context(), time.Now().Add(-o.olderThan)); err != nil {
			return err
		}
	}
	return o.print(c, far.String())
}

// noteMigration enters a move into the events of a collection.
func noteMigration(col *catalog.Collection, to string, rep spool.Report) error {
	if rep.Files+rep.Removed == 0 {
		return nil
	}
	return col.Note(catalog.Event{
		Time: time.Now().UTC(), Type: "migration", Outcome: "success", Agent: agent(), By: operator(),
		Detail: fmt.Sprintf("%d files, %d bytes to %s; %d copies removed", rep.Files, rep.Bytes, to, rep.Removed),
	})
}

func (o *migrateOptions) print(c *cobra.Command, where string) error {
	w := c.OutOrStdout()
	if o.refusals == nil {
		o.refusals = []string{}
	}
	if o.json {
		err := PrintJSON(w, map[string]any{"to": o.to, "store": where, "files": o.moved, "bytes": o.bytes, "removed": o.removed, "abandoned": o.swept, "refused": o.refusals})
		if err != nil {
			return err
		}
	} else {
		for _, r := range o.refusals {
			fmt.Fprintln(w, oneLine(r))
		}
		to := where
		if o.to == cluster.KindDirectory {
			to = "the archive directory"
		}
		fmt.Fprintf(w, "%s moved to %s (%s), %d copies removed where they were", count(int64(o.moved), "file"), to, size(o.bytes), o.removed)
		if o.swept > 0 {
			fmt.Fprintf(w, ", %d broken uploads removed", o.swept)
		}
		fmt.Fprintln(w)
	}
	if len(o.refusals) > 0 {
		return varve.ErrFindings
	}
	return nil
}

func newArchiveRescanCommand() *cobra.Command {
	var o archiveOptions
	c := &cobra.Command{
		Use:   "rescan",
		Short: "Make the list of objects again from what the store has",
		Long: `Reads what the store has of collections and adds to their objects.jsonl what is not in it: after that file was lost or
damaged, or when other machines write to the same bucket. Nothing is changed in the store. Files that the list has, and neither the
store nor the disk, are told.

Exit codes: 0 done, 1 files are missing, 2 could not.`,
		Example: `  varve archive rescan --collection news`,
		Args:    cobra.NoArgs,
		RunE:    func(c *cobra.Command, _ []string) error { return runRescan(c, &o) },
	}
	o.flags(c)
	return c
}

func runRescan(c *cobra.Command, o *archiveOptions) error {
	cfg, err := cluster.ReadStore(o.archive)
	if err != nil {
		return err
	}
	far, err := cfg.Bare()
	if err != nil {
		return err
	}
	cols, err := chosenCollections(o.archive, o.collection)
	if err != nil {
		return err
	}
	found := false
	for _, col := range cols {
		rep, missing, err := spool.Rescan(c.Context(), col, spool.Config{Store: far, Now: time.Now})
		if err != nil {
			return err
		}
		found = found || len(missing) > 0
		if o.json {
			err = PrintJSON(c.OutOrStdout(), map[string]any{"collection": col.Name, "added": rep.Files, "bytes": rep.Bytes, "missing": slices.Concat([]string{}, missing)})
		} else {
			for _, name := range missing {
				fmt.Fprintf(c.OutOrStdout(), "%s/%s  missing\n", col.Name, oneLine(name))
			}
			_, err = fmt.Fprintf(c.OutOrStdout(), "%s: %s added to the list (%s)\n", col.Name, count(int64(rep.Files), "object"), size(rep.Bytes))
		}
		if err != nil {
			return err
		}
	}
	if found {
		return varve.ErrFindings
	}
	return nil
}

// recaller brings files of a collection home from the store of the archive; nil where it has none.
func recaller(archive string, col *catalog.Collection) func(context.Context, string) error {
	return withStore(archive, func(ctx context.Context, cfg spool.Config, name string) error {
		_, err := spool.Recall(ctx, col, cfg, name)
		return err
	})
}

// dropper deletes objects of a collection from the store of the archive; nil where it has none.
func dropper(archive string, col *catalog.Collection) func(context.Context, string) error {
	return withStore(archive, func(ctx context.Context, cfg spool.Config, name string) error {
		return spool.Drop(ctx, col, cfg, name)
	})
}

// withStore does something with single files in the store of the archive, which is opened when the first is asked for; nil where it has none.
func withStore(archive string, do func(context.Context, spool.Config, string) error) func(context.Context, string) error {
	cfg, err := cluster.ReadStore(archive)
	if err == nil && !cfg.Reachable() {
		return nil
	}
	return func(ctx context.Context, name string) error {
		far, openErr := cfg.Open()
		if err := errors.Join(err, openErr); err != nil {
			return err
		}
		return do(ctx, spool.Config{Store: far, Now: time.Now}, name)
	}
}
